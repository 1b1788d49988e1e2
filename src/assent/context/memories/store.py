"""SQL of memories."""

from dataclasses import dataclass
from uuid import UUID

from assent.context.memories.memory import Memory, MemoryChange
from assent.db.database import Db, Row
from assent.identity.principal import Scope

COLUMNS = """
id, CASE WHEN owner_id IS NULL THEN 'shared' ELSE 'personal' END AS reach, text, hint,
always_apply, system_id, system_name, author_id, author_name, updated_at, version, taint
"""
VISIBLE = """
tenant_id = $1 AND (owner_id = $2 OR (owner_id IS NULL AND (
    system_id IS NULL OR $3 OR workspace_id = ANY ($4) OR system_id = ANY ($5))))
"""
LIST = f"""
SELECT {COLUMNS} FROM memories
WHERE {VISIBLE}
  AND (strpos(lower(text || ' ' || hint || ' ' || coalesce(system_name, '')), lower($6)) > 0)
  AND ($7::text IS NULL OR (owner_id IS NULL) = ($7 = 'shared'))
  AND ($8::uuid IS NULL OR system_id = $8)
  AND ($9::uuid IS NULL OR id < $9)
ORDER BY id DESC LIMIT $10
"""
LIST_VISIBLE = f"SELECT {COLUMNS} FROM memories WHERE {VISIBLE} ORDER BY updated_at DESC, id"
FIND = f"SELECT {COLUMNS} FROM memories WHERE {VISIBLE} AND id = $6"
LIST_POOL = f"""
SELECT {COLUMNS} FROM memories
WHERE tenant_id = $1 AND owner_id IS NOT DISTINCT FROM $2 AND system_id IS NOT DISTINCT FROM $3
ORDER BY id
"""
COUNT = """
SELECT count(*) FROM memories WHERE tenant_id = $1 AND owner_id IS NOT DISTINCT FROM $2
"""
ENTER_POOL = """
INSERT INTO memory_pools (tenant_id, pool) VALUES ($1, $2)
ON CONFLICT (tenant_id, pool) DO UPDATE SET written = memory_pools.written + 1
"""
INSERT = f"""
INSERT INTO memories (id, tenant_id, owner_id, text, hint, always_apply, system_id, system_name,
    workspace_id, taint, author_id, author_name)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)
RETURNING {COLUMNS}
"""
# What stays of the words of before stays what it was: written from untrusted content, or somebody
# else's. Whoever makes a note apply always may do so, and vouches for it.
UPDATE = f"""
UPDATE memories SET text = coalesce($3, text), hint = coalesce($4, hint),
    always_apply = coalesce($5, always_apply),
    taint = CASE
        WHEN $3::text IS NOT NULL AND ($4::text IS NOT NULL OR hint = '') THEN $6::jsonb
        ELSE (
            SELECT coalesce(jsonb_agg(DISTINCT source), '[]')
            FROM jsonb_array_elements($6::jsonb || taint || CASE
                WHEN author_id = $7 OR coalesce($5, always_apply) THEN '[]'::jsonb
                ELSE jsonb_build_array(jsonb_build_object('kind', 'message', 'name', author_name))
            END) AS source)
    END,
    author_id = $7, author_name = $8, updated_at = clock_timestamp(), version = version + 1
WHERE tenant_id = $1 AND id = $2 AND ($9::bigint IS NULL OR version = $9)
RETURNING {COLUMNS}
"""
DELETE = "DELETE FROM memories WHERE tenant_id = $1 AND id = $2 RETURNING 1"
DELETE_OF_SYSTEM = "DELETE FROM memories WHERE tenant_id = $1 AND system_id = $2"


@dataclass(frozen=True, slots=True)
class Viewer:
    """Who looks, and which systems they see."""

    tenant_id: UUID
    id: UUID
    systems: Scope

    @property
    def arguments(self) -> tuple[object, ...]:
        seen = self.systems
        return (
            self.tenant_id,
            self.id,
            seen.everywhere,
            list(seen.workspace_ids),
            list(seen.resource_ids),
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class System:
    id: UUID
    name: str
    workspace_id: UUID


@dataclass(frozen=True, slots=True, kw_only=True)
class Written:
    """`owner_id` is nobody's for a shared one."""

    owner_id: UUID | None
    text: str
    hint: str
    always_apply: bool
    system: System | None
    taint: list[dict[str, str]]
    author: tuple[UUID, str]


async def list_memories(
    db: Db,
    viewer: Viewer,
    *,
    q: str,
    reach: str | None,
    system_id: UUID | None,
    after: UUID | None,
    limit: int,
) -> list[Memory]:
    rows = await db.fetch(LIST, *viewer.arguments, q, reach, system_id, after, limit)
    return [_memory(row) for row in rows]


async def list_visible(db: Db, viewer: Viewer) -> list[Memory]:
    """All of them, the newest first; there are never many."""
    return [_memory(row) for row in await db.fetch(LIST_VISIBLE, *viewer.arguments)]


async def find_memory(db: Db, viewer: Viewer, memory_id: UUID) -> Memory | None:
    row = await db.fetchrow(FIND, *viewer.arguments, memory_id)
    return _memory(row) if row else None


async def list_pool(
    db: Db, tenant_id: UUID, owner_id: UUID | None, system_id: UUID | None
) -> list[Memory]:
    """Those that a new one is compared with: of the same person or all, about the same system."""
    return [_memory(row) for row in await db.fetch(LIST_POOL, tenant_id, owner_id, system_id)]


async def count_memories(db: Db, tenant_id: UUID, owner_id: UUID | None) -> int:
    return await db.fetchval(COUNT, tenant_id, owner_id)


async def enter_pool(db: Db, tenant_id: UUID, owner_id: UUID | None) -> None:
    """Until the end of the transaction nobody else writes here."""
    await db.execute(ENTER_POOL, tenant_id, str(owner_id or "shared"))


async def insert_memory(db: Db, tenant_id: UUID, memory_id: UUID, written: Written) -> Memory:
    system = written.system
    row = await db.fetchrow(
        INSERT,
        memory_id,
        tenant_id,
        written.owner_id,
        written.text,
        written.hint,
        written.always_apply,
        system.id if system else None,
        system.name if system else None,
        system.workspace_id if system else None,
        written.taint,
        *written.author,
    )
    if row is None:
        raise LookupError(memory_id)
    return _memory(row)


async def update_memory(
    db: Db,
    tenant_id: UUID,
    change: MemoryChange,
    *,
    taint: list[dict[str, str]],
    author: tuple[UUID, str],
) -> Memory | None:
    row = await db.fetchrow(
        UPDATE,
        tenant_id,
        change.memory_id,
        change.text,
        change.hint,
        change.always_apply,
        taint,
        *author,
        change.expected_version,
    )
    return _memory(row) if row else None


async def delete_memory(db: Db, tenant_id: UUID, memory_id: UUID) -> bool:
    return await db.fetchval(DELETE, tenant_id, memory_id) is not None


async def delete_of_system(db: Db, tenant_id: UUID, system_id: UUID) -> None:
    await db.execute(DELETE_OF_SYSTEM, tenant_id, system_id)


def _memory(row: Row) -> Memory:
    return Memory(**row)
