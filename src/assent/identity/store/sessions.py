"""SQL of sessions, one-time links and the count of sign-in attempts."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from uuid import UUID

from assent.db.database import Db, Row
from assent.identity.store.principals import HELD, THEIR_ROLES

INSERT_SESSION = """
INSERT INTO sessions (id, tenant_id, user_id, token_hash, expires_at, user_agent, address)
VALUES ($1, $2, $3, $4, now() + $5::interval, $6, $7)
"""
TRIM_SESSIONS = """
DELETE FROM sessions WHERE tenant_id = $1 AND user_id = $2 AND id NOT IN (
    SELECT id FROM sessions WHERE tenant_id = $1 AND user_id = $2
    ORDER BY created_at DESC, id DESC LIMIT $3)
"""
FIND_SESSION = f"""
SELECT sessions.id, sessions.tenant_id, sessions.user_id, users.name, {HELD},
       token_hash = $1 AS is_current,
       token_hash = $1 AND previous_hash IS NOT NULL AND previous_until IS NULL AS is_first_use,
       token_hash = $1 AND rotated_at < now() - $3::interval AS is_due,
       sessions.last_seen_at < now() - interval '1 minute' AS is_stale
FROM sessions JOIN users ON users.id = sessions.user_id AND users.active {THEIR_ROLES}
WHERE (token_hash = $1
       OR previous_hash = $1 AND (previous_until IS NULL OR previous_until > now()))
  AND sessions.expires_at > now() AND sessions.last_seen_at > now() - $2::interval
"""
TOUCH_SESSION = """
WITH seen AS (
    UPDATE sessions SET last_seen_at = now(),
        previous_until = CASE WHEN $3 AND previous_hash IS NOT NULL AND previous_until IS NULL
                              THEN now() + interval '1 minute' ELSE previous_until END
    WHERE tenant_id = $1 AND id = $2 RETURNING user_id
)
UPDATE users SET last_seen_at = now()
FROM seen WHERE users.tenant_id = $1 AND users.id = seen.user_id
"""
ROTATE_SESSION = """
UPDATE sessions SET token_hash = $4, previous_hash = $3, previous_until = NULL, rotated_at = now()
WHERE tenant_id = $1 AND id = $2 AND token_hash = $3
"""
LIST_SESSIONS = """
SELECT id, created_at, last_seen_at, expires_at, user_agent, address FROM sessions
WHERE tenant_id = $1 AND user_id = $2
  AND expires_at > now() AND last_seen_at > now() - $3::interval
ORDER BY last_seen_at DESC, id DESC
"""
LIST_LIVE = """
SELECT sessions.id, array_remove(array_agg(DISTINCT rule), NULL) AS rules
FROM sessions JOIN users ON users.id = sessions.user_id AND users.active
LEFT JOIN memberships ON memberships.tenant_id = $1
    AND memberships.user_id = sessions.user_id AND memberships.workspace_id IS NULL
LEFT JOIN roles ON roles.tenant_id = $1 AND roles.id = memberships.role_id
LEFT JOIN unnest(roles.rules) AS rule ON true
WHERE sessions.tenant_id = $1 AND sessions.id = ANY ($2)
  AND sessions.expires_at > now() AND sessions.last_seen_at > now() - $3::interval
GROUP BY sessions.id
"""
DELETE_SESSION = "DELETE FROM sessions WHERE tenant_id = $1 AND user_id = $2 AND id = $3"
DELETE_OTHERS = """
DELETE FROM sessions WHERE tenant_id = $1 AND user_id = $2 AND id IS DISTINCT FROM $3::uuid
"""
PURGE_SESSIONS = (
    "DELETE FROM sessions WHERE expires_at < now() OR last_seen_at < now() - $1::interval"
)

INSERT_LINK = """
INSERT INTO links (id, tenant_id, user_id, purpose, token_hash, expires_at)
VALUES ($1, $2, $3, $4, $5, now() + $6::interval) RETURNING expires_at
"""
FORGET_LINKS = "DELETE FROM links WHERE tenant_id = $1 AND user_id = $2 AND purpose = $3"
TAKE_LINK = """
DELETE FROM links USING users
WHERE token_hash = $1 AND purpose = $2 AND expires_at > now()
  AND users.id = links.user_id AND users.active
RETURNING links.tenant_id, links.user_id
"""
PURGE_LINKS = "DELETE FROM links WHERE expires_at < now()"

COUNT_ATTEMPT = """
INSERT INTO sign_in_attempts AS seen (subject, count, window_ends_at)
VALUES ($1, 1, now() + $2::interval)
ON CONFLICT (subject) DO UPDATE SET
    count = CASE WHEN seen.window_ends_at <= now() THEN 1 ELSE seen.count + 1 END,
    window_ends_at = CASE WHEN seen.window_ends_at <= now() THEN excluded.window_ends_at
                          ELSE seen.window_ends_at END
