"""Applying a decided change exactly once.

What lies in our own database changes in the transaction that writes the proposal's state, its
audit entry and its events: after a crash at any point there is all of it or nothing. What lies
outside is handed to leased work in `outside.py`. The database's clock, locks and snapshots decide
between any number of processes.
"""

import asyncio
import logging
from dataclasses import replace
from datetime import timedelta
from typing import Any
from uuid import UUID

import asyncpg

from assent.actions import store
from assent.actions.approval import MayVote
from assent.actions.approvals.store import insert_vote, prolong
from assent.actions.approvals.weigh import find_rules
from assent.actions.decide import Decider, Decision, check_decision, lock, refusing
from assent.actions.ending import MOVED_ON, describe_error, end_proposal, wake_subscribers
from assent.actions.means import Means
from assent.actions.outside import hand_over, runs_outside, wait_for_outcome
from assent.actions.prepare import Prepared, prepare
from assent.actions.proposal import (
    Outcome,
    Proposal,
    check_open,
    find_waiting_time,
    has_moved,
)
from assent.actions.propose import supersede
from assent.actions.record import record_proposal
from assent.actions.rehearse import rehearse
from assent.actions.run_tool import build_change, project
from assent.actions.typed_secrets import keep_typed
from assent.actions.undoing.plan import keep_plan
from assent.actions.undoing.store import find_undone
from assent.actions.watch import watch_decision
from assent.audit.entry import Actor
from assent.db.database import BUSY, Db, savepoint
from assent.errors import (
    AssentError,
    Busy,
    Changed,
    Conflict,
    Invalid,
    NotFound,
)
from assent.plugins.procedure import Context, Occasion
from assent.plugins.run import Quiet
from assent.tools.clamp import LARGEST, clamp
from assent.tools.tool import Preview, Result

LONGEST = timedelta(seconds=15)
TRIES = 2
TRIES_AT_ONCE = 7
"""Long enough for the lock of a process that froze while it applied the same change."""
MOST_OVERTAKEN = 30
SUPERSEDED = "What this was based on has changed. A fresh proposal has taken its place."

log = logging.getLogger("assent.actions")


async def apply(means: Means, decision: Decision) -> Proposal:
    """Apply what a person decided about. They get the outcome, or why there is none."""
    person = decision.person
    with watch_decision(means.telemetry, "apply", decision.proposal_id) as seen:
        async with refusing(means, person, decision.proposal_id):
            applied = await _apply(means, person.tenant_id, decision.proposal_id, decision)
            return seen.end(applied)


async def apply_at_once(means: Means, proposal: Proposal) -> Proposal:
    """Apply what the gate let through without a card. Told twice, it happens once."""
    if proposal.state != "proposed":
        return proposal
    with watch_decision(means.telemetry, "apply_at_once", proposal.id) as seen:
        return seen.end(await _apply(means, proposal.tenant_id, proposal.id, None))


async def _apply(
    means: Means, tenant_id: UUID, proposal_id: UUID, decision: Decision | None
) -> Proposal:
    closed = await _attempt_often(means, tenant_id, proposal_id, decision)
    await wake_subscribers(means.database, tenant_id, proposal_id)
    if closed.state == "applying":
        closed = await wait_for_outcome(means, closed)
    if closed.state == "superseded" and closed.outcome.superseded_by:
        raise Changed(SUPERSEDED, successor_id=closed.outcome.superseded_by)
    if closed.state == "voided":
        raise Changed((closed.outcome.error or {}).get("message"))
    return closed


async def _attempt_often(
    means: Means, tenant_id: UUID, proposal_id: UUID, decision: Decision | None
) -> Proposal:
    """A person can try again themselves; nobody does that for what is applied at once.

    Whoever was overtaken by another decision looks again at once: that one is done.
    """
    patience = TRIES if decision else TRIES_AT_ONCE
    for _ in range(MOST_OVERTAKEN):
        try:
            return await _attempt(means, tenant_id, proposal_id, decision)
        except Busy as busy:
            patience -= not isinstance(busy.__cause__, asyncpg.SerializationError)
            if patience <= 0:
                raise
    return await _attempt(means, tenant_id, proposal_id, decision)


async def _attempt(
    means: Means, tenant_id: UUID, proposal_id: UUID, decision: Decision | None
) -> Proposal:
    async with means.database.transaction(
        isolation="repeatable_read", opening=store.LIMIT_TIME
    ) as db:
        proposal = await lock(db, tenant_id, proposal_id)
        decided = None
        if decision is None:
            check_open(proposal)
            if await find_rules(db, means, [proposal]):
                return await _leave_to_others(db, means, proposal)
        else:
            decided = await check_decision(db, means, proposal, decision, "apply")
            proposal = await keep_typed(db, means, proposal, decision.typed)
        decider = decided.person.actor if decided else None
        try:
            prepared = await prepare(
                db, means, proposal, loaded=decided.person if decided else None
            )
        except Invalid as error:
            return await _fail(db, means, proposal, decider, error)
        if decided is not None and not await _keep_vote(db, proposal, prepared, decided):
            return await _wait_for_others(db, means, proposal, prepared, decided.person.actor)
        if runs_outside(prepared.tool, proposal.change):
            return await hand_over(db, proposal, decider)
        return await _change(db, means, proposal, prepared, decider)


