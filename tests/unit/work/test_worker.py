"""What the worker does again and again ends when it is told to, whatever happens at that moment."""

import asyncio

import pytest

from assent.work.worker import _repeat  # pyright: ignore[reportPrivateUsage]
from tests.patience import PATIENCE


@pytest.mark.parametrize("later", range(6))
async def test_a_cancel_at_the_moment_of_the_bell_is_not_lost(later: int) -> None:
    waiting, bell = asyncio.Event(), asyncio.Event()

    async def step() -> None:
        waiting.set()

    repeating = asyncio.create_task(_repeat(step, bell, every=3600, until=asyncio.Event()))
    await waiting.wait()
    await asyncio.sleep(0)
    bell.set()
    for _ in range(later):
        await asyncio.sleep(0)
    repeating.cancel()
    done, _ = await asyncio.wait([repeating], timeout=PATIENCE)
    assert done, "it goes on"
    assert repeating.cancelled()
