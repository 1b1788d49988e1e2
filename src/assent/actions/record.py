"""Every call of a tool leaves an audit entry, and an event with the same metadata for listeners."""

import asyncio
from collections.abc import Collection
from contextlib import suppress
from uuid import UUID

from assent.actions.proposal import Place, Proposal
from assent.audit.entry import Actor, Effect, Entry, Status, Trace
from assent.audit.store import append_entry
from assent.db.database import Database, Db
from assent.errors import Conflict
from assent.identity.principal import Principal
from assent.ids import new_id
from assent.work.lease import Event
from assent.work.outbox import build_event

CALLED = "tool.called"
DECIDED = "proposal.decided"
LONGEST_NAME = 200


def build_entry(
    principal: Principal,
    place: Place,
    *,
    tool: str,
    effect: Effect,
    arguments_hash: bytes,
    status: Status,
) -> Entry:
    """Of a call that made no proposal."""
    return Entry(
        tenant_id=principal.tenant_id,
        edge=place.edge,
        action=tool[:LONGEST_NAME],
        effect=effect,
        status=status,
        actor=principal.actor,
        arguments_hash=arguments_hash,
        trace=Trace(conversation_id=place.conversation_id, run_id=place.run_id),
    )


async def record_call(
    db: Db, entry: Entry, topics: Collection[str], *, entry_id: UUID | None = None
) -> None:
    """Calls are many: events are only written where their topic is one that somebody listens to."""
    events = [_tell_called(entry)] if CALLED in topics else ()
    await append_entry(db, entry, events, entry_id=entry_id)


async def record_surely(database: Database, entry: Entry, topics: Collection[str]) -> None:
    """Also when the call is given up in the moment in which it is recorded.

    The statement is stopped then, and nobody knows whether that came too late.
    """
    entry_id = new_id()
    try:
        async with database.connection() as db:
            await record_call(db, entry, topics, entry_id=entry_id)
    except asyncio.CancelledError:
        await asyncio.shield(_record_again(database, entry, topics, entry_id))
        raise


async def _record_again(
    database: Database, entry: Entry, topics: Collection[str], entry_id: UUID
) -> None:
    with suppress(Conflict):
        async with database.connection() as db:
            await record_call(db, entry, topics, entry_id=entry_id)


async def record_proposal(
    db: Db,
    proposal: Proposal,
    status: Status,
    *,
    decider: Actor | None = None,
    is_over: bool = False,
) -> None:
    """Record what became of a proposal; its proposer acted, somebody may have decided.

    What `is_over` is told to its conversation, which goes on from there.
    """
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
    told = [_tell_called(entry)]
    await append_entry(db, entry, [*told, _tell_decided(proposal)] if is_over else told)


def _tell_decided(proposal: Proposal) -> Event:
    place = proposal.draft.place
    payload = {
        "proposalId": str(proposal.id),
        "state": proposal.state,
        "conversationId": _text(place.conversation_id),
        "runId": _text(place.run_id),
    }
    return build_event(proposal.tenant_id, DECIDED, payload)


def _tell_called(entry: Entry) -> Event:
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
    return build_event(entry.tenant_id, CALLED, payload)


def _text(one: UUID | None) -> str | None:
    return str(one) if one else None