async def _leave_to_others(db: Db, means: Means, proposal: Proposal) -> Proposal:
    """A rule that came after the gate had let it through: now it waits for people."""
    lifetime = find_waiting_time(means.find_tool(proposal.change.tool), proposal)
    await prolong(db, proposal, lifetime)
    return await lock(db, proposal.tenant_id, proposal.id)


async def _keep_vote(db: Db, proposal: Proposal, prepared: Prepared, decided: Decider) -> bool:
    """Keep the vote where an approval rule holds; whether all that is needed is there."""
    if decided.approvals is None:
        return True
    lifetime = find_waiting_time(prepared.tool, proposal)
    await insert_vote(db, proposal, decided.person.actor, "apply", lifetime=lifetime)
    verdict = decided.approvals.verdict
    return isinstance(verdict, MayVote) and verdict.completes


async def _wait_for_others(
    db: Db, means: Means, proposal: Proposal, prepared: Prepared, voter: Actor
) -> Proposal:
    """Nothing is changed yet; but nobody votes on what does not hold any more."""
    if not runs_outside(prepared.tool, proposal.change):
        ctx = await means.open_context(Quiet(db), prepared.proposer, prepared.tool)
        ended = await _end_if_moved(db, means, proposal, prepared, ctx, voter)
        if ended is not None:
            return ended
    await record_proposal(db, proposal, "approved", decider=voter)
    return await lock(db, proposal.tenant_id, proposal.id)


async def _change(
    db: Db, means: Means, proposal: Proposal, prepared: Prepared, decider: Actor | None
) -> Proposal:
    """Compare with what the card was based on, then execute; an error undoes only the execution."""
    ctx = await means.open_context(Quiet(db), prepared.proposer, prepared.tool)
    ctx = replace(ctx, occasion=Occasion(taint=proposal.draft.grounds.taint))
    ended = await _end_if_moved(db, means, proposal, prepared, ctx, decider)
    if ended is not None:
        return ended
    try:
        result, value = await _execute(db, means, ctx, prepared)
    except BUSY:
        raise
    except Exception as error:  # noqa: BLE001 - whatever an author's code raises is its failure
        return await _fail(db, means, proposal, decider, error)
    await keep_plan(db, means, proposal, prepared, result)
    outcome = Outcome(decider=decider, result=value)
    return await end_proposal(db, means, proposal, "applied", outcome)


async def _end_if_moved(
    db: Db,
    means: Means,
    proposal: Proposal,
    prepared: Prepared,
    ctx: Context,
    decider: Actor | None,
) -> Proposal | None:
    """Nothing while the card still shows what would be done."""
    try:
        preview = await _rehearse(db, ctx, prepared)
    except (Conflict, NotFound, Invalid) as error:
        return await end_proposal(
            db, means, proposal, "voided", Outcome(decider=decider, error=describe_error(error))
        )
    except (AssentError, *BUSY):
        raise
    except Exception as error:  # noqa: BLE001 - whatever an author's code raises is its failure
        return await _fail(db, means, proposal, decider, error)
    change = build_change(prepared.tool, prepared.given, preview, proposal.change.payload_hash)
    if not has_moved(proposal.change, change):
        return None
    if await find_undone(db, proposal.tenant_id, proposal.id):
        return await end_proposal(
            db, means, proposal, "voided", Outcome(decider=decider, error=MOVED_ON)
        )
    fresh = await supersede(db, means, proposal, change, prepared.arguments)
    return await end_proposal(
        db, means, proposal, "superseded", Outcome(decider=decider, superseded_by=fresh.id)
    )


async def _fail(
    db: Db, means: Means, proposal: Proposal, decider: Actor | None, error: Exception
) -> Proposal:
    """What the tool's code did is undone; that it failed is stored."""
    if not isinstance(error, AssentError):
        log.error("The tool %s failed.", proposal.change.tool, exc_info=error)
    return await end_proposal(
        db, means, proposal, "failed", Outcome(decider=decider, error=describe_error(error))
    )


async def _rehearse(db: Db, ctx: Context, prepared: Prepared) -> Preview:
    """The dry run, once more."""
    return await rehearse(db, prepared.tool, ctx, prepared.given)


async def _execute(db: Db, means: Means, ctx: Context, prepared: Prepared) -> tuple[Result, Any]:
    """The result, and its value as it is kept.

    What would only fail at the end of the transaction fails here, where it can be told.
    """
    async with (
        savepoint(db, closing=store.CHECK_CONSTRAINTS),
        asyncio.timeout(LONGEST.total_seconds()),
    ):
        result = await prepared.tool.functions.execute(ctx, prepared.given)
        scrubber = await means.scrubbing.load(db, prepared.proposer.tenant_id)
        return result, clamp(project(prepared.tool, result, scrubber), LARGEST).value
