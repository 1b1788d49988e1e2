"""What a person's open pages are told: that something of theirs has changed, and to what. Pure."""

from typing import Literal, TypeAlias
from uuid import UUID

from assent.actions.proposal import Proposal, State
from assent.runs.overview.line import ConversationLine
from assent.value import Value


class Hello(Value):
    """Something may have been missed: ask for everything again. Always comes first."""

    type: Literal["hello"] = "hello"


class ConversationChanged(Value):
    """`conversation` is what the list has now."""

    type: Literal["conversation.changed"] = "conversation.changed"
    conversation: ConversationLine


class ConversationRemoved(Value):
    """It is not in the list any more."""

    type: Literal["conversation.removed"] = "conversation.removed"
    conversation_id: UUID


class ProposalChanged(Value):
    """One's own, or one that one may decide about."""

    type: Literal["proposal.changed"] = "proposal.changed"
    proposal_id: UUID
    conversation_id: UUID | None
    state: State


Notice: TypeAlias = Hello | ConversationChanged | ConversationRemoved | ProposalChanged

HELLO = Hello()


def build_proposal_notice(proposal: Proposal) -> ProposalChanged:
    return ProposalChanged(
        proposal_id=proposal.id,
        conversation_id=proposal.draft.place.conversation_id,
        state=proposal.present_state,
    )


def build_conversation_notice(line: ConversationLine) -> Notice:
    if line.archived_at is not None:
        return ConversationRemoved(conversation_id=line.id)
    return ConversationChanged(conversation=line)
