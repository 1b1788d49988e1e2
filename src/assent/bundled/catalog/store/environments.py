"""SQL of environments."""

from collections.abc import Sequence
from uuid import UUID

from assent.bundled.catalog.store.listing import BY_NAME, MATCHING, where_visible
from assent.bundled.catalog.values import EntryQuery, Environment
from assent.plugins.api import Db, Row, Scope, position_by_name

COLUMNS = "id, workspace_id, name, description, version, created_at, updated_at"
LIST = f"SELECT {COLUMNS} FROM catalog.environments WHERE {MATCHING} {BY_NAME}"
FIND = f"SELECT {COLUMNS} FROM catalog.environments WHERE tenant_id = $1 AND id = $2"
FIND_NAMED = """
SELECT id FROM catalog.environments
WHERE tenant_id = $1 AND workspace_id = $2 AND lower(name) = lower($3)
"""
LOCK = "SELECT 1 FROM catalog.environments WHERE tenant_id = $1 AND id = $2 FOR UPDATE"
INSERT = """
INSERT INTO catalog.environments (id, tenant_id, workspace_id, name, description)
VALUES ($1, $2, $3, $4, $5)
ON CONFLICT (tenant_id, workspace_id, lower(name)) DO NOTHING RETURNING id
"""
UPDATE = """
UPDATE catalog.environments SET name = coalesce($3, name),
    description = coalesce($4, description), version = version + 1, updated_at = now()
WHERE tenant_id = $1 AND id = $2 AND NOT EXISTS (
    SELECT 1 FROM catalog.environments AS other
    WHERE other.tenant_id = $1 AND other.workspace_id = environments.workspace_id
      AND other.id <> $2 AND lower(other.name) = lower($3))
"""
TOUCH_SYSTEMS = """
UPDATE catalog.systems SET version = version + 1, updated_at = now()
WHERE tenant_id = $1 AND id IN (
    SELECT system_id FROM catalog.system_environments
    WHERE tenant_id = $1 AND environment_id = $2)
"""
DELETE = "DELETE FROM catalog.environments WHERE tenant_id = $1 AND id = $2"
COUNT_KNOWN = """
SELECT count(*) FROM catalog.environments
WHERE tenant_id = $1 AND workspace_id = $2 AND id = ANY ($3)
"""


async def list_environments(
    db: Db, tenant_id: UUID, scope: Scope, query: EntryQuery
) -> list[Environment]:
    rows = await db.fetch(
        LIST,
        *where_visible(tenant_id, scope, query.workspace_id),
        query.q,
        *(position_by_name(query) or (None, None)),
        query.limit + 1,
    )
    return [_environment(row) for row in rows]


async def find_environment(db: Db, tenant_id: UUID, environment_id: UUID) -> Environment | None:
    row = await db.fetchrow(FIND, tenant_id, environment_id)
    return _environment(row) if row else None


async def find_named(db: Db, tenant_id: UUID, workspace_id: UUID, name: str) -> UUID | None:
    return await db.fetchval(FIND_NAMED, tenant_id, workspace_id, name)


async def lock_environment(db: Db, tenant_id: UUID, environment_id: UUID) -> None:
    await db.execute(LOCK, tenant_id, environment_id)


async def insert_environment(
    db: Db,
    tenant_id: UUID,
    *,
    environment_id: UUID,
    workspace_id: UUID,
    name: str,
    description: str,
) -> bool:
    inserted = await db.fetchval(INSERT, environment_id, tenant_id, workspace_id, name, description)
    return inserted is not None


async def update_environment(
    db: Db,
    tenant_id: UUID,
    environment_id: UUID,
    *,
    name: str | None,
    description: str | None,
) -> bool:
    """`False` if the name is taken; the row must be there."""
    done = await db.execute(UPDATE, tenant_id, environment_id, name, description)
    return done == "UPDATE 1"


async def delete_environment(db: Db, tenant_id: UUID, environment_id: UUID) -> None:
    await db.execute(TOUCH_SYSTEMS, tenant_id, environment_id)
    await db.execute(DELETE, tenant_id, environment_id)


async def count_known(
    db: Db, tenant_id: UUID, workspace_id: UUID, environment_ids: Sequence[UUID]
) -> int:
    return await db.fetchval(COUNT_KNOWN, tenant_id, workspace_id, environment_ids)


def _environment(row: Row) -> Environment:
    return Environment(**row)
