"""Applying a decided change exactly once.

What lies in our own database changes in the transaction that writes the proposal's state, its
audit entry and its events: after a crash at any point there is all of it or nothing. What lies
outside is handed to leased work in `outside.py`. The database's clock, locks and snapshots decide
between any number of processes.
"""

import asyncio
import logging
from contextlib import suppress
from datetime import timedelta
from typing import Any
from uuid import UUID

from assent.actions import store
from assent.actions.decide import Decision, check_decision, lock, refusing
from assent.actions.ending import describe_error, end_proposal, wake_subscribers
from assent.actions.means import Means
from assent.actions.outside import hand_over, runs_outside, wait_for_outcome
from assent.actions.prepare import Prepared, prepare
from assent.actions.proposal import Outcome, Proposal, check_open, has_moved
from assent.actions.propose import supersede
from assent.actions.run_tool import build_change, dry_run, project
from assent.actions.typed_secrets import keep_typed
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
from assent.plugins.procedure import Context
from assent.plugins.run import Quiet
from assent.tools.clamp import LARGEST, clamp
from assent.tools.tool import Preview

LONGEST = timedelta(seconds=15)
TRIES_AT_ONCE = 7
"""Long enough for the lock of a process that froze while it applied the same change."""
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
    """A person can try again themselves; nobody does that for what is applied at once."""
    for _ in range(1 if decision else TRIES_AT_ONCE - 1):
        with suppress(Busy):
            return await _attempt(means, tenant_id, proposal_id, decision)
    return await _attempt(means, tenant_id, proposal_id, decision)


async def _attempt(
    means: Means, tenant_id: UUID, proposal_id: UUID, decision: Decision | None
) -> Proposal:
    async with means.database.transaction(isolation="repeatable_read") as db:
        await store.limit_time(db)
        proposal = await lock(db, tenant_id, proposal_id)
        person = None
        if decision is None:
            check_open(proposal)
        else:
            person = await check_decision(db, means, proposal, decision)
            proposal = await keep_typed(db, means, proposal, decision.typed)
        decider = person.actor if person else None
        try:
            prepared = await prepare(db, means, proposal, loaded=person)
        except Invalid as error:
            return await _fail(db, means, proposal, decider, error)
        if runs_outside(prepared.tool, proposal.change):
            return await hand_over(db, proposal, decider)
        return await _change(db, means, proposal, prepared, decider)


async def _change(
    db: Db, means: Means, proposal: Proposal, prepared: Prepared, decider: Actor | None
) -> Proposal:
    """Compare with what the card was based on, then execute; an error undoes only the execution."""
    ctx = await means.open_context(Quiet(db), prepared.proposer, prepared.tool)
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
    if has_moved(proposal.change, change):
        fresh = await supersede(db, means, proposal, change, prepared.arguments)
        return await end_proposal(
            db, means, proposal, "superseded", Outcome(decider=decider, superseded_by=fresh.id)
        )
    try:
        value = await _execute(db, means, ctx, prepared)
    except BUSY:
        raise
    except Exception as error:  # noqa: BLE001 - whatever an author's code raises is its failure
        return await _fail(db, means, proposal, decider, error)
    return await end_proposal(
        db, means, proposal, "applied", Outcome(decider=decider, result=value)
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


class _Rehearsed(Exception):
    """Carries the preview out of the savepoint that must not stay."""

    def __init__(self, preview: Preview) -> None:
        self.preview = preview


async def _rehearse(db: Db, ctx: Context, prepared: Prepared) -> Preview:
    """The dry run, once more: read-only, and undone whatever it did."""
    try:
        async with savepoint(db):
            await store.only_read(db)
            raise _Rehearsed(await dry_run(prepared.tool, ctx, prepared.given))
    except _Rehearsed as rehearsed:
        return rehearsed.preview


async def _execute(db: Db, means: Means, ctx: Context, prepared: Prepared) -> Any:
    async with savepoint(db), asyncio.timeout(LONGEST.total_seconds()):
        result = await prepared.tool.functions.execute(ctx, prepared.given)
        # What would only fail at the end of the transaction fails here, where it can be told.
        await store.check_constraints(db)
        scrubber = await means.scrubbing.load(db, prepared.proposer.tenant_id)
        return clamp(project(prepared.tool, result, scrubber), LARGEST).value
