"""How work ended, as it is counted, and how long it waited."""

import asyncio
from datetime import UTC, datetime, timedelta

import pytest

from assent.errors import LeaseLost
from assent.ids import new_id
from assent.work.ending import Stop
from assent.work.lease import Work
from assent.work.watch import find_outcome, find_wait


@pytest.mark.parametrize(
    ("error", "outcome"),
    [
        (LeaseLost(), "lost"),
        (ValueError(), "failed"),
        (asyncio.CancelledError(), "cancelled"),
        (asyncio.CancelledError(Stop.CANCEL.value), "cancelled"),
        (asyncio.CancelledError(Stop.LOST.value), "lost"),
        (asyncio.CancelledError(Stop.SHUTDOWN.value), "handed_over"),
    ],
)
def test_find_outcome(error: BaseException, outcome: str) -> None:
    assert find_outcome(error) == outcome


def build(created: timedelta, due: timedelta | None) -> Work:
    now = datetime.now(UTC)
    run_after = None if due is None else now + due
    return Work(new_id(), None, "a", None, {}, "running", 1, now + created, run_after)


@pytest.mark.parametrize(
    ("created", "due", "least", "most"),
    [
        (timedelta(seconds=-9), None, 9, 3600),
        (timedelta(seconds=-9000), timedelta(seconds=-9), 9, 3600),
        (timedelta(seconds=9000), None, 0, 0),
    ],
)
def test_find_wait(created: timedelta, due: timedelta | None, least: float, most: float) -> None:
    assert least <= find_wait(build(created, due)) <= most
