"""Running a script of a person or a model: Python or shell, with what it is given (SPEC X4)."""

import asyncio
import json
import socket
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from importlib.resources import files
from typing import Any, Literal, TypeAlias

from assent.sandbox.channel import Fetch, Talk
from assent.sandbox.job import Ended, Ending, File, Job, Limits
from assent.sandbox.sandbox import Sandbox

Language: TypeAlias = Literal["python", "shell"]

INSIDE = files("assent.sandbox.inside")
WHY: Mapping[Ending, str] = {
    "timed_out": "It took too long and was ended.",
    "said_too_much": "It printed too much and was ended.",
    "took_too_much_memory": "It took too much memory and was ended.",
}


@dataclass(frozen=True, slots=True)
class Script:
    """`env` holds what it may read from its environment: placeholders, never secrets, in a test."""

    language: Language
    source: str
    config: Mapping[str, Any] = field(default_factory=dict[str, Any])
    context: Mapping[str, Any] = field(default_factory=dict[str, Any])
    env: Mapping[str, str] = field(default_factory=dict[str, str])
    milliseconds: int = 10_000


@dataclass(frozen=True, slots=True)
class Finished:
    """`error` says in a line why there is no result."""

    result: Any
    stdout: str
    stderr: str
    exit_code: int | None
    duration_ms: int
    timed_out: bool
    error: str | None
    sandbox_downgraded: bool


async def run_script(sandbox: Sandbox, script: Script, fetch: Fetch) -> Finished:
    """Its requests go through `fetch`. Raises SandboxUnavailable where no script can run."""
    ours, theirs = socket.socketpair()
    ours.setblocking(False)
    talk = Talk(fetch)
    serving = asyncio.create_task(talk.serve(ours))
    try:
        with theirs:
            ended = await sandbox.run(_build_job(sandbox, script), theirs)
        await asyncio.wait([serving], timeout=1)
    finally:
        serving.cancel()
        await asyncio.gather(serving, return_exceptions=True)
        ours.close()
    return _describe(sandbox, script, ended, talk)


def _build_job(sandbox: Sandbox, script: Script) -> Job:
    given = {"config": script.config, "context": script.context, "env": script.env}
    placed = {
        "given.json": File(json.dumps(given).encode()),
        "assent_script.py": File((INSIDE / "assent_script.py").read_bytes()),
    }
    seconds = script.milliseconds / 1000
    limits = replace(Limits(), seconds=seconds, cpu_seconds=max(1, round(seconds)))
    if script.language == "python":
        placed["main.py"] = File((INSIDE / "main.py").read_bytes())
        placed["script.py"] = File(script.source.encode())
        return Job((sandbox.python, "-P", "-s", "main.py"), placed, _PYTHON, limits=limits)
    fetching = f"#!{sandbox.python} -s\n".encode() + (INSIDE / "fetch.py").read_bytes()
    placed["bin/http"] = File(fetching, is_program=True)
    placed["script.sh"] = File(script.source.encode())
    environment = {**_PYTHON, **script.env}
    return Job(("/bin/sh", "script.sh"), placed, environment, limits=limits)


_PYTHON = {"PYTHONPATH": "/job"}


def _describe(sandbox: Sandbox, script: Script, ended: Ended, talk: Talk) -> Finished:
    stdout, stderr = (one.decode("utf-8", "replace") for one in (ended.stdout, ended.stderr))
    error = WHY.get(ended.how)
    if error is None and ended.exit_code != 0:
        last = stderr.strip().splitlines()[-1:] or [f"It ended with {ended.exit_code}."]
        error = last[0]
    result = talk.result
    if script.language == "shell" and error is None:
        result = _read_last_line(stdout)
    return Finished(
        result=result,
        stdout=stdout,
        stderr=stderr,
        exit_code=ended.exit_code,
        duration_ms=round(ended.seconds * 1000),
        timed_out=ended.how == "timed_out",
        error=error,
        sandbox_downgraded=sandbox.is_downgraded,
    )


def _read_last_line(stdout: str) -> Any:
    """A shell script's result is its last line, if that is JSON."""
    try:
        return json.loads(stdout.strip().splitlines()[-1])
    except (ValueError, IndexError):
        return None
