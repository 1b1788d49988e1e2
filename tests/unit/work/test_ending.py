"""What becomes of a row, decided without one."""

import asyncio

import pytest

from assent.errors import LeaseLost
from assent.work.ending import (
    ERROR_LENGTH,
    Cancelled,
    Done,
    Ending,
    Leave,
    Retry,
    Stop,
    decide_ending,
    describe_error,
    retry_delay,
)

CANCELLED = asyncio.CancelledError()
FAILED = ValueError("no")


@pytest.mark.parametrize(
    ("stop", "error", "expected"),
    [
        (None, None, Done()),
        (Stop.CANCEL, None, Done()),
        (Stop.SHUTDOWN, None, Done()),
        (Stop.CANCEL, CANCELLED, Cancelled()),
        (Stop.CANCEL, FAILED, Cancelled()),
        (Stop.LOST, CANCELLED, Leave(Stop.LOST.value)),
        (Stop.LOST, FAILED, Leave(Stop.LOST.value)),
        (Stop.CANCEL, LeaseLost(), Leave(Stop.LOST.value)),
        (None, LeaseLost(), Leave(Stop.LOST.value)),
        (Stop.SHUTDOWN, CANCELLED, Leave(Stop.SHUTDOWN.value)),
        (Stop.SHUTDOWN, FAILED, Leave(Stop.SHUTDOWN.value)),
        (None, FAILED, Retry("ValueError: no")),
        (None, CANCELLED, Retry("CancelledError")),
    ],
)
def test_endings(stop: Stop | None, error: BaseException | None, expected: Ending) -> None:
    assert decide_ending(stop, error) == expected


@pytest.mark.parametrize(
    ("error", "expected"),
    [
        (ValueError("a\0b"), "ValueError: ab"),
        (ValueError("\ud800"), "ValueError: ?"),
        (KeyError(), "KeyError"),
        (ValueError("x" * 9000), "ValueError: " + "x" * (ERROR_LENGTH - len("ValueError: "))),
    ],
)
def test_errors_become_text_that_postgres_takes(error: Exception, expected: str) -> None:
    assert describe_error(error) == expected


def test_delays_grow_and_then_stay() -> None:
    seconds = [retry_delay(attempt).total_seconds() for attempt in range(1, 9)]
    assert seconds[:4] == [1, 5, 30, 120]
    assert seconds == sorted(seconds)
    assert seconds[-1] == seconds[-2]
