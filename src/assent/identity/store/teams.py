"""SQL of teams and grants."""

from collections.abc import Sequence
from uuid import UUID

from assent.db.database import Db, Row
from assent.identity.principal import Level
from assent.identity.user import Grant, NamedSubject, Subject, Team

TEAM_COLUMNS = """
teams.id, teams.slug, teams.name,
coalesce((
    SELECT array_agg(user_id ORDER BY user_id) FROM team_members
    WHERE team_members.tenant_id = teams.tenant_id AND team_id = teams.id
), '{}') AS member_ids
"""
LIST_TEAMS = f"""
SELECT {TEAM_COLUMNS} FROM teams
WHERE tenant_id = $1 AND ($2::text IS NULL OR (lower(name), id) > (lower($2), $3::uuid))
ORDER BY lower(name), id LIMIT $4
"""
FIND_TEAM = f"SELECT {TEAM_COLUMNS} FROM teams WHERE tenant_id = $1 AND id = $2"
LIST_TEAMS_OF = f"""
SELECT {TEAM_COLUMNS} FROM teams
WHERE tenant_id = $1 AND id IN (
    SELECT team_id FROM team_members WHERE tenant_id = $1 AND user_id = $2)
ORDER BY lower(name), id
"""
INSERT_TEAM = """
INSERT INTO teams (id, tenant_id, slug, name) VALUES ($1, $2, $3, $4)
ON CONFLICT (tenant_id, slug) DO NOTHING RETURNING id
"""
RENAME_TEAM = "UPDATE teams SET name = $3 WHERE tenant_id = $1 AND id = $2"
LOCK_TEAM = "SELECT 1 FROM teams WHERE tenant_id = $1 AND id = $2 FOR UPDATE"
DELETE_TEAM = "DELETE FROM teams WHERE tenant_id = $1 AND id = $2"
DELETE_MEMBERS = "DELETE FROM team_members WHERE tenant_id = $1 AND team_id = $2"
INSERT_MEMBERS = """
INSERT INTO team_members (tenant_id, team_id, user_id)
SELECT $1, $2, id FROM users WHERE tenant_id = $1 AND id = ANY ($3) RETURNING user_id
"""

GRANT_COLUMNS = """
grants.id, resource_kind, resource_id, level, grants.team_id, grants.user_id,
coalesce(teams.name, users.name) AS subject_name
"""
GRANT_TABLES = """
grants
LEFT JOIN teams ON teams.id = grants.team_id
LEFT JOIN users ON users.id = grants.user_id
"""
LIST_GRANTS = f"""
SELECT {GRANT_COLUMNS} FROM {GRANT_TABLES}
WHERE grants.tenant_id = $1 AND resource_kind = $2 AND resource_id = $3
ORDER BY grants.id
"""
FIND_GRANT = (
    f"SELECT {GRANT_COLUMNS} FROM {GRANT_TABLES} WHERE grants.tenant_id = $1 AND grants.id = $2"
)
UPSERT_GRANT = """
INSERT INTO grants (id, tenant_id, resource_kind, resource_id, team_id, user_id, level)
VALUES ($1, $2, $3, $4, $5, $6, $7)
ON CONFLICT (tenant_id, resource_kind, resource_id, team_id, user_id)
DO UPDATE SET level = excluded.level RETURNING id
"""
DELETE_GRANT = "DELETE FROM grants WHERE tenant_id = $1 AND id = $2"
DELETE_GRANTS_OF = """
DELETE FROM grants WHERE tenant_id = $1 AND resource_kind = $2 AND resource_id = $3
"""
LIST_GRANTED = """
SELECT DISTINCT resource_id FROM grants
WHERE tenant_id = $1 AND resource_kind = $2 AND level = ANY ($3)
  AND (user_id = $4 OR team_id = ANY ($5))
"""
LIST_GIVEN = """
SELECT resource_kind, CASE level WHEN 'read' THEN 'read' ELSE 'manage' END AS action,
       array_agg(DISTINCT resource_id) AS resource_ids
FROM grants
WHERE tenant_id = $1 AND (team_id = $2 OR user_id = $3 OR team_id IN (
    SELECT team_id FROM team_members WHERE tenant_id = $1 AND user_id = $3))
GROUP BY resource_kind, action ORDER BY resource_kind, action
"""
OWNED_BY_OTHERS = """
SELECT bool_or(level = 'own')
   AND NOT bool_or(level IN ('own', 'manage') AND (user_id IS NOT DISTINCT FROM $4
                                                   OR team_id = ANY ($5)) IS TRUE)
FROM grants WHERE tenant_id = $1 AND resource_kind = $2 AND resource_id = $3
"""


