"""SQL of the skills that people have written."""

from uuid import UUID

from assent.context.skills.skill import Skill, SkillChange, SkillDraft
from assent.db.database import Db, Row

COLUMNS = """
id::text AS id, CASE WHEN owner_id IS NULL THEN 'shared' ELSE 'personal' END AS origin, name,
description, prompt, starter, author_id, author_name, version, taint
"""
LIST = f"""
SELECT {COLUMNS} FROM skills WHERE tenant_id = $1 AND (owner_id IS NULL OR owner_id = $2)
ORDER BY lower(name), id
"""
FIND = f"""
SELECT {COLUMNS} FROM skills
WHERE tenant_id = $1 AND (owner_id IS NULL OR owner_id = $2) AND id = $3
"""
COUNT = "SELECT count(*) FROM skills WHERE tenant_id = $1 AND owner_id IS NOT DISTINCT FROM $2"
INSERT = f"""
INSERT INTO skills (
    id, tenant_id, owner_id, name, description, prompt, starter, taint, author_id, author_name)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)
ON CONFLICT DO NOTHING RETURNING {COLUMNS}
"""
# What stays of what was written from untrusted content stays that.
UPDATE = f"""
UPDATE skills SET name = coalesce($3, name), description = coalesce($4, description),
    prompt = coalesce($5, prompt), starter = coalesce($6, starter),
    taint = CASE
        WHEN $5::text IS NOT NULL AND ($4::text IS NOT NULL OR description = '')
            AND ($6::text IS NOT NULL OR starter = '') THEN $7::jsonb
        ELSE (
            SELECT coalesce(jsonb_agg(DISTINCT source), '[]')
            FROM jsonb_array_elements($7::jsonb || taint) AS source)
    END,
    author_id = $8, author_name = $9, updated_at = clock_timestamp(), version = version + 1
WHERE tenant_id = $1 AND id = $2 AND ($10::bigint IS NULL OR version = $10)
RETURNING {COLUMNS}
"""
IS_TAKEN = """
SELECT EXISTS (
    SELECT FROM skills WHERE tenant_id = $1 AND owner_id IS NOT DISTINCT FROM $2
      AND lower(name) = lower($3) AND id <> $4)
"""
DELETE = "DELETE FROM skills WHERE tenant_id = $1 AND id = $2 RETURNING 1"


async def list_skills(db: Db, tenant_id: UUID, person_id: UUID) -> list[Skill]:
    return [_skill(row) for row in await db.fetch(LIST, tenant_id, person_id)]


async def find_skill(db: Db, tenant_id: UUID, person_id: UUID, skill_id: UUID) -> Skill | None:
    row = await db.fetchrow(FIND, tenant_id, person_id, skill_id)
    return _skill(row) if row else None


async def count_skills(db: Db, tenant_id: UUID, owner_id: UUID | None) -> int:
    return await db.fetchval(COUNT, tenant_id, owner_id)


async def is_taken(
    db: Db, tenant_id: UUID, owner_id: UUID | None, name: str, besides: UUID
) -> bool:
    return await db.fetchval(IS_TAKEN, tenant_id, owner_id, name, besides)


async def insert_skill(
    db: Db,
    tenant_id: UUID,
    skill_id: UUID,
    draft: SkillDraft,
    *,
    taint: list[dict[str, str]],
    author: tuple[UUID, str],
) -> Skill | None:
    """Nothing if another of theirs has the name."""
    row = await db.fetchrow(
        INSERT,
        skill_id,
        tenant_id,
        author[0] if draft.reach == "personal" else None,
        draft.name,
        draft.description,
        draft.prompt,
        draft.starter,
        taint,
        *author,
    )
    return _skill(row) if row else None


async def update_skill(
    db: Db,
    tenant_id: UUID,
    change: SkillChange,
    *,
    taint: list[dict[str, str]],
    author: tuple[UUID, str],
) -> Skill | None:
    row = await db.fetchrow(
        UPDATE,
        tenant_id,
        change.skill_id,
        change.name,
        change.description,
        change.prompt,
        change.starter,
        taint,
        *author,
        change.expected_version,
    )
    return _skill(row) if row else None


async def delete_skill(db: Db, tenant_id: UUID, skill_id: UUID) -> bool:
    return await db.fetchval(DELETE, tenant_id, skill_id) is not None


def _skill(row: Row) -> Skill:
    return Skill(**row)
