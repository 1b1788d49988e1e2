"""What the fault tests of the embedded Postgres share: servers, other owners, questions."""

import asyncio
import subprocess
import sys
import time
from collections.abc import Callable, Generator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import asyncpg

from assent.db.embedded import EmbeddedPostgres, Running
from tests.patience import PATIENCE

OWNER = """
import sys, time
from pathlib import Path
from assent.db import embedded, operating_system
if "survives" in sys.argv:
    embedded.DIES_WITH_OWNER = operating_system.DIES_WITH_OWNER = False
running = embedded.EmbeddedPostgres(Path(sys.argv[1])).start()
print(running.pid, running.url, flush=True)
time.sleep(600)
"""


class Servers:
    """Starts servers, by default in one folder, and stops all of them in the end."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._stack = ExitStack()

    def start(
        self,
        folder: Path | None = None,
        *,
        attach: bool = False,
        binaries: Path | None = None,
        durable: bool = True,
    ) -> tuple[EmbeddedPostgres, Running]:
        server = EmbeddedPostgres(folder or self._folder, binaries=binaries, durable=durable)
        self._stack.callback(server.stop)
        return server, server.start(attach=attach)

    def stop(self) -> None:
        self._stack.close()


@contextmanager
def other_owner(folder: Path, *flags: str) -> Generator[subprocess.Popen[str]]:
    """Another process that owns the server, ended by kill -9."""
    command = [sys.executable, "-c", OWNER, str(folder), *flags]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as owner:
        try:
            yield owner
        finally:
            owner.kill()


def read_announced(owner: subprocess.Popen[str]) -> Running:
    assert owner.stdout is not None
    pid, url = owner.stdout.readline().split()
    return Running(url, int(pid), owned=True)


def ask(url: str, *statements: str) -> object:
    """Run the statements and return what the last one answers."""
    with ThreadPoolExecutor(max_workers=1) as thread:
        return thread.submit(asyncio.run, _ask(url, statements)).result()


async def _ask(url: str, statements: tuple[str, ...]) -> object:
    connection = await asyncpg.connect(url)
    try:
        return [await connection.fetchval(statement) for statement in statements][-1]
    finally:
        await connection.close()


def write_note(url: str) -> None:
    ask(
        url,
        "DROP TABLE IF EXISTS note",
        "CREATE TABLE note (text text)",
        "INSERT INTO note VALUES ('kept')",
    )


def read_note(url: str) -> object:
    return ask(url, "SELECT string_agg(text, ',') FROM note")


def is_alive(pid: int) -> bool:
    try:
        return "State:\tZ" not in Path(f"/proc/{pid}/status").read_text()
    except (FileNotFoundError, ProcessLookupError):
        return False


def wait_until(condition: Callable[[], object]) -> None:
    deadline = time.monotonic() + PATIENCE
    while not condition():
        assert time.monotonic() < deadline, "this never happened"
        time.sleep(0.005)


def socket_folder(running: Running) -> Path:
    return Path(parse_qs(urlsplit(running.url).query)["host"][0])
