"""Whether scripts can run here is found out, not assumed."""

import os
import platform
from pathlib import Path

import pytest

from assent.errors import SandboxUnavailable
from assent.sandbox import sandbox as module
from assent.sandbox.job import Job
from assent.sandbox.sandbox import Isolation, open_sandbox

THROUGH = """#!/bin/sh
while [ "$1" != "--" ]; do shift; done
shift
cd /tmp
exec "$@"
"""
"""A program in place of bwrap that builds no walls."""


async def why_not(isolation: Isolation = "strict") -> str:
    async with open_sandbox(isolation) as opened:
        assert not opened.is_available
        with pytest.raises(SandboxUnavailable) as refused:
            await opened.run(Job(("/bin/true",)))
        assert refused.value.code == "sandbox_unavailable"
        with pytest.raises(SandboxUnavailable):
            _ = opened.python
        return refused.value.message


async def test_walls_that_do_not_hold_are_not_used(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    fake = tmp_path / "bwrap"
    fake.write_text(THROUGH)
    for one in (fake, *fake.parents):
        if one != Path("/"):
            one.chmod(one.stat().st_mode | 0o755)

    def find(_: Path) -> str:
        return str(fake)

    monkeypatch.setattr(module, "_find_bwrap", find)
    assert "a script can read files of this machine" in await why_not()


async def test_what_does_not_start_is_not_used(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    broken = tmp_path / "bwrap"
    broken.write_text("#!/bin/sh\necho 'No permissions to create new namespace' >&2\nexit 1\n")
    for one in (broken, *broken.parents):
        if one != Path("/"):
            one.chmod(one.stat().st_mode | 0o755)

    def find(_: Path) -> str:
        return str(broken)

    monkeypatch.setattr(module, "_find_bwrap", find)
    assert "No permissions to create new namespace" in await why_not()


async def test_what_is_missing_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    def find_nothing(*_: object) -> None:
        return None

    for name, told in (("_find_bwrap", "bwrap"), ("_find_python", "Python")):
        with monkeypatch.context() as patched:
            patched.setattr(module, name, find_nothing)
            assert told in await why_not()
    with monkeypatch.context() as patched:
        patched.setattr(platform, "system", lambda: "Darwin")
        assert "Darwin" in await why_not()
    assert "switched off" in await why_not("off")


async def test_a_machine_whose_calls_are_not_known(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(platform, "machine", lambda: "riscv64")
    assert "riscv64" in await why_not()
    async with open_sandbox("weaker") as opened:
        assert opened.is_available
        assert opened.is_downgraded
        ended = await opened.run(Job(("/bin/sh", "-c", "grep Seccomp: /proc/self/status")))
    assert ended.stdout.split() == [b"Seccomp:", b"0"]


@pytest.mark.skipif(os.geteuid() != 0, reason="only root needs a copy")
async def test_as_root_the_program_is_put_where_everybody_may_run_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def is_closed(path: Path) -> bool:
        return path == Path("/usr/bin/python3")

    monkeypatch.setattr(module, "_is_open", is_closed)
    async with open_sandbox() as opened:
        assert opened.is_available, opened.why_not
