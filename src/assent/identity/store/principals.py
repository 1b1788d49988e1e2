"""SQL that turns a person or a key into a principal: their rules and teams as they are now."""

from dataclasses import dataclass
from uuid import UUID

from assent.db.database import Db, Row

LOAD_RULES = """
SELECT workspace_id, array_agg(DISTINCT rule) AS rules
FROM memberships
JOIN roles ON roles.id = memberships.role_id AND roles.tenant_id = $1
CROSS JOIN unnest(roles.rules) AS rule
WHERE memberships.tenant_id = $1 AND user_id = $2
GROUP BY workspace_id
"""
LIST_TEAM_IDS = "SELECT team_id FROM team_members WHERE tenant_id = $1 AND user_id = $2"
FIND_KEY = """
SELECT application_keys.id AS key_id, application_keys.tenant_id, application_id, applications.name,
       applications.rules, owner_id,
       coalesce(last_used_at < now() - interval '1 minute', true) AS is_stale
FROM application_keys
JOIN applications ON applications.id = application_keys.application_id
JOIN users ON users.id = applications.owner_id AND users.active
WHERE key_hash = $1 AND revoked_at IS NULL AND (expires_at IS NULL OR expires_at > now())
"""
FIND_ACTING = """
SELECT 'application' AS kind, applications.name, applications.rules, owner_id
FROM applications JOIN users ON users.id = applications.owner_id AND users.active
WHERE applications.tenant_id = $1 AND applications.id = $3 AND $2 = 'application'
UNION ALL
SELECT 'user', name, '{}', id FROM users
WHERE tenant_id = $1 AND id = $3 AND active AND $2 = 'user'
"""
TOUCH_KEY = "UPDATE application_keys SET last_used_at = now() WHERE tenant_id = $1 AND id = $2"


@dataclass(frozen=True, slots=True)
class HeldRules:
    everywhere: frozenset[str]
    by_workspace: dict[UUID, frozenset[str]]


async def load_rules(db: Db, tenant_id: UUID, user_id: UUID) -> HeldRules:
    rows = await db.fetch(LOAD_RULES, tenant_id, user_id)
    by_workspace = {row["workspace_id"]: frozenset(row["rules"]) for row in rows}
    return HeldRules(by_workspace.pop(None, frozenset()), by_workspace)


async def list_team_ids(db: Db, tenant_id: UUID, user_id: UUID) -> frozenset[UUID]:
    rows = await db.fetch(LIST_TEAM_IDS, tenant_id, user_id)
    return frozenset(row["team_id"] for row in rows)


async def find_key(db: Db, key_hash: bytes) -> Row | None:
    return await db.fetchrow(FIND_KEY, key_hash)


async def find_acting(db: Db, tenant_id: UUID, kind: str, principal_id: UUID) -> Row | None:
    """Name, rules and owner of a person or an application, unless they may no longer act."""
    return await db.fetchrow(FIND_ACTING, tenant_id, kind, principal_id)


async def touch_key(db: Db, tenant_id: UUID, key_id: UUID) -> None:
    await db.execute(TOUCH_KEY, tenant_id, key_id)
