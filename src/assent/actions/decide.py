"""Deciding: who may, with which token, and declining. Applying is in `apply.py`.

Only a person with a browser session decides. Every attempt that is refused leaves an audit entry.
"""

import hmac
from collections.abc import AsyncGenerator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Literal, TypeAlias
from uuid import UUID

from assent.actions import store
from assent.actions.approval import ENOUGH, VOTED, MayNotVote
from assent.actions.approvals.store import insert_vote
from assent.actions.approvals.weigh import Approvals, weigh
from assent.actions.ending import end_proposal, wake_subscribers
from assent.actions.means import Means, Sight
from assent.actions.proposal import (
    TOKEN_LIFETIME,
    Outcome,
    Proposal,
    check_may_decide,
    check_may_see,
    check_open,
    find_waiting_time,
)
from assent.actions.record import record_proposal
from assent.actions.watch import watch_decision
from assent.db.database import Db
from assent.errors import (
    AssentError,
    Conflict,
    Expired,
    Forbidden,
    NotFound,
    PeopleOnly,
    TokenInvalid,
)
from assent.identity.access import load_granted_rules
from assent.identity.authenticate import find_acting
from assent.identity.principal import Principal
from assent.identity.tokens import hash_token, new_token

REFUSALS = (Forbidden, NotFound, Conflict, Expired)

Kind: TypeAlias = Literal["apply", "decline"]


@dataclass(frozen=True, slots=True)
class Decision:
    """Somebody's attempt to decide, with the token of the card that they saw.

    `typed` are values for its secret fields.
    """

    person: Principal
    proposal_id: UUID
    token: str
    typed: Mapping[str, str] = field(default_factory=dict[str, str], repr=False)


@dataclass(frozen=True, slots=True)
class Decider:
    """A person with the rules of this moment, and how the proposal stands for them.

    Without `approvals` no approval rule holds, and their word alone decides.
    """

    person: Principal
    approvals: Approvals | None


@dataclass(frozen=True, slots=True)
class IssuedToken:
    token: str
    payload_hash: bytes
    expires_at: datetime


async def issue_token(means: Means, person: Principal, proposal_id: UUID) -> IssuedToken:
    """A token for this person and this card. It is shown once; only its hash is kept."""
    async with refusing(means, person, proposal_id), means.database.connection() as db:
        proposal = await _find(db, person.tenant_id, proposal_id)
        await check_decider(db, means, proposal, person, open_only=True)
        token = new_token()
        expires_at = await store.insert_token(
            db,
            proposal,
            person_id=person.id,
            token_hash=hash_token(token),
            lifetime=TOKEN_LIFETIME,
        )
    return IssuedToken(token, proposal.change.payload_hash, expires_at)


async def decline(means: Means, decision: Decision, reason: str | None) -> Proposal:
    with watch_decision(means.telemetry, "decline", decision.proposal_id) as seen:
        return seen.end(await _decline(means, decision, reason))


async def _decline(means: Means, decision: Decision, reason: str | None) -> Proposal:
    async with (
        refusing(means, decision.person, decision.proposal_id),
        means.database.transaction(opening=store.LIMIT_TIME) as db,
    ):
        proposal = await lock(db, decision.person.tenant_id, decision.proposal_id)
        decided = await check_decision(db, means, proposal, decision, "decline")
        decider = decision.person.actor
        if decided.approvals is not None:
            lifetime = find_waiting_time(means.find_tool(proposal.change.tool), proposal)
            await insert_vote(db, proposal, decider, "decline", lifetime=lifetime)
        outcome = Outcome(decider=decider, note=reason)
        declined = await end_proposal(db, means, proposal, "declined", outcome)
    await wake_subscribers(means.database, declined.tenant_id, declined.id)
    return declined


async def resolve(
    means: Means,
    person: Principal,
    proposal_id: UUID,
    *,
    outcome: Literal["applied", "failed"],
    note: str | None,
) -> Proposal:
    """A person says what became of a change outside that nobody saw end."""
    with watch_decision(means.telemetry, "resolve", proposal_id) as seen:
        return seen.end(await _resolve(means, person, proposal_id, outcome, note))


