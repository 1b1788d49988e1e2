"""Where the values of a call came from, and which of them should make a person stop (SPEC P15).

Pure. An argument is looked for in everything that was in the model's context: as a whole, and where
it is nowhere as a whole, piece by piece: addresses in it, and sentences. Spelling does not hide it:
case, spaces, characters that nobody sees and other widths of the same letter are looked past. Every
match counts, and the least trusted one wins.
"""

import re
import unicodedata
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias, cast, get_args

from assent.audit.entry import Effect
from assent.tools.json_value import Path, encode_path, parse_path
from assent.tools.tool import Tool, Trust

Origin: TypeAlias = Literal["tool", "document", "attachment", "message", "typed", "model"]

SHORTEST = 4
"""Shorter values are everywhere: they count as written by the model."""
SHORTEST_SENTENCE = 24
SHORTEST_NUMBER = 8

_UNSEEN = re.compile("[\u00ad\u034f\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]")
_ADDRESS = re.compile(
    r"(?:https?://|www\.)[^\s<>\"'`|]+"
    r"|[\w.+-]+@[\w-]+(?:\.[\w-]+)+"
    r"|(?:[a-z0-9](?:[a-z0-9-]*[a-z0-9])?\.)+[a-z]{2,}",
    re.IGNORECASE,
)
_HOST = re.compile(r"https?://(?:[^/@\s]*@)?([^/:?#\s]+)", re.IGNORECASE)
_SENTENCE_END = re.compile(r"[\r\n]+|(?<=[.!?;])\s+")
_AROUND = "()[]{}<>*_~.,;:!?…\"'"


@dataclass(frozen=True, slots=True)
class Material:
    """Something that was in the model's context. `name` says which tool, file or person.

    Of `mixed` material the fields are the system's own, and the texts in them are anybody's.
    """

    origin: Origin
    name: str
    trust: Trust
    content: Any


@dataclass(frozen=True, slots=True, order=True)
class Match:
    """`whole`: the value itself stands there, and not only a piece of it."""

    origin: Origin
    name: str
    trusted: bool
    whole: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Mark:
    """Where the value at `path` came from: every match, the least trusted first.

    `is_carried`: it stands in untrusted content, and may have come from there. A field of its own
    does not count where the person typed the same, or a trusted result has it: records name what
    people ask for, and what we know. `is_address`: it is one, or one in it was found in untrusted
    content. `is_named`: a person wrote it, or it was read where only we write, and it stands
    nowhere else.
    """

    path: str
    matches: tuple[Match, ...]
    is_carried: bool = False
    is_address: bool = False
    is_named: bool = False


@dataclass(frozen=True, slots=True)
class Alarm:
    """Why a card is red, and which argument makes it so; none for the call as a whole."""

    path: str
    code: Literal["untrusted", "unnamed"]
    sentence: str


@dataclass(frozen=True, slots=True)
class Provenance:
    marks: tuple[Mark, ...] = ()
    alarms: tuple[Alarm, ...] = ()

    @property
    def is_red(self) -> bool:
        return bool(self.alarms)


MODEL = Match("model", "", trusted=True, whole=True)
UNNAMED = (
    "Untrusted content was read, and nothing in this call was named by you or by a source that "
    "can be trusted."
)


def find_provenance(
    tool: Tool,
    arguments: Mapping[str, Any],
    materials: Sequence[Material],
    *,
    effect: Effect,
    egress: bool,
) -> Provenance:
    texts = [_Text(one) for one in materials]
    marks = tuple(_mark(path, value, texts) for path, value in _list_leaves(arguments))
    tainted = any(one.trust != "trusted" for one in materials)
    return Provenance(marks, tuple(_find_alarms(tool, marks, effect, egress, tainted)))


def encode_provenance(provenance: Provenance) -> dict[str, Any]:
    """As JSON, for the card and for the row."""
    return {
        "marks": [
            {
                "path": mark.path,
                "matches": [
                    {
                        "origin": one.origin,
                        "name": one.name,
                        "trusted": one.trusted,
                        "whole": one.whole,
                    }
                    for one in mark.matches
                ],
            }
            for mark in provenance.marks
        ],
        "alarms": [
            {"path": one.path, "code": one.code, "sentence": one.sentence}
            for one in provenance.alarms
        ],
    }


def _find_alarms(
    tool: Tool, marks: Sequence[Mark], effect: Effect, egress: bool, tainted: bool
) -> Iterator[Alarm]:
    leading = {mark.path for mark in marks if _leads_out(tool, mark)}
    for mark in marks:
        leads_out = egress and (mark.is_address or not leading or mark.path in leading)
        if mark.is_carried and (effect == "destructive" or leads_out):
            yield Alarm(mark.path, "untrusted", _describe(mark.matches[0]))
    if effect == "destructive" and tainted and marks and not any(one.is_named for one in marks):
        yield Alarm("", "unnamed", UNNAMED)


def _leads_out(tool: Tool, mark: Mark) -> bool:
    """Whether it says where data goes to. Where no argument does, each of them may."""
    names = tuple(step for step in parse_path(mark.path) if isinstance(step, str))
    destinations = map(parse_path, tool.shape.destinations)
    return any(names[: len(one)] == one for one in destinations)


def _describe(match: Match) -> str:
    sources = {
        "tool": f"a result of {match.name}",
        "document": f"the document {match.name}",
        "attachment": f"the file {match.name}",
        "message": f"a message of {match.name}",
    }
    source = sources.get(match.origin, "what was read")
    part = "This" if match.whole else "A piece of this"
    return f"{part} stands in {source}, which others may have written."


