"""SQL of messages as they stand in their rows, for whoever looks for what is wrong with them."""

from uuid import UUID

from assent.db.database import Db, Row

LIST = """
SELECT id, seq, role, content, parts, run_id FROM messages
WHERE tenant_id = $1 AND conversation_id = $2 ORDER BY seq
"""


async def list_rows(db: Db, tenant_id: UUID, conversation_id: UUID) -> list[Row]:
    return list(await db.fetch(LIST, tenant_id, conversation_id))
