"""Undo: the call that takes an applied change back, proposed like any other (SPEC P14).

It is refused where what was changed has moved on since, and where it was asked for already.
"""

from uuid import UUID

from assent.actions.call import Circumstances, Proposed, ToolCall, call_tool
from assent.actions.decide import load_visible, refusing
from assent.actions.means import Means
from assent.actions.proposal import Place, Proposal, Undoing
from assent.actions.undoing.claim import check_free
from assent.actions.undoing.plan import Plan, load_plan
from assent.actions.undoing.store import find_standing
from assent.conversations.keep import load_conversation
from assent.db.database import Db
from assent.errors import Conflict, Forbidden, NotFound
from assent.identity.principal import Principal

NOT_APPLIED = "Only a change that was applied can be undone."
NO_WAY_BACK = "This change cannot be undone."


async def undo(means: Means, person: Principal, proposal_id: UUID) -> Proposal:
    """A card that takes the change back. Whoever asks for it is its proposer."""
    async with refusing(means, person, proposal_id), means.database.reading() as db:
        proposal = await load_visible(db, means, person, proposal_id)
        plan = await _load_plan(db, means, proposal)
        conversation_id = await _find_conversation(db, person, proposal)
    answer = await call_tool(
        means,
        ToolCall(
            name=plan.tool,
            arguments=plan.arguments,
            principal=person,
            place=Place(
                edge="rest",
                conversation_id=conversation_id,
                undoing=Undoing(proposal.id, plan.basis),
            ),
            circumstances=Circumstances(card_asked=True),
        ),
    )
    if not isinstance(answer, Proposed):
        raise Forbidden
    return answer.proposal


async def _load_plan(db: Db, means: Means, proposal: Proposal) -> Plan:
    if proposal.state != "applied":
        raise Conflict(NOT_APPLIED)
    check_free(await find_standing(db, proposal.tenant_id, proposal.id))
    plan = await load_plan(db, means.vault, proposal)
    if plan is None or means.find_tool(plan.tool) is None:
        raise Conflict(NO_WAY_BACK)
    return plan


async def _find_conversation(db: Db, person: Principal, proposal: Proposal) -> UUID | None:
    """The one in which the change was proposed, if it is theirs and still goes on."""
    conversation_id = proposal.draft.place.conversation_id
    if conversation_id is None:
        return None
    try:
        conversation = await load_conversation(db, person, conversation_id)
    except NotFound:
        return None
    return conversation_id if conversation.archived_at is None else None