async def _resolve(
    means: Means,
    person: Principal,
    proposal_id: UUID,
    outcome: Literal["applied", "failed"],
    note: str | None,
) -> Proposal:
    async with (
        refusing(means, person, proposal_id),
        means.database.transaction(opening=store.LIMIT_TIME) as db,
    ):
        proposal = await lock(db, person.tenant_id, proposal_id)
        await check_decider(db, means, proposal, person)
        if proposal.state != "outcome_unknown":
            raise Conflict("Its outcome is known.")
        resolved = await end_proposal(
            db,
            means,
            proposal,
            outcome,
            Outcome(note=note, error=proposal.outcome.error),
            decider=person.actor,
        )
    await wake_subscribers(means.database, resolved.tenant_id, resolved.id)
    return resolved


async def check_person(means: Means, principal: Principal, proposal_id: UUID) -> None:
    """Raise, and record, when a program tries to decide."""
    async with refusing(means, principal, proposal_id):
        pass


async def load_visible(db: Db, sight: Sight, principal: Principal, proposal_id: UUID) -> Proposal:
    """What is not there and what is not theirs look the same."""
    proposal = await _find(db, principal.tenant_id, proposal_id)
    try:
        check_may_see(proposal, sight.find_tool(proposal.change.tool), principal)
    except NotFound:
        approvals = await weigh(db, sight, proposal, principal)
        if approvals is None or not approvals.is_named:
            raise
    return proposal


async def lock(db: Db, tenant_id: UUID, proposal_id: UUID) -> Proposal:
    """Whoever holds the lock decides; all others see what they decided."""
    proposal = await store.lock_proposal(db, tenant_id, proposal_id)
    if proposal is None:
        raise NotFound
    return proposal


async def check_decision(
    db: Db, means: Means, proposal: Proposal, decision: Decision, kind: Kind
) -> Decider:
    """Raise unless this very card is open, and this very person may decide and saw it."""
    decider = await check_decider(db, means, proposal, decision.person, kind, open_only=True)
    given = hash_token(decision.token)
    known = await store.list_token_hashes(db, proposal, decision.person.id)
    if not any(hmac.compare_digest(given, one) for one in known):
        raise TokenInvalid
    return decider


async def check_decider(
    db: Db,
    means: Means,
    proposal: Proposal,
    person: Principal,
    kind: Kind = "decline",
    *,
    open_only: bool = False,
) -> Decider:
    """The person as they are now; raise unless they may see this, and decide about it."""
    if not person.is_person:
        raise PeopleOnly
    acting = await find_acting(db, person.tenant_id, person.actor)
    if acting is None:
        raise Forbidden
    live = replace(acting.principal, session_id=person.session_id)
    tool = means.find_tool(proposal.change.tool)
    approvals = await weigh(db, means, proposal, live)
    if approvals is None or not approvals.is_named:
        check_may_see(proposal, tool, live)
    if open_only:
        check_open(proposal)
    if tool is None:
        raise Conflict(f"The tool {proposal.change.tool} is not there any more.")
    if approvals is None:
        check_may_decide(proposal, tool, live, await load_granted_rules(db, live, tool.rules))
    else:
        _check_approver(approvals, kind)
    return Decider(live, approvals)


def _check_approver(approvals: Approvals, kind: Kind) -> None:
    """Whoever may vote, or has voted, may decline too."""
    verdict = approvals.verdict
    if kind == "decline" and approvals.may_decline:
        return
    if isinstance(verdict, MayNotVote):
        refused = Conflict if verdict.reason in (VOTED, ENOUGH) else Forbidden
        raise refused(verdict.reason.sentence)


async def _find(db: Db, tenant_id: UUID, proposal_id: UUID) -> Proposal:
    proposal = await store.find_proposal(db, tenant_id, proposal_id)
    if proposal is None:
        raise NotFound
    return proposal


@asynccontextmanager
async def refusing(means: Means, person: Principal, proposal_id: UUID) -> AsyncGenerator[None]:
    """Let a person try; an attempt that is refused is recorded, whoever made it."""
    try:
        if not person.is_person:
            raise PeopleOnly
        yield
    except REFUSALS as error:
        await _record_refusal(means, person, proposal_id, error)
        raise


async def _record_refusal(
    means: Means, person: Principal, proposal_id: UUID, error: AssentError
) -> None:
    async with means.database.transaction() as db:
        proposal = await store.find_proposal(db, person.tenant_id, proposal_id)
        if proposal is not None:
            await record_proposal(db, proposal, "refused", decider=person.actor)
