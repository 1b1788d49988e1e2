"""A Postgres server seen from outside: its pid file, its socket, its database, its end.

Starts no server and holds no lock; `embedded.py` decides what to do with what is found here.
"""

import asyncio
import os
import signal
import time
from collections.abc import Callable, Coroutine
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar
from urllib.parse import quote

import asyncpg

from assent.db.operating_system import works_in
from assent.errors import ConfigurationError

PID_FILE = "postmaster.pid"
PORT = 5432
DATABASE = "assent"
DATABASE_EXISTS = "SELECT EXISTS (SELECT FROM pg_database WHERE datname = $1)"
CREATE_DATABASE = f"CREATE DATABASE {DATABASE}"
PATIENCE = 5.0
SOCKET_LINE, STATUS_LINE = 4, 7
SHUTDOWN = ((signal.SIGINT, 20.0), (signal.SIGQUIT, 10.0), (signal.SIGKILL, 5.0))
UNANSWERED = (OSError, asyncpg.PostgresError, asyncpg.InterfaceError)

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Postmaster:
    """What a server says of itself in its pid file."""

    pid: int
    socket_folder: str
    status: str

    @property
    def is_ready(self) -> bool:
        return self.status == "ready"

    def url(self, database: str = DATABASE) -> str:
        return f"postgresql://postgres@/{database}?host={quote(self.socket_folder)}&port={PORT}"


def parse_pid_file(text: str) -> Postmaster | None:
    """Return `None` for what no server wrote; a server that is starting has written less."""
    lines = [line.strip() for line in text.splitlines()]
    if not lines or not lines[0].isdecimal():
        return None
    lines += [""] * (STATUS_LINE + 1 - len(lines))
    return Postmaster(int(lines[0]), lines[SOCKET_LINE], lines[STATUS_LINE] or "starting")


def read_postmaster(data: Path) -> Postmaster | None:
    """Return what the pid file says, be it true or left over from a crash."""
    try:
        return parse_pid_file((data / PID_FILE).read_text(errors="surrogateescape"))
    except FileNotFoundError:
        return None


def find_postmaster(data: Path) -> Postmaster | None:
    """Return the server that lives in this cluster now."""
    server = read_postmaster(data)
    return server if server is not None and works_in(server.pid, data) else None


def answers(server: Postmaster) -> bool:
    """Whether Assent's database on this server can be used."""
    try:
        _run(_connect_once(server))
    except UNANSWERED:
        return False
    return True


def create_database(server: Postmaster) -> None:
    """Make Assent's database unless it is there."""
    try:
        _run(_create_if_missing(server))
    except UNANSWERED as error:
        raise ConfigurationError(f"Postgres has started but does not answer: {error}") from error


def stop_postmaster(pid: int, is_gone: Callable[[], bool]) -> None:
    """Shut down cleanly and wait for the end; be rougher with a server that does not obey."""
    for number, patience in SHUTDOWN:
        if is_gone():
            return
        with suppress(ProcessLookupError):
            os.kill(pid, number)
        deadline = time.monotonic() + patience
        while not is_gone() and time.monotonic() < deadline:
            time.sleep(0.01)


async def _create_if_missing(server: Postmaster) -> None:
    connection = await asyncpg.connect(server.url("postgres"), timeout=PATIENCE)
    try:
        if not await connection.fetchval(DATABASE_EXISTS, DATABASE):
            await connection.execute(CREATE_DATABASE)
    finally:
        await connection.close()


async def _connect_once(server: Postmaster) -> None:
    connection = await asyncpg.connect(server.url(), timeout=PATIENCE)
    await connection.close()


def _run(work: Coroutine[object, object, T]) -> T:
    # In a thread of its own: the caller's may already run an event loop.
    with ThreadPoolExecutor(max_workers=1) as thread:
        return thread.submit(asyncio.run, work).result()
