"""A worker in a process of its own, for tests that kill it.

Its handlers leave traces in two tables. `starts` says who began what; `effects` is the effect that
must happen once. The handler that writes it is a bad citizen and goes on when it is cancelled, so
that the fence alone decides what appears. What has to be permitted waits for that, with all that
it holds.
"""

import asyncio
import contextlib
import logging
import os
import signal
from datetime import timedelta
from multiprocessing.connection import Connection as Pipe

from assent.db.database import Database, open_database
from assent.work.lease import Job
from assent.work.link import DATABASE_ERRORS
from assent.work.queue import fence, finish
from assent.work.ticks import Schedule
from assent.work.worker import Worker

LEASE_SECONDS = 1.5
TABLES = """
CREATE TABLE starts (work_id uuid, attempt integer, pid integer, what text);
CREATE TABLE permits (work_id uuid, first_attempt integer, last_attempt integer);
CREATE TABLE effects (
    nth bigint GENERATED ALWAYS AS IDENTITY, work_id uuid, attempt integer, pid integer, mark text
);
"""
INSERT_START = "INSERT INTO starts VALUES ($1, $2, $3, $4)"
IS_PERMITTED = """
SELECT EXISTS (
    SELECT FROM permits WHERE work_id = $1 AND $2 BETWEEN first_attempt AND last_attempt
)
"""
INSERT_EFFECT = "INSERT INTO effects (work_id, attempt, pid, mark) VALUES ($1, $2, $3, $4)"


class Handlers:
    def __init__(self, database: Database) -> None:
        self._database = database

    async def work_then_write(self, job: Job) -> None:
        """Take a while, then write the effect and end the work; go on when cancelled."""
        unstoppable = asyncio.create_task(self._work_then_write(job))
        while not unstoppable.done():
            with contextlib.suppress(asyncio.CancelledError):
                await asyncio.wait([unstoppable])
        await unstoppable

    async def _work_then_write(self, job: Job) -> None:
        await self._trace(job, "began")
        await self._take_time(job)
        await self._trace(job, "writes")
        try:
            async with self._database.transaction() as db:
                await fence(db, job.lease)
                await db.execute(INSERT_EFFECT, *self._who(job), job.work.payload.get("mark"))
                await finish(db, job.lease)
        finally:
            await self._trace(job, "ended")

    async def write_then_dawdle(self, job: Job) -> None:
        """Take a while inside the fenced transaction."""
        try:
            async with self._database.transaction() as db:
                await fence(db, job.lease)
                await db.execute(INSERT_EFFECT, *self._who(job), None)
                await self._trace(job, "began")
                await self._take_time(job)
                await finish(db, job.lease)
        finally:
            # It may be told to stop while it writes this.
            await asyncio.shield(self._trace(job, "ended"))

    async def tick(self, job: Job) -> None:
        async with self._database.transaction() as db:
            await db.execute(INSERT_EFFECT, *self._who(job), job.work.payload["dueAt"])
            await finish(db, job.lease)

    async def _take_time(self, job: Job) -> None:
        if (seconds := job.work.payload.get("seconds")) is not None:
            await asyncio.sleep(seconds)
            return
        permitted = False
        while not permitted:
            await asyncio.sleep(0.02)
            with contextlib.suppress(*DATABASE_ERRORS):
                async with self._database.connection() as db:
                    permitted = await db.fetchval(IS_PERMITTED, job.work.id, job.work.attempt)

    async def _trace(self, job: Job, what: str) -> None:
        """Until it is written: who was frozen may still hold connections that were ended."""
        while True:
            try:
                async with self._database.transaction() as db:
                    await db.execute(INSERT_START, *self._who(job), what)
            except DATABASE_ERRORS:
                await asyncio.sleep(0.05)
            else:
                return

    def _who(self, job: Job) -> tuple[object, int, int]:
        return job.work.id, job.work.attempt, os.getpid()


def work(url: str, pipe: Pipe) -> None:
    """Work until told to stop, and say when it begins."""
    logging.basicConfig(level=logging.INFO, format="%(process)d %(message)s", force=True)
    asyncio.run(_work(url, pipe))


async def _work(url: str, pipe: Pipe) -> None:
    database = await open_database(url, pool_size=6)
    handlers = Handlers(database)
    worker = Worker(
        database,
        handlers={
            "work": handlers.work_then_write,
            "dawdle": handlers.write_then_dawdle,
            "tick": handlers.tick,
        },
        schedules=[Schedule("second", timedelta(seconds=1), "tick")],
        lease_seconds=LEASE_SECONDS,
    )
    stop = asyncio.Event()
    asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, stop.set)
    pipe.send("ready")
    await worker.run(stop, grace=5)
    await database.close()
