"""Databases for tests: one fast Postgres, one migrated template, a fresh copy for each test."""

import os
import tempfile
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path
from urllib.parse import urlsplit, urlunsplit

import asyncpg

from assent.db.database import Database, open_database
from assent.db.embedded import EmbeddedPostgres
from assent.db.migrate import migrate
from assent.ids import new_id
from assent.main import list_components
from assent.plugins.load import Loaded

TEMPLATE = "assent_template"
MEMORY = Path("/dev/shm")  # noqa: S108 - a folder with a random name is made in it
ROOM = 4 * 1024**3
"""What all databases of a run may need together, with much to spare."""


def find_quick_folder() -> Path | None:
    """Memory that is used like a disk, where there is enough of it: copying does not wait there."""
    if not os.access(MEMORY, os.W_OK):
        return None
    facts = os.statvfs(MEMORY)
    has_room = facts.f_bavail * facts.f_frsize >= ROOM
    return MEMORY if has_room and not facts.f_flag & os.ST_NOEXEC else None


class Databases:
    """Start it once, from the main thread; `copy` gives as many databases as tests need."""

    def __init__(self) -> None:
        self._folder = tempfile.TemporaryDirectory(
            prefix="assent-test-", dir=find_quick_folder(), ignore_cleanup_errors=True
        )
        self._postgres = EmbeddedPostgres(Path(self._folder.name), durable=False)
        self._url = ""

    def start(self) -> None:
        self._url = self._postgres.start().url

    def stop(self) -> None:
        self._postgres.stop()
        self._folder.cleanup()

    async def make_template(self, loaded: Loaded) -> None:
        await self._execute(f"CREATE DATABASE {TEMPLATE}")
        database = await open_database(self.url(TEMPLATE), pool_size=2)
        try:
            await migrate(database, list_components(loaded))
        finally:
            await database.close()

    @asynccontextmanager
    async def copy(self) -> AsyncGenerator[str]:
        """The address of a fresh, migrated database."""
        name = f"test_{new_id().hex}"
        await self._execute(f"CREATE DATABASE {name} TEMPLATE {TEMPLATE} STRATEGY file_copy")
        try:
            yield self.url(name)
        finally:
            await self._execute(f"DROP DATABASE {name} WITH (FORCE)")

    @asynccontextmanager
    async def open_copy(self) -> AsyncGenerator[Database]:
        async with self.copy() as url:
            database = await open_database(url, pool_size=10)
            try:
                yield database
            finally:
                await database.close()

    def url(self, name: str) -> str:
        return urlunsplit(urlsplit(self._url)._replace(path=f"/{name}"))

    async def _execute(self, statement: str) -> None:
        connection = await asyncpg.connect(self.url("postgres"))
        try:
            await connection.execute(statement)
        finally:
            await connection.close()
