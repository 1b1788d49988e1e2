"""Scripts that try to get out, to see what is not theirs, or to take more than their share."""

import asyncio
import os
import signal
import socket
import sys
from collections.abc import AsyncGenerator
from dataclasses import replace
from pathlib import Path

import pytest
import pytest_asyncio

from assent.sandbox.job import MEGABYTE, Ended, File, Job, Limits
from assent.sandbox.sandbox import Sandbox, open_sandbox
from tests.patience import wait_until

LIMITS = Limits(seconds=20, cpu_seconds=10, memory=256 * MEGABYTE, processes=16, disk=8 * MEGABYTE)
CALL = """
import ctypes, sys
libc = ctypes.CDLL(None, use_errno=True)
def call(number, *given):
    if libc.syscall(number, *given) >= 0:
        print("OPEN", number)
    else:
        print("errno", ctypes.get_errno())
"""
CALLS = {
    "ptrace": "call(101, 16, 1, 0, 0)",
    "mount": "call(165, b'none', b'/tmp', b'tmpfs', 0, 0)",
    "pivot_root": "call(155, b'/tmp', b'/tmp')",
    "chroot": "call(161, b'/tmp')",
    "unshare users": "call(272, 0x10000000)",
    "unshare mounts": "call(272, 0x00020000)",
    "clone users": "call(56, 0x10000000 | 17, 0, 0, 0, 0)",
    "setns": "call(308, 3, 0)",
    "open by handle": "call(304, -100, 0, 0)",
    "socket": "call(41, 2, 1, 0)",
    "unix socket": "call(41, 1, 1, 0)",
    "netlink socket": "call(41, 16, 3, 0)",
    "raw packets": "call(41, 17, 3, 0)",
    "io_uring": "call(425, 8, (ctypes.c_char * 120)())",
    "bpf": "call(321, 0, 0, 0)",
    "perf": "call(298, 0, 0, -1, -1, 0)",
    "userfaultfd": "call(323, 0)",
    "keys": "call(250, 0, -3, 1)",
    "memory without a file": "call(319, b'x', 0)",
    "shared segment": "call(29, 0, 1 << 20, 0o1777)",
    "another process's memory": "call(310, 1, 0, 0, 0, 0, 0)",
    "kernel log": "call(103, 3, 0, 0)",
    "new mounts": "call(430, b'tmpfs', 0)",
    "open tree": "call(428, -100, b'/', 1)",
    "module": "call(175, 0, 0, b'')",
    "reboot": "call(169, 0xfee1dead, 672274793, 0x1234567, 0)",
}
"""Numbers of x86-64; a call that is let through prints OPEN."""


@pytest_asyncio.fixture(scope="module")
async def sandbox() -> AsyncGenerator[Sandbox]:
    async with open_sandbox() as opened:
        assert opened.is_available, opened.why_not
        assert not opened.is_downgraded
        yield opened


async def run_python(sandbox: Sandbox, source: str, **limits: float) -> Ended:
    command = (sandbox.python, "-I", "script.py")
    files = {"script.py": File(source.encode())}
    return await sandbox.run(Job(command, files, limits=replace(LIMITS, **limits)))


async def say(sandbox: Sandbox, source: str, **limits: float) -> str:
    """What it prints; it has to come to its end."""
    ended = await run_python(sandbox, source, **limits)
    assert (ended.how, ended.exit_code) == ("exited", 0), ended
    return ended.stdout.decode()


async def run_shell(sandbox: Sandbox, source: str, **limits: float) -> Ended:
    return await sandbox.run(Job(("/bin/sh", "-c", source), limits=replace(LIMITS, **limits)))


@pytest.mark.skipif(os.uname().machine != "x86_64", reason="the numbers are of x86-64")
@pytest.mark.parametrize("name", CALLS)
async def test_calls_that_are_refused(sandbox: Sandbox, name: str) -> None:
    assert "OPEN" not in await say(sandbox, CALL + CALLS[name])
    assert "errno 1\n" in await say(sandbox, CALL + CALLS[name])


@pytest.mark.skipif(os.uname().machine != "x86_64", reason="x32 belongs to x86-64")
async def test_calls_of_another_kind_end_the_process(sandbox: Sandbox) -> None:
    ended = await run_python(sandbox, CALL + "call(0x40000000 + 39)")
    assert ended.exit_code == 128 + signal.SIGSYS


