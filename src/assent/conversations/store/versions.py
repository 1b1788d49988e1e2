"""SQL of messages that others have taken the place of."""

from uuid import UUID

from assent.db.database import Db

SUPERSEDE = """
UPDATE messages SET superseded_by = $4
WHERE tenant_id = $1 AND conversation_id = $2 AND seq >= $3 AND superseded_by IS NULL
"""
FIND_SEQ = """
SELECT seq FROM messages
WHERE tenant_id = $1 AND conversation_id = $2 AND superseded_by IS NULL
  AND (id::text = $3 OR client_id = $3)
"""


async def supersede(
    db: Db, tenant_id: UUID, conversation_id: UUID, *, from_seq: int, by: UUID
) -> None:
    await db.execute(SUPERSEDE, tenant_id, conversation_id, from_seq, by)


async def find_seq(db: Db, tenant_id: UUID, conversation_id: UUID, message_id: str) -> int | None:
    """Of a message that is shown, by our id or its sender's."""
    return await db.fetchval(FIND_SEQ, tenant_id, conversation_id, message_id)
