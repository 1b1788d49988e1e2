"""Everything that is started for measuring, and its end: Postgres, provider, server processes.

All of it lives in one temporary folder and dies with this process. Nothing of an installation is
read: neither its settings nor its data.
"""

import asyncio
import json
import os
import re
import secrets
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import AsyncGenerator, Generator, Mapping, Sequence
from contextlib import AsyncExitStack, asynccontextmanager, contextmanager
from dataclasses import dataclass
from pathlib import Path

from assent.bench.database import open_own_database
from assent.db.embedded import EmbeddedPostgres
from assent.db.operating_system import build_tie
from assent.errors import MeasurementFailed
from assent.settings import FILE_VARIABLE, PREFIX, SHORT_NAMES

START_SECONDS = 120
SHOWN_LINES = 15
READY = re.compile(r"^(?:Open|Ready at) http://[\d.]+:(\d+)(?:/login\?token=(\S+))?$", re.MULTILINE)
SETTINGS: Mapping[str, object] = {
    "port": 0,
    "ollama_url": "",
    "run_concurrency": 10_000,
    "tool_calls": 100_000,
    "shutdown_seconds": 0,
}
"""What differs from a production server: limits that would end the measurement, and the start."""


@dataclass(frozen=True, slots=True)
class Ground:
    """A Postgres to measure on; `postgres_pid` where it is ours."""

    folder: Path
    url: str
    postgres_pid: int | None


@dataclass(frozen=True, slots=True)
class Server:
    pid: int
    port: int


@dataclass(frozen=True, slots=True)
class Stage:
    """A fresh database with fresh servers. The first one drives the runs; others only follow."""

    servers: tuple[Server, ...]
    provider_url: str
    token: str
    postgres_pid: int | None

    @property
    def owner(self) -> Server:
        return self.servers[0]


@contextmanager
def open_ground(database_url: str | None, binaries: Path | None) -> Generator[Ground]:
    folder = Path(tempfile.mkdtemp(prefix="assent-bench-")).resolve()
    postgres = EmbeddedPostgres(folder, binaries=binaries)
    try:
        if database_url is not None:
            yield Ground(folder, database_url, None)
        else:
            running = postgres.start()
            yield Ground(folder, running.url, running.pid)
    finally:
        with _undisturbed():
            postgres.stop()
            shutil.rmtree(folder, ignore_errors=True)


@asynccontextmanager
async def open_stage(ground: Ground, *, servers: int) -> AsyncGenerator[Stage]:
    """Start so many servers on a database of their own, with a provider."""
    async with AsyncExitStack() as stack:
        url = await stack.enter_async_context(open_own_database(ground.url))
        folder = Path(stack.enter_context(_open_folder(ground.folder)))
        programs = stack.enter_context(_open_programs())
        provider = programs.start(["-m", "assent.bench.provider"], folder, {}, "provider")
        environment = _build_environment(folder, url)
        started = [
            programs.start(
                ["-m", "assent", "serve"],
                folder,
                {**environment, f"{PREFIX}BACKGROUND_WORK": str(number == 0).lower()},
                f"server-{number}",
            )
            for number in range(servers)
        ]
        port = (await provider.wait_for(re.compile(r"^(\d+)$", re.MULTILINE)))[1]
        ready = [await one.wait_for(READY) for one in started]
        yield Stage(
            servers=tuple(
                Server(one.pid, int(found[1])) for one, found in zip(started, ready, strict=True)
            ),
            provider_url=f"http://127.0.0.1:{port}/v1",
            token=ready[0][2],
            postgres_pid=ground.postgres_pid,
        )


class Program:
    """A Python process of ours: it writes to a file, and ends with us at the latest."""

    def __init__(
        self, arguments: Sequence[str], folder: Path, environment: Mapping[str, str], name: str
    ) -> None:
        self._name = name
        self._log = folder / f"{name}.log"
        with self._log.open("wb") as log:
            self._process = subprocess.Popen(  # noqa: S603
                [sys.executable, *arguments],
                cwd=folder,
                env=_list_inherited() | dict(environment),
                stdin=subprocess.PIPE,
                stdout=log,
                stderr=subprocess.STDOUT,
                start_new_session=True,
                preexec_fn=build_tie(os.getpid(), signal.SIGKILL),
            )

    @property
    def pid(self) -> int:
        return self._process.pid

    async def wait_for(self, pattern: re.Pattern[str]) -> re.Match[str]:
        deadline = time.monotonic() + START_SECONDS
        while time.monotonic() < deadline:
            ended = self._process.poll() is not None
            if found := pattern.search(self._read()):
                return found
            if ended:
                break
            await asyncio.sleep(0.02)
        tail = "\n".join(self._read().splitlines()[-SHOWN_LINES:])
        raise MeasurementFailed(f"The {self._name} did not start. It says:\n{tail}")

    def end(self) -> None:
        self._process.kill()
        self._process.communicate()

    def _read(self) -> str:
        return self._log.read_text(errors="replace")


class Programs:
    def __init__(self) -> None:
        self._started: list[Program] = []

    def start(
        self, arguments: Sequence[str], folder: Path, environment: Mapping[str, str], name: str
    ) -> Program:
        program = Program(arguments, folder, environment, name)
        self._started.append(program)
        return program

    def end(self) -> None:
        for program in self._started:
            program.end()


@contextmanager
def _open_programs() -> Generator[Programs]:
    programs = Programs()
    try:
        yield programs
    finally:
        programs.end()


@contextmanager
def _open_folder(parent: Path) -> Generator[str]:
    folder = tempfile.mkdtemp(prefix="stage-", dir=parent)
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)


@contextmanager
def _undisturbed() -> Generator[None]:
    """Once it has begun, cleaning up is not interrupted: it takes seconds."""
    before = {one: signal.signal(one, signal.SIG_IGN) for one in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield
    finally:
        for one, handler in before.items():
            signal.signal(one, handler)


def _build_environment(folder: Path, url: str) -> dict[str, str]:
    file = folder / "assent.toml"
    file.write_text("".join(f"{name} = {json.dumps(one)}\n" for name, one in SETTINGS.items()))
    return {
        FILE_VARIABLE: str(file),
        f"{PREFIX}DATABASE_URL": url,
        f"{PREFIX}MASTER_KEY": secrets.token_hex(32),
    }


def _list_inherited() -> dict[str, str]:
    return {
        name: value
        for name, value in os.environ.items()
        if not name.startswith(PREFIX) and name not in SHORT_NAMES
    }
