"""What the table loses of a run, or has without saying so: followers still get every event once."""

import asyncio
from collections.abc import Sequence
from uuid import UUID

import pytest

from assent.db.database import Db
from assent.errors import LeaseLost, Unavailable
from assent.runs import journal, store
from assent.runs.frames import Position
from assent.runs.live import LiveRun
from assent.runs.recent import KEPT_BYTES
from tests.patience import PATIENCE, wait_until
from tests.store.runs.stage import (
    Stage,
    collect,
    data_of,
    event,
    speak,
    take_over,
)

SPANS = "SELECT first_seq, last_seq FROM run_events ORDER BY first_seq"


async def forget(stage: Stage, *, after: int) -> None:
    """As a crash does it: the end of what was stored is gone."""
    async with stage.database.transaction() as db:
        await db.execute("DELETE FROM run_events WHERE last_seq > $1", after)


async def check_stored(stage: Stage, count: int) -> None:
    async with stage.database.connection() as db:
        rows = await db.fetch(SPANS)
    numbers = [n for row in rows for n in range(row["first_seq"], row["last_seq"] + 1)]
    assert numbers == list(range(1, count + 1))


@pytest.mark.parametrize("kept", [0, 1, 8, 29])
async def test_what_was_lost_is_stored_again(stage: Stage, kept: int) -> None:
    """The words of `speak` are stored up to 1, 8, 15, 22 and 29; the thirtieth comes after."""
    async with stage.here.writing(stage.open_live()) as live:
        await speak(stage, live, 30)
        early = asyncio.create_task(collect(stage, stage.there))
        await forget(stage, after=kept)
        await speak(stage, live, 30, first=30)
        await stage.end()
    await check_stored(stage, 60)
    expected = [f"word {number}" for number in range(60)]
    async with asyncio.timeout(PATIENCE):
        assert data_of(await early) == expected
        assert data_of(await collect(stage, stage.there)) == expected
        assert data_of(await collect(stage, stage.there, Position(1, 20))) == expected[20:]


async def test_a_flush_of_which_nobody_was_told_is_not_stored_twice(
    stage: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    append = store.append_batches

    async def append_and_break(
        db: Db, said: Sequence[store.Said], *, durable: bool = False
    ) -> dict[UUID, int]:
        await append(db, said, durable=durable)
        raise Unavailable

    async with stage.here.writing(stage.open_live()) as live:
        live.say(event("word 0"), event("word 1"))
        monkeypatch.setattr(store, "append_batches", append_and_break)
        with pytest.raises(Unavailable):
            await stage.here.flush()
        monkeypatch.undo()
        live.say(event("word 2"))
        await stage.end()
    await check_stored(stage, 3)
    assert data_of(await collect(stage, stage.there)) == ["word 0", "word 1", "word 2"]


async def test_what_memory_forgot_as_well_ends_the_attempt(stage: Stage) -> None:
    async with stage.here.writing(stage.open_live()) as live:
        await fill_memory(stage, live)
        await forget(stage, after=0)
        live.say(event("more"))
        await stage.here.flush()
        assert live.lost
        with pytest.raises(Unavailable):
            live.say(event("and more"))
    await check_stored(stage, 0)


async def test_whoever_was_taken_over_learns_it(stage: Stage) -> None:
    async with stage.here.writing(stage.open_live()) as live:
        await speak(stage, live, 3)
        await take_over(stage.database)
        live.say(event("too late"))
        await stage.here.flush()
        with pytest.raises(LeaseLost):
            live.say(event("later still"))


async def test_memory_is_forgotten_when_the_disk_has_it(stage: Stage) -> None:
    async with stage.here.writing(stage.open_live()) as live:
        await fill_memory(stage, live)
        assert live.durable >= live.first_seq - 1
        assert live.size <= KEPT_BYTES
        await stage.end()
    await check_stored(stage, live.last.seq)


async def test_what_heaped_up_is_written_in_several_statements(
    stage: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(journal, "WRITTEN_BYTES", 10)
    async with stage.here.writing(stage.open_live()) as live:
        live.say(*(event(f"word {number}") for number in range(5)))
        await stage.here.flush()
    await check_stored(stage, 5)


async def test_whoever_speaks_faster_than_the_table_takes_it_waits(
    stage: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    refused = 0

    async def refuse(*_: object, **__: object) -> dict[UUID, int]:
        nonlocal refused
        refused += 1
        raise Unavailable

    monkeypatch.setattr(store, "append_batches", refuse)
    async with stage.here.running(), stage.here.writing(stage.open_live()) as live:
        while not live.is_full:
            live.say(event("x" * 100_000))
        waiting = asyncio.create_task(live.wait_for_room())
        before = refused

        async def is_refused_again() -> bool:
            return refused > before + 1

        await wait_until(is_refused_again)
        assert not waiting.done()
        monkeypatch.undo()
        async with asyncio.timeout(PATIENCE):
            await waiting
        assert not live.is_full
    await check_stored(stage, live.last.seq)


async def fill_memory(stage: Stage, live: LiveRun) -> None:
    """Until something is forgotten."""
    while live.first_seq == 1:
        live.say(event("x" * (KEPT_BYTES // 10)))
        await stage.here.flush()
