"""One job under way: runs its handler, can stop it, and writes how it ended.

The handler runs in a task of its own, so that stopping it never interrupts the writing.
"""

import asyncio
import logging
from datetime import timedelta

from assent.db.database import Database, Db
from assent.work import store
from assent.work.ending import (
    Cancelled,
    Done,
    Leave,
    Retry,
    Stop,
    Written,
    decide_ending,
    retry_delay,
)
from assent.work.lease import Handler, Job, Lease
from assent.work.link import DATABASE_ERRORS

PAUSE_SECONDS = 0.5

log = logging.getLogger("assent.work")


class Execution:
    def __init__(self, job: Job, handler: Handler, *, renewed_at: float) -> None:
        self.job = job
        self.renewed_at = renewed_at
        self._stop: Stop | None = None
        self._fields = job.work.log_fields()
        self._task = asyncio.create_task(_call(handler, job), name=f"work {job.work.kind}")

    @property
    def lease(self) -> Lease:
        return self.job.lease

    def stop(self, why: Stop) -> None:
        """Cancel the handler, once: it may need a while to put things in order."""
        if self._stop is None and not self._task.done():
            self._stop = why
            self._task.cancel(why.value)
            log.info("Stopping work: %s.", why.value, extra=self._fields)

    async def supervise(self, database: Database, *, patience: timedelta) -> None:
        """Wait for the handler and write how it ended, trying for as long as the lease lasts."""
        await asyncio.wait([self._task])
        error = asyncio.CancelledError() if self._task.cancelled() else self._task.exception()
        ending = decide_ending(self._stop, error)
        if isinstance(ending, Leave):
            log.warning("Work was left: %s.", ending.reason, extra=self._fields)
            return
        if isinstance(ending, Retry):
            log.warning("Work failed.", exc_info=error, extra=self._fields)
        try:
            async with asyncio.timeout(patience.total_seconds()):
                state = await self._write_until_answered(database, ending)
        except TimeoutError:
            log.warning("Work ended but its row could not be closed.", extra=self._fields)
        else:
            log.debug("Work ended: %s.", state, extra=self._fields)

    async def _write_until_answered(self, database: Database, ending: Written) -> str:
        while True:
            try:
                async with database.connection() as db:
                    return await write_ending(db, self.job.lease, ending)
            except DATABASE_ERRORS as error:
                log.warning("The end of work is not written yet: %s", error, extra=self._fields)
                await asyncio.sleep(PAUSE_SECONDS)


async def write_ending(db: Db, lease: Lease, ending: Written) -> str:
    """Return the row's new state, or that it is no longer ours."""
    match ending:
        case Done():
            state = "done" if await store.finish(db, lease) else None
        case Cancelled():
            state = "cancelled" if await store.cancel(db, lease) else None
        case Retry(error):
            delay = retry_delay(lease.attempt)
            state = await store.retry(db, lease, error=error, delay=delay)
    return state or Stop.LOST.value


async def _call(handler: Handler, job: Job) -> None:
    await handler(job)
