"""SQL of corrections."""

from uuid import UUID

from assent.context.corrections.correction import Correction, CorrectionDraft
from assent.db.database import Db

COLUMNS = "id, kind, text, author_name, added_at, taint"
LIST = f"SELECT {COLUMNS} FROM corrections WHERE tenant_id = $1 ORDER BY id DESC LIMIT $2"
FIND = f"SELECT {COLUMNS} FROM corrections WHERE tenant_id = $1 AND id = $2"
COUNT = "SELECT count(*) FROM corrections WHERE tenant_id = $1"
INSERT = f"""
INSERT INTO corrections (id, tenant_id, kind, text, taint, author_id, author_name)
VALUES ($1, $2, $3, $4, $5, $6, $7) RETURNING {COLUMNS}
"""
DELETE = "DELETE FROM corrections WHERE tenant_id = $1 AND id = $2 RETURNING 1"


async def list_corrections(db: Db, tenant_id: UUID, limit: int) -> list[Correction]:
    """The newest first."""
    return [Correction(**row) for row in await db.fetch(LIST, tenant_id, limit)]


async def find_correction(db: Db, tenant_id: UUID, correction_id: UUID) -> Correction | None:
    row = await db.fetchrow(FIND, tenant_id, correction_id)
    return Correction(**row) if row else None


async def count_corrections(db: Db, tenant_id: UUID) -> int:
    return await db.fetchval(COUNT, tenant_id)


async def insert_correction(
    db: Db,
    tenant_id: UUID,
    correction_id: UUID,
    draft: CorrectionDraft,
    *,
    taint: list[dict[str, str]],
    author: tuple[UUID, str],
) -> Correction:
    row = await db.fetchrow(
        INSERT, correction_id, tenant_id, draft.kind, draft.text, taint, *author
    )
    if row is None:
        raise LookupError(correction_id)
    return Correction(**row)


async def delete_correction(db: Db, tenant_id: UUID, correction_id: UUID) -> bool:
    return await db.fetchval(DELETE, tenant_id, correction_id) is not None
