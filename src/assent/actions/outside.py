"""Changes outside of our database: leased work with an idempotency key.

The row says `applying` before anything happens, and that it began before it begins. Whoever finds
it begun and not ended cannot know how it ended: `outcome_unknown`, until the tool's `reconcile`
or a person says.
"""

import asyncio
import logging
import time
from dataclasses import replace
from datetime import timedelta
from uuid import UUID

from assent.actions import store
from assent.actions.ending import LOST, MOVED_ON, describe_error, end_proposal, wake_subscribers
from assent.actions.evidence.keep import keep_evidence, read_evidence
from assent.actions.means import Means
from assent.actions.prepare import Prepared, prepare
from assent.actions.proposal import Change, Outcome, Proposal, State, has_moved
from assent.actions.propose import supersede
from assent.actions.record import record_proposal
from assent.actions.run_tool import build_change, preview_call, project
from assent.actions.undoing.plan import plan_outside, store_plan
from assent.actions.undoing.store import find_undone
from assent.actions.watch import watch_decision
from assent.audit.entry import Actor
from assent.db.database import Db
from assent.errors import AssentError, Conflict, Invalid, LeaseLost, NotFound, Unavailable
from assent.plugins.procedure import Context, Occasion
from assent.plugins.run import Detached
from assent.tools.clamp import LARGEST, clamp
from assent.tools.tool import Evidence, Reconciled, Tool
from assent.work.announce import News, announce
from assent.work.lease import Handler, Job
from assent.work.queue import enqueue, fence, finish

APPLY_KIND = "actions.apply"
RECONCILE_KIND = "actions.reconcile"
PATIENCE = timedelta(seconds=10)
LOOK_SECONDS = 0.1
RECONCILE_AFTER = (0, 5, 30, 120, 600, 3600)
"""Seconds to wait before each attempt at finding out."""

log = logging.getLogger("assent.actions")


def runs_outside(tool: Tool, change: Change) -> bool:
    """What changes something elsewhere, and a read that carries data there: both call out."""
    return tool.behaviour.external or (change.egress and change.effect == "read")


async def hand_over(db: Db, proposal: Proposal, decider: Actor | None) -> Proposal:
    """Decide now, in this transaction, and let leased work do it."""
    applying = await store.close_proposal(db, proposal, "applying", Outcome(decider=decider))
    await record_proposal(db, applying, "applying", decider=decider)
    await _enqueue(db, APPLY_KIND, applying)
    return applying


async def wait_for_outcome(means: Means, proposal: Proposal) -> Proposal:
    """How it ended, if that takes no longer than a person waits; else that it is under way."""
    deadline = time.monotonic() + PATIENCE.total_seconds()
    while proposal.state == "applying" and time.monotonic() < deadline:
        await asyncio.sleep(LOOK_SECONDS)
        async with means.database.reading() as db:
            found = await store.find_proposal(db, proposal.tenant_id, proposal.id)
        proposal = found or proposal
    return proposal


def build_apply_handler(means: Means) -> Handler:
    async def apply_outside(job: Job) -> None:
        await _apply(means, job)
        await wake_subscribers(means.database, *_name(job))

    return apply_outside


def build_reconcile_handler(means: Means) -> Handler:
    async def reconcile(job: Job) -> None:
        await _reconcile(means, job)
        await wake_subscribers(means.database, *_name(job))

    return reconcile


async def _apply(means: Means, job: Job) -> None:
    """Everything up to `start` can be repeated; nothing after it is."""
    async with means.database.transaction() as db:
        proposal = await _load(db, job)
        # Whoever decided may have died before they could say so.
        await announce(db, News(proposal.tenant_id, "proposal", proposal.id))
        if proposal.begun_at is not None:
            await _lose_sight(db, means, job, proposal)
            return
        try:
            prepared = await prepare(db, means, proposal)
        except AssentError as error:
            await _end(db, means, job, proposal, "failed", Outcome(error=describe_error(error)))
            return
    if proposal.change.basis and await _has_moved(means, job, proposal, prepared):
        return
    async with means.database.transaction() as db:
        await fence(db, job.lease)
        if not await store.start(db, proposal.tenant_id, proposal.id):
            await _lose_sight(db, means, job, proposal)
            return
    with watch_decision(means.telemetry, "apply_outside", proposal.id) as seen:
        seen.outcome = await _execute(means, job, proposal, prepared)


async def _has_moved(means: Means, job: Job, proposal: Proposal, prepared: Prepared) -> bool:
    try:
        preview = await preview_call(means, prepared.tool, prepared.proposer, prepared.given)
    except (Conflict, NotFound, Invalid) as error:
        async with means.database.transaction() as db:
            await _end(db, means, job, proposal, "voided", Outcome(error=describe_error(error)))
        return True
    change = build_change(prepared.tool, prepared.given, preview, proposal.change.payload_hash)
    if not has_moved(proposal.change, change):
        return False
    async with means.database.transaction() as db:
        if await find_undone(db, proposal.tenant_id, proposal.id):
            await _end(db, means, job, proposal, "voided", Outcome(error=MOVED_ON))
            return True
        fresh = await supersede(db, means, proposal, change, prepared.arguments)
        await _end(db, means, job, proposal, "superseded", Outcome(superseded_by=fresh.id))
    return True


