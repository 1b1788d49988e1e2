"""How long a provider asks to wait or is waited for, and how its socket is left alone."""

import asyncio
from datetime import UTC, datetime

import pytest

from assent.models.http import Deadlines, Rests, Timeouts, find_retry_after

NOW = datetime(2026, 11, 15, 12, 0, 0, tzinfo=UTC)


@pytest.mark.parametrize(
    ("headers", "expected"),
    [
        ({}, None),
        ({"retry-after": "7"}, 7.0),
        ({"retry-after": "0.5"}, 0.5),
        ({"retry-after": "-3"}, 0.0),
        ({"retry-after": "Sun, 15 Nov 2026 12:00:30 GMT"}, 30.0),
        ({"retry-after": "Sun, 15 Nov 2026 13:00:30 +0100"}, 30.0),
        ({"retry-after": "Sun, 15 Nov 2026 11:59:00 GMT"}, 0.0),
        ({"retry-after": "soon"}, None),
        ({"retry-after": ""}, None),
        ({"retry-after": "nan"}, None),
        ({"retry-after": "inf"}, None),
        ({"retry-after-ms": "250", "retry-after": "1"}, 0.25),
        ({"retry-after-ms": "?", "retry-after": "1"}, 1.0),
    ],
)
def test_retry_after(headers: dict[str, str], expected: float | None) -> None:
    assert find_retry_after(headers, NOW) == expected


class TestDeadlines:
    TIMEOUTS = Timeouts(stall=60, silence=600, whole=3600, after_finish=5)

    def test_nothing_for_a_while(self) -> None:
        assert Deadlines(self.TIMEOUTS, 0).find_wait(100) == 60

    def test_nothing_said_for_long(self) -> None:
        deadlines = Deadlines(self.TIMEOUTS, 0)
        assert deadlines.find_wait(590) == 10
        assert deadlines.find_wait(600) <= 0
        assert not deadlines.is_over(600)
        deadlines.hear(590)
        assert deadlines.find_wait(600) == 60

    def test_an_answer_without_end(self) -> None:
        deadlines = Deadlines(self.TIMEOUTS, 0)
        deadlines.hear(3590)
        assert deadlines.find_wait(3590) == 10
        assert deadlines.is_over(3600)

    def test_the_end_is_not_waited_for_again_and_again(self) -> None:
        deadlines = Deadlines(self.TIMEOUTS, 0)
        for now in (100, 102, 104):
            deadlines.hear(now)
            deadlines.finish(now)
            assert deadlines.find_wait(now) == 105 - now


class FakeTransport(asyncio.Transport):
    def __init__(self) -> None:
        super().__init__()
        self.is_read = True
        self.resumed = asyncio.Event()

    def pause_reading(self) -> None:
        self.is_read = False

    def resume_reading(self) -> None:
        self.is_read = True
        self.resumed.set()


async def test_sockets_rest_together() -> None:
    rests = Rests()
    for _ in range(2):
        transports = [FakeTransport() for _ in range(3)]
        for transport in transports:
            rests.rest(transport)
            assert not transport.is_read
        async with asyncio.timeout(5):
            await transports[0].resumed.wait()
        assert all(transport.is_read for transport in transports)
