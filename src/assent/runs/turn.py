"""Starting a turn: the message, the run and its work commit together, and the request may go.

What the run then does is in `loop.py`; whoever wants to see it follows it (`follow.py`).
"""

from typing import Any
from uuid import UUID

from assent.conversations.attach import take_file_parts, use_files
from assent.conversations.conversation import Conversation, NewMessage
from assent.conversations.keep import load_conversation
from assent.conversations.parts import build_skill_part
from assent.conversations.store import conversations as conversation_store
from assent.conversations.store import messages as message_store
from assent.conversations.titles import fallback_title
from assent.conversations.user_message import SentMessage
from assent.db.database import Database, Db
from assent.errors import Conflict, NotFound
from assent.identity.principal import Principal
from assent.ids import new_id
from assent.runs import store
from assent.runs.resume import settle_run
from assent.runs.run import NewRun, Run, RunKind, RunStatus
from assent.runs.title import queue_title
from assent.tools.part import LONGEST_REPLY
from assent.vault.scrubbing import Scrubbing
from assent.work.announce import News, announce
from assent.work.queue import enqueue, request_cancel

RUN_KIND = "runs.drive"


async def start_turn(
    database: Database,
    person: Principal,
    conversation_id: UUID,
    said: SentMessage,
    *,
    agent: str,
    scrubbing: Scrubbing,
    time_zone: str | None = None,
) -> Run:
    """Store the message and queue its run; a turn under way gives way to it."""
    async with database.transaction() as db:
        conversation = await lock_conversation(db, person, conversation_id)
        again = await find_again(db, person, conversation.id, said.client_id)
        if again is not None:
            return again
        text = (await scrubbing.load(db, person.tenant_id)).scrub_text(said.text)
        message = NewMessage(
            id=new_id(),
            role="user",
            author=str(person.id),
            content=text,
            parts=[
                *build_skill_parts(said.skill),
                *await take_file_parts(db, person, said.file_ids),
                *build_text_parts(text),
            ],
            client_id=said.client_id,
            run_id=new_id(),
        )
        run = await answer_message(
            db, person, conversation, message, agent=agent, time_zone=time_zone
        )
        await use_files(db, person, message.id, said.file_ids)
        return run


def build_text_parts(text: str) -> list[dict[str, Any]]:
    return [{"type": "text", "text": text}] if text.strip() else []


def build_skill_parts(skill: tuple[str, str] | None) -> list[dict[str, Any]]:
    return [build_skill_part(*skill)] if skill else []


async def lock_conversation(db: Db, person: Principal, conversation_id: UUID) -> Conversation:
    """One's own, in which something may be said; until the end of this, by nobody else."""
    await conversation_store.lock_conversation(db, person.tenant_id, conversation_id)
    conversation = await load_conversation(db, person, conversation_id)
    if conversation.archived_at is not None:
        raise Conflict("This conversation is archived.")
    return conversation


async def answer_message(
    db: Db,
    person: Principal,
    conversation: Conversation,
    message: NewMessage,
    *,
    agent: str,
    time_zone: str | None,
) -> Run:
    """Store what the person said, and queue the run of its `run_id` in place of what runs."""
    if message.run_id is None:
        raise ValueError("The message names no run.")
    await supersede_active(db, person.tenant_id, conversation.id)
    await _mark_chosen(db, person.tenant_id, conversation.id, message)
    await message_store.insert_message(db, person.tenant_id, conversation.id, message)
    title = fallback_title(message.content) or fallback_title(_list_names(message))
    if conversation.title_source == "none" and title:
        await conversation_store.set_title(
            db, person.tenant_id, conversation.id, title=title, source="fallback"
        )
    return await queue_run(
        db,
        person,
        conversation,
        run_id=message.run_id,
        kind="turn",
        agent=agent,
        time_zone=time_zone,
    )


async def _mark_chosen(db: Db, tenant_id: UUID, conversation_id: UUID, message: NewMessage) -> None:
    """A reply that was suggested is the model's wording: nothing in it counts as typed."""
    text = message.content.strip()
    if not text or len(text) > LONGEST_REPLY:
        return
    if await message_store.was_suggested(db, tenant_id, conversation_id, text):
        for part in message.parts:
            if part["type"] == "text":
                part["chosen"] = True


def _list_names(message: NewMessage) -> str:
    return ", ".join(part["filename"] for part in message.parts if part["type"] == "file")


async def queue_run(
    db: Db,
    person: Principal,
    conversation: Conversation,
    *,
    run_id: UUID,
    kind: RunKind,
    agent: str,
    time_zone: str | None,
) -> Run:
    """The run, the place of its answer among the messages, and the work that drives it."""
    message_id = new_id()
    await message_store.insert_message(
        db,
        person.tenant_id,
        conversation.id,
        NewMessage(
            id=message_id, role="assistant", author=agent, content="", parts=[], run_id=run_id
        ),
    )
    work_id = await enqueue(
        db,
        kind=RUN_KIND,
        payload={"runId": str(run_id)},
        tenant_id=person.tenant_id,
        ordering_key=f"conversation:{conversation.id}",
    )
    await store.insert_run(
        db,
        NewRun(
            id=run_id,
            tenant_id=person.tenant_id,
            conversation_id=conversation.id,
            work_id=work_id,
            kind=kind,
            agent=agent,
            principal_id=person.id,
            message_id=message_id,
            time_zone=time_zone,
            principal_kind="application" if person.kind == "application" else "user",
        ),
    )
    await announce(db, News(person.tenant_id, "conversation", conversation.id))
    return await load_run(db, person.tenant_id, run_id)


async def supersede_active(db: Db, tenant_id: UUID, conversation_id: UUID) -> None:
    """End what runs and what waits, on whatever process it is; partial answers stay."""
    for run in await store.list_active_runs(db, tenant_id, conversation_id):
        await request_cancel(db, tenant_id, run.work_id)
        await _end(db, run, "superseded")


async def cancel_run(
    database: Database, person: Principal, conversation_id: UUID, run_id: UUID | None = None
) -> None:
    """Ask for the end of what runs, or of one run; nothing happens to what is over."""
    async with database.transaction() as db:
        conversation = await load_conversation(db, person, conversation_id, tasks=True)
        run = await _find_to_cancel(db, person.tenant_id, conversation.id, run_id)
        if run is None:
            return
        await request_cancel(db, person.tenant_id, run.work_id)
        if run.status == "queued":
            await _end(db, run, "cancelled")


async def _end(db: Db, run: Run, status: RunStatus) -> None:
    """A run that was never begun is not ended by whoever drives it: nobody does."""
    if await settle_run(db, run, status) == 0:
        await queue_title(db, run)


async def _find_to_cancel(
    db: Db, tenant_id: UUID, conversation_id: UUID, run_id: UUID | None
) -> Run | None:
    if run_id is None:
        return await store.find_active_run(db, tenant_id, conversation_id)
    run = await store.find_run(db, tenant_id, run_id)
    if run is None or run.conversation_id != conversation_id:
        raise NotFound
    return run if run.is_active else None


async def find_again(
    db: Db, person: Principal, conversation_id: UUID, client_id: str | None
) -> Run | None:
    """The run of a message that was sent before."""
    if client_id is None:
        return None
    message = await message_store.find_by_client_id(
        db, person.tenant_id, conversation_id, client_id
    )
    if message is None or message.run_id is None:
        return None
    return await load_run(db, person.tenant_id, message.run_id)


async def load_run(db: Db, tenant_id: UUID, run_id: UUID) -> Run:
    run = await store.find_run(db, tenant_id, run_id)
    if run is None:
        raise LookupError(run_id)
    return run
