"""Branching: a new conversation that begins like another one, up to one of its messages (SPEC C18).

What was read there stays read: the branch is as tainted as what it comes from. What waited there
waits there alone.
"""

from collections.abc import Sequence
from uuid import UUID

from assent.actions.waiting.cards import list_changed
from assent.conversations.conversation import Conversation, ConversationDraft, StoredMessage
from assent.conversations.keep import load_conversation
from assent.conversations.store import branches as store
from assent.conversations.store import conversations as conversation_store
from assent.db.database import Database, Db
from assent.errors import Conflict, NotFound
from assent.identity.principal import Principal
from assent.ids import new_id
from assent.runs import store as run_store
from assent.runs.materials import taint_of_history
from assent.runs.settled import list_card_ids, settle_parts
from assent.tools.taint import Taint, parse_taint
from assent.work.announce import News, announce

LONGEST_TITLE = 200
SUFFIX = " (branch)"


async def branch_conversation(
    database: Database, person: Principal, conversation_id: UUID, message_id: UUID
) -> Conversation:
    """A copy of what was said through that message; in it nothing is decided without asking."""
    async with database.transaction() as db:
        await conversation_store.lock_conversation(db, person.tenant_id, conversation_id)
        source = await load_conversation(db, person, conversation_id)
        copied = await store.list_through(db, person.tenant_id, conversation_id, message_id)
        if not copied:
            raise NotFound
        await _check_finished(db, person.tenant_id, copied[-1])
        taint = await _find_taint(db, person, conversation_id, copied)
        made = await _open(db, person, source, taint)
        await _copy(db, person, made.id, copied)
        await announce(db, News(person.tenant_id, "conversation", made.id))
        return await load_conversation(db, person, made.id)


def name_branch(title: str) -> str:
    stem = title.removesuffix(SUFFIX).strip()
    return f"{stem[: LONGEST_TITLE - len(SUFFIX)]}{SUFFIX}".strip()


async def _check_finished(db: Db, tenant_id: UUID, last: StoredMessage) -> None:
    run = await run_store.find_run(db, tenant_id, last.run_id) if last.run_id else None
    if last.role == "assistant" and run is not None and run.is_active:
        raise Conflict.at("messageId", "This answer is still being written.")


async def _find_taint(
    db: Db, person: Principal, conversation_id: UUID, copied: Sequence[StoredMessage]
) -> Taint:
    stored = await run_store.list_taint(db, person.tenant_id, conversation_id)
    return parse_taint(stored) | taint_of_history(copied, person.id)


async def _open(db: Db, person: Principal, source: Conversation, taint: Taint) -> Conversation:
    draft = ConversationDraft(
        workspace_id=source.workspace_id,
        agent=source.agent,
        integration_id=source.integration_id,
        model=source.model,
    )
    made = await conversation_store.insert_conversation(
        db, person.tenant_id, draft, conversation_id=new_id(), owner_id=person.id
    )
    await store.set_beginning(
        db,
        person.tenant_id,
        made.id,
        title=name_branch(source.title),
        active_workspace_id=source.active_workspace_id,
        taint=taint.encode(),
    )
    return made


async def _copy(db: Db, person: Principal, made_id: UUID, copied: Sequence[StoredMessage]) -> None:
    ids = {one.id: new_id() for one in copied}
    cards = [card for one in copied for card in list_card_ids(one.parts)]
    proposals = {one.id: one for one in await list_changed(db, person.tenant_id, cards)}
    settled = [
        one.model_copy(update={"parts": settle_parts(one.parts, proposals)}) for one in copied
    ]
    await store.insert_copies(db, person.tenant_id, made_id, settled, ids)
    await store.mark_all_read(db, person.tenant_id, made_id, person.id)
