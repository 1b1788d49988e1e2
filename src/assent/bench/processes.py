"""What processes used: CPU time and memory, as the operating system tells it.

Linux has it in /proc, other systems in `ps`.
"""

import os
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from assent.db.operating_system import IS_LINUX

PROC = Path("/proc")
TICKS = os.sysconf("SC_CLK_TCK")
PAGE = os.sysconf("SC_PAGE_SIZE")
PARENT, USER, SYSTEM, ENDED_USER, ENDED_SYSTEM, MEMORY = 1, 11, 12, 13, 14, 21
"""Places in /proc/<pid>/stat, counted after the program's name."""


@dataclass(frozen=True, slots=True)
class Usage:
    """CPU in seconds, memory in bytes; `ended_cpu` is that of children which are gone."""

    pid: int
    parent: int
    cpu: float
    memory: int
    ended_cpu: float = 0


def read_usage(pid: int) -> Usage | None:
    """Nothing if the process is gone."""
    return next((one for one in _list_usage([pid]) if one.pid == pid), None)


def read_family_cpu(pid: int | None) -> float | None:
    """CPU of a process and of all that it started, be they gone or not."""
    if pid is None:
        return None
    family = [one for one in _list_usage(None) if pid in (one.pid, one.parent)]
    return sum(one.cpu + (one.ended_cpu if one.pid == pid else 0) for one in family) or None


def parse_stat(text: str) -> Usage:
    """A line of /proc/<pid>/stat. The name in it may hold spaces and brackets."""
    before, _, after = text.rpartition(")")
    fields = after.split()
    return Usage(
        pid=int(before.partition(" ")[0]),
        parent=int(fields[PARENT]),
        cpu=(int(fields[USER]) + int(fields[SYSTEM])) / TICKS,
        memory=int(fields[MEMORY]) * PAGE,
        ended_cpu=(int(fields[ENDED_USER]) + int(fields[ENDED_SYSTEM])) / TICKS,
    )


def parse_ps(line: str) -> Usage:
    """A line of `ps -o pid=,ppid=,time=,rss=`: the time as [[days-]hours:]minutes:seconds."""
    pid, parent, time, kilobytes = line.split()
    days, _, clock = time.rpartition("-")
    seconds = float(days or 0) * 86_400
    for power, part in enumerate(reversed(clock.split(":"))):
        seconds += float(part) * 60**power
    return Usage(pid=int(pid), parent=int(parent), cpu=seconds, memory=int(kilobytes) * 1024)


def _list_usage(pids: list[int] | None) -> Iterator[Usage]:
    if not IS_LINUX:
        yield from _list_from_ps(pids)
        return
    wanted = pids or [int(entry.name) for entry in PROC.iterdir() if entry.name.isdecimal()]
    for pid in wanted:
        folder = PROC / str(pid)
        try:
            usage = parse_stat((folder / "stat").read_text(errors="replace"))
            yield replace(usage, cpu=_read_fine_cpu(folder) or usage.cpu)
        except OSError:
            continue


def _read_fine_cpu(folder: Path) -> float:
    """To the nanosecond, where the kernel counts that: `stat` has hundredths of seconds."""
    counted = [one.read_text().split()[0] for one in folder.glob("task/*/schedstat")]
    return sum(int(nanoseconds) for nanoseconds in counted) / 1e9


def _list_from_ps(pids: list[int] | None) -> Iterator[Usage]:
    chosen = ["-A"] if pids is None else ["-p", ",".join(str(pid) for pid in pids)]
    listed = subprocess.run(  # noqa: S603
        ["/bin/ps", *chosen, "-o", "pid=,ppid=,time=,rss="],
        capture_output=True,
        text=True,
        check=False,
    )
    for line in listed.stdout.splitlines():
        yield parse_ps(line)
