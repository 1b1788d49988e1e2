"""Running one job behind the walls, and ending it whatever it does.

What it says is read up to the limit and no further, and what all its processes take of memory is
looked at again and again: no limit of the kernel counts them together. Whoever ends the first
process ends all, because with it their namespace goes.
"""

import asyncio
import contextlib
import os
import time
from collections.abc import AsyncGenerator, Callable, Generator
from contextlib import ExitStack, asynccontextmanager, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from socket import socket

from assent.sandbox.command import Handed, Walls, build_command
from assent.sandbox.job import Ended, Ending, File, Job

LOOK_SECONDS = 0.05
SETTLE_SECONDS = 2.0
"""For the rest of what it said; longer only waits who was not behind walls."""
PAGE = os.sysconf("SC_PAGE_SIZE") if hasattr(os, "sysconf") else 4096
CHUNK = 65536


@dataclass(slots=True)
class Running:
    """What a job has said so far, and why it was ended, if it was."""

    most: int
    said: dict[str, bytearray] = field(
        default_factory=lambda: {"stdout": bytearray(), "stderr": bytearray()}
    )
    stopped: asyncio.Event = field(default_factory=asyncio.Event)
    how: Ending = "exited"

    def stop(self, how: Ending) -> None:
        if self.how == "exited":
            self.how = how
        self.stopped.set()

    async def listen(self, name: str, reader: asyncio.StreamReader) -> None:
        while piece := await reader.read(CHUNK):
            room = self.most - sum(map(len, self.said.values()))
            self.said[name] += piece[:room]
            if len(piece) > room:
                self.stop("said_too_much")


async def run_job(
    walls: Walls, job: Job, *, call_filter: bytes | None, channel: socket | None = None
) -> Ended:
    """`channel` is the only thing that the job shares with us; `CHANNEL` names it in there."""
    began = time.monotonic()
    running = Running(job.limits.output)
    async with _start(walls, job, call_filter, channel) as process:
        assert process.stdout and process.stderr  # noqa: S101 - asked for
        listening = [
            asyncio.create_task(running.listen("stdout", process.stdout)),
            asyncio.create_task(running.listen("stderr", process.stderr)),
        ]
        over = asyncio.create_task(process.wait())
        watching = asyncio.create_task(_watch_memory(process.pid, job.limits.memory, running))
        feeding = asyncio.create_task(_feed(process, job.stdin))
        stopped = asyncio.create_task(running.stopped.wait())
        try:
            done, _ = await asyncio.wait(
                [over, stopped],
                timeout=job.limits.seconds,
                return_when=asyncio.FIRST_COMPLETED,
            )
            if not done:
                running.stop("timed_out")
        finally:
            _kill(process)
            await process.wait()
            await asyncio.wait(listening, timeout=SETTLE_SECONDS)
            rest = [*listening, watching, feeding, stopped, over]
            for task in rest:
                task.cancel()
            await asyncio.wait(rest)
    return Ended(
        how=running.how,
        exit_code=_read_code(process.returncode) if running.how == "exited" else None,
        stdout=bytes(running.said["stdout"]),
        stderr=bytes(running.said["stderr"]),
        seconds=time.monotonic() - began,
    )


@asynccontextmanager
async def _start(
    walls: Walls, job: Job, call_filter: bytes | None, channel: socket | None
) -> AsyncGenerator[asyncio.subprocess.Process]:
    with ExitStack() as opened:
        files = {name: opened.enter_context(_hold(one)) for name, one in job.files.items()}
        filtering = opened.enter_context(_hold(File(call_filter))) if call_filter else None
        number = channel.fileno() if channel is not None else None
        command = build_command(walls, job, Handed(filtering, files, number))
        passed = [*files.values(), *([filtering] if filtering is not None else [])]
        if channel is not None:
            passed.append(channel.fileno())
        process = await asyncio.create_subprocess_exec(
            *command,
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.PIPE,
            pass_fds=passed,
            start_new_session=True,
            cwd="/",
            env={},
        )
    try:
        yield process
    finally:
        _kill(process)


@contextmanager
def _hold(file: File) -> Generator[int]:
    number = os.memfd_create("file", os.MFD_CLOEXEC)
    try:
        with open(number, "wb", closefd=False) as held:
            held.write(file.content)
        os.lseek(number, 0, os.SEEK_SET)
        yield number
    finally:
        os.close(number)


async def _feed(process: asyncio.subprocess.Process, content: bytes) -> None:
    assert process.stdin  # noqa: S101 - asked for
    with contextlib.suppress(ConnectionError):
        process.stdin.write(content)
        await process.stdin.drain()
        process.stdin.close()


async def _watch_memory(pid: int, most: int, running: Running) -> None:
    while True:
        if sum(map(_read_memory, list_family(pid))) > most:
            running.stop("took_too_much_memory")
            return
        await asyncio.sleep(LOOK_SECONDS)


def list_family(pid: int, read: Callable[[int], list[int]] | None = None) -> list[int]:
    """A process and all that come from it."""
    children = (read or _read_children)(pid)
    return [pid, *(one for child in children for one in list_family(child, read))]


def _read_children(pid: int) -> list[int]:
    found: list[int] = []
    with contextlib.suppress(OSError):
        for task in Path(f"/proc/{pid}/task").iterdir():
            found += map(int, (task / "children").read_text().split())
    return found


def _read_memory(pid: int) -> int:
    try:
        return int(Path(f"/proc/{pid}/statm").read_text().split()[1]) * PAGE
    except (OSError, IndexError):
        return 0


def _kill(process: asyncio.subprocess.Process) -> None:
    if process.returncode is None:
        with contextlib.suppress(ProcessLookupError):
            process.kill()


def _read_code(code: int | None) -> int | None:
    return 128 - code if code is not None and code < 0 else code
