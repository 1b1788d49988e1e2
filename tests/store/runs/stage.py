"""A run for tests of the journal: somebody speaks, others follow, here and in another process."""

import asyncio
from collections.abc import AsyncGenerator
from contextlib import aclosing, asynccontextmanager
from dataclasses import dataclass
from datetime import timedelta

from assent.conversations.conversation import ConversationDraft
from assent.conversations.store.conversations import insert_conversation
from assent.db.database import Database
from assent.identity.first_start import start_first
from assent.ids import new_id
from assent.runs import store
from assent.runs.copies import Copies
from assent.runs.follow import follow
from assent.runs.frames import START, Position, split_frames
from assent.runs.journal import Journal
from assent.runs.live import LiveRun
from assent.runs.run import NewRun, Run
from assent.work import store as work_store
from assent.work.lease import Lease
from assent.work.listen import Listener
from assent.work.queue import enqueue
from tests.patience import wait_until

KIND = "test.run"


@dataclass(frozen=True, slots=True)
class Stage:
    """A run whose work is leased, and two processes that know nothing of each other."""

    database: Database
    run: Run
    lease: Lease
    here: Journal
    there: Journal
    copies: Copies

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


@asynccontextmanager
async def open_stage(database: Database) -> AsyncGenerator[Stage]:
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
    shared = Copies(database, listener)
    async with listener.running():
        yield Stage(
            database,
            run,
            await claim(database),
            Journal(database, shared.drop),
            Journal(database, shared.drop),
            shared,
        )


def event(text: str) -> bytes:
    return f"data: {text}\n\n".encode()


def data_of(frames: list[bytes]) -> list[str]:
    return [frame.decode().split("data: ")[1].strip() for frame in frames]


async def collect(stage: Stage, journal: Journal, seen: Position = START) -> list[bytes]:
    frames: list[bytes] = []
    async with aclosing(follow(stage.database, journal, stage.copies, stage.run, seen)) as followed:
        async for sent in followed:
            frames += split_frames(sent)
    return frames


@asynccontextmanager
async def following(
    stage: Stage, *journals: Journal
) -> AsyncGenerator[list[asyncio.Task[list[bytes]]]]:
    """As many tasks as journals; all of them follow when the body begins, or are done already."""
    before = stage.copies.followers
    tasks = [asyncio.create_task(collect(stage, journal)) for journal in journals]

    async def are_there() -> bool:
        done = sum(task.done() for task in tasks)
        return stage.copies.followers - before + done >= len(tasks)

    await wait_until(are_there)
    yield tasks


async def speak(stage: Stage, live: LiveRun, count: int, *, first: int = 0) -> None:
    for number in range(first, first + count):
        live.say(event(f"word {number}"))
        if number % 7 == 0:
            await stage.here.flush()
        await asyncio.sleep(0)
