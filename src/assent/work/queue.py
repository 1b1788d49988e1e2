"""What callers and handlers do with the queue, each inside a transaction of their own.

Work is delivered at least once. A handler whose effect must happen once writes it and calls
`finish` in one transaction: then the effect and the end of the work commit together or not at all.
"""

from dataclasses import replace
from datetime import datetime
from uuid import UUID

from assent.db.database import Db
from assent.errors import LeaseLost
from assent.ids import new_id
from assent.telemetry.trace_context import carry
from assent.work import store
from assent.work.lease import Lease, NewWork, Payload


async def enqueue(
    db: Db,
    *,
    kind: str,
    payload: Payload,
    tenant_id: UUID | None = None,
    ordering_key: str | None = None,
    run_after: datetime | None = None,
    priority: int = 0,
) -> UUID:
    """Add work that becomes visible, and wakes a worker, when the caller's transaction commits.

    Work with one ordering key of one tenant runs one at a time, in the order of these calls;
    what waits for a retry or for `run_after` keeps its place and the rest waits behind it.
    """
    work = NewWork(
        id=new_id(),
        kind=kind,
        payload=payload,
        tenant_id=tenant_id,
        ordering_key=ordering_key,
        run_after=run_after,
        priority=priority,
    )
    return await hand_in(db, work)


async def hand_in(db: Db, work: NewWork, *, wake: bool = True) -> UUID:
    """The same for work that is there as a value.

    Without `wake` it waits for the next look at the table: commits queue at a NOTIFY.
    """
    await store.insert_work(db, [replace(work, payload=carry(work.payload))], wake=wake)
    return work.id


async def request_cancel(db: Db, tenant_id: UUID | None, work_id: UUID) -> bool:
    """Cancel what waits, ask the owner of what runs to stop; `False` if neither applies."""
    return await store.request_cancel(db, tenant_id, work_id)


async def fence(db: Db, lease: Lease) -> None:
    """Let this transaction commit only as the owner's: lock the row, or raise `LeaseLost`.

    The time on the lease is not looked at. A takeover has to update the row and cannot while this
    lock is held; before the takeover the owner is still the owner, however late it is. In a
    REPEATABLE READ transaction call this first, or a heartbeat in between makes it fail.
    """
    if not await store.lock(db, lease):
        raise LeaseLost()


async def finish(db: Db, lease: Lease) -> None:
    """End the work in this transaction, fenced. The last thing a handler does."""
    if not await store.finish(db, lease):
        raise LeaseLost()
