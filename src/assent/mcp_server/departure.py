"""Noticing that a client has gone while its request is worked on, and that one still waits.

Most requests are over before anybody could leave: nothing is begun for them but a timer.
"""

import asyncio
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from typing import Any

from starlette.types import Receive

from assent.mcp_server.exchange import Exchange

WATCH_AFTER = 0.25
KEEP_ALIVE = 15.0


class Departure:
    def __init__(self, receive: Receive, exchange: Exchange, working: asyncio.Task[Any]) -> None:
        self.is_gone = False
        self._receive = receive
        self._exchange = exchange
        self._working = working
        self._watching: asyncio.Task[None] | None = None

    def begin(self) -> None:
        self._watching = asyncio.create_task(self._watch())

    def end(self) -> None:
        if self._watching is not None:
            self._watching.cancel()

    async def _watch(self) -> None:
        leaving = asyncio.ensure_future(self._wait())
        try:
            while not (await asyncio.wait({leaving}, timeout=KEEP_ALIVE))[0]:
                await self._exchange.keep_alive()
        finally:
            leaving.cancel()
        self.is_gone = True
        self._exchange.cancel_requested.set()
        self._working.cancel()

    async def _wait(self) -> None:
        while (await self._receive())["type"] != "http.disconnect":
            pass


@asynccontextmanager
async def watching(receive: Receive, exchange: Exchange) -> AsyncGenerator[Departure]:
    """What the body does is cancelled when the client goes, and that ends here."""
    working = asyncio.current_task()
    assert working is not None  # noqa: S101 - a request is answered in a task
    departure = Departure(receive, exchange, working)
    timer = asyncio.get_running_loop().call_later(WATCH_AFTER, departure.begin)
    try:
        yield departure
    except asyncio.CancelledError:
        if not departure.is_gone or working.uncancel():
            raise
    finally:
        timer.cancel()
        departure.end()
