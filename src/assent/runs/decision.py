"""Decisions lead to a turn in which the model reacts (SPEC P16).

What it is told comes from the stored proposals alone. Several decisions make one turn: the one that
begins takes all that nobody has been told of.
"""

from uuid import UUID

from assent.actions.waiting import has_untold, take_untold
from assent.agents.notes import Decided, write_decision_note
from assent.audit.entry import Actor
from assent.conversations.store import conversations as conversation_store
from assent.db.database import Db
from assent.identity.authenticate import find_acting
from assent.ids import new_id
from assent.runs import store
from assent.runs.run import Run
from assent.runs.studio import Studio
from assent.runs.turn import queue_run
from assent.work.lease import Handler, Job
from assent.work.queue import finish

DECISION_KIND = "runs.decision"


def build_decision_handler(studio: Studio) -> Handler:
    """For each `proposal.decided`: queue a turn, unless one that has not begun will tell of it."""

    async def react(job: Job) -> None:
        event = job.work.payload["payload"]
        async with studio.means.database.transaction() as db:
            if event.get("conversationId") and job.work.tenant_id:
                await _queue(db, studio, job.work.tenant_id, UUID(event["conversationId"]))
            await finish(db, job.lease)
        studio.means.telemetry.metrics.proposals.labels(event["state"]).inc()

    return react


async def take_note(db: Db, studio: Studio, run: Run) -> str:
    """What the model is told: every decision that no turn was told of, each once."""
    decided = await take_untold(db, run.tenant_id, run.conversation_id)
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


async def _queue(db: Db, studio: Studio, tenant_id: UUID, conversation_id: UUID) -> None:
    await conversation_store.lock_conversation(db, tenant_id, conversation_id)
    waiting = await store.find_queued_decision(db, tenant_id, conversation_id)
    if waiting or not await has_untold(db, tenant_id, conversation_id):
        return
    owner_id = await conversation_store.find_owner(db, tenant_id, conversation_id)
    if owner_id is None:
        return
    acting = await find_acting(db, tenant_id, Actor("user", owner_id, ""))
    if acting is None:
        return
    conversation = await conversation_store.find_conversation(
        db, tenant_id, owner_id, conversation_id
    )
    if conversation is None or conversation.archived_at is not None:
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
