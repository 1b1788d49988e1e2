"""SQL of conversations."""

from uuid import UUID

from assent.conversations.conversation import (
    Conversation,
    ConversationChange,
    ConversationDraft,
    Kind,
)
from assent.db.database import Db, Row

COLUMNS = """
id, kind, title, title_source, agent, integration_id, model, mode, workspace_id,
active_workspace_id, created_at, active_at, archived_at
"""
INSERT = f"""
INSERT INTO conversations (
    id, tenant_id, owner_id, agent, integration_id, model, mode, workspace_id, active_workspace_id,
    kind)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $8, $9)
RETURNING {COLUMNS}
"""
INSERT_OWNER = """
INSERT INTO participants (tenant_id, conversation_id, kind, who, role)
VALUES ($1, $2, 'user', $3, 'owner')
"""
LOCK_OWNER = """
SELECT 1 FROM users WHERE tenant_id = $1 AND id = $2 FOR NO KEY UPDATE
"""
FIND_DRAFT = f"""
SELECT {COLUMNS} FROM conversations
WHERE tenant_id = $1 AND owner_id = $2 AND kind = 'ai' AND archived_at IS NULL
  AND next_seq = 1 AND title_source = 'none' AND workspace_id IS NOT DISTINCT FROM $3
ORDER BY id DESC LIMIT 1
"""
REUSE = f"""
UPDATE conversations SET agent = $3, integration_id = $4, model = $5, mode = $6,
    active_workspace_id = workspace_id, active_at = clock_timestamp()
WHERE tenant_id = $1 AND id = $2 RETURNING {COLUMNS}
"""
FIND = f"""
SELECT {COLUMNS} FROM conversations
WHERE tenant_id = $1 AND owner_id = $2 AND id = $3 AND (kind <> 'task' OR $4)
"""
# What only refers to the conversation, as a proposal does, is not kept waiting.
LOCK = "SELECT 1 FROM conversations WHERE tenant_id = $1 AND id = $2 FOR NO KEY UPDATE"
UPDATE = f"""
UPDATE conversations SET
    title = coalesce($4, title),
    title_source = CASE WHEN $4::text IS NULL THEN title_source ELSE 'person' END,
    agent = coalesce($5, agent), integration_id = coalesce($6, integration_id),
    model = coalesce($7, model), mode = coalesce($8, mode),
    active_workspace_id = coalesce($9, active_workspace_id)
WHERE tenant_id = $1 AND owner_id = $2 AND id = $3 RETURNING {COLUMNS}
"""
SET_TITLE = """
UPDATE conversations SET title = $3, title_source = $4
WHERE tenant_id = $1 AND id = $2 AND title_source <> 'person' RETURNING 1
"""
NEEDS_TITLE = """
SELECT kind <> 'task' AND title_source IN ('none', 'fallback') AND $3 IS NOT DISTINCT FROM (
    SELECT run_id FROM messages
    WHERE tenant_id = $1 AND conversation_id = $2 AND role = 'user' AND superseded_by IS NULL
    ORDER BY seq LIMIT 1)
FROM conversations WHERE tenant_id = $1 AND id = $2
"""
FIND_OWNER = "SELECT owner_id FROM conversations WHERE tenant_id = $1 AND id = $2"
ARCHIVE = f"""
UPDATE conversations SET archived_at = coalesce(archived_at, clock_timestamp())
WHERE tenant_id = $1 AND owner_id = $2 AND id = $3 AND kind <> 'task' RETURNING {COLUMNS}
"""


async def insert_conversation(
    db: Db,
    tenant_id: UUID,
    draft: ConversationDraft,
    *,
    conversation_id: UUID,
    owner_id: UUID,
    kind: Kind = "ai",
) -> Conversation:
    row = await db.fetchrow(
        INSERT,
        conversation_id,
        tenant_id,
        owner_id,
        draft.agent,
        draft.integration_id,
        draft.model,
        draft.mode,
        draft.workspace_id,
        kind,
    )
    await db.execute(INSERT_OWNER, tenant_id, conversation_id, str(owner_id))
    return _conversation(row)


async def lock_owner(db: Db, tenant_id: UUID, owner_id: UUID) -> None:
    """One new chat of a person at a time: the second finds what the first has made."""
    await db.execute(LOCK_OWNER, tenant_id, owner_id)


async def find_draft(
    db: Db, tenant_id: UUID, owner_id: UUID, workspace_id: UUID | None
) -> Conversation | None:
    """An open one in which nothing was said and which has no title."""
    row = await db.fetchrow(FIND_DRAFT, tenant_id, owner_id, workspace_id)
    return _conversation(row) if row else None


async def reuse_conversation(
    db: Db, tenant_id: UUID, conversation_id: UUID, draft: ConversationDraft
) -> Conversation:
    given = draft.agent, draft.integration_id, draft.model, draft.mode
    return _conversation(await db.fetchrow(REUSE, tenant_id, conversation_id, *given))


async def find_conversation(
    db: Db, tenant_id: UUID, owner_id: UUID, conversation_id: UUID, *, tasks: bool = False
) -> Conversation | None:
    """Those of headless runs only for whoever asks for them."""
    row = await db.fetchrow(FIND, tenant_id, owner_id, conversation_id, tasks)
    return _conversation(row) if row else None


async def lock_conversation(db: Db, tenant_id: UUID, conversation_id: UUID) -> None:
    """Messages of a conversation are stored one after the other."""
    await db.execute(LOCK, tenant_id, conversation_id)


async def update_conversation(
    db: Db, tenant_id: UUID, change: ConversationChange, *, owner_id: UUID, conversation_id: UUID
) -> Conversation | None:
    row = await db.fetchrow(
        UPDATE,
        tenant_id,
        owner_id,
        conversation_id,
        change.title,
        change.agent,
        change.integration_id,
        change.model,
        change.mode,
        change.active_workspace_id,
    )
    return _conversation(row) if row else None


async def set_title(
    db: Db, tenant_id: UUID, conversation_id: UUID, *, title: str, source: str
) -> bool:
    """Unless a person has set one: theirs stays."""
    return await db.fetchval(SET_TITLE, tenant_id, conversation_id, title, source) is not None


async def needs_title(db: Db, tenant_id: UUID, conversation_id: UUID, run_id: UUID) -> bool:
    """Whether nobody has named it yet, and this is the run of the first message."""
    return bool(await db.fetchval(NEEDS_TITLE, tenant_id, conversation_id, run_id))


async def find_owner(db: Db, tenant_id: UUID, conversation_id: UUID) -> UUID | None:
    return await db.fetchval(FIND_OWNER, tenant_id, conversation_id)


async def archive_conversation(
    db: Db, tenant_id: UUID, owner_id: UUID, conversation_id: UUID
) -> Conversation | None:
    row = await db.fetchrow(ARCHIVE, tenant_id, owner_id, conversation_id)
    return _conversation(row) if row else None


def _conversation(row: Row | None) -> Conversation:
    if row is None:
        raise LookupError("conversation")
    return Conversation(**row)
