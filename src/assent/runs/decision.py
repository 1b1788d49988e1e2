"""Decisions lead to a turn in which the model reacts (SPEC P16).

What it is told comes from the stored proposals alone. Several decisions make one turn: the one that
begins takes all that nobody has been told of, and so does a turn that a person began in between. A
turn that does not come to its end gives them back. A headless run goes on when nothing that it
prepared waits any more, and is told too of what nobody decided about in time.
"""

import asyncio
import time
from typing import Any
from uuid import UUID

from assent.actions.proposal import Proposal
from assent.actions.waiting.cards import (
    forget_told,
    has_undecided,
    has_untold,
    list_taken,
    load_told,
    take_untold,
)
from assent.agents.notes import Decided, write_decision_note
from assent.audit.entry import Actor
from assent.conversations.keep import load_conversation
from assent.conversations.store import conversations as conversation_store
from assent.db.database import Db
from assent.errors import ChatDisabled, Conflict
from assent.identity.authenticate import find_acting
from assent.identity.principal import Principal
from assent.ids import new_id
from assent.models.store.credits import find_allowance
from assent.runs import store
from assent.runs.events import describe_failure
from assent.runs.headless.store import end_waiting, find_task, is_cancelled
from assent.runs.headless.task import Task
from assent.runs.run import Run
from assent.runs.studio import Studio
from assent.runs.turn import queue_run
from assent.work.announce import News, announce
from assent.work.lease import Handler, Job
from assent.work.queue import finish

DECISION_KIND = "runs.decision"
PATIENCE_SECONDS = 5.0
LOOK_SECONDS = 0.1
OWNER_GONE = {"code": "forbidden", "message": "Whoever this run acts for may no longer act."}
NOT_DECIDED = {
    "proposed": "Nobody has decided about this yet.",
    "applying": "The change is still under way.",
}


def build_decision_handler(studio: Studio) -> Handler:
    """For each `proposal.decided`: queue a turn, unless one that has not begun will tell of it."""

    async def react(job: Job) -> None:
        event = job.work.payload["payload"]
        async with studio.means.database.transaction() as db:
            if job.work.tenant_id:
                await announce(db, News(job.work.tenant_id, "proposal", UUID(event["proposalId"])))
            if event.get("conversationId") and job.work.tenant_id:
                await _queue(db, studio, job.work.tenant_id, UUID(event["conversationId"]))
            await finish(db, job.lease)
        studio.means.telemetry.metrics.proposals.labels(event["state"]).inc()

    return react


async def find_decision_turn(
    studio: Studio, person: Principal, conversation_id: UUID, proposal_id: UUID
) -> Run:
    """The run that tells of a decision. It is queued a moment after the decision: wait for it."""
    give_up_at = time.monotonic() + PATIENCE_SECONDS
    while time.monotonic() < give_up_at:
        async with studio.means.database.reading() as db:
            run = await _find_telling(db, studio, person, conversation_id, proposal_id)
        if run is not None:
            return run
        await asyncio.sleep(LOOK_SECONDS)
    raise _refuse("No turn tells of this decision.")


async def take_decisions(db: Db, run: Run) -> None:
    """Every decision that no turn was told of, in the transaction in which the run begins: who
    comes later with one of them sees a run that waits, or nothing that is left to tell.
    """
    ids = run.tenant_id, run.conversation_id
    is_task = run.kind != "turn" and await find_task(db, *ids) is not None
    await take_untold(db, *ids, run.id, undecided=is_task)


async def write_note(db: Db, studio: Studio, run: Run) -> str | None:
    """What the model is told of the decisions that the run has taken; nothing if there are none."""
    decided = await list_taken(db, run.tenant_id, run.conversation_id, run.id)
    if not decided and run.kind != "decision":
        return None
    names = studio.means.loaded.tools.wire_names
    return write_decision_note(
        [
            Decided(
                proposal_id=one.id,
                tool=names.get(one.change.tool, one.change.tool),
                summary=str(one.change.preview["summary"]),
                state=one.state,
                result=one.outcome.result,
                error=str((one.outcome.error or {}).get("message", "")) or None,
            )
            for one in decided
        ]
    )


async def forget_note(db: Db, run: Run) -> None:
    """The model may not have read it: it is told again in the next turn."""
    await forget_told(db, run.tenant_id, run.conversation_id, run.id)


async def _find_telling(
    db: Db, studio: Studio, person: Principal, conversation_id: UUID, proposal_id: UUID
) -> Run | None:
    conversation = await load_conversation(db, person, conversation_id)
    proposal, teller = await load_told(db, studio.means, person, proposal_id)
    if proposal.draft.place.conversation_id != conversation_id:
        raise _refuse("This proposal belongs to another conversation.")
    _check_decided(proposal)
    if teller is not None:
        return await store.find_run(db, person.tenant_id, teller)
    if conversation.archived_at is not None:
        raise _refuse("This conversation is archived.")
    return await store.find_queued_decision(db, person.tenant_id, conversation_id)


def _check_decided(proposal: Proposal) -> None:
    waits = NOT_DECIDED.get(proposal.present_state)
    if waits or proposal.outcome.decider is None:
        raise _refuse(waits or "This ended without a decision.")


def _refuse(why: str) -> Conflict:
    return Conflict.at("decision.proposalId", why)


async def _queue(db: Db, studio: Studio, tenant_id: UUID, conversation_id: UUID) -> None:
    await conversation_store.lock_conversation(db, tenant_id, conversation_id)
    task = await find_task(db, tenant_id, conversation_id)
    if not await _is_due(db, tenant_id, conversation_id, task):
        return
    actor = await _find_actor(db, tenant_id, conversation_id, task)
    acting = await find_acting(db, tenant_id, actor) if actor else None
    if acting is None:
        await _give_up(db, task, OWNER_GONE)
        return
    conversation = await conversation_store.find_conversation(
        db, tenant_id, acting.owner_id, conversation_id, tasks=True
    )
    if conversation is None or conversation.archived_at is not None:
        return
    if not (await find_allowance(db, tenant_id)).chat_enabled:
        await _give_up(db, task, describe_failure(ChatDisabled()))
        return
    agent = await studio.choose_agent(db, tenant_id, conversation.agent)
    await queue_run(
        db,
        acting.principal,
        conversation,
        run_id=new_id(),
        kind="decision",
        agent=agent.slug,
        time_zone=None,
    )


async def _is_due(db: Db, tenant_id: UUID, conversation_id: UUID, task: Task | None) -> bool:
    """Whether there is something to tell, and nobody who is going to."""
    ids = tenant_id, conversation_id
    if await store.find_queued_decision(db, *ids) is not None:
        return False
    if not await has_untold(db, *ids, undecided=task is not None):
        return False
    return task is None or not (await is_cancelled(db, *ids) or await has_undecided(db, *ids))


async def _give_up(db: Db, task: Task | None, error: dict[str, Any]) -> None:
    """A headless run that cannot go on does not wait for ever."""
    if task is not None:
        await end_waiting(db, task.tenant_id, task.conversation_id, "failed", error)


async def _find_actor(
    db: Db, tenant_id: UUID, conversation_id: UUID, task: Task | None
) -> Actor | None:
    """Who goes on: whoever the headless run acts for, or the owner of the conversation."""
    if task is not None:
        return Actor(task.principal_kind, task.principal_id, "")
    owner_id = await conversation_store.find_owner(db, tenant_id, conversation_id)
    return Actor("user", owner_id, "") if owner_id else None
