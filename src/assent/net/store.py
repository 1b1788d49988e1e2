"""SQL of allowed destinations."""

from collections.abc import Sequence
from uuid import UUID

from assent.db.database import Db
from assent.net.destination import Destination

COLUMNS = "id, origin, tool, note, added_by_name, added_at"
LIST = f"""
SELECT {COLUMNS} FROM egress_allowed
WHERE tenant_id = $1 ORDER BY origin, tool NULLS FIRST LIMIT $2
"""
COUNT = "SELECT count(*) FROM egress_allowed WHERE tenant_id = $1"
LIST_ORIGINS = """
SELECT DISTINCT origin FROM egress_allowed
WHERE tenant_id = $1 AND (tool = $2 OR tool IS NULL)
"""
INSERT = f"""
INSERT INTO egress_allowed (id, tenant_id, origin, tool, note, added_by, added_by_name)
VALUES ($1, $2, $3, $4, $5, $6, $7)
ON CONFLICT (tenant_id, origin, tool) DO NOTHING
RETURNING {COLUMNS}
"""
DELETE = "DELETE FROM egress_allowed WHERE tenant_id = $1 AND id = $2 RETURNING id"


async def list_destinations(db: Db, tenant_id: UUID, *, limit: int) -> list[Destination]:
    rows = await db.fetch(LIST, tenant_id, limit)
    return [Destination.model_validate(dict(row)) for row in rows]


async def count_destinations(db: Db, tenant_id: UUID) -> int:
    return await db.fetchval(COUNT, tenant_id)


async def list_allowed_origins(db: Db, tenant_id: UUID, tool: str) -> Sequence[str]:
    """Where this tool sends data without a card, as of now."""
    return tuple(row["origin"] for row in await db.fetch(LIST_ORIGINS, tenant_id, tool))


async def insert_destination(
    db: Db, tenant_id: UUID, destination: Destination, *, added_by: UUID
) -> Destination | None:
    """Nothing if it is there already."""
    row = await db.fetchrow(
        INSERT,
        destination.id,
        tenant_id,
        destination.origin,
        destination.tool,
        destination.note,
        added_by,
        destination.added_by_name,
    )
    return Destination.model_validate(dict(row)) if row else None


async def delete_destination(db: Db, tenant_id: UUID, destination_id: UUID) -> bool:
    return await db.fetchval(DELETE, tenant_id, destination_id) is not None
