"""SQL of what programs say about themselves: documents of theirs, and registrations."""

from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from assent.db.database import Db
from assent.identity.oauth.program import Program

FIND_DOCUMENT = """
SELECT program, fault, fresh_until > now() AS is_fresh FROM oauth_documents
WHERE client_id = $1 AND fetched_at > now() - interval '1 day'
"""
KEEP_DOCUMENT = """
INSERT INTO oauth_documents (client_id, program, fault, fetched_at, fresh_until)
VALUES ($1, $2, $3, now(), now() + $4::interval)
ON CONFLICT (client_id) DO UPDATE SET
    program = excluded.program, fault = excluded.fault,
    fetched_at = excluded.fetched_at, fresh_until = excluded.fresh_until
"""
PURGE_DOCUMENTS = """
DELETE FROM oauth_documents
WHERE fetched_at < now() - interval '1 day' OR fault IS NOT NULL AND fresh_until < now()
"""
FIND_REGISTRATION = "SELECT program FROM oauth_registrations WHERE client_id = $1"
LOCK_REGISTRATIONS = "SELECT pg_advisory_xact_lock(4707129)"
INSERT_REGISTRATION = """
INSERT INTO oauth_registrations (client_id, program)
SELECT $1, $2 WHERE (SELECT count(*) FROM oauth_registrations) < $3 RETURNING client_id
"""
PURGE_REGISTRATIONS = """
DELETE FROM oauth_registrations
WHERE created_at < now() - $1::interval AND NOT EXISTS (
    SELECT FROM oauth_connections
    WHERE oauth_connections.client_id = oauth_registrations.client_id)
"""


@dataclass(frozen=True, slots=True)
class Found:
    """What the last look at a program's address gave: the program, or what was wrong."""

    program: Program | None
    fault: str | None
    is_fresh: bool


async def find_document(db: Db, client_id: str) -> Found | None:
    row = await db.fetchrow(FIND_DOCUMENT, client_id)
    if row is None:
        return None
    return Found(_read(row["program"]), row["fault"], row["is_fresh"])


async def keep_document(
    db: Db, client_id: str, *, program: Program | None, fault: str | None, fresh: timedelta
) -> None:
    stored = program.model_dump() if program else None
    await db.execute(KEEP_DOCUMENT, client_id, stored, fault, fresh)


async def find_registration(db: Db, client_id: str) -> Program | None:
    return _read(await db.fetchval(FIND_REGISTRATION, client_id))


async def insert_registration(db: Db, program: Program, *, most: int) -> bool:
    """Nothing is added where there are that many already."""
    await db.execute(LOCK_REGISTRATIONS)
    stored = program.model_dump()
    return await db.fetchval(INSERT_REGISTRATION, program.client_id, stored, most) is not None


async def purge(db: Db, *, unused_for: timedelta) -> None:
    """Remove what is too old to be believed, and registrations that nobody took up for so long."""
    await db.execute(PURGE_DOCUMENTS)
    await db.execute(PURGE_REGISTRATIONS, unused_for)


def _read(stored: Any) -> Program | None:
    return None if stored is None else Program.model_validate(stored)
