"""Noticing that a client has gone or gives up while its request is worked on, or still waits.

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
    """`is_gone`: nobody is there to be answered. One who only gives up waits for an answer."""

    def __init__(self, receive: Receive, exchange: Exchange, working: asyncio.Task[Any]) -> None:
        self.is_gone = False
        self.is_over = False
        self._receive = receive
        self._exchange = exchange
        self._working = working
        self._watching: asyncio.Task[None] | None = None

    def begin(self) -> None:
        self._watching = asyncio.create_task(self._watch())

    def give_up(self) -> None:
        if not self.is_over:
            self.is_over = True
            self._exchange.cancel_requested.set()
            self._working.cancel()

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
        self.give_up()

    async def _wait(self) -> None:
        while (await self._receive())["type"] != "http.disconnect":
            pass


@asynccontextmanager
async def watching(receive: Receive, exchange: Exchange) -> AsyncGenerator[Departure]:
    """What the body does is cancelled when the client goes or gives up, and that ends here."""
    working = asyncio.current_task()
    assert working is not None  # noqa: S101 - a request is answered in a task
    departure = Departure(receive, exchange, working)
    timer = asyncio.get_running_loop().call_later(WATCH_AFTER, departure.begin)
    try:
        yield departure
    except asyncio.CancelledError:
        if not departure.is_over or working.uncancel():
            raise
    finally:
        timer.cancel()
        departure.end()
