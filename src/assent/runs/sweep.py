"""Removes the journals of runs that are over: their messages say the same."""

from datetime import timedelta

from assent.runs import store
from assent.runs.studio import Studio
from assent.work.lease import Handler, Job
from assent.work.queue import finish
from assent.work.ticks import Schedule

SWEEP = Schedule("runs.sweep", every=timedelta(minutes=2), kind="runs.sweep", per_tenant=True)


def build_sweep_handler(studio: Studio) -> Handler:
    async def remove_old(job: Job) -> None:
        async with studio.means.database.transaction() as db:
            if job.work.tenant_id is not None:
                await store.purge_events(db, job.work.tenant_id)
            await finish(db, job.lease)

    return remove_old
