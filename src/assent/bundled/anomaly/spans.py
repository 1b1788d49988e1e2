"""From the changes of a check's status to the times in which it was not up. Pure.

Changes arrive in any order, so the times are always worked out from all that are known.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from uuid import UUID

from assent.bundled.anomaly.values import Worst

BAD: tuple[Worst, ...] = ("degraded", "down")
"""The worst last. A check that nobody runs any more is `unknown`, which is not bad."""


@dataclass(frozen=True, slots=True)
class Change:
    at: datetime
    status: str


@dataclass(frozen=True, slots=True)
class Span:
    opened_at: datetime
    closed_at: datetime | None
    worst: Worst

    def overlaps(self, opened_at: datetime, closed_at: datetime | None) -> bool:
        begins_before = closed_at is None or self.opened_at < closed_at
        return begins_before and (self.closed_at is None or opened_at < self.closed_at)


@dataclass(frozen=True, slots=True)
class Kept:
    """A span as it is stored."""

    id: UUID
    span: Span


def find_spans(changes: Iterable[Change]) -> list[Span]:
    """One for each time from the first bad status to the next that is not."""
    spans: list[Span] = []
    for change in sorted(changes, key=lambda one: one.at):
        is_open = bool(spans) and spans[-1].closed_at is None
        if change.status not in BAD:
            if is_open:
                spans[-1] = replace(spans[-1], closed_at=change.at)
        elif is_open:
            spans[-1] = replace(spans[-1], worst=_worse(spans[-1].worst, change.status))
        else:
            spans.append(Span(change.at, None, change.status))
    return spans


def match_spans(spans: Sequence[Span], kept: Sequence[Kept]) -> list[tuple[Span, UUID | None]]:
    """Each span with the stored one that it is another view of, or with none if it is new."""
    free = list(kept)
    matched: list[tuple[Span, UUID | None]] = []
    for span in spans:
        same = next(
            (one for one in free if span.overlaps(one.span.opened_at, one.span.closed_at)), None
        )
        if same is not None:
            free.remove(same)
        matched.append((span, same.id if same else None))
    return matched


def _worse(one: Worst, other: Worst) -> Worst:
    return BAD[max(BAD.index(one), BAD.index(other))]
