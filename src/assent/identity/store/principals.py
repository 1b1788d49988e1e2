"""SQL that turns a person or a key into a principal: their rules and teams as they are now.

Whoever is found comes with what they hold, in one statement: a row for each of their memberships.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from uuid import UUID

from assent.db.database import Db, Row

HELD = """
memberships.workspace_id, roles.rules AS held,
ARRAY(SELECT team_id FROM team_members
      WHERE team_members.tenant_id = users.tenant_id
        AND team_members.user_id = users.id) AS team_ids
"""
THEIR_ROLES = """
LEFT JOIN memberships
    ON memberships.tenant_id = users.tenant_id AND memberships.user_id = users.id
LEFT JOIN roles ON roles.tenant_id = memberships.tenant_id AND roles.id = memberships.role_id
"""
LOAD_HELD = f"""
SELECT {HELD} FROM users {THEIR_ROLES} WHERE users.tenant_id = $1 AND users.id = $2
"""
FIND_PERSON = f"""
SELECT users.name, {HELD} FROM users {THEIR_ROLES}
WHERE users.tenant_id = $1 AND users.id = $2 AND users.active
"""
FIND_APPLICATION = f"""
SELECT applications.name, applications.rules, owner_id, {HELD}
FROM applications JOIN users ON users.id = applications.owner_id AND users.active {THEIR_ROLES}
WHERE applications.tenant_id = $1 AND applications.id = $2
"""
FIND_KEY = f"""
SELECT application_keys.id AS key_id, application_keys.tenant_id, application_id, applications.name,
       applications.rules, owner_id,
       coalesce(last_used_at < now() - interval '1 minute', true) AS is_stale, {HELD}
FROM application_keys
JOIN applications ON applications.id = application_keys.application_id
JOIN users ON users.id = applications.owner_id AND users.active {THEIR_ROLES}
WHERE key_hash = $1 AND revoked_at IS NULL AND (expires_at IS NULL OR expires_at > now())
"""
TOUCH_KEY = "UPDATE application_keys SET last_used_at = now() WHERE tenant_id = $1 AND id = $2"


@dataclass(frozen=True, slots=True)
class Held:
    """What a person holds: rules in the whole tenant, rules in workspaces, and their teams."""

    everywhere: frozenset[str]
    by_workspace: dict[UUID, frozenset[str]]
    team_ids: frozenset[UUID]


async def load_held(db: Db, tenant_id: UUID, user_id: UUID) -> Held:
    return read_held(await db.fetch(LOAD_HELD, tenant_id, user_id))


async def find_person(db: Db, tenant_id: UUID, user_id: UUID) -> Sequence[Row]:
    """Somebody who may act; no rows otherwise."""
    return await db.fetch(FIND_PERSON, tenant_id, user_id)


async def find_application(db: Db, tenant_id: UUID, application_id: UUID) -> Sequence[Row]:
    """With what its owner holds, while that person may act; no rows otherwise."""
    return await db.fetch(FIND_APPLICATION, tenant_id, application_id)


async def find_key(db: Db, key_hash: bytes) -> Sequence[Row]:
    """The application whose key it is, as `find_application`."""
    return await db.fetch(FIND_KEY, key_hash)


async def touch_key(db: Db, tenant_id: UUID, key_id: UUID) -> None:
    await db.execute(TOUCH_KEY, tenant_id, key_id)


def read_held(rows: Sequence[Row]) -> Held:
    """A membership adds to what others give in the same workspace; nobody's has no rules."""
    rules: dict[UUID | None, frozenset[str]] = {}
    for row in rows:
        if row["held"]:
            before = rules.get(row["workspace_id"], frozenset())
            rules[row["workspace_id"]] = before.union(row["held"])
    everywhere = rules.pop(None, frozenset())
    by_workspace = {one: held for one, held in rules.items() if one is not None}
    return Held(everywhere, by_workspace, frozenset(rows[0]["team_ids"] if rows else ()))
