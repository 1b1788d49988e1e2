"""SQL of feedback."""

from collections.abc import Sequence
from uuid import UUID

from assent.db.database import Db

FIND_ROLE = """
SELECT messages.role FROM messages JOIN conversations
    ON conversations.tenant_id = $1 AND conversations.id = messages.conversation_id
WHERE messages.tenant_id = $1 AND conversations.owner_id = $2 AND messages.id = $3
  AND conversations.kind <> 'task'
"""
SET = """
INSERT INTO feedback (tenant_id, message_id, person_id, rating, reasons, comment)
VALUES ($1, $2, $3, $4, $5, $6)
ON CONFLICT (message_id, person_id) DO UPDATE
SET rating = $4, reasons = $5, comment = $6, changed_at = clock_timestamp()
WHERE feedback.tenant_id = $1
"""
DELETE = "DELETE FROM feedback WHERE tenant_id = $1 AND message_id = $2 AND person_id = $3"


async def find_role(db: Db, tenant_id: UUID, person_id: UUID, message_id: UUID) -> str | None:
    """Of a message in one of the person's own conversations."""
    return await db.fetchval(FIND_ROLE, tenant_id, person_id, message_id)


async def set_feedback(
    db: Db,
    tenant_id: UUID,
    *,
    message_id: UUID,
    person_id: UUID,
    rating: str,
    reasons: Sequence[str],
    comment: str,
) -> None:
    await db.execute(SET, tenant_id, message_id, person_id, rating, list(reasons), comment)


async def delete_feedback(db: Db, tenant_id: UUID, *, message_id: UUID, person_id: UUID) -> None:
    await db.execute(DELETE, tenant_id, message_id, person_id)
