"""The cards of a conversation: what waits in it, and which decisions its model must be told of."""

from uuid import UUID

from assent.actions import store
from assent.actions.proposal import Proposal
from assent.db.database import Db


async def list_waiting(db: Db, tenant_id: UUID, conversation_id: UUID) -> list[Proposal]:
    """Open ones, in the order in which they were proposed."""
    return await store.list_open_of_conversation(db, tenant_id, conversation_id)


async def has_untold(db: Db, tenant_id: UUID, conversation_id: UUID) -> bool:
    return await store.count_untold(db, tenant_id, conversation_id) > 0


async def take_untold(
    db: Db, tenant_id: UUID, conversation_id: UUID, run_id: UUID
) -> list[Proposal]:
    """Decided ones for this run to tell the model of: each goes to one run, however often asked."""
    return await store.take_untold(db, tenant_id, conversation_id, run_id)
