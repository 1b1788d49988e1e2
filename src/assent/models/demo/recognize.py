"""Which playbook a request means, and what it takes from the request. Pure."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from assent.models.demo.lexicon import CLOSING, POLITE, PREPOSITIONS
from assent.models.demo.moments import encode_moment, find_moments, parse_moment
from assent.models.demo.phrases import FILLER
from assent.models.demo.playbook import Playbook, Slot
from assent.models.demo.words import expand, join_words, split_text, words_of

LONGEST_REQUEST = 2_000
MOST_BETWEEN = 12
_GAP = r"[\s,;:]+"
_PIECE = re.compile(r"\{(\w+)\}|\(([^()]+)\)|\[([^\[\]]+)\]|(…)|([^\s{}()\[\]…]+)")
_ANY = rf"(?:\s+\S+){{0,{MOST_BETWEEN}}}?"
_URL = r"https?://[^\s<>\"'“”`]+"
_COUNTS: Mapping[str, int] = {
    "a": 1, "one": 1, "other": 2, "two": 2, "three": 3, "five": 5, "ten": 10, "fifteen": 15,
    "twenty": 20, "thirty": 30, "sixty": 60,
}  # fmt: skip
_UNITS: Mapping[str, int] = {"s": 1, "m": 60, "h": 3_600, "d": 86_400}
_INTERVAL = re.compile(
    rf"\b(?:every|each|once (?:a|every))\s+(?:(?P<count>\d+|{'|'.join(_COUNTS)})\s*)?"
    r"(?P<unit>seconds?|secs?|s|minutes?|mins?|m|hours?|h|days?|d)\b",
    re.I,
)
_AFTER_NAME = "for|that|which|on|at|in|into|every|each|once|with|of|to|from|and|as|by"
_NAME = re.compile(
    r"\b(?:called|named|titled)\s+(?:[\"“„'`](?P<quoted>[^\"”“'`\n]{1,200})[\"”“'`]"
    rf"|(?P<plain>[^\s,;]+(?:\s+(?!(?:{_AFTER_NAME})\b|https?://)[^\s,;]+){{0,4}}))",
    re.I,
)
_SMALL = FILLER | PREPOSITIONS | words_of("a an the that which and it its new please me us")
_ENDS = re.compile(r"[\s.!?…]+$")


@dataclass(frozen=True, slots=True)
class Recognized:
    """What was taken, and words that had no part in it."""

    playbook: Playbook
    values: Mapping[str, Any]
    unused: str = ""


def recognize(
    text: str, playbooks: Iterable[Playbook], now: datetime | None = None
) -> Recognized | None:
    """The playbook with the phrase that says most. `now` is what times are read by."""
    if len(text) > LONGEST_REQUEST:
        return None
    plain = " ".join(_ENDS.sub("", expand(text)).split())
    found: list[tuple[int, Recognized]] = []
    for playbook in playbooks:
        for phrase in playbook.phrases:
            match = compile_phrase(phrase, playbook.slots).fullmatch(f" {plain}")
            if match:
                found.append((_weigh(phrase), _take(playbook, match, plain, now)))
    return max(found, key=lambda one: one[0])[1] if found else None


def compile_phrase(phrase: str, slots: Mapping[str, Slot]) -> re.Pattern[str]:
    """A phrase as a pattern for a text that begins with a space."""
    polite = "|".join(_write_words(one) for one in POLITE)
    closing = "|".join(_write_words(one) for one in CLOSING)
    pieces = list(_PIECE.finditer(phrase))
    body = "".join(_compile(one, slots, last=one is pieces[-1]) for one in pieces)
    return re.compile(rf"(?:{_GAP}(?:{polite}))*{body}(?:{_GAP}(?:{closing}))*\s*", re.I)


def _compile(piece: re.Match[str], slots: Mapping[str, Slot], *, last: bool) -> str:
    slot, choice, optional, between, word = piece.groups()
    if slot:
        return rf"{_GAP}(?P<{slot}>{_find_shape(slots[slot], last=last)})"
    if between:
        return _ANY
    if choice or optional:
        options = "|".join(_write_words(one) for one in (choice or optional).split("|"))
        return rf"(?:{_GAP}(?:{options})(?!\w)){'?' if optional else ''}"
    return rf"{_GAP}{_write_words(word)}(?!\w)"


def _write_words(text: str) -> str:
    return r"\s+".join(re.escape(word) for word in text.split())


def _find_shape(slot: Slot, *, last: bool) -> str:
    if slot.kind == "url":
        return _URL
    if slot.kind in ("word", "name"):
        return r"[\"“„'`][^\"”“'`]{1,200}[\"”“'`]|[^\s,;]+"
    return r"\S[\s\S]*?" if last else rf"\S+{_ANY}"


def _weigh(phrase: str) -> int:
    """How much a phrase says: the letters of its words, of choices those of the shortest."""
    total = 0
    for _, choice, _, _, word in (one.groups() for one in _PIECE.finditer(phrase)):
        total += len(word or "") + min((len(one) for one in (choice or "").split("|")), default=0)
    return total


def _take(playbook: Playbook, match: re.Match[str], plain: str, now: datetime | None) -> Recognized:
    values: dict[str, Any] = {}
    for name, said in match.groupdict().items():
        value = parse_slot(playbook.slots[name], said, now) if said else None
        if value is not None:
            values[name] = value
    said = [one for name in values if (one := match.groupdict().get(name))]
    for name, slot in playbook.slots.items():
        found = _seek(slot, plain, now) if name not in values else None
        if found:
            values[name] = parse_slot(slot, found[1], now)
            said.append(found[0])
            plain = plain.replace(found[0], " ", 1) if slot.kind != "start" else plain
    return Recognized(playbook, values, _list_unused(playbook, match[0], said))


def _list_unused(playbook: Playbook, rest: str, said: Sequence[str]) -> str:
    """What is left without what the slots took, and without the words of the phrases."""
    for one in said:
        rest = rest.replace(one, " ", 1)
    for one in _list_words(playbook.phrases):
        rest = re.sub(rf"(?<!\S){_write_words(one)}(?!\w)", " ", rest, flags=re.I)
    ignored = _SMALL | words_of(playbook.ignores)
    return join_words([word for word in split_text(rest) if word.key not in ignored])


def _list_words(phrases: Sequence[str]) -> list[str]:
    """All that phrases may say, the longest first: a part of it would leave the rest behind."""
    pieces = (one.groups() for phrase in phrases for one in _PIECE.finditer(phrase))
    said = {
        one
        for _, choice, optional, _, word in pieces
        for one in (word or choice or optional or "").split("|")
        if one
    }
    return sorted(said, key=lambda one: (-len(one), one))


def _seek(slot: Slot, text: str, now: datetime | None) -> tuple[str, str] | None:
    """Where a slot stands in a text: all of its words, and what it says."""
    if slot.kind in ("start", "end"):
        words = split_text(text)
        moments = find_moments(words, now)[slot.kind == "end" :][:1]
        spans = [" ".join(word.text for word in words[one.start : one.end]) for one in moments]
        return (spans[0], encode_moment(moments[0].at)) if spans else None
    if slot.kind == "url":
        found = re.search(_URL, text)
        return (found[0], found[0]) if found else None
    if slot.kind == "interval":
        found = _INTERVAL.search(text)
        return (found[0], found[0]) if found else None
    if slot.kind == "name":
        found = _NAME.search(text)
        return (found[0], found["quoted"] or found["plain"]) if found else None
    if slot.after:
        before = "|".join(_write_words(one) for one in slot.after)
        shape = _find_shape(slot, last=False)
        ours = r"(?:(?:the|our|my)\s+)?(?!https?://)"
        found = re.search(rf"(?<!\S)(?:{before})\s+{ours}(?P<said>{shape})", text, re.I)
        return (found[0], found["said"]) if found else None
    return None


def parse_slot(slot: Slot, text: str, now: datetime | None = None) -> Any:
    """A value from what was said, or answered; `None` where it does not fit."""
    if slot.kind in ("start", "end"):
        moment = parse_moment(text.strip(), now)
        return encode_moment(moment) if moment else None
    said = _ENDS.sub("", text.strip())
    if slot.kind == "url":
        found = re.search(_URL, said)
        return found[0].rstrip(".,;:!?)]}") if found else None
    if slot.kind == "interval":
        return _parse_interval(said)
    return said.strip("\"“”„'`").strip() or None


def _parse_interval(text: str) -> int | None:
    match = _INTERVAL.search(text) or _INTERVAL.search(f"every {text}")
    if match is None:
        return None
    count = (match["count"] or "1").casefold()
    number = int(count) if count.isdigit() else _COUNTS[count]
    return number * _UNITS[match["unit"][0].casefold()]


def list_slot_names(phrases: Sequence[str]) -> set[str]:
    return {one[1] for phrase in phrases for one in _PIECE.finditer(phrase) if one[1]}
