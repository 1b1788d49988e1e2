"""SQL of the secrets that scripts name: references to the vault, never a value."""

from collections.abc import Sequence
from uuid import UUID

from assent.bundled.healthcheck.secret import KeptSecret
from assent.plugins.api import Db

UPSERT = """
INSERT INTO healthcheck.secrets (tenant_id, id, workspace_id, name, secret_id)
VALUES ($1, $2, $3, $4, $5)
ON CONFLICT (tenant_id, workspace_id, name) DO UPDATE SET name = excluded.name
RETURNING id, secret_id
"""
COUNT_OTHERS = """
SELECT count(*) FROM healthcheck.secrets
WHERE tenant_id = $1 AND workspace_id = $2 AND name <> $3
"""
LIST = """
SELECT id, workspace_id, name FROM healthcheck.secrets
WHERE tenant_id = $1 AND workspace_id = $2 ORDER BY name LIMIT $3
"""
FIND = """
SELECT name, secret_id FROM healthcheck.secrets
WHERE tenant_id = $1 AND workspace_id = $2 AND name = ANY ($3::text[])
"""
FIND_ONE = "SELECT id, workspace_id, name FROM healthcheck.secrets WHERE tenant_id = $1 AND id = $2"
DELETE = "DELETE FROM healthcheck.secrets WHERE tenant_id = $1 AND id = $2 RETURNING secret_id"


async def upsert_secret(
    db: Db, tenant_id: UUID, kept: KeptSecret, *, secret_id: UUID
) -> tuple[UUID, UUID]:
    """The id that it has and its reference to the vault: both those of before, if there was one."""
    given = (kept.id, kept.workspace_id, kept.name, secret_id)
    row = await db.fetchrow(UPSERT, tenant_id, *given)
    if row is None:
        raise LookupError(kept.id)
    return row["id"], row["secret_id"]


async def count_others(db: Db, tenant_id: UUID, workspace_id: UUID, name: str) -> int:
    return await db.fetchval(COUNT_OTHERS, tenant_id, workspace_id, name)


async def list_secrets(
    db: Db, tenant_id: UUID, workspace_id: UUID, *, limit: int
) -> list[KeptSecret]:
    return [KeptSecret(**row) for row in await db.fetch(LIST, tenant_id, workspace_id, limit)]


async def find_secrets(
    db: Db, tenant_id: UUID, workspace_id: UUID, names: Sequence[str]
) -> dict[str, UUID]:
    """References to the vault by name."""
    rows = await db.fetch(FIND, tenant_id, workspace_id, list(names))
    return {row["name"]: row["secret_id"] for row in rows}


async def find_secret(db: Db, tenant_id: UUID, secret_id: UUID) -> KeptSecret | None:
    row = await db.fetchrow(FIND_ONE, tenant_id, secret_id)
    return KeptSecret(**row) if row else None


async def delete_secret(db: Db, tenant_id: UUID, secret_id: UUID) -> UUID | None:
    """The reference to the vault that goes with it, unless somebody else was first."""
    return await db.fetchval(DELETE, tenant_id, secret_id)
