"""Cutting a result to the size that a model's context has room for (SPEC T8). Pure.

The budget counts characters of compact JSON. An object stays an object, a list a list, a text a
text; lists and objects keep their first entries, texts their beginning. A `_truncated` note says
what was dropped and how to narrow: as a field of an object, as the last element of a list, at the
end of a text. What is dropped is not looked at again, and nothing is looked at below a fixed depth:
the time taken grows with the size of the value and no faster.
"""

import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, cast

from assent.tools.json_value import Path, encode_json, encode_path

NOTE = "_truncated"
MARK = "…"
NARROW = "Ask for less: use filters, a smaller limit or single fields."
SMALLEST, LARGEST, WINDOW_UNKNOWN = 4_000, 60_000, 12_000
LEAST_BUDGET = 1_000
NOTE_LENGTH = 900
PLACES_SHOWN = 8
PATH_SHOWN = 80
DEPTH = 40
USEFUL = 64
"""A piece shorter than this says little: rather fewer entries than shorter ones."""

_ENDLESS = 10**15
_ESCAPED = '"\\\n\r\t\b\f'


@dataclass(frozen=True, slots=True)
class Clamped:
    value: Any
    truncated: bool


@dataclass(frozen=True, slots=True)
class Dropped:
    """How much of what is missing where."""

    path: Path
    missing: int
    total: int
    unit: str

    def __str__(self) -> str:
        path = encode_path(self.path) or "the result"
        shown = path if len(path) <= PATH_SHOWN else MARK + path[-PATH_SHOWN:]
        return f"{shown}: {self.missing} of {self.total} {self.unit}"


def find_budget(window_tokens: int | None) -> int:
    """Characters for one result, from the integration's context window."""
    if window_tokens is None:
        return WINDOW_UNKNOWN
    return min(max(window_tokens * 4 // 16, SMALLEST), LARGEST)


def clamp(value: Any, budget: int, *, narrow: str = NARROW) -> Clamped:
    """The value itself if it fits, else as much as does; `narrow` tells the model what to do."""
    if budget < LEAST_BUDGET:
        raise ValueError(f"A budget under {LEAST_BUDGET} characters has no room for the note.")
    if _measure(value) <= budget:
        return Clamped(value, truncated=False)
    note_room = min(NOTE_LENGTH, budget // 3)
    cutter = _Cutter()
    if not isinstance(value, str | list | dict):
        value = str(value)
    kept = cutter.cut(value, budget - note_room, ())
    return Clamped(_add_note(kept, cutter.dropped, narrow, note_room), truncated=True)


class _Cutter:
    """Cuts one value and remembers what it dropped."""

    def __init__(self) -> None:
        self.dropped: list[Dropped] = []

    def cut(self, value: Any, room: int | None, path: Path) -> Any:
        """As much of the value as fits into so many characters of JSON, or all of it."""
        if room is None:
            return value
        if isinstance(value, str):
            return self._cut_text(value, room, path)
        if isinstance(value, list):
            return self._cut_list(cast(list[Any], value), room - len("[]"), path)
        return self._cut_object(cast(dict[str, Any], value), room - len("{}"), path)

    def _cut_text(self, text: str, room: int, path: Path) -> str:
        kept = cut_text(text, room - len('""'))
        self._note(path, len(text) - len(kept) + len(MARK), len(text), "characters")
        return kept

    def _cut_list(self, items: list[Any], room: int, path: Path) -> list[Any]:
        entries = ((item, len(",")) for item in items if len(path) < DEPTH)
        rooms = _share(entries, room, useful=max(USEFUL, room // 4))
        self._note(path, len(items) - len(rooms), len(items), "items")
        pairs = zip(items, rooms, strict=False)
        return [self.cut(item, own, (*path, index)) for index, (item, own) in enumerate(pairs)]

    def _cut_object(self, fields: dict[str, Any], room: int, path: Path) -> dict[str, Any]:
        entries = (
            (value, _measure(key) + len(":,")) for key, value in fields.items() if len(path) < DEPTH
        )
        rooms = _share(entries, room, useful=max(USEFUL, room // (2 * len(fields))))
        self._note(path, len(fields) - len(rooms), len(fields), "fields")
        pairs = zip(fields.items(), rooms, strict=False)
        return {key: self.cut(value, own, (*path, key)) for (key, value), own in pairs}

    def _note(self, path: Path, missing: int, total: int, unit: str) -> None:
        if missing > 0:
            self.dropped.append(Dropped(path, missing, total, unit))


def _share(entries: Iterable[tuple[Any, int]], room: int, *, useful: int) -> list[int | None]:
    """The room for each of the first entries, `None` for all it needs.

    As many are kept as get what they need, or at least what is useful. An entry comes with the
    length of what stands around it; numbers and the like cannot be cut.
    """
    sizes: list[tuple[int, bool]] = []
    needed = fixed = 0
    for value, around in entries:
        size, shrinks = _measure(value), isinstance(value, str | list | dict)
        needed += around + (min(size, useful) if shrinks else size)
        if needed > room:
            break
        sizes.append((size, shrinks))
        fixed += around + (0 if shrinks else size)
    largest = _find_largest_share([size for size, shrinks in sizes if shrinks], room - fixed)
    return [largest if shrinks and size > largest else None for size, shrinks in sizes]


def cut_text(text: str, room: int) -> str:
    """The beginning of a text and a mark, in so many characters of JSON, ending between words."""
    if _count_fitting(text, room) == len(text):
        return text
    end = _count_fitting(text, room - len(MARK))
    for back in range(end, max(end - end // 5, 0), -1):
        if text[back].isspace():
            return text[:back].rstrip() + MARK
    while end > 0 and unicodedata.combining(text[end]):
        end -= 1
    return text[:end] + MARK


def _count_fitting(text: str, room: int) -> int:
    for index, char in enumerate(text):
        room -= 2 if char in _ESCAPED else 6 if char < " " else 1
        if room < 0:
            return index
    return len(text)


def _find_largest_share(sizes: Sequence[int], room: int) -> int:
    """The largest share such that everybody gets their size or that share."""
    waiting = len(sizes)
    for size in sorted(sizes):
        if size * waiting > room:
            return room // waiting
        room -= size
        waiting -= 1
    return max(sizes, default=0)


def _add_note(kept: Any, dropped: Sequence[Dropped], narrow: str, room: int) -> Any:
    if isinstance(kept, str):
        note = f"[{NOTE}: {dropped[0]} dropped. {narrow}]"
        return f"{kept} {cut_text(note, room - len(' '))}"
    note = {NOTE: _build_note(dropped, narrow, room - len(f'{{"{NOTE}":}},'))}
    if isinstance(kept, dict):
        return cast(dict[str, Any], kept) | note
    return [*kept, note]


def _build_note(dropped: Sequence[Dropped], narrow: str, room: int) -> dict[str, Any]:
    """Name as many places as there is room for, and count the others."""
    narrow = cut_text(narrow, room // 3)
    places = [str(one) for one in dropped[:PLACES_SHOWN]]
    while True:
        others = len(dropped) - len(places)
        counted = [f"{others} more places"] if others else []
        note = {"dropped": [*places, *counted], "narrow": narrow}
        if not places or _measure(note) <= room:
            return note
        places.pop()


def _measure(value: Any) -> int:
    try:
        return len(encode_json(value))
    except RecursionError:
        return _ENDLESS