async def _execute(means: Means, job: Job, proposal: Proposal, prepared: Prepared) -> State:
    """A tool that says that it failed has failed; after anything else nobody knows.

    A read has changed nothing, however it ended.
    """
    tool = prepared.tool
    state: State
    plan, evidence = None, list[Evidence]()
    try:
        async with asyncio.timeout(tool.behaviour.timeout.total_seconds()):
            ctx = await _open_context(means, proposal, prepared)
            # Whoever was frozen since the start may have been given up: nothing has happened yet.
            async with means.database.transaction() as db:
                await fence(db, job.lease)
            result = await tool.functions.execute(ctx, prepared.given)
        async with means.database.connection() as db:
            scrubber = await means.scrubbing.load(db, proposal.tenant_id)
        value = clamp(project(tool, result, scrubber), LARGEST).value
        state, outcome = "applied", Outcome(result=value)
        evidence = read_evidence(tool, result, scrubber)
        plan = await plan_outside(means, prepared, result)
    except LeaseLost:
        raise
    except Exception as error:
        told = isinstance(error, AssentError) and not isinstance(error, Unavailable)
        if not told:
            log.exception("The tool %s was cut short.", tool.name)
        state = "failed" if told or proposal.change.effect == "read" else "outcome_unknown"
        outcome = Outcome(error=describe_error(error))
    async with means.database.transaction() as db:
        if state == "outcome_unknown":
            await _lose_sight(db, means, job, proposal, outcome)
        else:
            await _end(db, means, job, proposal, state, outcome)
            await keep_evidence(db, prepared.proposer, evidence)
            if plan is not None:
                await store_plan(db, means.vault, proposal, plan)
    return state


async def _lose_sight(
    db: Db, means: Means, job: Job, proposal: Proposal, outcome: Outcome | None = None
) -> None:
    """Say that the outcome is unknown, and begin to find out where that is possible."""
    if proposal.change.effect == "read":
        await _end(db, means, job, proposal, "failed", Outcome(error=LOST))
        return
    await _end(db, means, job, proposal, "outcome_unknown", outcome or Outcome(error=LOST))
    tool = means.find_tool(proposal.change.tool)
    if tool is not None and tool.functions.reconcile is not None:
        await _enqueue(db, RECONCILE_KIND, proposal)


async def _reconcile(means: Means, job: Job) -> None:
    attempt = int(job.work.payload.get("attempt", 0))
    async with means.database.transaction() as db:
        proposal = await _load(db, job)
        if proposal.state != "outcome_unknown":
            await finish(db, job.lease)
            return
        prepared = await prepare(db, means, proposal)
    found = await _find_out(means, proposal, prepared)
    async with means.database.transaction() as db:
        if found.state == "unknown" or await _may_yet_happen(db, proposal, prepared, found):
            await _enqueue(db, RECONCILE_KIND, proposal, attempt=attempt + 1)
            await finish(db, job.lease)
        else:
            scrubber = await means.scrubbing.load(db, proposal.tenant_id)
            value = clamp(scrubber.scrub(found.value), LARGEST).value
            error = None if found.state == "applied" else proposal.outcome.error
            await _end(db, means, job, proposal, found.state, Outcome(result=value, error=error))


async def _may_yet_happen(
    db: Db, proposal: Proposal, prepared: Prepared, found: Reconciled
) -> bool:
    """Whether "it did not arrive" comes too early: whoever began it may only be frozen."""
    if found.state != "failed" or proposal.begun_at is None:
        return False
    return proposal.begun_at > await store.find_time(db, -prepared.tool.behaviour.timeout)


async def _find_out(means: Means, proposal: Proposal, prepared: Prepared) -> Reconciled:
    reconcile = prepared.tool.functions.reconcile
    if reconcile is None:
        return Reconciled("unknown")
    try:
        async with asyncio.timeout(prepared.tool.behaviour.timeout.total_seconds()):
            ctx = await _open_context(means, proposal, prepared)
            return await reconcile(ctx, prepared.given)
    except Exception:
        log.exception("Reconciling %s failed.", prepared.tool.name)
        return Reconciled("unknown")


async def _end(
    db: Db, means: Means, job: Job, proposal: Proposal, state: State, outcome: Outcome
) -> None:
    """The outcome and the end of the work, or neither: an owner that was replaced writes nothing.

    A person may have said in the meantime what became of it; their word stays.
    """
    await fence(db, job.lease)
    await finish(db, job.lease)
    locked = await store.lock_proposal(db, proposal.tenant_id, proposal.id)
    if locked is not None and locked.state in ("applying", "outcome_unknown"):
        await end_proposal(db, means, locked, state, outcome)


async def _open_context(means: Means, proposal: Proposal, prepared: Prepared) -> Context:
    db = Detached(means.database)
    ctx = await means.open_context(db, prepared.proposer, prepared.tool, calls_out=True)
    return replace(
        ctx, occasion=Occasion(idempotency_key=proposal.id, taint=proposal.draft.grounds.taint)
    )


async def _load(db: Db, job: Job) -> Proposal:
    proposal = await store.find_proposal(db, *_name(job))
    if proposal is None:
        raise NotFound
    return proposal


def _name(job: Job) -> tuple[UUID, UUID]:
    """The tenant and the proposal that the work is about."""
    if job.work.tenant_id is None:
        raise NotFound
    return job.work.tenant_id, UUID(job.work.payload["proposalId"])


async def _enqueue(db: Db, kind: str, proposal: Proposal, *, attempt: int = 0) -> None:
    if attempt >= len(RECONCILE_AFTER):
        return
    delay = timedelta(seconds=RECONCILE_AFTER[attempt])
    payload = {"proposalId": str(proposal.id), "attempt": attempt}
    await enqueue(
        db,
        kind=kind,
        payload=payload,
        tenant_id=proposal.tenant_id,
        run_after=await store.find_time(db, delay) if delay else None,
    )
