"""`assent bench` as operators run it: all figures come out, and nothing is left behind."""

import asyncio
import json
import signal
import tempfile
import time
from collections.abc import Callable, Generator
from pathlib import Path

import asyncpg
import psutil
import pytest

from assent.bench.run import MEASUREMENTS
from tests.fault.durable_postgres import run_durable
from tests.fault.server_process import ServerProcess, wait_gone

PATIENCE = 600
LIST_DATABASES = "SELECT datname FROM pg_database ORDER BY 1"

Start = Callable[..., ServerProcess]


@pytest.fixture
def folder() -> Generator[Path]:
    """Short, so that a socket in it has a path that is not too long."""
    with tempfile.TemporaryDirectory(prefix="a") as name:
        yield Path(name)


@pytest.fixture
def start(folder: Path) -> Generator[Start]:
    """Starts a quick one, with all that it would leave behind in the folder's `tmp`."""
    started: list[ServerProcess] = []
    (folder / "tmp").mkdir()

    def start(*options: str, **environment: str) -> ServerProcess:
        given = {"TMPDIR": str(folder / "tmp"), **environment}
        command = ("bench", "--quick", *options)
        started.append(ServerProcess(*command, folder=folder, **given))
        return started[-1]

    yield start
    for one in started:
        one.end(signal.SIGTERM)


def list_family(bench: ServerProcess) -> list[psutil.Process]:
    try:
        return bench.list_processes()
    except psutil.NoSuchProcess:
        return []


def wait_ended(bench: ServerProcess) -> list[psutil.Process]:
    """Until it has ended; returns every process that it ever had."""
    family: set[psutil.Process] = set()
    deadline = time.monotonic() + PATIENCE
    while bench.process.poll() is None:
        assert time.monotonic() < deadline, bench.output()
        family.update(list_family(bench))
        time.sleep(0.1)
    return list(family)


@pytest.mark.deep
def test_every_figure_is_a_number_and_nothing_is_left(start: Start, folder: Path) -> None:
    bench = start("--json", "figures.json", ASSENT_TOOL_CALLS="1", DATABASE_URL="not ours")
    family = wait_ended(bench)
    assert bench.process.returncode == 0, bench.output()
    assert len(family) > 10
    wait_gone(family)
    assert list((folder / "tmp").iterdir()) == []
    assert not (folder / ".assent").exists()

    report = json.loads((folder / "figures.json").read_text())
    assert [one["name"] for one in report["measurements"]] == list(MEASUREMENTS)
    assert report["machine"]["cores"] > 0 and report["machine"]["postgres"]
    figures = [figure for one in report["measurements"] for figure in one["figures"]]
    assert [one for one in figures if one["value"] is None or one["value"] <= 0] == []
    targets = [(one["name"], one["target"]["value"]) for one in figures if one["target"]]
    assert sorted(set(targets)) == [
        ("changes.p99", 20),
        ("idleFollowers.memory", 40),
        ("resume.p99", 100),
        ("streams.perCore", 1000),
        ("toolCalls.perCore", 1000),
    ]


@pytest.mark.deep
@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGTERM])
def test_it_cleans_up_when_it_is_interrupted(
    start: Start, folder: Path, how: signal.Signals
) -> None:
    bench = start("--only", "idle-followers")
    deadline = time.monotonic() + PATIENCE
    while sum("serve" in one.cmdline() for one in list_family(bench)) < 2:
        assert bench.process.poll() is None and time.monotonic() < deadline, bench.output()
        time.sleep(0.05)
    family = list_family(bench)
    assert any(one.name() == "postgres" for one in family)
    assert bench.end(how) == 1
    wait_gone(family)
    assert list((folder / "tmp").iterdir()) == []


@pytest.mark.deep
def test_a_given_postgres_is_left_as_it_was(start: Start, folder: Path) -> None:
    async def list_databases(url: str) -> list[str]:
        connection = await asyncpg.connect(url)
        try:
            return [row["datname"] for row in await connection.fetch(LIST_DATABASES)]
        finally:
            await connection.close()

    with run_durable() as postgres:
        url = postgres.url("assent")
        before = asyncio.run(list_databases(url))
        bench = start("--only", "tool-calls", "--json", "-", "--database-url", url)
        family = wait_ended(bench)
        assert bench.process.returncode == 0, bench.output()
        assert asyncio.run(list_databases(url)) == before
    wait_gone(family)
    assert list((folder / "tmp").iterdir()) == []


def test_a_postgres_that_does_not_answer_is_named(start: Start, folder: Path) -> None:
    bench = start("--database-url", "postgresql://nobody@127.0.0.1:1/none")
    assert bench.process.wait(PATIENCE) == 2
    assert "database" in bench.output()
    assert list((folder / "tmp").iterdir()) == []
