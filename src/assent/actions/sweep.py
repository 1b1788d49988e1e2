"""Tidying up, tenant by tenant: what expired, what nobody can decide any more, what got stuck."""

from collections.abc import Sequence
from datetime import timedelta
from uuid import UUID

from assent.actions import store
from assent.actions.asking.store import purge_states
from assent.actions.ending import LOST, ORPHANED, end_proposal, wake_subscribers
from assent.actions.evidence.keep import purge_evidence
from assent.actions.means import Means
from assent.actions.proposal import Outcome, Proposal, State
from assent.actions.waiting.outdated import void_outdated
from assent.conversations.artifacts import purge_artifacts
from assent.conversations.attach import purge_files
from assent.db.database import Db
from assent.work.lease import Handler, Job
from assent.work.queue import finish
from assent.work.ticks import Schedule

SWEEP = Schedule(
    "actions.sweep", every=timedelta(seconds=30), kind="actions.sweep", per_tenant=True
)
BATCH = 100
STUCK_AFTER = timedelta(hours=1)


def build_sweep_handler(means: Means) -> Handler:
    async def sweep(job: Job) -> None:
        if job.work.tenant_id is not None:
            await sweep_tenant(means, job.work.tenant_id)
        async with means.database.transaction() as db:
            await finish(db, job.lease)

    return sweep


async def sweep_tenant(means: Means, tenant_id: UUID) -> None:
    while await _sweep_once(means, tenant_id):
        pass


async def _sweep_once(means: Means, tenant_id: UUID) -> bool:
    """One batch of each; whether there may be more."""
    async with means.database.transaction() as db:
        expired = await store.take_expired(db, tenant_id, BATCH)
        await _end_all(db, means, expired, "expired", Outcome())
        orphaned = await store.take_orphaned(db, tenant_id, BATCH)
        await _end_all(db, means, orphaned, "voided", Outcome(error=ORPHANED))
        outdated = await void_outdated(db, means, tenant_id, limit=BATCH)
        stuck = await store.take_stuck(db, tenant_id, BATCH, after=STUCK_AFTER)
        await _end_all(db, means, stuck, "outcome_unknown", Outcome(error=LOST))
        await store.purge_tokens(db, tenant_id)
        await purge_states(db, tenant_id)
        await purge_evidence(db, tenant_id)
        await purge_artifacts(db, tenant_id)
        await purge_files(db, tenant_id)
    ended = [*expired, *orphaned, *outdated, *stuck]
    if ended:
        await wake_subscribers(means.database, tenant_id, *(one.id for one in ended))
    return BATCH in map(len, (expired, orphaned, outdated, stuck))


async def _end_all(
    db: Db, means: Means, proposals: Sequence[Proposal], state: State, outcome: Outcome
) -> None:
    for proposal in proposals:
        await end_proposal(db, means, proposal, state, outcome)
