"""SQL of applications and their keys."""

from collections.abc import Sequence
from datetime import datetime, timedelta
from uuid import UUID

from assent.db.database import Db, Row
from assent.identity.application import Application, ApplicationKey, Owner

APPLICATION_COLUMNS = """
applications.id, applications.name, applications.rules, applications.created_at,
owner_id, users.name AS owner_name,
coalesce((
    SELECT jsonb_agg(jsonb_build_object(
        'id', id, 'hint', hint, 'createdAt', created_at, 'lastUsedAt', last_used_at,
        'expiresAt', expires_at, 'revokedAt', revoked_at) ORDER BY id)
    FROM application_keys
    WHERE application_keys.tenant_id = applications.tenant_id
      AND application_id = applications.id
), '[]') AS keys
"""
LIST_APPLICATIONS = f"""
SELECT {APPLICATION_COLUMNS} FROM applications JOIN users ON users.id = owner_id
WHERE applications.tenant_id = $1 AND ($2::uuid IS NULL OR owner_id = $2)
  AND ($3::text IS NULL OR (lower(applications.name), applications.id) > (lower($3), $4::uuid))
ORDER BY lower(applications.name), applications.id LIMIT $5
"""
FIND_APPLICATION = f"""
SELECT {APPLICATION_COLUMNS} FROM applications JOIN users ON users.id = owner_id
WHERE applications.tenant_id = $1 AND applications.id = $2
"""
INSERT_APPLICATION = """
INSERT INTO applications (id, tenant_id, owner_id, name, rules) VALUES ($1, $2, $3, $4, $5)
"""
DELETE_APPLICATION = "DELETE FROM applications WHERE tenant_id = $1 AND id = $2"
INSERT_KEY = """
INSERT INTO application_keys (id, tenant_id, application_id, key_hash, hint, expires_at)
VALUES ($1, $2, $3, $4, $5, now() + $6::interval) RETURNING expires_at
"""
REVOKE_KEY = """
UPDATE application_keys SET revoked_at = coalesce(revoked_at, now())
WHERE tenant_id = $1 AND application_id = $2 AND id = $3
"""
FIND_KEY = "SELECT application_id FROM application_keys WHERE tenant_id = $1 AND id = $2"


async def list_applications(
    db: Db,
    tenant_id: UUID,
    *,
    owner_id: UUID | None,
    after: tuple[str, UUID] | None,
    limit: int,
) -> list[Application]:
    name, last = after or (None, None)
    rows = await db.fetch(LIST_APPLICATIONS, tenant_id, owner_id, name, last, limit)
    return [_application(row) for row in rows]


async def find_application(db: Db, tenant_id: UUID, application_id: UUID) -> Application | None:
    row = await db.fetchrow(FIND_APPLICATION, tenant_id, application_id)
    return _application(row) if row else None


async def insert_application(
    db: Db,
    tenant_id: UUID,
    *,
    application_id: UUID,
    owner_id: UUID,
    name: str,
    rules: Sequence[str],
) -> None:
    await db.execute(INSERT_APPLICATION, application_id, tenant_id, owner_id, name, rules)


async def delete_application(db: Db, tenant_id: UUID, application_id: UUID) -> None:
    await db.execute(DELETE_APPLICATION, tenant_id, application_id)


async def insert_key(
    db: Db,
    tenant_id: UUID,
    application_id: UUID,
    *,
    key_id: UUID,
    key_hash: bytes,
    hint: str,
    lifetime: timedelta | None,
) -> datetime | None:
    return await db.fetchval(
        INSERT_KEY, key_id, tenant_id, application_id, key_hash, hint, lifetime
    )


async def revoke_key(db: Db, tenant_id: UUID, application_id: UUID, key_id: UUID) -> bool:
    return await db.execute(REVOKE_KEY, tenant_id, application_id, key_id) == "UPDATE 1"


async def find_application_of_key(db: Db, tenant_id: UUID, key_id: UUID) -> UUID | None:
    return await db.fetchval(FIND_KEY, tenant_id, key_id)


def _application(row: Row) -> Application:
    return Application(
        id=row["id"],
        name=row["name"],
        rules=row["rules"],
        owner=Owner(id=row["owner_id"], name=row["owner_name"]),
        created_at=row["created_at"],
        keys=[ApplicationKey.model_validate(key) for key in row["keys"]],
    )
