"""SQL of the business context."""

from typing import Any
from uuid import UUID

from assent.context.business.facts import Level, LevelFacts
from assent.db.database import Db

LIST = """
SELECT level, facts, version FROM business_context
WHERE tenant_id = $1 AND (level = 'tenant' OR (level = 'workspace' AND subject_id = $2)
    OR (level = 'user' AND subject_id = $3))
"""
SET = """
INSERT INTO business_context AS present (tenant_id, level, subject_id, facts)
SELECT $1, $2, $3, $4 WHERE coalesce($5, 0) = 0 OR EXISTS (
    SELECT FROM business_context WHERE tenant_id = $1 AND level = $2 AND subject_id = $3)
ON CONFLICT (tenant_id, level, subject_id) DO UPDATE
SET facts = $4, version = present.version + 1
WHERE $5::bigint IS NULL OR present.version = $5
RETURNING facts, version
"""
NOTHING = LevelFacts(facts={}, version=0)


async def load_levels(
    db: Db, tenant_id: UUID, *, workspace_id: UUID | None, user_id: UUID
) -> dict[Level, LevelFacts]:
    rows = await db.fetch(LIST, tenant_id, workspace_id, user_id)
    return {row["level"]: LevelFacts(facts=row["facts"], version=row["version"]) for row in rows}


async def set_level(
    db: Db,
    tenant_id: UUID,
    level: Level,
    subject_id: UUID,
    facts: dict[str, Any],
    expected_version: int | None,
) -> LevelFacts | None:
    """Nothing when it is not what was expected any more; 0 expects that nothing was set."""
    row = await db.fetchrow(SET, tenant_id, level, subject_id, facts, expected_version)
    return LevelFacts(facts=row["facts"], version=row["version"]) if row else None