RETURNING count, greatest(1, ceil(extract(epoch FROM window_ends_at - now())))::int AS wait
"""
FORGET_ATTEMPTS = "DELETE FROM sign_in_attempts WHERE subject = $1"
FORGIVE_ATTEMPT = "UPDATE sign_in_attempts SET count = greatest(0, count - 1) WHERE subject = $1"
PURGE_ATTEMPTS = "DELETE FROM sign_in_attempts WHERE window_ends_at < now()"


@dataclass(frozen=True, slots=True, kw_only=True)
class Device:
    """Where a session was opened from, for the person to recognise it."""

    user_agent: str
    address: str


async def insert_session(
    db: Db,
    tenant_id: UUID,
    user_id: UUID,
    *,
    session_id: UUID,
    token_hash: bytes,
    lifetime: timedelta,
    device: Device,
) -> None:
    await db.execute(
        INSERT_SESSION,
        session_id,
        tenant_id,
        user_id,
        token_hash,
        lifetime,
        device.user_agent,
        device.address,
    )


async def trim_sessions(db: Db, tenant_id: UUID, user_id: UUID, keep: int) -> None:
    await db.execute(TRIM_SESSIONS, tenant_id, user_id, keep)


async def find_session(
    db: Db, token_hash: bytes, *, idle: timedelta, rotation: timedelta
) -> Sequence[Row]:
    """A live session, with what its person holds; no rows where there is none."""
    return await db.fetch(FIND_SESSION, token_hash, idle, rotation)


async def touch_session(db: Db, tenant_id: UUID, session_id: UUID, *, with_current: bool) -> None:
    await db.execute(TOUCH_SESSION, tenant_id, session_id, with_current)


async def rotate_session(
    db: Db, tenant_id: UUID, session_id: UUID, *, old_hash: bytes, new_hash: bytes
) -> bool:
    """Only one of several requests with the old token gets to replace it."""
    done = await db.execute(ROTATE_SESSION, tenant_id, session_id, old_hash, new_hash)
    return done == "UPDATE 1"


async def list_sessions(db: Db, tenant_id: UUID, user_id: UUID, *, idle: timedelta) -> list[Row]:
    return list(await db.fetch(LIST_SESSIONS, tenant_id, user_id, idle))


async def list_live(
    db: Db, tenant_id: UUID, session_ids: Sequence[UUID], *, idle: timedelta
) -> dict[UUID, frozenset[str]]:
    """Those that have not ended, with the rules that their people hold everywhere."""
    rows = await db.fetch(LIST_LIVE, tenant_id, list(session_ids), idle)
    return {row["id"]: frozenset(row["rules"]) for row in rows}


async def delete_session(db: Db, tenant_id: UUID, user_id: UUID, session_id: UUID) -> bool:
    return await db.execute(DELETE_SESSION, tenant_id, user_id, session_id) == "DELETE 1"


async def delete_others(db: Db, tenant_id: UUID, user_id: UUID, keep: UUID | None) -> int:
    done = await db.execute(DELETE_OTHERS, tenant_id, user_id, keep)
    return int(done.removeprefix("DELETE "))


async def insert_link(
    db: Db,
    tenant_id: UUID,
    user_id: UUID,
    *,
    link_id: UUID,
    purpose: str,
    token_hash: bytes,
    lifetime: timedelta,
) -> datetime:
    return await db.fetchval(
        INSERT_LINK, link_id, tenant_id, user_id, purpose, token_hash, lifetime
    )


async def forget_links(db: Db, tenant_id: UUID, user_id: UUID, purpose: str) -> None:
    await db.execute(FORGET_LINKS, tenant_id, user_id, purpose)


async def take_link(db: Db, token_hash: bytes, purpose: str) -> tuple[UUID, UUID] | None:
    """Use a link up: of any number of concurrent takers one gets its tenant and person."""
    row = await db.fetchrow(TAKE_LINK, token_hash, purpose)
    return (row["tenant_id"], row["user_id"]) if row else None


async def count_attempt(db: Db, subject: bytes, window: timedelta) -> tuple[int, int]:
    """Count one more and return the count and the seconds until it starts anew."""
    row = await db.fetchrow(COUNT_ATTEMPT, subject, window)
    return (row["count"], row["wait"]) if row else (1, 1)


async def forget_attempts(db: Db, subject: bytes) -> None:
    await db.execute(FORGET_ATTEMPTS, subject)


async def forgive_attempt(db: Db, subject: bytes) -> None:
    """Count one less."""
    await db.execute(FORGIVE_ATTEMPT, subject)


async def purge(db: Db, *, idle: timedelta) -> None:
    """Remove what has expired."""
    await db.execute(PURGE_SESSIONS, idle)
    await db.execute(PURGE_LINKS)
    await db.execute(PURGE_ATTEMPTS)
