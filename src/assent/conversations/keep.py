"""Opening, changing and archiving conversations, for the person whose they are."""

from uuid import UUID

from assent.conversations.conversation import (
    Conversation,
    ConversationChange,
    ConversationDraft,
)
from assent.conversations.store import conversations as store
from assent.db.database import Database, Db
from assent.errors import Conflict, NotFound
from assent.identity.principal import Principal
from assent.identity.store.tenants import find_workspace
from assent.ids import new_id
from assent.work.announce import News, announce


async def open_conversation(
    database: Database, person: Principal, draft: ConversationDraft
) -> tuple[Conversation, bool]:
    """A new chat, and whether it is new: an empty one without a title is used again."""
    async with database.transaction() as db:
        await check_workspace(db, person, draft.workspace_id, "workspaceId")
        await store.lock_owner(db, person.tenant_id, person.id)
        empty = await store.find_draft(db, person.tenant_id, person.id, draft.workspace_id)
        if empty is not None:
            return await store.reuse_conversation(db, person.tenant_id, empty.id, draft), False
        made = await store.insert_conversation(
            db, person.tenant_id, draft, conversation_id=new_id(), owner_id=person.id
        )
        return made, True


async def load_conversation(
    db: Db, person: Principal, conversation_id: UUID, *, tasks: bool = False
) -> Conversation:
    """Somebody else's is not there; that of a headless run only for who asks for `tasks` too."""
    found = await store.find_conversation(
        db, person.tenant_id, person.id, conversation_id, tasks=tasks
    )
    if found is None:
        raise NotFound
    return found


async def change_conversation(
    database: Database, person: Principal, conversation_id: UUID, change: ConversationChange
) -> Conversation:
    async with database.transaction() as db:
        await check_workspace(db, person, change.active_workspace_id, "activeWorkspaceId")
        changed = await store.update_conversation(
            db, person.tenant_id, change, owner_id=person.id, conversation_id=conversation_id
        )
        if changed is None:
            raise NotFound
        await announce(db, News(person.tenant_id, "conversation", conversation_id))
    return changed


async def archive_conversation(db: Db, person: Principal, conversation_id: UUID) -> Conversation:
    """Out of the lists, kept for review; doing it twice is doing it once."""
    archived = await store.archive_conversation(db, person.tenant_id, person.id, conversation_id)
    if archived is None:
        raise NotFound
    await announce(db, News(person.tenant_id, "conversation", conversation_id))
    return archived


async def check_workspace(db: Db, person: Principal, workspace_id: UUID | None, path: str) -> None:
    if workspace_id is None:
        return
    known = await find_workspace(db, person.tenant_id, workspace_id)
    if known is None or not person.enters(workspace_id):
        raise Conflict.at(path, "There is no such workspace.")
