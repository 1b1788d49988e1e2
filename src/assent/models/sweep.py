"""Marks calls that nobody ended, and removes what no longer counts against any spend cap.

No admission depends on it having run.

The worker runs this through its queue, once for each tenant, so that one process does it and a
failure is retried.
"""

from datetime import timedelta
from uuid import UUID

from assent.db.database import Database
from assent.models.store import ledger as ledger_store
from assent.models.store import spend as store
from assent.work.lease import Handler, Job
from assent.work.ticks import Schedule

KIND = "models.spend.sweep"
SCHEDULE = Schedule(KIND, every=timedelta(minutes=10), kind=KIND, per_tenant=True)


async def sweep(database: Database, tenant_id: UUID) -> None:
    # One spender after the other: locking several at once could meet another sweep in a circle.
    async with database.connection() as db:
        for spender, window_seconds in await store.list_due(db, tenant_id):
            await store.collect(db, spender, window_seconds)
        await store.delete_idle(db, tenant_id)
        await ledger_store.lose_calls(db, tenant_id)


def build_handler(database: Database) -> Handler:
    async def remove_old(job: Job) -> None:
        if job.work.tenant_id is None:
            raise ValueError("Spend belongs to a tenant.")
        await sweep(database, job.work.tenant_id)

    return remove_old
