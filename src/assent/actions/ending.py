"""How a proposal goes on: its new state, the audit entry and the event, in one transaction."""

import contextlib
from collections.abc import Mapping
from dataclasses import replace
from typing import Any
from uuid import UUID

import asyncpg

from assent.actions import store
from assent.actions.means import Means
from assent.actions.proposal import Outcome, Proposal, State
from assent.actions.record import record_proposal
from assent.actions.typed_secrets import forget_typed
from assent.audit.entry import Actor
from assent.db.database import Database, Db, explain
from assent.errors import AssentError, Conflict, Invalid
from assent.work.announce import News, announce

FRUITLESS = frozenset({"failed", "voided", "superseded", "declined", "expired"})
SECRET = "The tool failed. The log has the details."


def _error(code: str, message: str) -> Mapping[str, Any]:
    return {"code": code, "message": message, "issues": []}


LOST = _error("outcome_unknown", "It was begun and not seen to end.")
MOVED_ON = _error("changed", "It has been changed since, so it cannot simply be undone.")
OUTDATED = _error("outdated", "The message that led to this was written anew.")
CANCELLED = _error("cancelled", "The run that led to this was cancelled.")
ORPHANED = _error("proposer_gone", "Whoever proposed this may no longer act.")


async def end_proposal(
    db: Db,
    means: Means,
    proposal: Proposal,
    state: State,
    outcome: Outcome,
    *,
    decider: Actor | None = None,
) -> Proposal:
    """`decider` is who is recorded; without one, whoever decided before."""
    scrubber = await means.scrubbing.load(db, proposal.tenant_id)
    outcome = replace(
        outcome,
        note=scrubber.scrub(outcome.note),
        result=scrubber.scrub(outcome.result),
        error=scrubber.scrub(outcome.error),
    )
    if state in FRUITLESS:
        await forget_typed(db, proposal)
    ended = await store.close_proposal(db, proposal, state, outcome)
    decided_by = decider or ended.outcome.decider
    await record_proposal(db, ended, state, decider=decided_by, is_over=True)
    return ended


async def wake_subscribers(database: Database, tenant_id: UUID, *proposal_ids: UUID) -> None:
    """Announce how they stand: after the commit, never in it.

    Without, the outbox is worked off a little later, and its handler announces the same.
    """
    with contextlib.suppress(AssentError):
        async with database.connection() as db:
            news = (News(tenant_id, "proposal", one) for one in proposal_ids)
            await announce(db, *news, wake_outbox=True)


def describe_error(error: BaseException) -> Mapping[str, Any]:
    """What people and models may know of a failure; anything unforeseen is in the log alone."""
    if isinstance(error, TimeoutError | asyncpg.QueryCanceledError):
        return _error("timeout", "It took too long and was stopped.")
    if isinstance(error, asyncpg.PostgresError):
        error = explain(error)
    if not isinstance(error, AssentError):
        return _error("tool_failed", SECRET)
    issues = error.issues if isinstance(error, Conflict | Invalid) else ()
    return {
        "code": error.code,
        "message": error.message,
        "issues": [{"path": issue.path, "message": issue.message} for issue in issues],
    }
