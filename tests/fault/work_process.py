"""A worker in a process of its own, for tests that kill it: `python -m tests.fault.work_process`.

Its handlers leave traces in two tables. `starts` says who began what; `effects` is the effect that
must happen once. The handler that writes it is a bad citizen and goes on when it is cancelled, so
that the fence alone decides what appears.
"""

import asyncio
import contextlib
import logging
import os
import signal
import sys
from datetime import timedelta

from assent.db.database import Database, open_database
from assent.work.lease import Job
from assent.work.queue import fence, finish
from assent.work.ticks import Schedule
from assent.work.worker import Worker

LEASE_SECONDS = 1.5
TABLES = """
CREATE TABLE starts (work_id uuid, attempt integer, pid integer, what text);
CREATE TABLE effects (
    nth bigint GENERATED ALWAYS AS IDENTITY, work_id uuid, attempt integer, pid integer, mark text
);
"""
INSERT_START = "INSERT INTO starts VALUES ($1, $2, $3, $4)"
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
        await asyncio.sleep(job.work.payload["seconds"])
        await self._trace(job, "writes")
        async with self._database.transaction() as db:
            await fence(db, job.lease)
            await db.execute(INSERT_EFFECT, *self._who(job), job.work.payload.get("mark"))
            await finish(db, job.lease)

    async def write_then_dawdle(self, job: Job) -> None:
        """Take a while inside the fenced transaction, on the first attempt."""
        async with self._database.transaction() as db:
            await fence(db, job.lease)
            await db.execute(INSERT_EFFECT, *self._who(job), None)
            await self._trace(job, "began")
            if job.work.attempt == 1:
                await asyncio.sleep(job.work.payload["seconds"])
            await finish(db, job.lease)

    async def tick(self, job: Job) -> None:
        async with self._database.transaction() as db:
            await db.execute(INSERT_EFFECT, *self._who(job), job.work.payload["dueAt"])
            await finish(db, job.lease)

    async def _trace(self, job: Job, what: str) -> None:
        async with self._database.transaction() as db:
            await db.execute(INSERT_START, *self._who(job), what)

    def _who(self, job: Job) -> tuple[object, int, int]:
        return job.work.id, job.work.attempt, os.getpid()


async def main(url: str) -> None:
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
    print("ready", flush=True)
    await worker.run(stop, grace=5)
    await database.close()


if __name__ == "__main__":
    logging.basicConfig(level=logging.INFO, format="%(process)d %(message)s")
    asyncio.run(main(sys.argv[1]))
