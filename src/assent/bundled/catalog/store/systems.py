"""SQL of systems and of what they belong to."""

from collections.abc import Sequence
from uuid import UUID

from assent.bundled.catalog.store.listing import BY_NAME, MATCHING, where_visible
from assent.bundled.catalog.values import System, SystemQuery
from assent.plugins.api import Db, Row, Scope, position_by_name

COLUMNS = """
id, workspace_id, name, description, version, created_at, updated_at,
ARRAY(SELECT group_id FROM catalog.system_groups
      WHERE system_groups.tenant_id = systems.tenant_id AND system_id = systems.id
      ORDER BY group_id) AS group_ids,
ARRAY(SELECT environment_id FROM catalog.system_environments
      WHERE system_environments.tenant_id = systems.tenant_id AND system_id = systems.id
      ORDER BY environment_id) AS environment_ids
"""
LIST = f"""
SELECT {COLUMNS} FROM catalog.systems
WHERE {MATCHING}
  AND ($10::uuid IS NULL OR EXISTS (
      SELECT 1 FROM catalog.system_groups
      WHERE system_groups.tenant_id = $1 AND system_id = systems.id AND group_id = $10))
  AND ($11::uuid IS NULL OR EXISTS (
      SELECT 1 FROM catalog.system_environments
      WHERE system_environments.tenant_id = $1 AND system_id = systems.id
        AND environment_id = $11))
{BY_NAME}
"""
FIND = f"SELECT {COLUMNS} FROM catalog.systems WHERE tenant_id = $1 AND id = $2"
SEEN = """
FROM catalog.systems
WHERE tenant_id = $1
  AND ($2::boolean OR workspace_id = ANY ($3::uuid[]) OR id = ANY ($4::uuid[]))
"""
LIST_SEEN = f"SELECT {COLUMNS} {SEEN} AND id = ANY ($5::uuid[])"
COUNT_SEEN = f"SELECT count(*) {SEEN}"
FIND_NAMED = """
SELECT id FROM catalog.systems
WHERE tenant_id = $1 AND workspace_id = $2 AND lower(name) = lower($3)
"""
LOCK = "SELECT 1 FROM catalog.systems WHERE tenant_id = $1 AND id = $2 FOR UPDATE"
INSERT = """
INSERT INTO catalog.systems (id, tenant_id, workspace_id, name, description)
VALUES ($1, $2, $3, $4, $5)
ON CONFLICT (tenant_id, workspace_id, lower(name)) DO NOTHING RETURNING id
"""
UPDATE = """
UPDATE catalog.systems SET name = coalesce($3, name), description = coalesce($4, description),
    version = version + 1, updated_at = now()
WHERE tenant_id = $1 AND id = $2 AND NOT EXISTS (
    SELECT 1 FROM catalog.systems AS other
    WHERE other.tenant_id = $1 AND other.workspace_id = systems.workspace_id
      AND other.id <> $2 AND lower(other.name) = lower($3))
"""
DELETE = "DELETE FROM catalog.systems WHERE tenant_id = $1 AND id = $2"
COUNT_KNOWN = """
SELECT count(*) FROM catalog.systems
WHERE tenant_id = $1 AND workspace_id = $2 AND id = ANY ($3)
"""
SET_GROUPS = """
WITH gone AS (
    DELETE FROM catalog.system_groups
    WHERE tenant_id = $1 AND system_id = $3 AND group_id <> ALL ($4::uuid[]) RETURNING group_id
), come AS (
    INSERT INTO catalog.system_groups (tenant_id, workspace_id, system_id, group_id)
    SELECT DISTINCT $1::uuid, $2::uuid, $3::uuid, given FROM unnest($4::uuid[]) AS given
    ON CONFLICT DO NOTHING RETURNING group_id
)
UPDATE catalog.groups SET version = version + 1, updated_at = now()
WHERE tenant_id = $1 AND id IN (SELECT group_id FROM gone UNION SELECT group_id FROM come)
"""
SET_ENVIRONMENTS = """
WITH gone AS (
    DELETE FROM catalog.system_environments
    WHERE tenant_id = $1 AND system_id = $3 AND environment_id <> ALL ($4::uuid[])
)
INSERT INTO catalog.system_environments (tenant_id, workspace_id, system_id, environment_id)
SELECT DISTINCT $1::uuid, $2::uuid, $3::uuid, given FROM unnest($4::uuid[]) AS given
ON CONFLICT DO NOTHING
"""


async def list_systems(db: Db, tenant_id: UUID, scope: Scope, query: SystemQuery) -> list[System]:
    rows = await db.fetch(
        LIST,
        *where_visible(tenant_id, scope, query.workspace_id),
        query.q,
        *(position_by_name(query) or (None, None)),
        query.limit + 1,
        query.group_id,
        query.environment_id,
    )
    return [_system(row) for row in rows]


async def find_system(db: Db, tenant_id: UUID, system_id: UUID) -> System | None:
    row = await db.fetchrow(FIND, tenant_id, system_id)
    return _system(row) if row else None


async def list_visible(
    db: Db, tenant_id: UUID, scope: Scope, system_ids: Sequence[UUID]
) -> list[System]:
    """Those of these systems that may be seen."""
    rows = await db.fetch(LIST_SEEN, *_seen(tenant_id, scope), system_ids)
    return [_system(row) for row in rows]


async def count_visible(db: Db, tenant_id: UUID, scope: Scope) -> int:
    return await db.fetchval(COUNT_SEEN, *_seen(tenant_id, scope))


async def find_named(db: Db, tenant_id: UUID, workspace_id: UUID, name: str) -> UUID | None:
    return await db.fetchval(FIND_NAMED, tenant_id, workspace_id, name)


async def lock_system(db: Db, tenant_id: UUID, system_id: UUID) -> None:
    await db.execute(LOCK, tenant_id, system_id)


async def insert_system(
    db: Db,
    tenant_id: UUID,
    *,
    system_id: UUID,
    workspace_id: UUID,
    name: str,
    description: str,
) -> bool:
    inserted = await db.fetchval(INSERT, system_id, tenant_id, workspace_id, name, description)
    return inserted is not None


async def update_system(
    db: Db, tenant_id: UUID, system_id: UUID, *, name: str | None, description: str | None
) -> bool:
    """`False` if the name is taken; the row must be there."""
    done = await db.execute(UPDATE, tenant_id, system_id, name, description)
    return done == "UPDATE 1"


async def delete_system(db: Db, tenant_id: UUID, system_id: UUID) -> None:
    await db.execute(DELETE, tenant_id, system_id)


async def count_known(
    db: Db, tenant_id: UUID, workspace_id: UUID, system_ids: Sequence[UUID]
) -> int:
    return await db.fetchval(COUNT_KNOWN, tenant_id, workspace_id, system_ids)


async def set_groups(
    db: Db, tenant_id: UUID, *, workspace_id: UUID, system_id: UUID, group_ids: Sequence[UUID]
) -> None:
    await db.execute(SET_GROUPS, tenant_id, workspace_id, system_id, group_ids)


async def set_environments(
    db: Db,
    tenant_id: UUID,
    *,
    workspace_id: UUID,
    system_id: UUID,
    environment_ids: Sequence[UUID],
) -> None:
    await db.execute(SET_ENVIRONMENTS, tenant_id, workspace_id, system_id, environment_ids)


def _seen(tenant_id: UUID, scope: Scope) -> tuple[object, ...]:
    return tenant_id, scope.everywhere, list(scope.workspace_ids), list(scope.resource_ids)


def _system(row: Row) -> System:
    return System(**row)
