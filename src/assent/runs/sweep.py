"""Clean-up of runs: ends those that nobody drives any more, removes journals of old ones, withdraws
cards that cancelled ones have left.

A run whose process is lost is taken over through its work. What is left here are the few that no
worker takes again: their attempts are used up, or they were stopped when their process was gone.
"""

import asyncio
import logging
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager, suppress
from datetime import timedelta

from assent.errors import AssentError
from assent.runs import store
from assent.runs.headless.cancel import void_left
from assent.runs.resume import settle_run
from assent.runs.studio import Studio
from assent.work.lease import Handler, Job
from assent.work.queue import finish
from assent.work.ticks import Schedule

SWEEP = Schedule("runs.sweep", every=timedelta(minutes=2), kind="runs.sweep", per_tenant=True)
EVERY = 2.0
BATCH = 20
INTERRUPTED = {
    "code": "interrupted",
    "message": "The server was interrupted, and going on failed several times.",
}

log = logging.getLogger("assent.runs")


def build_sweep_handler(studio: Studio) -> Handler:
    async def remove_old(job: Job) -> None:
        if job.work.tenant_id is not None:
            await void_left(studio, job.work.tenant_id)
        async with studio.means.database.transaction() as db:
            if job.work.tenant_id is not None:
                await store.purge_events(db, job.work.tenant_id)
            await finish(db, job.lease)

    return remove_old


@asynccontextmanager
async def settling(studio: Studio) -> AsyncGenerator[None]:
    """Look for lost runs until the body ends."""
    task = asyncio.create_task(_settle_forever(studio), name="lost runs")
    try:
        yield
    finally:
        task.cancel()
        with suppress(asyncio.CancelledError):
            await task


async def settle_lost(studio: Studio) -> int:
    """End what nobody will go on with; its partial answer stays."""
    async with studio.means.database.transaction() as db:
        lost = await store.take_lost(db, BATCH)
        for run, was_cancelled in lost:
            if was_cancelled:
                await settle_run(db, run, "cancelled")
            else:
                await settle_run(db, run, "failed", INTERRUPTED)
    for run, _ in lost:
        log.warning("A run was lost.", extra={"run_id": str(run.id)})
        await studio.journal.tell(run.id)
    return len(lost)


async def _settle_forever(studio: Studio) -> None:
    while True:
        try:
            await settle_lost(studio)
        except AssentError as error:
            log.warning("Lost runs are not looked for: %s", error)
        except Exception:
            log.exception("Looking for lost runs failed.")
        await asyncio.sleep(EVERY)
