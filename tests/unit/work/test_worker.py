"""The worker's loops, as far as they need no database."""

import asyncio

import pytest

from assent.work.worker import _repeat  # pyright: ignore[reportPrivateUsage]


async def pass_turns(count: int) -> None:
    """Let everything else go on by so many rounds of the event loop."""
    for _ in range(count):
        await asyncio.sleep(0)


@pytest.mark.parametrize("turns", range(6))
async def test_a_loop_that_is_cancelled_while_its_bell_rings_ends(turns: int) -> None:
    """A worker that stops rings all bells and cancels its loops: neither may hide the other."""
    stepped, bell = asyncio.Event(), asyncio.Event()

    async def step() -> None:
        stepped.set()

    loop = asyncio.create_task(_repeat(step, bell, every=600, until=asyncio.Event()))
    await stepped.wait()
    await pass_turns(10)
    bell.set()
    await pass_turns(turns)
    loop.cancel()
    await asyncio.wait([loop], timeout=20)
    has_ended = loop.cancelled()
    loop.cancel()
    assert has_ended
