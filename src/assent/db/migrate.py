"""Migrations: numbered SQL files per component, each in its own transaction, one runner at a time.

A component is a folder `migrations/` beside the code that owns the tables. Files are named
`NNNN_what_it_does.sql`, are never changed once released, and only ever expand or contract.
"""

import hashlib
import re
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from assent.db.database import Database, Db
from assent.errors import ConfigurationError

FILE_NAME = re.compile(r"(\d{4})_[a-z0-9_]+\.sql")
ADVISORY_LOCK = 0x4153_5345_4E54

CREATE_TABLE = """
CREATE TABLE IF NOT EXISTS schema_migrations (
    component text NOT NULL,
    number integer NOT NULL,
    name text NOT NULL,
    checksum text NOT NULL,
    applied_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (component, number)
)
"""
LOCK = "SELECT pg_advisory_xact_lock($1)"
LIST_APPLIED = "SELECT component, number, checksum FROM schema_migrations"
RECORD = """
INSERT INTO schema_migrations (component, number, name, checksum) VALUES ($1, $2, $3, $4)
"""
TABLE_EXISTS = "SELECT to_regclass('schema_migrations') IS NOT NULL"


@dataclass(frozen=True, slots=True)
class Component:
    """Something that owns tables: its name and the folder that holds its migrations."""

    name: str
    folder: Path


@dataclass(frozen=True, slots=True)
class Migration:
    component: str
    number: int
    name: str
    sql: str

    @property
    def checksum(self) -> str:
        return hashlib.sha256(self.sql.encode()).hexdigest()

    def __str__(self) -> str:
        return f"{self.component} {self.name}"


def read_migrations(components: Iterable[Component]) -> list[Migration]:
    found: list[Migration] = []
    for component in components:
        for position, path in enumerate(sorted(component.folder.glob("*.sql")), start=1):
            match = FILE_NAME.fullmatch(path.name)
            if match is None or int(match[1]) != position:
                raise ConfigurationError(
                    f"Migration {path.name} of {component.name} should be number {position:04}."
                )
            found.append(Migration(component.name, position, path.stem, path.read_text()))
    return found


async def migrate(database: Database, components: Iterable[Component]) -> list[Migration]:
    """Apply what is missing and return it. Any number of processes may call this at once."""
    pending = await list_pending(database, components)
    if not pending:
        return []
    async with database.transaction() as db:
        await db.execute(LOCK, ADVISORY_LOCK)
        await db.execute(CREATE_TABLE)
    return [step for step in pending if await _apply(database, step)]


async def list_pending(database: Database, components: Iterable[Component]) -> list[Migration]:
    migrations = read_migrations(components)
    async with database.transaction(read_only=True) as db:
        if not await db.fetchval(TABLE_EXISTS):
            return migrations
        applied = await _load_applied(db)
    return [step for step in migrations if not _is_applied(step, applied)]


async def _apply(database: Database, step: Migration) -> bool:
    async with database.transaction() as db:
        await db.execute(LOCK, ADVISORY_LOCK)
        if _is_applied(step, await _load_applied(db)):
            return False
        await db.execute(step.sql)
        await db.execute(RECORD, step.component, step.number, step.name, step.checksum)
        return True


async def _load_applied(db: Db) -> dict[tuple[str, int], str]:
    rows = await db.fetch(LIST_APPLIED)
    return {(row["component"], row["number"]): row["checksum"] for row in rows}


def _is_applied(step: Migration, applied: dict[tuple[str, int], str]) -> bool:
    checksum = applied.get((step.component, step.number))
    if checksum is None:
        return False
    if checksum != step.checksum:
        raise ConfigurationError(
            f"Migration {step} was changed after it was applied to this database."
        )
    return True
