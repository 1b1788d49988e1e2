"""Turns are taken by kind where that helps, and by nobody twice."""

import asyncio
import random

import pytest

from assent.db.turns import PATIENCE, Turns


async def queue(turns: Turns, kinds: list[bool], served: list[int]) -> list[asyncio.Task[None]]:
    async def wait(number: int, kind: bool) -> None:
        await turns.take(kind)
        served.append(number)

    tasks = [asyncio.create_task(wait(number, kind)) for number, kind in enumerate(kinds)]
    await asyncio.sleep(0)
    return tasks


async def test_what_comes_back_goes_to_its_own_kind() -> None:
    turns, served = Turns(1), list[int]()
    await turns.take(False)
    tasks = await queue(turns, [True, False, True, False], served)
    for kind in (False, False, False, True):
        turns.give(kind)
        await asyncio.sleep(0)
    await asyncio.gather(*tasks)
    assert served == [1, 3, 0, 2]


async def test_nobody_is_passed_over_for_ever() -> None:
    turns, served = Turns(1), list[int]()
    await turns.take(False)
    tasks = await queue(turns, [True, *[False] * 2 * PATIENCE], served)
    for _ in tasks:
        turns.give(False)
        await asyncio.sleep(0)
    await asyncio.gather(*tasks)
    assert served.index(0) == PATIENCE


async def test_who_gives_up_at_the_moment_of_their_turn_leaves_it_to_others() -> None:
    turns, served = Turns(1), list[int]()
    await turns.take(False)
    first, second = await queue(turns, [False, False], served)
    turns.give(False)
    first.cancel()
    with pytest.raises(asyncio.CancelledError):
        await first
    await second
    assert served == [1]


async def test_never_more_at_once_than_there_are_turns_and_none_is_lost() -> None:
    chance, turns, busy, most = random.Random(1), Turns(3), 0, 0

    async def work(kind: bool) -> None:
        nonlocal busy, most
        await turns.take(kind)
        busy += 1
        most = max(most, busy)
        try:
            for _ in range(chance.randrange(4)):
                await asyncio.sleep(0)
        finally:
            busy -= 1
            turns.give(kind)

    tasks = [asyncio.create_task(work(chance.random() < 0.5)) for _ in range(300)]
    for _ in tasks:
        await asyncio.sleep(0)
        if chance.random() < 0.3:
            chance.choice(tasks).cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
    assert (busy, most) == (0, 3)
    for _ in range(3):
        await turns.take(True)
    assert not turns.is_free
