"""Starting a turn: the message, the run and its work commit together, and the request may go.

What the run then does is in `loop.py`; whoever wants to see it follows it (`follow.py`).
"""

from uuid import UUID

from assent.conversations.conversation import Conversation, NewMessage
from assent.conversations.keep import load_conversation
from assent.conversations.store import conversations as conversation_store
from assent.conversations.store import messages as message_store
from assent.conversations.user_message import SentMessage
from assent.db.database import Database, Db
from assent.errors import Conflict, Invalid
from assent.identity.principal import Principal
from assent.ids import new_id
from assent.runs import store
from assent.runs.run import NewRun, Run, RunKind
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
    time_zone: str | None = None,
) -> Run:
    """Store the message and queue its run; a turn under way gives way to it."""
    if said.file_ids:
        raise Invalid.at("message.fileIds", "There is no such file.")
    async with database.transaction() as db:
        conversation = await _lock(db, person, conversation_id)
        again = await _find_again(db, person, conversation.id, said.client_id)
        if again is not None:
            return again
        await supersede_active(db, person.tenant_id, conversation.id)
        run_id = new_id()
        await message_store.insert_message(
            db,
            person.tenant_id,
            conversation.id,
            NewMessage(
                id=new_id(),
                role="user",
                author=str(person.id),
                content=said.text,
                parts=[{"type": "text", "text": said.text}],
                client_id=said.client_id,
                run_id=run_id,
            ),
        )
        return await queue_run(
            db,
            person,
            conversation,
            run_id=run_id,
            kind="turn",
            agent=agent,
            time_zone=time_zone,
        )


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
        ),
    )
    await announce(db, News(person.tenant_id, "conversation", conversation.id))
    return await _load(db, person.tenant_id, run_id)


async def supersede_active(db: Db, tenant_id: UUID, conversation_id: UUID) -> None:
    """End what is under way, on whatever process it is; its partial answer stays."""
    active = await store.find_active_run(db, tenant_id, conversation_id)
    if active is not None:
        await request_cancel(db, tenant_id, active.work_id)
        await store.end_run(db, active, "superseded")


async def cancel_run(database: Database, person: Principal, conversation_id: UUID) -> Run | None:
    """Ask for the end of what runs, from any process; nothing if nothing runs."""
    async with database.transaction() as db:
        conversation = await load_conversation(db, person, conversation_id)
        active = await store.find_active_run(db, person.tenant_id, conversation.id)
        if active is not None:
            await request_cancel(db, person.tenant_id, active.work_id)
    return active


async def _lock(db: Db, person: Principal, conversation_id: UUID) -> Conversation:
    conversation = await load_conversation(db, person, conversation_id)
    if conversation.archived_at is not None:
        raise Conflict("This conversation is archived.")
    await conversation_store.lock_conversation(db, person.tenant_id, conversation.id)
    return conversation


async def _find_again(
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
    return await _load(db, person.tenant_id, message.run_id)


async def _load(db: Db, tenant_id: UUID, run_id: UUID) -> Run:
    run = await store.find_run(db, tenant_id, run_id)
    if run is None:
        raise LookupError(run_id)
    return run
