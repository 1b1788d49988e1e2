"""What the tests of the queue do again and again, in one word each."""

import asyncio
from collections.abc import AsyncGenerator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from datetime import timedelta
from typing import Any
from uuid import UUID

from assent.db.database import Database, Row
from assent.ids import new_id
from assent.work import store
from assent.work.lease import Job, Lease, Work
from assent.work.queue import enqueue
from assent.work.worker import Worker
from tests.patience import PATIENCE, wait_until

LEASE = timedelta(seconds=10)


async def add(database: Database, kind: str = "a", **more: Any) -> UUID:
    async with database.transaction() as db:
        return await enqueue(db, kind=kind, payload=more.pop("payload", {}), **more)


async def take(
    database: Database,
    *,
    owner: UUID | None = None,
    kinds: Sequence[str] = ("a",),
    limit: int = 10,
    lease: timedelta = LEASE,
) -> list[tuple[Work, Lease]]:
    owner = owner or new_id()
    async with database.connection() as db:
        works = await store.claim(db, owner=owner, kinds=kinds, limit=limit, lease=lease)
    return [(work, Lease(work.id, owner, work.attempt)) for work in works]


async def take_one(database: Database, **more: Any) -> Lease:
    [(_, lease)] = await take(database, **more)
    return lease


async def expire(database: Database) -> list[Work]:
    """Let every lease run out, then sweep as the next claimer would."""
    await execute(database, "UPDATE work SET lease_until = now() - interval '1 s'")
    async with database.connection() as db:
        return await store.sweep(db)


async def execute(database: Database, query: str, *args: object) -> None:
    async with database.transaction() as db:
        await db.execute(query, *args)


async def fetch(database: Database, query: str, *args: object) -> Sequence[Row]:
    async with database.transaction(read_only=True) as db:
        return await db.fetch(query, *args)


async def load(database: Database, work_id: UUID) -> Row:
    [row] = await fetch(database, "SELECT * FROM work WHERE id = $1", work_id)
    return row


async def state_of(database: Database, work_id: UUID) -> str:
    return (await load(database, work_id))["state"]


async def eventually(check: Callable[[], Awaitable[bool]], *, seconds: float = PATIENCE) -> None:
    await wait_until(check, seconds=seconds)


async def until_state(database: Database, work_id: UUID, state: str) -> None:
    async def reached() -> bool:
        return await state_of(database, work_id) == state

    await eventually(reached)


@asynccontextmanager
async def working(worker: Worker, *, grace: float = 5) -> AsyncGenerator[asyncio.Event]:
    """Run the worker for as long as the block lasts."""
    stop = asyncio.Event()
    running = asyncio.create_task(worker.run(stop, grace=grace))
    try:
        yield stop
    finally:
        stop.set()
        await running


class Sleeper:
    """A handler that tells when it began and was stopped."""

    def __init__(self, *, stubborn: bool = False) -> None:
        self.began = asyncio.Event()
        self.stopped = asyncio.Event()
        self.jobs: list[Job] = []
        self._stubborn = stubborn

    async def __call__(self, job: Job) -> None:
        self.jobs.append(job)
        self.began.set()
        try:
            await asyncio.sleep(60)
        except asyncio.CancelledError:
            self.stopped.set()
            if self._stubborn:
                await asyncio.sleep(60)
            raise
