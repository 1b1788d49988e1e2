"""How long a provider asks to wait, and how its socket is left alone for a moment."""

import asyncio
from datetime import UTC, datetime

import pytest

from assent.models.http import Rests, find_retry_after

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
