"""The journal on Postgres: every follower gets every event once, here and elsewhere."""

import asyncio
from collections.abc import AsyncGenerator
from contextlib import aclosing, asynccontextmanager
from dataclasses import dataclass, replace
from datetime import timedelta
from uuid import UUID

import pytest
import pytest_asyncio

from assent.conversations.conversation import ConversationDraft
from assent.conversations.store.conversations import insert_conversation
from assent.db.database import Database
from assent.identity.first_start import start_first
from assent.ids import new_id
from assent.runs import follow as follow_module
from assent.runs import journal, store
from assent.runs.events import HEARTBEAT
from assent.runs.follow import Wakeups, follow
from assent.runs.frames import START, Position, parse_position, split_frames
from assent.runs.journal import KEPT_BYTES, Journal, LiveRun
from assent.runs.run import NewRun, Run
from assent.work import store as work_store
from assent.work.lease import Lease
from assent.work.listen import Listener
from assent.work.queue import enqueue
from tests.patience import PATIENCE

KIND = "test.run"


@dataclass(frozen=True, slots=True)
class Stage:
    """A run whose work is leased, and two processes that know nothing of each other."""

    database: Database
    run: Run
    lease: Lease
    here: Journal
    there: Journal
    wakeups: Wakeups

    def open_live(self, attempt: int = 1) -> LiveRun:
        return LiveRun(self.run.id, self.run.tenant_id, attempt, self.lease)

    async def end(self) -> None:
        """As a run ends: all that was said is stored by then."""
        await self.here.flush()
        async with self.database.transaction() as db:
            await store.end_run(db, self.run, "completed")


async def take_over(database: Database) -> Lease:
    """Another owner takes the work: the old lease is worth nothing."""
    async with database.transaction() as db:
        await db.execute("UPDATE work SET state = 'queued', owner = NULL, lease_until = NULL")
    return await claim(database)


async def claim(database: Database) -> Lease:
    owner = new_id()
    async with database.connection() as db:
        [work] = await work_store.claim(
            db, owner=owner, kinds=[KIND], limit=1, lease=timedelta(minutes=1)
        )
    return Lease(work.id, owner, work.attempt)


@pytest_asyncio.fixture
async def stage(database: Database) -> AsyncGenerator[Stage]:
    async with database.transaction() as db:
        first = await start_first(db, known_rules=[], workspace=("main", "Main"))
        assert first is not None
        person = first.admin
        conversation = await insert_conversation(
            db,
            person.tenant_id,
            ConversationDraft(),
            conversation_id=new_id(),
            owner_id=person.id,
        )
        work_id = await enqueue(db, kind=KIND, payload={}, tenant_id=person.tenant_id)
        new = NewRun(
            id=new_id(),
            tenant_id=person.tenant_id,
            conversation_id=conversation.id,
            work_id=work_id,
            kind="turn",
            agent="assistant",
            principal_id=person.id,
            message_id=new_id(),
        )
        await store.insert_run(db, new)
        run = await store.find_run(db, person.tenant_id, new.id)
        assert run is not None
        assert await store.start_run(db, run, 1)
    listener = Listener(database)
    wakeups = Wakeups(listener)
    async with listener.running():
        yield Stage(
            database,
            run,
            await claim(database),
            Journal(database, wakeups.wake),
            Journal(database, wakeups.wake),
            wakeups,
        )


def event(text: str) -> bytes:
    return f"data: {text}\n\n".encode()


def data_of(frames: list[bytes]) -> list[str]:
    return [frame.decode().split("data: ")[1].strip() for frame in frames]


async def collect(stage: Stage, journal: Journal, seen: Position = START) -> list[bytes]:
    frames: list[bytes] = []
    async with aclosing(
        follow(stage.database, journal, stage.wakeups, stage.run, seen)
    ) as followed:
        async for sent in followed:
            frames += split_frames(sent)
    return frames


@asynccontextmanager
async def following(
    stage: Stage, *journals: Journal
) -> AsyncGenerator[list[asyncio.Task[list[bytes]]]]:
    tasks = [asyncio.create_task(collect(stage, journal)) for journal in journals]
    await asyncio.sleep(0.05)
    yield tasks


async def speak(stage: Stage, live: LiveRun, count: int, *, first: int = 0) -> None:
    for number in range(first, first + count):
        live.say(event(f"word {number}"))
        if number % 7 == 0:
            await stage.here.flush()
        await asyncio.sleep(0)


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
        followed = follow(stage.database, stage.here, stage.wakeups, stage.run)
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
    followed = follow(stage.database, stage.here, stage.wakeups, stage.run)
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
    monkeypatch.setattr(follow_module, "BEGIN_SECONDS", 60)
    queued = replace(stage.run, status="queued")
    followed = follow(stage.database, stage.here, stage.wakeups, queued)
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
