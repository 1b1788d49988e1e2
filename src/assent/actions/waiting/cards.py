"""The cards of a conversation: what waits in it, and which decisions its model must be told of.

And cards that have changed, for whoever may see them.
"""

from collections.abc import Collection, Sequence
from uuid import UUID

from assent.actions.approvals.weigh import find_named
from assent.actions.decide import load_visible
from assent.actions.means import Means
from assent.actions.proposal import Proposal, check_may_see
from assent.actions.waiting import store
from assent.db.database import Db
from assent.errors import NotFound
from assent.identity.principal import Principal


async def list_waiting(db: Db, tenant_id: UUID, conversation_id: UUID) -> list[Proposal]:
    """Open ones, in the order in which they were proposed."""
    return await store.list_open_of_conversation(db, tenant_id, conversation_id)


async def has_untold(
    db: Db, tenant_id: UUID, conversation_id: UUID, *, undecided: bool = False
) -> bool:
    """With `undecided` those count too that expired or were withdrawn."""
    return await store.count_untold(db, tenant_id, conversation_id, undecided=undecided) > 0


async def has_undecided(db: Db, tenant_id: UUID, conversation_id: UUID) -> bool:
    """Whether the outcome of a card is still open: it waits, or its change is under way."""
    return await store.count_undecided(db, tenant_id, conversation_id) > 0


async def take_untold(
    db: Db, tenant_id: UUID, conversation_id: UUID, run_id: UUID, *, undecided: bool = False
) -> None:
    """Give this run the decided ones that the model was not told of: each to one run alone."""
    await store.take_untold(db, tenant_id, conversation_id, run_id, undecided=undecided)


async def list_taken(
    db: Db, tenant_id: UUID, conversation_id: UUID, run_id: UUID
) -> list[Proposal]:
    """What this run has to tell of."""
    return await store.list_taken(db, tenant_id, conversation_id, run_id)


async def list_told(db: Db, means: Means, tenant_id: UUID, conversation_id: UUID) -> list[Proposal]:
    """Those whose outcome the model was told of, and which untrusted tools gave back."""
    tools = means.loaded.tools.by_name.values()
    trusted = [one.name for one in tools if one.behaviour.output_trust == "trusted"]
    return await store.list_told(db, tenant_id, conversation_id, but=trusted)


async def forget_told(db: Db, tenant_id: UUID, conversation_id: UUID, run_id: UUID) -> None:
    """The run did not come to its end: the next one tells of what it was to tell."""
    await store.forget_told(db, tenant_id, conversation_id, run_id)


async def load_told(
    db: Db, means: Means, person: Principal, proposal_id: UUID
) -> tuple[Proposal, UUID | None]:
    """A proposal that they may see, and the run that tells, or told, what became of it."""
    proposal = await load_visible(db, means, person, proposal_id)
    return proposal, await store.find_teller(db, person.tenant_id, proposal_id)


async def list_changed(db: Db, tenant_id: UUID, proposal_ids: Sequence[UUID]) -> list[Proposal]:
    """As they stand now, each with the one that has taken its place."""
    return await store.list_with_successors(db, tenant_id, proposal_ids) if proposal_ids else []


async def find_followers(
    db: Db, means: Means, proposals: Sequence[Proposal], people: Collection[Principal]
) -> dict[UUID, frozenset[UUID]]:
    """Of these people, who may know how each proposal stands."""
    named = await find_named(db, means, proposals, people)
    return {
        one.id: named.get(one.id, frozenset())
        | {person.id for person in people if _may_see(means, one, person)}
        for one in proposals
    }


def _may_see(means: Means, proposal: Proposal, principal: Principal) -> bool:
    try:
        check_may_see(proposal, means.find_tool(proposal.change.tool), principal)
    except NotFound:
        return False
    return True
