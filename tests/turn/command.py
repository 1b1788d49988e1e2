"""The command `assent` in a process of its own, forked from one that has everything imported.

A start of Python with all imports would be most of what most commands do. Nothing else differs: the
process has its own folder, environment and output, and ends with the command's exit code.
"""

import asyncio
import multiprocessing
import os
import sys
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from assent import cli
from tests.patience import PATIENCE


@dataclass(frozen=True, slots=True)
class Result:
    code: int
    output: str
    errors: str


async def assent(*arguments: str, folder: Path, **environment: str) -> Result:
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload([__name__])
    with tempfile.TemporaryDirectory() as told:
        output, errors = Path(told) / "output", Path(told) / "errors"
        process = context.Process(
            target=run,
            args=(arguments, folder, surroundings(**environment), output, errors),
            daemon=True,
        )
        process.start()
        await asyncio.to_thread(process.join, PATIENCE)
        assert process.exitcode is not None, f"still busy: {arguments}"
        result = Result(process.exitcode, output.read_text(), errors.read_text())
    assert "Traceback" not in result.errors, result.errors
    return result


async def start_assent(*arguments: str, folder: Path) -> Result:
    """From the beginning, as an operator types it."""
    process = await asyncio.create_subprocess_exec(
        sys.executable,
        "-m",
        "assent",
        *arguments,
        cwd=folder,
        env=surroundings(),
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
    )
    async with asyncio.timeout(PATIENCE):
        output, errors = await process.communicate()
    return Result(process.returncode or 0, output.decode(), errors.decode())


def surroundings(**environment: str) -> dict[str, str]:
    """The environment without anything that was meant for the tests themselves."""
    inherited = {
        name: value
        for name, value in os.environ.items()
        if not name.startswith("ASSENT_") and name != "DATABASE_URL"
    }
    return {**inherited, **environment}


def run(
    arguments: Sequence[str],
    folder: Path,
    environment: Mapping[str, str],
    output: Path,
    errors: Path,
) -> None:
    os.chdir(folder)
    os.environ.clear()
    os.environ.update(environment)
    for path, stream in ((output, sys.stdout), (errors, sys.stderr)):
        with path.open("wb") as file:
            os.dup2(file.fileno(), stream.fileno())
    cli.main(list(arguments), prog_name="assent")
