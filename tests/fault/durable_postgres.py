"""A durable Postgres that tests stop and crash as they like.

Processes die here, machines do not: what a process has written stays with the kernel, whether the
folder is on a disk or in memory.
"""

import os
import random
import signal
import tempfile
from collections.abc import AsyncGenerator, Generator
from contextlib import asynccontextmanager, contextmanager, suppress
from pathlib import Path
from urllib.parse import urlsplit, urlunsplit

import psutil

from assent.db.database import Database, open_database
from assent.db.embedded import EmbeddedPostgres, Running
from assent.db.migrate import Component, migrate
from assent.testing.databases import find_quick_folder
from tests.patience import PATIENCE


class DurablePostgres:
    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._postgres = EmbeddedPostgres(folder)
        self._running: Running | None = None

    def start(self) -> None:
        self._postgres = EmbeddedPostgres(self._folder)
        self._running = self._postgres.start()

    def stop(self, how: signal.Signals = signal.SIGINT) -> None:
        assert self._running is not None
        server = psutil.Process(self._running.pid)
        os.kill(self._running.pid, how)
        server.wait(PATIENCE)
        self._postgres.stop()

    def freeze(self) -> None:
        """It still takes connections, and says nothing."""
        for process in self._list_processes():
            process.suspend()

    def thaw(self) -> None:
        for process in self._list_processes():
            with suppress(psutil.NoSuchProcess):
                process.resume()

    def stop_writing(self) -> None:
        """What commits without waiting for the disk does not get there, until the next start."""
        [writer] = self._find_children("walwriter")
        writer.suspend()

    def kill_backend(self, database: str) -> None:
        """One connection's process dies: the server ends all others and recovers by itself."""
        writer, *_ = self._find_children("walwriter")
        self._find_children(f" {database}")[0].kill()
        writer.wait(PATIENCE)

    def _find_children(self, name: str) -> list[psutil.Process]:
        _, *children = self._list_processes()
        return [one for one in children if name in " ".join(one.cmdline())]

    def _list_processes(self) -> list[psutil.Process]:
        assert self._running is not None
        server = psutil.Process(self._running.pid)
        return [server, *server.children(recursive=True)]

    def url(self, database: str) -> str:
        assert self._running is not None
        return urlunsplit(urlsplit(self._running.url)._replace(path=f"/{database}"))


@contextmanager
def run_durable() -> Generator[DurablePostgres]:
    """A server in a folder of its own, until the body ends."""
    with tempfile.TemporaryDirectory(dir=find_quick_folder()) as folder:
        server = DurablePostgres(Path(folder))
        server.start()
        yield server
        server.thaw()
        server.stop()


@asynccontextmanager
async def open_migrated(
    server: DurablePostgres, component: Component, *statements: str
) -> AsyncGenerator[Database]:
    """A fresh database with one component's tables, and what the statements add."""
    name = f"fault_{random.randrange(10**9)}"
    admin = await open_database(server.url("postgres"), pool_size=1)
    async with admin.connection() as connection:
        await connection.execute(f"CREATE DATABASE {name}")
    await admin.close()
    database = await open_database(server.url(name), pool_size=4)
    await migrate(database, [component])
    async with database.connection() as connection:
        for statement in statements:
            await connection.execute(statement)
    yield database
    await database.close()
