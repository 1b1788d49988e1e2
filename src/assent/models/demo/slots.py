"""The arguments of a call, from its schema and the words of a clause. Pure.

Plain values are taken here. What an id stands for is only named: finding it needs a list, which is
what `plan.py` asks for.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from assent.models.demo.lexicon import (
    CALLED,
    DETERMINERS,
    SEARCHING,
    TELLING,
    are_alike,
    plural,
    singular,
)
from assent.models.demo.moments import encode_moment, find_moments, parse_moment
from assent.models.demo.phrases import Phrase, Pool, split_names, strip_filler
from assent.models.demo.profile import Field, Profile
from assent.models.demo.references import Reference, read_references
from assent.models.demo.understand import Clause
from assent.models.demo.words import Word, join_words, split_name, split_text, words_of

_NUMBER = re.compile(r"-?\d+(?:[.,]\d+)?")
_COUNTS: Mapping[str, int] = {
    "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8,
    "nine": 9, "ten": 10, "eleven": 11, "twelve": 12,
}  # fmt: skip
_ENDING = words_of("in into to with for on that which under at from by as having and")
_SAYING = words_of("is to as be are")
_OWNING = words_of("of for on")
_NOT = words_of("not no non without")
_YES = words_of("yes true on y")
_NO = words_of("no false off n")
_CLAUSES = words_of("that which who")
_MATCHING = words_of("matching containing like starting")
_WHEN = words_of("until till by at on from to starting beginning since due start started")
_FIRST = words_of("first last latest top newest")


@dataclass(slots=True)
class Filled:
    """What could be read.

    `names` are several names where one call each is wanted, `unused` words that had no part in it,
    `wanted` fields that were to be set, nobody said to what.
    """

    values: dict[str, Any] = field(default_factory=dict[str, Any])
    references: tuple[Reference, ...] = ()
    names: tuple[str, ...] = ()
    unused: tuple[str, ...] = ()
    wanted: tuple[Field, ...] = ()


def fill(clause: Clause, profile: Profile, now: datetime | None) -> Filled:
    filler = _Filler(clause, profile, now)
    return filler.fill_read() if profile.reads else filler.fill_change()


def parse_answer(field: Field, text: str, now: datetime | None) -> Any:
    """A value from the answer to a question about one field; `None` when it does not fit."""
    text = text.strip()
    if field.kind == "choice":
        return next((one for one in field.options if split_name(one) == split_name(text)), None)
    if field.kind == "flag":
        said = text.casefold()
        return said in _YES if said in _YES | _NO else None
    if field.kind == "number":
        return _to_number(text)
    if field.kind in ("moment", "day"):
        moment = parse_moment(text, now)
        return _encode(moment, field) if moment else None
    if field.kind in ("texts", "choices"):
        return split_names(split_text(text)) or None
    return _strip_naming(text) or None


def _encode(moment: datetime, field: Field) -> str:
    return encode_moment(moment) if field.kind == "moment" else f"{moment:%Y-%m-%d}"


def _strip_naming(text: str) -> str:
    """`call it billing, please` names it billing."""
    said = re.sub(r"^(please )?(call|name) it\s+|^it is called\s+", "", text, flags=re.I)
    said = re.sub(r"[,.!]?\s*please[.!]?$", "", said, flags=re.I)
    return said.strip().strip("\"'“”„`").removesuffix(".").strip()


def _to_number(text: str) -> int | float | None:
    if text.casefold() in _COUNTS:
        return _COUNTS[text.casefold()]
    match = _NUMBER.search(text)
    if match is None:
        return None
    number = float(match[0].replace(",", "."))
    return int(number) if number.is_integer() else number


class _Filler:
    """One clause and one tool: takes words from the pool, field after field."""

    def __init__(self, clause: Clause, profile: Profile, now: datetime | None) -> None:
        self._clause = clause
        self._profile = profile
        self._now = now
        self._pool = Pool(clause.words)
        self._values: dict[str, Any] = {}
        self._names: tuple[str, ...] = ()
        self._wanted: list[Field] = []

    def fill_change(self) -> Filled:
        naming = self._profile.naming
        if naming:
            self._take_called(naming)
        self._take_pairs()
        self._take_new_name(naming)
        self._take_plain()
        self._take_clause()
        self._take_behind_colon(naming)
        named = read_references(self._pool, self._clause, self._profile)
        unused = self._take_left(naming, named.left)
        wanted = tuple(one for one in self._wanted if one.name not in self._values)
        return Filled(self._values, named.references, self._names, tuple(unused), wanted)

    def fill_read(self) -> Filled:
        searching = self._profile.find((*SEARCHING, "name", "title"))
        at = self._find_key(CALLED | _MATCHING)
        if searching and searching.kind == "text" and at is not None and at + 1 < len(self._pool):
            start = at + 1 + (self._pool.key(at + 1) == "with")
            end = self._find_end(start, _ENDING)
            self._values[searching.name] = self._pool.take(start, end)
            self._pool.take(at, start)
        self._take_limit()
        self._take_plain()
        named = read_references(self._pool, self._clause, self._profile)
        said = [phrase.text for phrase in named.left]
        if said and searching and searching.name not in self._values:
            self._values[searching.name] = said.pop(0)
        return Filled(self._values, named.references, unused=(*said, *named.unused))

    def _take_called(self, naming: Field) -> None:
        """The name behind `called`; several where several things are wanted."""
        pool, at = self._pool, self._find_key(CALLED)
        if at is None or at + 1 >= len(pool):
            return
        several = self._wants_several()
        end = self._find_end(at + 1, _ENDING - {"and"} if several else _ENDING, several=several)
        words = pool.words[at + 1 : end]
        self._set_name(naming, words)
        pool.take(at, end)

    def _set_name(self, naming: Field, words: Sequence[Word]) -> None:
        names = split_names(words) if self._wants_several() else []
        self._names = tuple(names) if len(names) > 1 else ()
        self._values[naming.name] = join_words(words)

    def _wants_several(self) -> bool:
        return any(word.key == plural(self._profile.noun) for word in self._clause.words)

    def _find_key(self, keys: frozenset[str]) -> int | None:
        found = (at for at in range(len(self._pool)) if self._pool.key(at) in keys)
        return next((at for at in found if self._pool.is_free(at)), None)

    def _find_end(self, start: int, stops: frozenset[str], *, several: bool = False) -> int:
        """Where a name that begins here ends."""
        pool = self._pool
        if start < len(pool) and pool.words[start].quoted and not several:
            return start + 1
        for at in range(start, len(pool)):
            if at > start and (pool.key(at) in stops or not pool.is_free(at)):
                return at
            if pool.words[at].after.strip("\n") and not several:
                return at + 1
        return len(pool)

    def _take_pairs(self) -> None:
        """`description: …`, `with severity high`, `the name of X to Y`."""
        for field_ in self._profile.fields:
            wanted = field_.kind in ("text", "texts") and field_.name not in self._values
            if not wanted or field_.words[0] in self._profile.objects:
                continue
            at = self._pool.find(field_.words)
            if at is None:
                continue
            start = self._find_value_start(at + len(field_.words))
            if start is None:
                self._want(field_, at)
                continue
            end = self._find_text_end(start)
            words = self._pool.words[start:end]
            many = field_.kind == "texts"
            self._values[field_.name] = split_names(words) if many else join_words(words)
            self._pool.take(start, end)
            self._pool.take(at, at + len(field_.words))

    def _want(self, field_: Field, at: int) -> None:
        """`update the description of X` does not say to what."""
        if self._clause.action == "update":
            self._pool.take(at, at + len(field_.words))
            self._wanted.append(field_)

    def _find_value_start(self, at: int) -> int | None:
        """Behind a field's name: at once, or behind whose it is."""
        pool = self._pool
        if at >= len(pool):
            return None
        if pool.key(at) in _OWNING or (self._clause.action == "update" and self._owned_first(at)):
            later = [one for one in range(at, len(pool)) if pool.key(one) in _SAYING]
            if not later or later[0] + 1 >= len(pool):
                return None
            at = later[0]
        if pool.key(at) in _SAYING:
            pool.take(at, at + 1)
            at += 1
        return at if pool.is_free(at) else None

    def _owned_first(self, at: int) -> bool:
        """`set the description billing to …` is rare; a quoted value follows at once."""
        return not self._pool.words[at].quoted and self._pool.key(at) not in _SAYING

    def _find_text_end(self, start: int) -> int:
        """A free text goes on until the next field, or a thing that it is about."""
        pool = self._pool
        if pool.words[start].quoted:
            return start + 1
        for at in range(start + 1, len(pool)):
            joined = pool.key(at) in ("and", "with") or "," in pool.words[at - 1].after
            about = pool.key(at) in _OWNING | {"in", "to", "into"}
            if (joined or about) and self._is_field(at):
                return at
        return len(pool)

    def _is_field(self, at: int) -> bool:
        """Whether a field or a kind of thing is named within the next words."""
        near = [self._pool.key(one) for one in range(at, min(at + 4, len(self._pool)))]
        said = [singular(key) for key in near if key not in DETERMINERS | {"and", "with"}]
        return any(
            said[: len(one.words)] == [singular(word) for word in one.words]
            or (one.is_id and one.noun in said)
            for one in self._profile.fields
        )

    def _take_new_name(self, naming: Field | None) -> None:
        """`rename X to Y`."""
        pool = self._pool
        verb = self._clause.verb
        if naming is None or self._values or verb not in ("rename", "change"):
            return
        if verb == "rename":
            self._wanted.append(naming)
        places = [at for at in range(len(pool)) if pool.key(at) in ("to", "as", "into")]
        choices = any(one.options for one in self._profile.fields)
        if places and places[0] + 1 < len(pool) and not (verb == "change" and choices):
            self._values[naming.name] = pool.take(places[0], len(pool)).partition(" ")[2]

    def _take_plain(self) -> None:
        for one in self._profile.fields:
            if one.name in self._values or one.is_paging:
                continue
            if one.kind in ("choice", "choices"):
                self._take_choice(one)
            elif one.kind == "flag":
                self._take_flag(one)
            elif one.kind == "number":
                self._take_number(one)
        self._take_moments()

    def _take_choice(self, one: Field) -> None:
        found: list[str] = []
        for option in sorted(one.options, key=len, reverse=True):
            at = self._pool.find(split_name(option) or (option,))
            if at is not None:
                self._pool.take(at, at + len(split_name(option) or (option,)))
                found.append(option)
        mention = self._pool.find(one.words)
        if found and mention is not None:
            self._pool.take(mention, mention + len(one.words))
        if found:
            self._values[one.name] = found if one.kind == "choices" else found[0]

    def _take_flag(self, one: Field) -> None:
        at = self._pool.find(one.words)
        if at is None:
            return
        behind = at + len(one.words)
        denied = self._pool.key(at - 1) in _NOT or self._pool.key(behind) in _NO
        self._values[one.name] = not denied
        start = at - 1 if self._pool.key(at - 1) in _NOT else at
        self._pool.take(start, behind + (self._pool.key(behind) in _YES | _NO))

    def _take_number(self, one: Field) -> None:
        at = self._pool.find(one.words)
        if at is None:
            return
        behind = at + len(one.words)
        while self._pool.key(behind) in _SAYING | {"of"}:
            behind += 1
        for place in (behind, at - 1):
            number = _to_number(self._pool.key(place)) if self._pool.is_free(place) else None
            if number is not None:
                self._values[one.name] = number
                self._pool.take(min(at, place), max(at + len(one.words), place + 1))
                return

    def _take_moments(self) -> None:
        fields = [one for one in self._profile.fields if one.kind in ("moment", "day")]
        if not fields:
            return
        for moment in find_moments(self._pool.words, self._now):
            until = self._pool.key(moment.start - 1) in ("until", "till", "by")
            free = [one for one in fields if one.name not in self._values]
            if not free or not self._pool.is_free(moment.start):
                continue
            one = free[-1] if until else free[0]
            self._values[one.name] = _encode(moment.at, one)
            self._pool.take(moment.start, moment.end)
            if self._pool.key(moment.start - 1) in _WHEN:
                self._pool.take(moment.start - 1, moment.start)
            mention = self._pool.find(one.words)
            if mention is not None:
                self._pool.take(mention, mention + len(one.words))

    def _take_limit(self) -> None:
        limit = self._profile.find(("limit",))
        at = self._find_key(_FIRST)
        number = _to_number(self._pool.key(at + 1)) if at is not None else None
        if limit and at is not None and isinstance(number, int) and number > 0:
            self._values[limit.name] = min(number, limit.maximum or number)
            self._pool.take(at, at + 2)

    def _take_clause(self) -> None:
        """`that handles invoices` tells what it is for."""
        telling = self._find_telling()
        at = self._find_key(_CLAUSES)
        if telling and at and self._clause.action == "create" and at + 1 < len(self._pool):
            text = self._pool.take(at, len(self._pool)).partition(" ")[2]
            self._values[telling.name] = text[:1].upper() + text[1:]

    def _find_telling(self) -> Field | None:
        telling = self._profile.find(TELLING)
        return telling if telling and telling.name not in self._values else None

    def _take_behind_colon(self, naming: Field | None) -> None:
        """What stands behind a colon or a dash is the name, or else the text."""
        pool = self._pool
        for at in range(len(pool) - 1):
            if not set(":–—-") & set(pool.words[at].after) or not pool.is_free(at + 1):
                continue
            unnamed = naming and naming.name not in self._values and self._is_kind_until(at)
            target = naming if unnamed else self._find_telling() or self._find_open_text()
            if target and self._clause.action != "delete":
                self._values[target.name] = pool.take(at + 1, len(pool))
            return

    def _is_kind_until(self, at: int) -> bool:
        """Whether nothing before it is a name: only the kind of thing, and what it is for."""
        kinds = {*self._profile.objects, *DETERMINERS, self._profile.namespace}
        for place in range(at + 1):
            if self._pool.key(place) in _OWNING and place and self._clause.action == "create":
                return True
            if self._pool.is_free(place) and singular(self._pool.key(place)) not in kinds:
                return False
        return True

    def _find_open_text(self) -> Field | None:
        return next(
            (
                one
                for one in self._profile.fields
                if one.required and one.kind == "text" and one.name not in self._values
            ),
            None,
        )

    def _take_left(self, naming: Field | None, left: Sequence[Phrase]) -> list[str]:
        """What nothing else claimed: the name of what is made, or the text that is missing."""
        unused: list[str] = []
        for phrase in left:
            unnamed = naming if naming and naming.name not in self._values else None
            direct = not phrase.preposition
            if direct and unnamed and (self._clause.action == "create" or unnamed.required):
                self._set_name(unnamed, phrase.words)
            elif direct and (open_text := self._find_open_text()):
                self._values[open_text.name] = phrase.text
            elif any(
                not are_alike(word.key, self._profile.verb) for word in strip_filler(phrase.words)
            ):
                unused.append(phrase.text)
        return unused


def list_missing(profile: Profile, values: Mapping[str, Any]) -> list[Field]:
    return [one for one in profile.fields if one.required and one.name not in values]
