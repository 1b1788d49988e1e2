"""SQL of messages. Their order is the conversation's own counter."""

from typing import Any, cast
from uuid import UUID

from assent.conversations.conversation import NewMessage, StoredMessage
from assent.db.database import Db, Row

COLUMNS = "id, seq, role, author, client_id, content, parts, run_id, created_at"
# One statement takes the number, touches the conversation and stores the message. Whoever says
# something has read what was said before.
INSERT = f"""
WITH counted AS (
    UPDATE conversations SET next_seq = next_seq + 1, active_at = clock_timestamp()
    WHERE tenant_id = $2 AND id = $3 RETURNING next_seq - 1 AS seq
), read AS (
    UPDATE participants SET read_seq = counted.seq FROM counted
    WHERE tenant_id = $2 AND conversation_id = $3 AND kind = 'user' AND who = $5
)
INSERT INTO messages (
    id, tenant_id, conversation_id, seq, role, author, client_id, content, parts, run_id)
SELECT $1, $2, $3, seq, $4, $5, $6, $7, $8, $9 FROM counted
RETURNING {COLUMNS}
"""
FIND_BY_CLIENT = f"""
SELECT {COLUMNS} FROM messages
WHERE tenant_id = $1 AND conversation_id = $2 AND client_id = $3
"""
LOAD_ANSWER = "SELECT parts, usage FROM messages WHERE tenant_id = $1 AND id = $2"
SET_ANSWER = "UPDATE messages SET content = $3, parts = $4 WHERE tenant_id = $1 AND id = $2"
SET_PARTS = "UPDATE messages SET parts = $3 WHERE tenant_id = $1 AND id = $2"
FIND_FIRST_SAID = """
SELECT content FROM messages
WHERE tenant_id = $1 AND conversation_id = $2 AND role = 'user' AND superseded_by IS NULL
ORDER BY seq LIMIT 1
"""
FIND_LAST_SAID = f"""
SELECT {COLUMNS} FROM messages
WHERE tenant_id = $1 AND conversation_id = $2 AND role = 'user' AND superseded_by IS NULL
ORDER BY seq DESC LIMIT 1
"""
WAS_SUGGESTED = """
SELECT EXISTS (
    SELECT FROM jsonb_array_elements((
        SELECT parts FROM messages
        WHERE tenant_id = $1 AND conversation_id = $2 AND role = 'assistant'
          AND superseded_by IS NULL
        ORDER BY seq DESC LIMIT 1)) AS part
    WHERE part ->> 'type' = 'data-quick-replies' AND part -> 'data' -> 'replies' ? $3)
"""
UPDATE = """
UPDATE messages SET content = $3, parts = $4, usage = $5 WHERE tenant_id = $1 AND id = $2
"""
LIST = f"""
SELECT {COLUMNS} FROM messages
WHERE tenant_id = $1 AND conversation_id = $2 AND superseded_by IS NULL
  AND ($3::bigint IS NULL OR seq < $3)
ORDER BY seq DESC LIMIT $4
"""
LIST_AFTER = f"""
SELECT {COLUMNS} FROM messages
WHERE tenant_id = $1 AND conversation_id = $2 AND seq > $3 AND superseded_by IS NULL ORDER BY seq
"""


async def insert_message(
    db: Db,
    tenant_id: UUID,
    conversation_id: UUID,
    message: NewMessage,
) -> StoredMessage:
    row = await db.fetchrow(
        INSERT,
        message.id,
        tenant_id,
        conversation_id,
        message.role,
        message.author,
        message.client_id,
        message.content,
        message.parts,
        message.run_id,
    )
    if row is None:
        raise LookupError(conversation_id)
    return _message(row)


async def find_by_client_id(
    db: Db, tenant_id: UUID, conversation_id: UUID, client_id: str
) -> StoredMessage | None:
    row = await db.fetchrow(FIND_BY_CLIENT, tenant_id, conversation_id, client_id)
    return _message(row) if row else None


async def was_suggested(db: Db, tenant_id: UUID, conversation_id: UUID, text: str) -> bool:
    """Whether the last answer offered these words as a reply."""
    return await db.fetchval(WAS_SUGGESTED, tenant_id, conversation_id, text)


async def load_answer(
    db: Db, tenant_id: UUID, message_id: UUID
) -> tuple[list[dict[str, Any]], dict[str, Any] | None]:
    """What is stored of it so far, and what it took."""
    row = await db.fetchrow(LOAD_ANSWER, tenant_id, message_id)
    if row is None:
        raise LookupError(message_id)
    return row["parts"], row["usage"]


async def find_first_said(db: Db, tenant_id: UUID, conversation_id: UUID) -> str | None:
    """What the person began with."""
    return await db.fetchval(FIND_FIRST_SAID, tenant_id, conversation_id)


async def find_last_said(db: Db, tenant_id: UUID, conversation_id: UUID) -> StoredMessage | None:
    row = await db.fetchrow(FIND_LAST_SAID, tenant_id, conversation_id)
    return _message(row) if row else None


async def set_parts(db: Db, tenant_id: UUID, message_id: UUID, parts: list[dict[str, Any]]) -> None:
    await db.execute(SET_PARTS, tenant_id, message_id, parts)


async def set_answer(
    db: Db, tenant_id: UUID, message_id: UUID, *, content: str, parts: list[dict[str, Any]]
) -> None:
    await db.execute(SET_ANSWER, tenant_id, message_id, content, parts)


async def update_message(
    db: Db,
    tenant_id: UUID,
    message_id: UUID,
    *,
    content: str,
    parts: list[dict[str, Any]],
    usage: dict[str, Any] | None,
) -> None:
    await db.execute(UPDATE, tenant_id, message_id, content, parts, usage)


async def list_messages(
    db: Db, tenant_id: UUID, conversation_id: UUID, *, before: int | None, limit: int
) -> list[StoredMessage]:
    """The newest ones before that number, oldest first."""
    rows = await db.fetch(LIST, tenant_id, conversation_id, before, limit)
    return [_message(row) for row in reversed(rows)]


async def list_messages_after(
    db: Db, tenant_id: UUID, conversation_id: UUID, seq: int
) -> list[StoredMessage]:
    """All of them, oldest first."""
    rows = await db.fetch(LIST_AFTER, tenant_id, conversation_id, seq)
    return [_message(row) for row in rows]


def _message(row: Row) -> StoredMessage:
    """Of parts that somebody has broken, what is left: the conversation goes on."""
    given = cast(list[Any], row["parts"] if isinstance(row["parts"], list) else [])
    parts: list[Any] = [one for one in given if isinstance(one, dict)]
    return StoredMessage.model_validate({**row, "parts": parts})
