"""SQL of what is kept of a conversation besides its messages: its summary, and how far it goes."""

from dataclasses import dataclass
from typing import Any
from uuid import UUID

from assent.db.database import Db

FIND = """
SELECT summary, summarized_through_seq AS through, learned FROM conversations
WHERE tenant_id = $1 AND id = $2
"""
# Whoever summarized the same turns at the same time was first, or is not: never both.
SET_SUMMARY = """
UPDATE conversations SET summary = $3, summarized_through_seq = $4
WHERE tenant_id = $1 AND id = $2 AND summarized_through_seq IS NOT DISTINCT FROM $5
RETURNING 1
"""
CLEAR_SUMMARY = """
UPDATE conversations SET summary = NULL, summarized_through_seq = NULL
WHERE tenant_id = $1 AND id = $2
"""
SET_LEARNED = "UPDATE conversations SET learned = $3 WHERE tenant_id = $1 AND id = $2"


@dataclass(frozen=True, slots=True)
class StoredSummary:
    """As it stands in the row; what it means is known to `history/summary.py`."""

    summary: Any = None
    through: int | None = None
    learned: Any = None


async def find_summary(db: Db, tenant_id: UUID, conversation_id: UUID) -> StoredSummary:
    row = await db.fetchrow(FIND, tenant_id, conversation_id)
    return StoredSummary(**row) if row else StoredSummary()


async def set_summary(
    db: Db,
    tenant_id: UUID,
    conversation_id: UUID,
    summary: dict[str, Any],
    *,
    through: int,
    before: int | None,
) -> bool:
    """Whether it goes on from the one that reached `before`: somebody else may have."""
    found = await db.fetchval(SET_SUMMARY, tenant_id, conversation_id, summary, through, before)
    return found is not None


async def clear_summary(db: Db, tenant_id: UUID, conversation_id: UUID) -> None:
    """From now on all is replayed, until it is summarized anew."""
    await db.execute(CLEAR_SUMMARY, tenant_id, conversation_id)


async def set_learned(
    db: Db, tenant_id: UUID, conversation_id: UUID, learned: dict[str, float]
) -> None:
    await db.execute(SET_LEARNED, tenant_id, conversation_id, learned)
