"""The command line that puts a job behind walls. Pure.

Nothing of the machine is there but `/usr`, readable; no network, no other process, no rights, no
environment. The two folders that can be written are in memory and bounded.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from assent.sandbox.job import File, Job

WORK_FOLDER = "/job"
CHANNEL = "ASSENT_CHANNEL"
NOBODY = 65534
ENVIRONMENT = {
    "PATH": f"{WORK_FOLDER}/bin:/usr/bin:/bin",
    "HOME": "/tmp",  # noqa: S108 - in there it is the job's own
    "LANG": "C.UTF-8",
    "PYTHONDONTWRITEBYTECODE": "1",
}
NAMESPACES = (
    "--unshare-user",
    "--unshare-ipc",
    "--unshare-pid",
    "--unshare-net",
    "--unshare-uts",
    "--unshare-cgroup-try",
    "--disable-userns",
    "--assert-userns-disabled",
)
"""Never `--unshare-all`: where user namespaces are disabled it runs without."""
SYSTEM = (
    ("--ro-bind", "/usr", "/usr"),
    ("--symlink", "usr/bin", "/bin"),
    ("--symlink", "usr/lib", "/lib"),
    ("--symlink", "usr/lib64", "/lib64"),
    ("--ro-bind-try", "/etc/alternatives", "/etc/alternatives"),
    ("--ro-bind-try", "/etc/ld.so.cache", "/etc/ld.so.cache"),
    ("--proc", "/proc"),
    ("--dev", "/dev"),
)


@dataclass(frozen=True, slots=True)
class Walls:
    """The programs that build them. `more` are folders that can be read besides `/usr`.

    `setpriv` is there where we are root: nothing that nobody vouches for is, not even behind walls.
    """

    bwrap: str
    prlimit: str
    more: tuple[str, ...] = ()
    setpriv: str | None = None


@dataclass(frozen=True, slots=True)
class Handed:
    """Numbers of what is open in the process that starts: the filter, each file, the channel."""

    filter: int | None
    files: Mapping[str, int] = field(default_factory=dict[str, int])
    channel: int | None = None


def build_command(walls: Walls, job: Job, handed: Handed) -> list[str]:
    limits = job.limits
    environment = {**ENVIRONMENT, **job.environment}
    if handed.channel is not None:
        environment[CHANNEL] = str(handed.channel)
    return [
        *_become_nobody(walls),
        walls.prlimit,
        f"--as={limits.memory}",
        f"--cpu={limits.cpu_seconds}:{limits.cpu_seconds + 1}",
        f"--fsize={limits.file}",
        f"--nofile={limits.open_files}",
        "--core=0",
        "--memlock=0",
        "--",
        walls.bwrap,
        *NAMESPACES,
        *("--uid", str(NOBODY), "--gid", str(NOBODY), "--hostname", "sandbox"),
        *("--die-with-parent", "--new-session", "--cap-drop", "ALL", "--clearenv"),
        *_flatten(("--setenv", *one) for one in environment.items()),
        *_flatten(SYSTEM),
        *_flatten(("--ro-bind", folder, folder) for folder in walls.more),
        *("--size", str(limits.disk), "--tmpfs", "/tmp"),  # noqa: S108 - as above
        *("--size", str(limits.disk), "--tmpfs", WORK_FOLDER),
        *_flatten(_place(name, job.files[name], number) for name, number in handed.files.items()),
        *("--remount-ro", "/dev", "--remount-ro", "/", "--chdir", WORK_FOLDER),
        *(("--seccomp", str(handed.filter)) if handed.filter is not None else ()),
        "--",
        walls.prlimit,
        f"--nproc={limits.processes}",
        "--",
        *job.command,
    ]


def _become_nobody(walls: Walls) -> Sequence[str]:
    if walls.setpriv is None:
        return ()
    return (walls.setpriv, f"--reuid={NOBODY}", f"--regid={NOBODY}", "--clear-groups", "--")


def _place(name: str, file: File, number: int) -> Sequence[str]:
    mode = "0555" if file.is_program else "0444"
    return ("--perms", mode, "--file", str(number), f"{WORK_FOLDER}/{name}")


def _flatten(groups: Iterable[Iterable[str]]) -> list[str]:
    return [one for group in groups for one in group]
