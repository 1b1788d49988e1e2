"""Waiting for what should happen at once, on a machine that has other things to do."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import TypeVar

PATIENCE = 60
"""Seconds after which it is a failure, however slow the machine is."""
PAUSE = 0.02

Found = TypeVar("Found")


async def wait_until(
    look: Callable[[], Awaitable[Found | None]], *, seconds: float = PATIENCE
) -> Found:
    """What `look` finds, as soon as it finds something."""
    async with asyncio.timeout(seconds):
        while True:
            if found := await look():
                return found
            await asyncio.sleep(PAUSE)
