"""SQL of objectives."""

from typing import Any
from uuid import UUID

from assent.bundled.slo.values import ObjectiveChange, ObjectiveEntry, ObjectiveQuery
from assent.plugins.api import Db, Row, Scope, position_by_name

COLUMNS = """
id, workspace_id, name, description, system_id, check_id, target, window_days, version,
created_at, updated_at
"""
LIST = f"""
SELECT {COLUMNS} FROM slo.objectives
WHERE tenant_id = $1
  AND ($2::boolean OR workspace_id = ANY ($3::uuid[]) OR id = ANY ($4::uuid[]))
  AND ($5::uuid IS NULL OR workspace_id = $5)
  AND ($6 = '' OR strpos(lower(name || ' ' || description), lower($6)) > 0)
  AND ($7::text IS NULL OR (lower(name), id) > (lower($7), $8::uuid))
  AND ($10::uuid IS NULL OR system_id = $10)
  AND ($11::uuid IS NULL OR check_id = $11)
ORDER BY lower(name), id LIMIT $9
"""
LIST_ALL = f"""
SELECT {COLUMNS} FROM slo.objectives
WHERE tenant_id = $1
  AND ($2::boolean OR workspace_id = ANY ($3::uuid[]) OR id = ANY ($4::uuid[]))
ORDER BY lower(name), id
"""
FIND = f"SELECT {COLUMNS} FROM slo.objectives WHERE tenant_id = $1 AND id = $2"
FIND_NAMED = """
SELECT id FROM slo.objectives
WHERE tenant_id = $1 AND workspace_id = $2 AND lower(name) = lower($3)
"""
LOCK = "SELECT 1 FROM slo.objectives WHERE tenant_id = $1 AND id = $2 FOR UPDATE"
INSERT = """
INSERT INTO slo.objectives (
    id, tenant_id, workspace_id, name, description, system_id, check_id, target, window_days)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)
ON CONFLICT (tenant_id, workspace_id, lower(name)) DO NOTHING RETURNING id
"""
UPDATE = """
UPDATE slo.objectives
SET name = coalesce($3, name), description = coalesce($4, description),
    target = coalesce($5, target), window_days = coalesce($6, window_days),
    version = version + 1, updated_at = now()
WHERE tenant_id = $1 AND id = $2 AND NOT EXISTS (
    SELECT 1 FROM slo.objectives AS other
    WHERE other.tenant_id = $1 AND other.workspace_id = objectives.workspace_id
      AND other.id <> $2 AND lower(other.name) = lower($3))
"""
DELETE = "DELETE FROM slo.objectives WHERE tenant_id = $1 AND id = $2"
DELETE_OF = """
DELETE FROM slo.objectives
WHERE tenant_id = $1 AND (system_id = $2 OR check_id = $2) RETURNING id
"""


async def list_objectives(
    db: Db, tenant_id: UUID, scope: Scope, query: ObjectiveQuery
) -> list[ObjectiveEntry]:
    rows = await db.fetch(
        LIST,
        *_seen(tenant_id, scope),
        query.workspace_id,
        query.q,
        *(position_by_name(query) or (None, None)),
        query.limit + 1,
        query.system_id,
        query.check_id,
    )
    return [_objective(row) for row in rows]


async def list_all(db: Db, tenant_id: UUID, scope: Scope) -> list[ObjectiveEntry]:
    return [_objective(row) for row in await db.fetch(LIST_ALL, *_seen(tenant_id, scope))]


async def find_objective(db: Db, tenant_id: UUID, objective_id: UUID) -> ObjectiveEntry | None:
    row = await db.fetchrow(FIND, tenant_id, objective_id)
    return _objective(row) if row else None


async def find_named(db: Db, tenant_id: UUID, workspace_id: UUID, name: str) -> UUID | None:
    return await db.fetchval(FIND_NAMED, tenant_id, workspace_id, name)


async def lock_objective(db: Db, tenant_id: UUID, objective_id: UUID) -> None:
    await db.execute(LOCK, tenant_id, objective_id)


async def insert_objective(
    db: Db, tenant_id: UUID, objective_id: UUID, fields: dict[str, Any]
) -> bool:
    inserted = await db.fetchval(
        INSERT,
        objective_id,
        tenant_id,
        *(
            fields[name]
            for name in (
                "workspace_id",
                "name",
                "description",
                "system_id",
                "check_id",
                "target",
                "window_days",
            )
        ),
    )
    return inserted is not None


async def update_objective(db: Db, tenant_id: UUID, change: ObjectiveChange) -> bool:
    """`False` if the name is taken; the row must be there."""
    done = await db.execute(
        UPDATE,
        tenant_id,
        change.objective_id,
        change.name,
        change.description,
        change.target,
        change.window_days,
    )
    return done == "UPDATE 1"


async def delete_objective(db: Db, tenant_id: UUID, objective_id: UUID) -> None:
    await db.execute(DELETE, tenant_id, objective_id)


async def delete_objectives_of(db: Db, tenant_id: UUID, about_id: UUID) -> list[UUID]:
    """Those of a system or a check that is gone."""
    return [row["id"] for row in await db.fetch(DELETE_OF, tenant_id, about_id)]


def _seen(tenant_id: UUID, scope: Scope) -> tuple[object, ...]:
    return tenant_id, scope.everywhere, list(scope.workspace_ids), list(scope.resource_ids)


def _objective(row: Row) -> ObjectiveEntry:
    return ObjectiveEntry(**row)
