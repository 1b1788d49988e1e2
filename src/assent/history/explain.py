"""What a conversation's rows look like to whoever replays them, in words (SPEC H2). Pure.

It tells kinds, names and sizes, and never what somebody wrote.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias, cast
from uuid import UUID

from assent.conversations.parts import close_open_parts, parse_parts
from assent.history.kept import Kept
from assent.history.replay import Present

Verdict: TypeAlias = Literal["ok", "note", "problem"]

OPEN = ("input-streaming", "input-available")
LONGEST_NAME = 80


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """A stored message as it is; `is_over` says that nobody writes it any more."""

    id: UUID
    seq: int
    role: str
    content: str
    parts: Any
    run_id: UUID | None
    is_over: bool


@dataclass(frozen=True, slots=True)
class Remark:
    """`repair` are the parts that a broken message should have."""

    verdict: Verdict
    what: str
    message_id: UUID | None = None
    repair: list[dict[str, Any]] | None = None


def examine_rows(rows: Sequence[Row]) -> Iterator[Remark]:
    """What is broken in them, each message once."""
    for row in rows:
        remark = _examine_parts(row)
        if remark is not None:
            yield remark


def examine_summary(kept: Kept, stored: Any, rows: Sequence[Row]) -> Remark:
    """Whether the summary and its marker fit each other and the messages."""
    problem = _find_marker_fault(kept, stored, rows)
    if problem is not None:
        return Remark("problem", f"Summary: {problem}; all is replayed as if there were none.")
    if kept.summary is None:
        return Remark("ok", "Summary: none, all messages are replayed.")
    summary = kept.summary
    sources = len(summary.taint.sources)
    return Remark(
        "ok",
        f"Summary: of {summary.turns} turns, up to message {kept.through}; "
        f"{len(summary.words)} things that people wrote, a record of {len(summary.record):,} "
        f"characters, {sources} untrusted source{'' if sources == 1 else 's'}.",
    )


def explain_replay(rows: Iterable[Row], present: Present) -> Iterator[Remark]:
    """What of each message is not given to the model again, and why."""
    for row in rows:
        parts = [part for part in _list_parts(row.parts) if part.get("type") == "dynamic-tool"]
        reasons = Counter(why for part in parts if (why := explain_call(part, present)))
        if reasons:
            told = "; ".join(_tell(why, count) for why, count in reasons.items())
            yield Remark("note", f"Message {row.seq}: not replayed: {told}.")


def explain_call(part: Mapping[str, Any], present: Present) -> str | None:
    """Why a stored call is left out; nothing for one that is replayed."""
    name, given = part.get("toolName"), part.get("input")
    shown = " ".join(str(name).split())[:LONGEST_NAME]
    if part.get("state") not in ("output-available", "output-error", "output-denied"):
        return f"a call of {shown} without a result"
    if not isinstance(given, dict):
        return f"a call of {shown} without an input"
    if not isinstance(name, str) or name not in present.wire_names:
        return f"a call of {shown}, which is not offered any more"
    if not present.fits(name, given):
        return f"a call of {shown} whose input does not fit any more"
    return None


def _examine_parts(row: Row) -> Remark | None:
    if not isinstance(row.parts, list):
        what = f"Message {row.seq}: its parts are no list."
        return Remark("problem", what, row.id, parse_parts([]))
    given = cast(list[Any], row.parts)
    well_formed = parse_parts(given)
    closed = close_open_parts(well_formed) if row.is_over else well_formed
    faults: list[str] = []
    if len(well_formed) < len(given):
        count = len(given) - len(well_formed)
        faults.append(f"{count} of {len(given)} parts cannot be read or are there twice")
    if closed != well_formed:
        count = sum(part.get("state") in OPEN for part in well_formed)
        faults.append(f"{count} calls wait for a result, and nobody makes them")
    if not faults:
        return None
    return Remark("problem", f"Message {row.seq}: {'; '.join(faults)}.", row.id, closed)


def _find_marker_fault(kept: Kept, stored: Any, rows: Sequence[Row]) -> str | None:
    if stored is None:
        there = f"the marker says {kept.marker}, and there is none"
        return None if kept.marker is None else there
    if kept.marker is None:
        return "it does not say how far it goes"
    if kept.summary is None:
        return "it cannot be read"
    return _find_end_fault(kept.marker, rows)


def _find_end_fault(marker: int, rows: Sequence[Row]) -> str | None:
    last = max((row.seq for row in rows), default=0)
    if not 0 < marker <= last:
        return f"it goes up to message {marker}, and the last one is {last}"
    before = [row.role for row in rows if row.seq <= marker][-1:]
    after = [row.role for row in rows if row.seq > marker][:1]
    if before == ["user"] and after == ["assistant"]:
        return f"it ends inside a turn, at message {marker}"
    return None


def _list_parts(parts: Any) -> list[Mapping[str, Any]]:
    if not isinstance(parts, list):
        return []
    return [cast(Any, one) for one in cast(list[Any], parts) if isinstance(one, Mapping)]


def _tell(why: str, count: int) -> str:
    return why if count == 1 else f"{why} ({count} times)"
