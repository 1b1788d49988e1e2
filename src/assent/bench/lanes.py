"""A load of people or programs who each ask again as soon as they have an answer."""

import asyncio
import time
from collections.abc import Awaitable, Callable, Sequence
from contextlib import AsyncExitStack

from assent.bench.client import Caller, Credential
from assent.bench.stage import Server

Deed = Callable[[Caller, int], Awaitable[None]]
"""What one of them does; the number is theirs."""


async def drive_lanes(
    server: Server, people: Sequence[Credential], deed: Deed, *, seconds: float
) -> list[float]:
    """How long each deed took."""
    taken: list[float] = []

    async def walk(caller: Caller, lane: int) -> None:
        while time.monotonic() < end:
            begun = time.monotonic()
            await deed(caller, lane)
            taken.append(time.monotonic() - begun)

    async with AsyncExitStack() as stack:
        callers = [await stack.enter_async_context(Caller.open(server.port, who)) for who in people]
        for lane, caller in enumerate(callers):
            await deed(caller, lane)
        end = time.monotonic() + seconds
        await asyncio.gather(*(walk(caller, lane) for lane, caller in enumerate(callers)))
    return taken
