"""The cards of a conversation: what waits in it, and which decisions its model must be told of.

And cards that have changed, for whoever may see them.
"""

from collections.abc import Sequence
from uuid import UUID

from assent.actions import store
from assent.actions.means import Means
from assent.actions.proposal import Proposal, check_may_see
from assent.db.database import Db
from assent.errors import NotFound
from assent.identity.principal import Principal


async def list_waiting(db: Db, tenant_id: UUID, conversation_id: UUID) -> list[Proposal]:
    """Open ones, in the order in which they were proposed."""
    return await store.list_open_of_conversation(db, tenant_id, conversation_id)


async def has_untold(db: Db, tenant_id: UUID, conversation_id: UUID) -> bool:
    return await store.count_untold(db, tenant_id, conversation_id) > 0


async def take_untold(db: Db, tenant_id: UUID, conversation_id: UUID) -> list[Proposal]:
    """Decided ones that the conversation's model was not told of; each is given out once."""
    return await store.take_untold(db, tenant_id, conversation_id)


async def list_changed(db: Db, tenant_id: UUID, proposal_ids: Sequence[UUID]) -> list[Proposal]:
    """As they stand now, each with the one that has taken its place."""
    return await store.list_with_successors(db, tenant_id, proposal_ids) if proposal_ids else []


def may_follow(means: Means, proposal: Proposal, principal: Principal) -> bool:
    """Whether they may know how the proposal stands."""
    try:
        check_may_see(proposal, means.find_tool(proposal.change.tool), principal)
    except NotFound:
        return False
    return True
