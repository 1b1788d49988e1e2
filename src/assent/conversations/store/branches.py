"""SQL of conversations that begin as copies of others."""

from collections.abc import Mapping, Sequence
from typing import Any
from uuid import UUID

from assent.conversations.conversation import StoredMessage
from assent.conversations.store.messages import COLUMNS
from assent.db.database import Db

LIST_THROUGH = f"""
SELECT {COLUMNS} FROM messages
WHERE tenant_id = $1 AND conversation_id = $2 AND (
    superseded_by IS NULL OR superseded_by = (
        SELECT superseded_by FROM messages
        WHERE tenant_id = $1 AND conversation_id = $2 AND id = $3)
) AND seq <= (
    SELECT seq FROM messages WHERE tenant_id = $1 AND conversation_id = $2 AND id = $3)
ORDER BY seq
"""
SET_BEGINNING = """
UPDATE conversations
SET title = $3, title_source = 'person', active_workspace_id = $4, taint = $5
WHERE tenant_id = $1 AND id = $2
"""
COPY = """
INSERT INTO messages (
    id, tenant_id, conversation_id, seq, role, author, content, parts, run_id, usage, created_at)
SELECT given.new_id, $1, $2, given.seq, role, author, content, said.parts, run_id, usage,
       created_at
FROM unnest($3::uuid[], $4::uuid[]) WITH ORDINALITY AS given (old_id, new_id, seq)
JOIN jsonb_array_elements($5::jsonb) WITH ORDINALITY AS said (parts, seq) USING (seq)
JOIN messages ON messages.tenant_id = $1 AND messages.id = given.old_id
"""
COPY_FILES = """
INSERT INTO message_files (tenant_id, message_id, file_id)
SELECT $1, given.new_id, file_id
FROM unnest($2::uuid[], $3::uuid[]) AS given (old_id, new_id)
JOIN message_files
    ON message_files.tenant_id = $1 AND message_files.message_id = given.old_id
"""
COUNT = "UPDATE conversations SET next_seq = $3 WHERE tenant_id = $1 AND id = $2"
MARK_ALL_READ = """
UPDATE participants SET read_seq = conversations.next_seq - 1 FROM conversations
WHERE participants.tenant_id = $1 AND participants.conversation_id = $2
  AND participants.kind = 'user' AND participants.who = $3
  AND conversations.tenant_id = $1 AND conversations.id = $2
"""


async def list_through(
    db: Db, tenant_id: UUID, conversation_id: UUID, message_id: UUID
) -> list[StoredMessage]:
    """Everything that is shown up to that message, oldest first; nothing if it is not there.

    Of an older version: what was shown when it was the newest.
    """
    rows = await db.fetch(LIST_THROUGH, tenant_id, conversation_id, message_id)
    return [StoredMessage(**row) for row in rows]


async def set_beginning(
    db: Db,
    tenant_id: UUID,
    conversation_id: UUID,
    *,
    title: str,
    active_workspace_id: UUID | None,
    taint: list[dict[str, Any]] | list[dict[str, str]],
) -> None:
    await db.execute(SET_BEGINNING, tenant_id, conversation_id, title, active_workspace_id, taint)


async def insert_copies(
    db: Db,
    tenant_id: UUID,
    conversation_id: UUID,
    messages: Sequence[StoredMessage],
    ids: Mapping[UUID, UUID],
) -> None:
    """With their files, numbered from one; `ids` are the copies' by those of the originals."""
    old, new = [one.id for one in messages], [ids[one.id] for one in messages]
    parts = [one.parts for one in messages]
    await db.execute(COPY, tenant_id, conversation_id, old, new, parts)
    await db.execute(COPY_FILES, tenant_id, old, new)
    await db.execute(COUNT, tenant_id, conversation_id, len(messages) + 1)


async def mark_all_read(db: Db, tenant_id: UUID, conversation_id: UUID, person_id: UUID) -> None:
    await db.execute(MARK_ALL_READ, tenant_id, conversation_id, str(person_id))