async def test_files_of_the_machine_are_not_there(sandbox: Sandbox, tmp_path: Path) -> None:
    canary = tmp_path / "canary"
    canary.write_text("canary")
    for one in (canary, *canary.parents):
        if one != Path("/"):
            one.chmod(one.stat().st_mode | 0o755)
    places = [str(canary), "/etc/passwd", "/etc/shadow", "/root", "/home", "/var", "/sys", "/run"]
    source = f"import os\nfor one in {places!r}:\n    print(os.path.lexists(one))"
    assert set((await say(sandbox, source)).split()) == {"False"}
    around = f"cat /proc/1/root{canary} /proc/self/cwd/..{canary} /job/../../..{canary} 2>&1"
    assert b"canary\n" not in (await run_shell(sandbox, around)).stdout.replace(b"/canary", b"")


async def test_of_what_is_open_here_nothing_is_open_there(sandbox: Sandbox, tmp_path: Path) -> None:
    held = (tmp_path / "held").open("w+")
    os.set_inheritable(held.fileno(), True)
    with held:
        found = await run_shell(sandbox, "ls -l /proc/self/fd")
    assert str(tmp_path).encode() not in found.stdout
    assert b"memfd" not in found.stdout


async def test_environment_and_names_of_the_machine_do_not_come_along(
    sandbox: Sandbox, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ASSENT_MASTER_KEY", "canary")
    told = (await run_shell(sandbox, "env; hostname; cat /proc/*/environ /proc/*/cmdline")).stdout
    assert b"canary" not in told
    assert socket.gethostname().encode() not in told
    assert b"sandbox" in told


async def test_nobody_else_is_seen_or_reached(sandbox: Sandbox) -> None:
    numbers = await run_shell(sandbox, "ls -d /proc/[0-9]* | wc -l")
    assert int(numbers.stdout) < 8
    source = f"import os\ntry:\n    os.kill({os.getpid()}, 0)\nexcept OSError as e:\n    print(e)"
    assert "No such process" in await say(sandbox, source)


async def test_a_listener_on_this_machine_is_not_reached(sandbox: Sandbox) -> None:
    reached = asyncio.Event()

    async def answer(_: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        reached.set()
        writer.close()

    abstract = socket.socket(socket.AF_UNIX)
    abstract.bind(f"\0assent-{os.getpid()}")
    abstract.listen()
    async with await asyncio.start_server(answer, "127.0.0.1", 0) as server:
        port = server.sockets[0].getsockname()[1]
        source = f"""
import socket
for family, where in ((2, ("127.0.0.1", {port})), (1, "\\0assent-{os.getpid()}")):
    try:
        socket.socket(family).connect(where)
        print("REACHED")
    except OSError as error:
        print(error.errno)
"""
        assert (await say(sandbox, source)).split() == ["1", "1"]
        await run_shell(sandbox, f"exec 5<>/dev/tcp/127.0.0.1/{port}; bash -c ': </dev/tcp/::1/1'")
    abstract.close()
    assert not reached.is_set()


@pytest.mark.parametrize(
    "place", ["/usr/x", "/bin/x", "/dev/x", "/x", "/proc/sys/kernel/core_pattern", "/etc/x"]
)
async def test_what_is_not_its_own_cannot_be_written(sandbox: Sandbox, place: str) -> None:
    ended = await run_shell(sandbox, f"echo x > {place}")
    assert ended.exit_code not in (0, None)


async def test_rights_are_gone_and_do_not_come_back(sandbox: Sandbox) -> None:
    status = (await run_shell(sandbox, "cat /proc/self/status")).stdout.decode()
    fields = dict(line.split(":\t", 1) for line in status.splitlines())
    assert {fields[name] for name in ("CapPrm", "CapEff", "CapBnd", "CapInh")} == {"0" * 16}
    assert fields["NoNewPrivs"] == "1"
    assert fields["Seccomp"] == "2"
    assert fields["Uid"].split() == ["65534"] * 4
    ended = await run_shell(sandbox, "cp /bin/sh /tmp/sh && chmod 4755 /tmp/sh && /tmp/sh -c id")
    assert b"uid=0" not in ended.stdout + ended.stderr


async def test_any_number_of_processes_is_not_to_be_had(sandbox: Sandbox) -> None:
    source = """
import os, time
count = 0
try:
    while True:
        if os.fork() == 0:
            time.sleep(60)
        count += 1
except OSError:
    print(count)
"""
    assert int(await say(sandbox, source)) < LIMITS.processes
    bomb = await run_shell(sandbox, ":(){ :|:& };:; sleep 30", seconds=2)
    assert bomb.how in ("exited", "timed_out")


async def test_memory_of_one_and_of_all_together_is_bounded(sandbox: Sandbox) -> None:
    one = await run_python(sandbox, "bytearray(1 << 30)")
    assert b"MemoryError" in one.stderr
    many = """
import os, time
for _ in range(10):
    if os.fork() == 0:
        held = bytearray(80 << 20)
        time.sleep(60)
time.sleep(60)
"""
    assert (await run_python(sandbox, many)).how == "took_too_much_memory"


async def test_the_disk_is_bounded(sandbox: Sandbox) -> None:
    fill = "for n in 1 2 3 4; do head -c 6000000 /dev/zero > /{}/$n; done; du -sb /{}"
    for folder in ("tmp", "job"):
        told = await run_shell(sandbox, fill.replace("{}", folder))
        assert b"No space left" in told.stderr
        assert int(told.stdout.split()[0]) <= LIMITS.disk + 4096
    large = await run_shell(sandbox, "head -c 20000000 /dev/zero > /tmp/one", disk=64 * MEGABYTE)
    assert large.exit_code not in (0, None)


async def test_who_says_too_much_is_ended(sandbox: Sandbox) -> None:
    ended = await run_shell(sandbox, "yes; sleep 60")
    assert ended.how == "said_too_much"
    assert len(ended.stdout) + len(ended.stderr) <= LIMITS.output


@pytest.mark.parametrize(
    "source",
    [
        "while true; do :; done",
        "sleep 600",
        "trap '' TERM INT HUP; sleep 600",
        "setsid sleep 600 & setsid sh -c 'sleep 600 &' & wait",
        "exec >&- 2>&-; sleep 600",
    ],
)
async def test_who_takes_too_long_is_ended_with_all_its_children(
    sandbox: Sandbox, source: str
) -> None:
    marker = f"assent-{os.urandom(6).hex()}"
    job = Job(
        ("/bin/sh", "-c", source), environment={"M": marker}, limits=replace(LIMITS, seconds=1)
    )
    assert (await sandbox.run(job)).how == "timed_out"

    async def is_gone() -> bool:
        return not list(find_marked(marker))

    await wait_until(is_gone)


async def test_nothing_stays_behind_when_whoever_started_it_is_killed(tmp_path: Path) -> None:
    marker = f"assent-{os.urandom(6).hex()}"
    source = f"""
import asyncio
from assent.sandbox.job import Job
from assent.sandbox.sandbox import open_sandbox

async def main():
    async with open_sandbox() as sandbox:
        job = Job(("/bin/sh", "-c", "sleep 600 & sleep 600"), environment={{"M": "{marker}"}})
        await sandbox.run(job)

asyncio.run(main())
"""
    child = await asyncio.create_subprocess_exec(sys.executable, "-c", source)

    async def has_begun() -> bool:
        return len(list(find_marked(marker))) >= 3

    async def is_gone() -> bool:
        return not list(find_marked(marker))

    await wait_until(has_begun)
    child.kill()
    await child.wait()
    await wait_until(is_gone)


async def test_who_no_longer_wants_it_ends_it(sandbox: Sandbox) -> None:
    marker = f"assent-{os.urandom(6).hex()}"
    job = Job(("/bin/sh", "-c", "sleep 600"), environment={"M": marker}, limits=LIMITS)
    running = asyncio.create_task(sandbox.run(job))

    async def has_begun() -> bool:
        return bool(list(find_marked(marker)))

    async def is_gone() -> bool:
        return not list(find_marked(marker))

    await wait_until(has_begun)
    running.cancel()
    with pytest.raises(asyncio.CancelledError):
        await running
    await wait_until(is_gone)


def find_marked(marker: str) -> list[int]:
    """Processes with these words in their environment."""
    found: list[int] = []
    for one in Path("/proc").iterdir():
        if one.name.isdigit():
            try:
                if marker.encode() in (one / "environ").read_bytes():
                    found.append(int(one.name))
            except OSError:
                continue
    return found
