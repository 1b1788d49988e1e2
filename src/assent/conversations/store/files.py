"""SQL of attached files."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import timedelta
from uuid import UUID

from assent.conversations.file import NewFile, StoredFile
from assent.db.database import Db

COLUMNS = "id, name, media_type, size, width, height, created_at"
LOCK_OWNER = "SELECT 1 FROM users WHERE tenant_id = $1 AND id = $2 FOR NO KEY UPDATE"
COUNT_UNUSED = """
SELECT count(*) FROM files
WHERE tenant_id = $1 AND owner_id = $2 AND created_at > clock_timestamp() - $3::interval
  AND NOT EXISTS (
    SELECT FROM message_files
    WHERE message_files.tenant_id = $1 AND message_files.file_id = files.id)
"""
INSERT = f"""
INSERT INTO files (
    id, tenant_id, owner_id, name, media_type, size, width, height, content, extracted)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10) RETURNING {COLUMNS}
"""
FIND = f"SELECT {COLUMNS} FROM files WHERE tenant_id = $1 AND owner_id = $2 AND id = $3"
LOAD_CONTENT = "SELECT content FROM files WHERE tenant_id = $1 AND owner_id = $2 AND id = $3"
TAKE = f"""
SELECT {COLUMNS} FROM files
WHERE tenant_id = $1 AND owner_id = $2 AND id = ANY ($3) FOR KEY SHARE
"""
USE = """
INSERT INTO message_files (tenant_id, message_id, file_id)
SELECT $1, $2, unnest($3::uuid[]) ON CONFLICT DO NOTHING
"""
# One that a message is just taking is skipped; the reference keeps the rest of the race out.
DELETE_UNUSED = """
DELETE FROM files WHERE tenant_id = $1 AND id IN (
    SELECT id FROM files
    WHERE tenant_id = $1 AND owner_id = $2 AND id = $3 AND NOT EXISTS (
        SELECT FROM message_files
        WHERE message_files.tenant_id = $1 AND message_files.file_id = files.id)
    FOR UPDATE SKIP LOCKED)
RETURNING 1
"""
PURGE = """
DELETE FROM files WHERE tenant_id = $1 AND id IN (
    SELECT id FROM files
    WHERE tenant_id = $1 AND created_at < clock_timestamp() - $2::interval AND NOT EXISTS (
        SELECT FROM message_files
        WHERE message_files.tenant_id = $1 AND message_files.file_id = files.id)
    LIMIT 100 FOR UPDATE SKIP LOCKED)
"""
LIST_READABLE = """
SELECT id, name, media_type, size, extracted FROM files
WHERE tenant_id = $1 AND owner_id = $2 AND id = ANY ($3)
"""
LIST_CONTENTS = """
SELECT id, content FROM files WHERE tenant_id = $1 AND owner_id = $2 AND id = ANY ($3)
"""


@dataclass(frozen=True, slots=True)
class Readable:
    """What a model reads of a file; of an image there is no text."""

    id: UUID
    name: str
    media_type: str
    size: int
    extracted: str | None


async def lock_owner(db: Db, tenant_id: UUID, owner_id: UUID) -> None:
    await db.execute(LOCK_OWNER, tenant_id, owner_id)


async def count_unused(db: Db, tenant_id: UUID, owner_id: UUID, *, within: timedelta) -> int:
    return await db.fetchval(COUNT_UNUSED, tenant_id, owner_id, within)


async def insert_file(db: Db, tenant_id: UUID, owner_id: UUID, file: NewFile) -> StoredFile:
    row = await db.fetchrow(
        INSERT,
        file.id,
        tenant_id,
        owner_id,
        file.name,
        file.media_type,
        len(file.content),
        file.width,
        file.height,
        file.content,
        file.extracted,
    )
    if row is None:
        raise LookupError(file.id)
    return StoredFile(**row)


async def find_file(db: Db, tenant_id: UUID, owner_id: UUID, file_id: UUID) -> StoredFile | None:
    row = await db.fetchrow(FIND, tenant_id, owner_id, file_id)
    return StoredFile(**row) if row else None


async def find_content(db: Db, tenant_id: UUID, owner_id: UUID, file_id: UUID) -> bytes | None:
    return await db.fetchval(LOAD_CONTENT, tenant_id, owner_id, file_id)


async def take_files(
    db: Db, tenant_id: UUID, owner_id: UUID, file_ids: Sequence[UUID]
) -> list[StoredFile]:
    """Those of them that are there, in this order; nobody deletes them until this ends."""
    rows = await db.fetch(TAKE, tenant_id, owner_id, list(file_ids))
    found = {row["id"]: StoredFile(**row) for row in rows}
    return [found[one] for one in file_ids if one in found]


async def use_files(db: Db, tenant_id: UUID, message_id: UUID, file_ids: Sequence[UUID]) -> None:
    await db.execute(USE, tenant_id, message_id, list(file_ids))


async def delete_unused(db: Db, tenant_id: UUID, owner_id: UUID, file_id: UUID) -> bool:
    return await db.fetchval(DELETE_UNUSED, tenant_id, owner_id, file_id) is not None


async def delete_old_unused(db: Db, tenant_id: UUID, age: timedelta) -> None:
    await db.execute(PURGE, tenant_id, age)


async def list_readable(
    db: Db, tenant_id: UUID, owner_id: UUID, file_ids: Collection[UUID]
) -> list[Readable]:
    rows = await db.fetch(LIST_READABLE, tenant_id, owner_id, list(file_ids))
    return [Readable(**row) for row in rows]


async def list_contents(
    db: Db, tenant_id: UUID, owner_id: UUID, file_ids: Collection[UUID]
) -> dict[UUID, bytes]:
    rows = await db.fetch(LIST_CONTENTS, tenant_id, owner_id, list(file_ids))
    return {row["id"]: row["content"] for row in rows}