def _mark(path: Path, value: Any, texts: Sequence["_Text"]) -> Mark:
    written = str(value).strip()
    whole = _find(written, texts, whole=True)
    is_typed = any(one.match.origin == "typed" for one in whole)
    is_clean = all(one.match.trusted for one in whole)
    is_known = is_typed or any(one.is_field and one.match.trusted for one in whole)
    if len(written) < SHORTEST:
        return Mark(path=encode_path(path), matches=(MODEL,), is_named=is_typed and is_clean)
    if whole:
        return Mark(
            path=encode_path(path),
            matches=_rank(whole),
            is_carried=any(one.is_suspect and not (is_known and one.is_field) for one in whole),
            is_address=_ADDRESS.search(written) is not None,
            is_named=is_clean,
        )
    addresses = [one for piece in _list_addresses(written) for one in _find(piece, texts)]
    sentences = [one for piece in _list_sentences(written) for one in _find(piece, texts)]
    return Mark(
        path=encode_path(path),
        matches=_rank([*addresses, *sentences]) or (MODEL,),
        is_carried=any(one.is_suspect for one in (*addresses, *sentences)),
        is_address=any(one.is_suspect for one in addresses),
    )


@dataclass(frozen=True, slots=True)
class _Found:
    """`is_field`: it is all that stands there."""

    match: Match
    is_field: bool

    @property
    def is_suspect(self) -> bool:
        return not self.match.trusted


def _find(value: str, texts: Sequence["_Text"], *, whole: bool = False) -> list[_Found]:
    wanted = fold(value)
    if not wanted:
        return []
    return [
        _Found(Match(text.origin, text.name, text.is_trusted(is_field), whole), is_field)
        for text in texts
        for is_field in text.find(wanted)
    ]


def _rank(found: Iterable[_Found]) -> tuple[Match, ...]:
    """Each once, the least trusted first, in the order in which they were in the context."""
    order = {origin: number for number, origin in enumerate(get_args(Origin))}
    once = dict.fromkeys(one.match for one in found)
    return tuple(sorted(once, key=lambda one: (one.trusted, order[one.origin])))


class _Text:
    """Material made ready to be searched."""

    def __init__(self, material: Material) -> None:
        self.origin: Origin = material.origin
        self.name = material.name
        self._trust = material.trust
        self._leaves = [fold(leaf) for leaf in _list_texts(material.content)]
        self._squeezed: list[str] | None = None

    def find(self, wanted: str) -> Iterator[bool]:
        """For each way in which it stands here: whether it is a field, or in a longer text."""
        if wanted in self._leaves:
            yield True
        if self._stands_inside(wanted):
            yield False

    def is_trusted(self, is_field: bool) -> bool:
        return self._trust == "trusted" or (self._trust == "mixed" and is_field)

    def _stands_inside(self, wanted: str) -> bool:
        """Between other words of a longer text, however it is spaced."""
        longer = (one for one in self._leaves if len(one) > len(wanted))
        return any(_has_word(one, wanted) for one in longer) or self._stands_squeezed(wanted)

    def _stands_squeezed(self, wanted: str) -> bool:
        """Numbers and codes are written with spaces and dashes, or without."""
        squeezed = _squeeze(wanted)
        if len(squeezed) < SHORTEST_NUMBER or not any(map(str.isdigit, squeezed)):
            return False
        if self._squeezed is None:
            self._squeezed = [_squeeze(one) for one in self._leaves]
        return any(squeezed in one and squeezed != one for one in self._squeezed)


def _has_word(text: str, wanted: str) -> bool:
    at = text.find(wanted)
    while at >= 0:
        end = at + len(wanted)
        before, after = text[at - 1 : at] if at else "", text[end : end + 1]
        inside = wanted[0].isalnum() and before.isalnum()
        if not inside and not (wanted[-1].isalnum() and after.isalnum()):
            return True
        at = text.find(wanted, at + 1)
    return False


def fold(text: str) -> str:
    """As it is compared: what looks the same is the same."""
    seen = _UNSEEN.sub("", unicodedata.normalize("NFKC", text))
    return " ".join(seen.casefold().split())


def _squeeze(text: str) -> str:
    return "".join(filter(str.isalnum, text))


def _list_addresses(text: str) -> Iterator[str]:
    for match in _ADDRESS.finditer(unicodedata.normalize("NFKC", _UNSEEN.sub("", text))):
        yield match[0].strip(_AROUND)
        host = _HOST.match(match[0])
        if host is not None:
            yield host[1]


def _list_sentences(text: str) -> Iterator[str]:
    for piece in _SENTENCE_END.split(text):
        if len(piece) >= SHORTEST_SENTENCE:
            yield piece.strip(_AROUND)


def _list_texts(content: Any) -> Iterator[str]:
    """All that stands in it, names of fields included: those too can be anybody's words."""
    if isinstance(content, Mapping):
        for key, below in cast(Mapping[str, Any], content).items():
            yield key
            yield from _list_texts(below)
    elif isinstance(content, list | tuple):
        for below in cast(Sequence[Any], content):
            yield from _list_texts(below)
    elif content is not None and not isinstance(content, bool):
        yield str(content)


def _list_leaves(value: Any, path: Path = ()) -> Iterator[tuple[Path, Any]]:
    """Texts and numbers, each with its path. Yes, no and nothing say too little."""
    if isinstance(value, Mapping):
        for key, below in cast(Mapping[str, Any], value).items():
            yield from _list_leaves(below, (*path, key))
    elif isinstance(value, list | tuple):
        for index, below in enumerate(cast(Sequence[Any], value)):
            yield from _list_leaves(below, (*path, index))
    elif value is not None and not isinstance(value, bool):
        yield path, value
