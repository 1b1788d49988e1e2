"""Changes of a status as times in which a check was not up, in whatever order they are heard."""

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from uuid import UUID, uuid4

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assent.bundled.anomaly.spans import Change, Kept, Span, find_spans, match_spans

START = datetime(2026, 3, 1, tzinfo=UTC)


def at(minutes: int) -> datetime:
    return START + timedelta(minutes=minutes)


def changes(*told: tuple[int, str]) -> list[Change]:
    return [Change(at(minutes), status) for minutes, status in told]


def shown(spans: Sequence[Span]) -> list[tuple[int, int | None, str]]:
    def minutes(moment: datetime) -> int:
        return int((moment - START).total_seconds() // 60)

    return [
        (minutes(one.opened_at), minutes(one.closed_at) if one.closed_at else None, one.worst)
        for one in spans
    ]


@pytest.mark.parametrize(
    ("told", "spans"),
    [
        ([], []),
        ([(1, "up")], []),
        ([(1, "down")], [(1, None, "down")]),
        ([(1, "down"), (2, "up")], [(1, 2, "down")]),
        ([(1, "degraded"), (2, "down"), (3, "degraded")], [(1, None, "down")]),
        ([(1, "degraded"), (3, "up"), (4, "down")], [(1, 3, "degraded"), (4, None, "down")]),
        ([(1, "down"), (2, "unknown"), (3, "up")], [(1, 2, "down")]),
        ([(1, "up"), (2, "up"), (3, "down"), (4, "down")], [(3, None, "down")]),
    ],
)
def test_spans(told: list[tuple[int, str]], spans: list[tuple[int, int | None, str]]) -> None:
    assert shown(find_spans(changes(*told))) == spans
    assert shown(find_spans(reversed(changes(*told)))) == spans


class Memory:
    """What would be stored, kept by the same rules."""

    def __init__(self) -> None:
        self.heard: list[Change] = []
        self.kept: dict[UUID, Span] = {}

    def hear(self, change: Change) -> None:
        self.heard.append(change)
        stored = [Kept(one, span) for one, span in self.kept.items()]
        for span, known in match_spans(find_spans(self.heard), stored):
            self.kept[known or uuid4()] = span


STATUSES = st.sampled_from(["up", "down", "degraded", "unknown"])


@given(st.lists(STATUSES, max_size=12), st.randoms(use_true_random=False))
def test_whatever_the_order_the_same_is_known(statuses: list[str], order: object) -> None:
    told = changes(*enumerate(statuses))
    shuffled = list(told)
    order.shuffle(shuffled)  # pyright: ignore[reportAttributeAccessIssue]
    memory = Memory()
    for change in shuffled:
        memory.hear(change)
        open_ones = [one for one in memory.kept.values() if one.closed_at is None]
        assert len(open_ones) <= 1
    kept = sorted(memory.kept.values(), key=lambda one: one.opened_at)
    assert kept == find_spans(told)


def test_what_is_kept_grows_and_shrinks_instead_of_doubling() -> None:
    memory = Memory()
    for change in changes((5, "down")):
        memory.hear(change)
    [first] = memory.kept
    for change in changes((3, "degraded"), (9, "up"), (4, "down")):
        memory.hear(change)
        assert list(memory.kept) == [first]
    assert shown(list(memory.kept.values())) == [(3, 9, "down")]
