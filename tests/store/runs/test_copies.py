"""Many followers, slow ones, and those who come from another process, on Postgres."""

import asyncio
from contextlib import aclosing
from functools import partial
from typing import Any

import pytest

from assent.errors import Unavailable
from assent.runs import copies, store
from assent.runs.follow import follow
from assent.runs.frames import Position, split_frames
from assent.runs.recent import KEPT_BYTES, SENT_BYTES
from tests.patience import PATIENCE, wait_until
from tests.store.runs.stage import Stage, collect, data_of, event, following, speak


async def has_copies(stage: Stage, count: int) -> bool:
    return stage.copies.size == count


async def is_idle(stage: Stage) -> bool:
    """No connection is in use: whoever read has let go of it."""
    size, idle = stage.database.connections
    return size == idle


async def test_what_is_said_elsewhere_is_read_once_for_all(
    stage: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    reads: list[int] = []
    read = store.read_batches

    async def count(*given: Any, **more: Any) -> Any:
        found = await read(*given, **more)
        reads.append(len(found))
        return found

    monkeypatch.setattr(store, "read_batches", count)
    async with following(stage, *[stage.there] * 50) as tasks:
        async with stage.here.writing(stage.open_live()) as live:
            await speak(stage, live, 100)
            await stage.end()
        async with asyncio.timeout(PATIENCE):
            results = await asyncio.gather(*tasks)
    assert [data_of(frames) for frames in results] == [[f"word {n}" for n in range(100)]] * 50
    assert sum(reads) < 50, reads
    assert (stage.copies.followers, stage.copies.size) == (0, 0)
    assert not [one for one in asyncio.all_tasks() if one.get_name() == "copy of a run"]


async def test_whoever_leaves_in_the_middle_leaves_nothing(stage: Stage) -> None:
    async with stage.here.writing(stage.open_live()) as live:
        await speak(stage, live, 3)
        await stage.here.flush()
        async with following(stage, stage.here, stage.there, stage.there) as tasks:
            await wait_until(partial(has_copies, stage, 1))
            assert stage.copies.followers == 3
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
        assert (stage.copies.followers, stage.copies.size) == (0, 0)
    await wait_until(partial(is_idle, stage))


@pytest.mark.parametrize("is_here", [True, False])
async def test_a_follower_is_given_little_at_once(stage: Stage, is_here: bool) -> None:
    """More than memory holds, so that part of it comes from the table."""
    word = "x" * 1000
    pieces: list[bytes] = []
    async with stage.here.writing(stage.open_live()) as live:
        for number in range(2 * KEPT_BYTES // 1000):
            live.say(event(f"{word} {number}"))
            if number % 100 == 0:
                await stage.here.flush()
        live.say(event("y" * (2 * SENT_BYTES)))
        await stage.here.flush()
        assert live.first_seq > 1
        journal = stage.here if is_here else stage.there
        followed = follow(stage.database, journal, stage.copies, stage.run)
        async with aclosing(followed), asyncio.timeout(PATIENCE):
            while not pieces or not pieces[-1].endswith(b"yyy\n\n"):
                pieces.append(await anext(followed))
    assert max(map(len, pieces[:-1])) <= SENT_BYTES
    assert b"x" not in pieces[-1]
    numbers = [one.split()[-1] for one in data_of(list(split_frames(b"".join(pieces[:-1]))))]
    assert numbers == [str(number) for number in range(len(numbers))]


async def test_whoever_heard_what_is_not_stored_yet_hears_it_once(stage: Stage) -> None:
    """As somebody who comes from the owner of the run, which tells sooner than it writes."""
    async with stage.here.writing(stage.open_live()) as live:
        await speak(stage, live, 10)
        await stage.here.flush()
        ahead = asyncio.create_task(collect(stage, stage.there, Position(1, 12)))
        await asyncio.sleep(0.05)
        await speak(stage, live, 5, first=10)
        await stage.end()
        async with asyncio.timeout(PATIENCE):
            assert data_of(await ahead) == ["word 12", "word 13", "word 14"]


async def test_a_database_that_is_away_for_a_moment_ends_no_following(
    stage: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(copies, "POLL_SECONDS", 0.01)
    find, failures, is_back = store.find_run, iter(range(3)), asyncio.Event()

    async def fail(*given: Any) -> Any:
        if next(failures, None) is not None:
            raise Unavailable("The database does not answer.")
        is_back.set()
        return await find(*given)

    async with stage.here.writing(stage.open_live()) as live:
        await speak(stage, live, 3)
        await stage.here.flush()
        async with following(stage, stage.there) as [follower], asyncio.timeout(PATIENCE):
            monkeypatch.setattr(store, "find_run", fail)
            await speak(stage, live, 3, first=3)
            await is_back.wait()
            await stage.end()
            frames = await follower
    assert data_of(frames) == [f"word {number}" for number in range(6)]