async def list_teams(
    db: Db, tenant_id: UUID, *, after: tuple[str, UUID] | None, limit: int
) -> list[Team]:
    name, last = after or (None, None)
    return [_team(row) for row in await db.fetch(LIST_TEAMS, tenant_id, name, last, limit)]


async def list_teams_of(db: Db, tenant_id: UUID, user_id: UUID) -> list[Team]:
    return [_team(row) for row in await db.fetch(LIST_TEAMS_OF, tenant_id, user_id)]


async def find_team(db: Db, tenant_id: UUID, team_id: UUID) -> Team | None:
    row = await db.fetchrow(FIND_TEAM, tenant_id, team_id)
    return _team(row) if row else None


async def insert_team(db: Db, tenant_id: UUID, *, team_id: UUID, slug: str, name: str) -> bool:
    return await db.fetchval(INSERT_TEAM, team_id, tenant_id, slug, name) is not None


async def rename_team(db: Db, tenant_id: UUID, team_id: UUID, name: str) -> None:
    await db.execute(RENAME_TEAM, tenant_id, team_id, name)


async def lock_team(db: Db, tenant_id: UUID, team_id: UUID) -> bool:
    return await db.fetchval(LOCK_TEAM, tenant_id, team_id) is not None


async def delete_team(db: Db, tenant_id: UUID, team_id: UUID) -> bool:
    return await db.execute(DELETE_TEAM, tenant_id, team_id) == "DELETE 1"


async def replace_members(
    db: Db, tenant_id: UUID, team_id: UUID, user_ids: Sequence[UUID]
) -> set[UUID]:
    """Set the members and return those of the given ids that are people of the tenant."""
    await db.execute(DELETE_MEMBERS, tenant_id, team_id)
    rows = await db.fetch(INSERT_MEMBERS, tenant_id, team_id, user_ids)
    return {row["user_id"] for row in rows}


async def list_grants(
    db: Db, tenant_id: UUID, *, resource_kind: str, resource_id: UUID
) -> list[Grant]:
    rows = await db.fetch(LIST_GRANTS, tenant_id, resource_kind, resource_id)
    return [_grant(row) for row in rows]


async def find_grant(db: Db, tenant_id: UUID, grant_id: UUID) -> Grant | None:
    row = await db.fetchrow(FIND_GRANT, tenant_id, grant_id)
    return _grant(row) if row else None


async def upsert_grant(
    db: Db,
    tenant_id: UUID,
    *,
    grant_id: UUID,
    resource: tuple[str, UUID],
    subject: Subject,
    level: Level,
) -> UUID:
    return await db.fetchval(
        UPSERT_GRANT, grant_id, tenant_id, *resource, *_columns(subject), level
    )


async def delete_grant(db: Db, tenant_id: UUID, grant_id: UUID) -> None:
    await db.execute(DELETE_GRANT, tenant_id, grant_id)


async def delete_grants_of(db: Db, tenant_id: UUID, kind: str, resource_id: UUID) -> None:
    await db.execute(DELETE_GRANTS_OF, tenant_id, kind, resource_id)


async def list_granted(
    db: Db,
    tenant_id: UUID,
    *,
    kind: str,
    levels: Sequence[Level],
    user_id: UUID,
    team_ids: Sequence[UUID],
) -> frozenset[UUID]:
    rows = await db.fetch(LIST_GRANTED, tenant_id, kind, levels, user_id, team_ids)
    return frozenset(row["resource_id"] for row in rows)


async def list_given(
    db: Db, tenant_id: UUID, subject: Subject
) -> list[tuple[str, str, list[UUID]]]:
    """Kind, `read` or `manage`, and resources of what a person, with their teams, or a team has."""
    rows = await db.fetch(LIST_GIVEN, tenant_id, *_columns(subject))
    return [(row["resource_kind"], row["action"], row["resource_ids"]) for row in rows]


async def owned_by_others(
    db: Db,
    tenant_id: UUID,
    *,
    resource: tuple[str, UUID],
    user_id: UUID,
    team_ids: Sequence[UUID],
) -> bool:
    return bool(await db.fetchval(OWNED_BY_OTHERS, tenant_id, *resource, user_id, team_ids))


def _columns(subject: Subject) -> tuple[UUID | None, UUID | None]:
    """The values of `team_id` and `user_id`."""
    return (subject.id, None) if subject.kind == "team" else (None, subject.id)


def _team(row: Row) -> Team:
    return Team(**row)


def _grant(row: Row) -> Grant:
    kind = "team" if row["team_id"] else "user"
    subject = NamedSubject(kind=kind, id=row["team_id"] or row["user_id"], name=row["subject_name"])
    return Grant(
        id=row["id"],
        resource_kind=row["resource_kind"],
        resource_id=row["resource_id"],
        subject=subject,
        level=row["level"],
    )
