"""The journal on Postgres: every follower gets every event once, here and elsewhere."""

import asyncio
from contextlib import aclosing
from dataclasses import replace
from datetime import timedelta
from uuid import UUID

import pytest

from assent.runs import copies, journal, store
from assent.runs import follow as follow_module
from assent.runs.events import HEARTBEAT
from assent.runs.follow import follow
from assent.runs.frames import START, Position, parse_position, split_frames
from assent.runs.live import LiveRun
from assent.runs.recent import KEPT_BYTES
from assent.work import store as work_store
from tests.patience import PATIENCE
from tests.store.runs.stage import (
    Stage,
    collect,
    data_of,
    event,
    following,
    speak,
    take_over,
)


async def test_followers_here_and_elsewhere_see_the_same(stage: Stage) -> None:
    async with following(stage, stage.here, stage.there, stage.there) as tasks:
        async with stage.here.writing(stage.open_live()) as live:
            await speak(stage, live, 100)
            await stage.end()
        async with asyncio.timeout(PATIENCE):
            results = await asyncio.gather(*tasks)
    expected = [f"word {number}" for number in range(100)]
    assert [data_of(frames) for frames in results] == [expected] * 3
    ids = [frame.split(b"\n")[0] for frame in results[1]]
    assert ids == [f"id: {stage.run.id}:1:{seq}".encode() for seq in range(1, 101)]


@pytest.mark.parametrize("seq", [0, 1, 33, 99, 100])
async def test_a_follower_goes_on_where_it_was(stage: Stage, seq: int) -> None:
    async with stage.here.writing(stage.open_live()) as live:
        await speak(stage, live, 100)
        mid_way = asyncio.create_task(collect(stage, stage.here, Position(1, seq)))
        await asyncio.sleep(0.05)
        await stage.end()
    expected = [f"word {number}" for number in range(seq, 100)]
    async with asyncio.timeout(PATIENCE):
        assert data_of(await mid_way) == expected
        assert data_of(await collect(stage, stage.there, Position(1, seq))) == expected
        assert data_of(await collect(stage, stage.here, Position(1, seq))) == expected


async def test_a_follower_that_reads_slowly_misses_nothing(stage: Stage) -> None:
    seen: list[bytes] = []
    async with stage.here.writing(stage.open_live()) as live:
        live.say(event("word 0"))
        followed = follow(stage.database, stage.here, stage.copies, stage.run)
        async with aclosing(followed):
            seen += split_frames(await anext(followed))
            big = "x" * (KEPT_BYTES // 10)
            for number in range(1, 40):
                live.say(event(f"{big} word {number}"))
                await stage.here.flush()
            assert live.first_seq > 1
            await stage.end()
            live.close()
            async for sent in followed:
                seen += split_frames(sent)
    assert [one.split()[-1] for one in data_of(seen)] == [str(number) for number in range(40)]


async def test_whoever_lost_the_run_says_no_more(stage: Stage) -> None:
    async with stage.here.writing(stage.open_live()) as old:
        await speak(stage, old, 3)
        await stage.here.flush()
        follower = asyncio.create_task(collect(stage, stage.here))
        await asyncio.sleep(0.05)
        lease = await take_over(stage.database)
        old.say(event("too late"))
        await stage.here.flush()
        assert old.lost
        new = LiveRun(stage.run.id, stage.run.tenant_id, 2, lease)
        async with stage.there.writing(new):
            new.say(event("again"))
            await stage.there.flush()
            await stage.end()
        async with asyncio.timeout(PATIENCE):
            frames = await follower
    assert data_of(frames) == ["word 0", "word 1", "word 2", "too late"]
    for seen in (START, Position(1, 3), Position(2, 0)):
        assert data_of(await collect(stage, stage.there, seen)) == ["again"]


async def test_silence_is_filled_with_heartbeats(
    stage: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    for module in (journal, follow_module):
        monkeypatch.setattr(module, "BEAT_SECONDS", 0.01)
    followed = follow(stage.database, stage.here, stage.copies, stage.run)
    async with (
        stage.here.running(),
        stage.here.writing(stage.open_live()) as live,
        aclosing(followed),
        asyncio.timeout(10),
    ):
        assert [await anext(followed) for _ in range(3)] == [HEARTBEAT] * 3
        live.say(event("one"), event("two"))
        while (sent := await anext(followed)) == HEARTBEAT:
            pass
        assert data_of(list(split_frames(sent))) == ["one", "two"]


async def test_writing_and_renewing_leases_do_not_wait_for_each_other(stage: Stage) -> None:
    live, lease = stage.open_live(), stage.lease
    live.say(b"data: {}\n\n")
    async with stage.here.writing(live):
        async with stage.database.transaction() as db:
            await work_store.renew(
                db, owner=lease.owner, work_ids=[lease.work_id], lease=timedelta(minutes=1)
            )
            async with asyncio.timeout(30):
                await stage.here.flush()
    assert live.stored == 1


async def test_a_run_that_begins_here_is_followed_without_a_look_at_the_table(
    stage: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(copies, "BEGIN_SECONDS", 60)
    queued = replace(stage.run, status="queued")
    followed = follow(stage.database, stage.here, stage.copies, queued)
    first = asyncio.ensure_future(anext(followed))
    await asyncio.sleep(0)
    async with aclosing(followed), stage.here.writing(stage.open_live()) as live:
        live.say(event("one"))
        async with asyncio.timeout(10):
            assert data_of(list(split_frames(await first))) == ["one"]


async def test_journals_go_when_their_runs_are_over(stage: Stage) -> None:
    async with stage.here.writing(stage.open_live()) as live:
        live.say(event("one"))
        await stage.here.flush()
        await stage.end()
    count = "SELECT count(*) FROM run_events"
    async with stage.database.transaction() as db:
        await store.purge_events(db, stage.run.tenant_id)
        assert await db.fetchval(count) == 1
        await db.execute("UPDATE runs SET finished_at = now() - interval '11 minutes'")
        await store.purge_events(db, stage.run.tenant_id)
        assert await db.fetchval(count) == 0


async def test_idle_journals_write_nothing(stage: Stage) -> None:
    async with stage.here.writing(stage.open_live()) as live:
        live.say(event("one"))
        await stage.here.flush()
        async with stage.database.connection() as db:
            before = await db.fetchval("SELECT count(*) FROM run_events")
        await stage.here.flush()
        await stage.here.flush()
        async with stage.database.connection() as db:
            assert await db.fetchval("SELECT count(*) FROM run_events") == before


@pytest.mark.parametrize(
    ("text", "position"),
    [
        ("{run}:1:5", Position(1, 5)),
        ("{other}:1:5", None),
        ("{run}:1", None),
        ("{run}:x:5", None),
        ("{run}:1:-5", None),
        ("{run}:1:99999999999999999999", None),
        ("", None),
        (None, None),
    ],
)
def test_positions_are_read_with_care(text: str | None, position: Position | None) -> None:
    run, other = UUID(int=1), UUID(int=2)
    given = text.format(run=run, other=other) if text is not None else None
    assert parse_position(given, run) == position
