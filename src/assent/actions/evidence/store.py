"""SQL of evidence."""

from collections.abc import Mapping, Sequence
from datetime import timedelta
from typing import Any
from uuid import UUID

from assent.db.database import Db
from assent.tools.tool import Evidence

UPSERT = """
INSERT INTO evidence (tenant_id, principal_id, kind, digest, shown)
SELECT $1, $2, kind, digest, shown FROM unnest($3::text[], $4::text[], $5::jsonb[])
    AS given (kind, digest, shown)
ON CONFLICT (tenant_id, principal_id, kind, digest)
DO UPDATE SET shown = excluded.shown, kept_at = clock_timestamp()
"""
FORGET_BEYOND = """
DELETE FROM evidence WHERE tenant_id = $1 AND principal_id = $2 AND (kind, digest) IN (
    SELECT kind, digest FROM evidence WHERE tenant_id = $1 AND principal_id = $2
    ORDER BY kept_at DESC, kind, digest OFFSET $3
)
"""
FIND = """
SELECT shown FROM evidence
WHERE tenant_id = $1 AND principal_id = $2 AND kind = $3 AND digest = $4
  AND kept_at > clock_timestamp() - $5::interval
"""
DELETE_OLD = (
    "DELETE FROM evidence WHERE tenant_id = $1 AND kept_at < clock_timestamp() - $2::interval"
)


async def upsert_evidence(
    db: Db, tenant_id: UUID, principal_id: UUID, kept: Sequence[Evidence]
) -> None:
    await db.execute(
        UPSERT,
        tenant_id,
        principal_id,
        [one.kind for one in kept],
        [one.digest for one in kept],
        [one.shown for one in kept],
    )


async def forget_beyond(db: Db, tenant_id: UUID, principal_id: UUID, most: int) -> None:
    await db.execute(FORGET_BEYOND, tenant_id, principal_id, most)


async def find_shown(
    db: Db, tenant_id: UUID, principal_id: UUID, *, kind: str, digest: str, within: timedelta
) -> Mapping[str, Any] | None:
    return await db.fetchval(FIND, tenant_id, principal_id, kind, digest, within)


async def delete_old(db: Db, tenant_id: UUID, after: timedelta) -> None:
    await db.execute(DELETE_OLD, tenant_id, after)
