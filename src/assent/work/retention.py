"""Removes what is over: work and events after a day, failed work and unclaimed events after thirty.

The worker runs this through its own queue, so that one process does it and a failure is retried.
"""

from datetime import timedelta

from assent.db.database import Database
from assent.work import store
from assent.work.lease import Handler, Job
from assent.work.queue import finish
from assent.work.ticks import Schedule

KIND = "work.retention"
SCHEDULE = Schedule("work.retention", every=timedelta(hours=1), kind=KIND)


def build_handler(database: Database) -> Handler:
    async def remove_old(job: Job) -> None:
        async with database.transaction() as db:
            await store.delete_old(db)
            await finish(db, job.lease)

    return remove_old
