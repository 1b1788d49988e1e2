"""Every call of a tool leaves an audit entry, and an event with the same metadata."""

from uuid import UUID

from assent.actions.proposal import Place, Proposal
from assent.audit.entry import Actor, Effect, Entry, Status, Trace
from assent.audit.store import append_entry
from assent.db.database import Db
from assent.identity.principal import Principal
from assent.work.outbox import publish

CALLED = "tool.called"
DECIDED = "proposal.decided"
LONGEST_NAME = 200


async def record_call(
    db: Db,
    principal: Principal,
    *,
    tool: str,
    effect: Effect,
    arguments_hash: bytes,
    place: Place,
    status: Status,
) -> None:
    """Record a call that made no proposal."""
    entry = Entry(
        tenant_id=principal.tenant_id,
        edge=place.edge,
        action=tool[:LONGEST_NAME],
        effect=effect,
        status=status,
        actor=principal.actor,
        arguments_hash=arguments_hash,
        trace=Trace(conversation_id=place.conversation_id, run_id=place.run_id),
    )
    await _append(db, entry)


async def record_proposal(
    db: Db, proposal: Proposal, status: Status, *, decider: Actor | None = None
) -> None:
    """Record what became of a proposal; its proposer acted, somebody may have decided."""
    draft = proposal.draft
    entry = Entry(
        tenant_id=draft.tenant_id,
        edge=draft.place.edge,
        action=draft.change.tool,
        effect=draft.change.effect,
        status=status,
        actor=draft.proposer,
        arguments_hash=draft.change.payload_hash,
        decider=decider,
        trace=Trace(
            conversation_id=draft.place.conversation_id,
            run_id=draft.place.run_id,
            proposal_id=draft.id,
        ),
    )
    await _append(db, entry)


async def publish_decided(db: Db, proposal: Proposal) -> None:
    """Say, if this commits, how a proposal stands now: its conversation goes on from there."""
    place = proposal.draft.place
    payload = {
        "proposalId": str(proposal.id),
        "state": proposal.state,
        "conversationId": _text(place.conversation_id),
        "runId": _text(place.run_id),
    }
    await publish(db, tenant_id=proposal.tenant_id, topic=DECIDED, payload=payload, wake=False)


async def _append(db: Db, entry: Entry) -> None:
    await append_entry(db, entry)
    payload = {
        "tool": entry.action,
        "effect": entry.effect,
        "status": entry.status,
        "edge": entry.edge,
        "principalKind": entry.actor.kind,
        "principalId": _text(entry.actor.id),
        "deciderId": _text(entry.decider.id) if entry.decider else None,
        "argumentsHash": entry.arguments_hash.hex(),
        "conversationId": _text(entry.trace.conversation_id),
        "runId": _text(entry.trace.run_id),
        "proposalId": _text(entry.trace.proposal_id),
    }
    await publish(db, tenant_id=entry.tenant_id, topic=CALLED, payload=payload, wake=False)


def _text(one: UUID | None) -> str | None:
    return str(one) if one else None
