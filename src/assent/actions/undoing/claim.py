"""Of any number of people who want to take a change back at once, one does."""

from uuid import UUID

from assent.actions import store
from assent.actions.ending import end_proposal
from assent.actions.means import Means
from assent.actions.proposal import Outcome
from assent.actions.undoing.store import Standing, find_standing
from assent.db.database import Db
from assent.errors import Conflict

UNDONE = "It was undone already."
WAITS = "Undoing this waits for a decision already."
UNKNOWN = "It was tried to undo this, and what became of that is not known."


async def claim(db: Db, means: Means, tenant_id: UUID, proposal_id: UUID) -> None:
    """Raise if this is being undone; whoever gets past holds the change's lock."""
    await store.lock_proposal(db, tenant_id, proposal_id)
    standing = await find_standing(db, tenant_id, proposal_id)
    check_free(standing)
    if standing.by_id is None:
        return
    late = await store.lock_proposal(db, tenant_id, standing.by_id)
    if late is not None and late.present_state == "expired":
        await end_proposal(db, means, late, "expired", Outcome())


def check_free(standing: Standing) -> None:
    """Raise while something takes this back, or has."""
    if standing.by_state not in (None, "expired"):
        told = {"applied": UNDONE, "outcome_unknown": UNKNOWN}
        raise Conflict(told.get(standing.by_state, WAITS))
