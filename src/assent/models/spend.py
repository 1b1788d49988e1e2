"""The spend cap: tokens in a rolling window, per integration and principal, over all processes.

The worst case is reserved before a model call and settled after it. A reservation counts in full
until it is settled, released, or its lease runs out; then its estimate counts until that falls out
of the window. Every deed is one statement that commits by itself, so that no process that freezes
keeps a spender locked. Knows no provider, and writes
nothing for a spender without a cap: the ledger (`ledger.py`) has every call.
"""

from collections.abc import Sequence
from datetime import timedelta

from assent.db.database import Database, Db
from assent.errors import LeaseLost, TooMany
from assent.ids import new_id
from assent.models.cap import Cap, Held, Purpose, Reservation, Spender, check_fits, find_wait
from assent.models.store import spend as store

LEASE = timedelta(minutes=1)


async def reserve(
    database: Database,
    spender: Spender,
    cap: Cap,
    *,
    worst_case: int,
    purpose: Purpose,
    lease: timedelta = LEASE,
    estimate: int | None = None,
) -> Reservation:
    """Take room for a call, or raise with the time to wait.

    `estimate` is what counts when the lease runs out unsettled: the worst case unless told, for
    who knows what the call has cost. Anything lower can let the spend go over the cap; 0 is right
    for as long as the call has not begun.
    """
    check_fits(cap, worst_case)
    wanted = store.Wanted(
        id=new_id(),
        purpose=purpose,
        worst_case=worst_case,
        estimate=worst_case if estimate is None else min(estimate, worst_case),
        lease=lease,
    )
    async with database.connection() as db:
        expires_at = await store.reserve(db, spender, cap, wanted)
        if expires_at is None and await store.collect(db, spender, cap.seconds):
            expires_at = await store.reserve(db, spender, cap, wanted)
        if expires_at is not None:
            return Reservation(wanted.id, spender.tenant_id, expires_at)
        held = await store.list_held(db, spender, cap.seconds)
    raise _refuse(cap, worst_case, held)


async def check_room(db: Db, spender: Spender, cap: Cap) -> None:
    """Raise with the time to wait when not even a token would be let through now."""
    held = await store.list_held(db, spender, cap.seconds)
    if sum(one.tokens for one in held) >= cap.tokens:
        raise _refuse(cap, 1, held)


def _refuse(cap: Cap, worst_case: int, held: Sequence[Held]) -> TooMany:
    wait = find_wait(cap, worst_case, held)
    return TooMany(wait, f"The spend cap of {cap} is reached. Wait {wait} s.")


async def settle(database: Database, reservation: Reservation, tokens: int) -> bool:
    """Replace the reservation by what the call took, be it more; late is better than never.

    Return `False` when there is nothing left to replace: settled or released already, or a whole
    window has passed since the lease ran out.
    """
    if tokens < 0:
        raise ValueError("A call takes no fewer than 0 tokens.")
    async with database.connection() as db:
        return await store.settle(db, reservation.tenant_id, reservation.id, tokens)


async def release(database: Database, reservation: Reservation) -> bool:
    """Give the room back for a call that never began. One that was cancelled is settled."""
    return await settle(database, reservation, 0)


async def renew(
    database: Database,
    reservation: Reservation,
    *,
    lease: timedelta = LEASE,
    estimate: int | None = None,
) -> Reservation:
    """Hold the room for longer, and set what counts when this lease runs out if it is given.

    Raise when the room is gone: settled, released, or given to others after the lease ran out.
    A call that is still running then must stop, and be settled.
    """
    async with database.connection() as db:
        expires_at = await store.renew(
            db, reservation.tenant_id, reservation.id, lease=lease, estimate=estimate
        )
    if expires_at is None:
        raise LeaseLost("The room reserved for this model call is no longer held.")
    return Reservation(reservation.id, reservation.tenant_id, expires_at)
