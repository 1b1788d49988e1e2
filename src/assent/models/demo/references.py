"""Which words name the things whose ids a call needs. Pure."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from assent.models.demo.lexicon import stem
from assent.models.demo.phrases import FILLER, Phrase, Pool
from assent.models.demo.profile import Field, Profile
from assent.models.demo.understand import Clause
from assent.models.demo.words import Word, words_of

_INTO = words_of("to into in onto under within inside as on from at by via with")
_PLACE = words_of("in into to under on onto within inside at")
_PURPOSE = words_of("for about")
CONTEXT = frozenset({"workspace", "tenant", "project", "organization"})
"""What calls happen in: named only when somebody names it."""


@dataclass(frozen=True, slots=True)
class Named:
    """The references of a clause, the phrases that are left, and words that nobody could use."""

    references: tuple["Reference", ...]
    left: tuple[Phrase, ...]
    unused: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Reference:
    """Words that name something; `fields` are those whose id it may be, the likeliest first."""

    fields: tuple[Field, ...]
    phrase: Phrase
    raw: str
    soft: bool = False
    """Whether the words may as well say what something is for."""


def read_references(pool: Pool, clause: Clause, profile: Profile) -> Named:
    reader = _Reader(clause, profile)
    for phrase in pool.phrases():
        reader.read_named(phrase)
    return reader.finish()


class _Reader:
    def __init__(self, clause: Clause, profile: Profile) -> None:
        self._clause = clause
        self._profile = profile
        self._open = [one for one in profile.fields if one.is_id]
        self._hinted: list[Field] = []
        self._found: list[Reference] = []
        self._rest: list[Phrase] = []
        self.unused: list[str] = []

    def read_named(self, phrase: Phrase) -> None:
        """A phrase that says what kind of thing it names: `the billing system`."""
        named = [one for one in self._open if phrase.mentions(one.noun)]
        if not named:
            self._rest.append(phrase)
            return
        name = self._strip(phrase, named[0])
        if name.words:
            self._add((named[0],), name, phrase)
        elif named[0] not in self._hinted:
            self._hinted.append(named[0])

    def finish(self) -> Named:
        left: list[Phrase] = []
        for phrase in self._order(self._rest):
            name = self._strip(phrase, None)
            if not name.words:
                continue
            fields = self._guess(phrase)
            if fields:
                self._add(fields, name, phrase)
            else:
                left.append(name)
        return Named(tuple(self._found), tuple(left), tuple(self.unused))

    def _add(self, fields: tuple[Field, ...], name: Phrase, phrase: Phrase) -> None:
        soft = self._clause.action == "create" and phrase.preposition in _PURPOSE
        self._found.append(Reference(fields, name, phrase.without(()).text, soft))
        if len(fields) == 1:
            self._open.remove(fields[0])

    def _strip(self, phrase: Phrase, field: Field | None) -> Phrase:
        """The name alone; of a question, without the words that only make it one."""
        if phrase.is_pronoun:
            return phrase
        nouns = (field.noun,) if field else self._profile.objects
        if not self._profile.reads:
            return phrase.without(nouns)
        own = {stem(one) for one in (*self._profile.objects, self._profile.namespace)}
        kept = _keep_telling(phrase.words, own)
        if not phrase.preposition:
            before = _keep_telling(_cut_predicate(phrase.words, own), own)
            self.unused += [word.text for word in kept[len(before) :]]
            kept = before
        return replace(phrase, words=kept).without(nouns)

    def _order(self, phrases: Sequence[Phrase]) -> list[Phrase]:
        """In a question what stands behind a preposition says more than its beginning."""
        if not self._profile.reads:
            return list(phrases)
        return sorted(phrases, key=lambda phrase: not phrase.preposition)

    def _guess(self, phrase: Phrase) -> tuple[Field, ...]:
        known = [one for one in self._open if one.noun not in CONTEXT]
        required = [one for one in known if one.required]
        if self._profile.reads:
            itself = not phrase.preposition and phrase.mentions_one(self._profile.noun)
            return () if self._found or itself else tuple(required[:1] or known)
        if self._clause.action == "create" and not self._profile.objects[1:]:
            return self._guess_place(phrase, required, known)
        hinted = [one for one in self._hinted if one in required]
        others = [one for one in required if one not in hinted]
        if phrase.preposition in _INTO:
            return tuple((hinted or others[-1:])[:1])
        needs_text = any(one.required and one.kind == "text" for one in self._profile.fields)
        if needs_text and not phrase.preposition and len(required) == 1 and self._has_place():
            return ()
        return tuple((others or hinted)[:1])

    def _guess_place(
        self, phrase: Phrase, required: list[Field], known: list[Field]
    ) -> tuple[Field, ...]:
        """Where something new belongs; its name is no reference."""
        if not phrase.preposition:
            return ()
        if required:
            return tuple(required[:1])
        return tuple(known) if phrase.preposition in _PLACE | _PURPOSE else ()

    def _has_place(self) -> bool:
        return any(phrase.preposition in _INTO for phrase in self._rest)


def _keep_telling(words: Sequence[Word], own: set[str]) -> tuple[Word, ...]:
    return tuple(
        word
        for word in words
        if word.quoted or (word.key not in FILLER and stem(word.key) not in own)
    )


def _cut_predicate(words: Sequence[Word], own: set[str]) -> tuple[Word, ...]:
    """`which systems depend …`: behind the kind of thing comes what is asked about it."""
    at = next((at for at, word in enumerate(words) if stem(word.key) in own), None)
    asks = any(word.key in ("which", "what", "how") for word in words[: at or 0])
    return tuple(words[:at]) if at is not None and asks else tuple(words)
