"""Cards that nobody decides about any more: of turns whose message was written anew (SPEC C18), and
of runs that were cancelled.

One that somebody is deciding about at this moment is locked, and goes its way.
"""

from uuid import UUID

from assent.actions.ending import CANCELLED, OUTDATED, end_proposal, wake_subscribers
from assent.actions.means import Means
from assent.actions.proposal import Outcome, Proposal
from assent.actions.waiting import store
from assent.db.database import Db

MOST = 100


async def void_outdated(
    db: Db,
    means: Means,
    tenant_id: UUID,
    conversation_id: UUID | None = None,
    *,
    limit: int = MOST,
) -> list[Proposal]:
    """Of one conversation, or of all; also those that were made a moment after."""
    outdated = await store.take_outdated(db, tenant_id, conversation_id, limit)
    for proposal in outdated:
        await end_proposal(db, means, proposal, "voided", Outcome(error=OUTDATED))
    return outdated


async def void_open(db: Db, means: Means, tenant_id: UUID, conversation_id: UUID) -> list[Proposal]:
    """All that wait in a conversation whose run was cancelled."""
    waiting = await store.take_open(db, tenant_id, conversation_id)
    for proposal in waiting:
        await end_proposal(db, means, proposal, "voided", Outcome(error=CANCELLED))
    return waiting


async def tell_of_voided(means: Means, tenant_id: UUID, voided: list[Proposal]) -> None:
    """After the commit, never in it."""
    if voided:
        await wake_subscribers(means.database, tenant_id, *(one.id for one in voided))
