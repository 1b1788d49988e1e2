"""The public conformance suite against the running server: nothing is expected to fail."""

import asyncio
import json
import re
from collections.abc import AsyncGenerator
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio
import yaml
from starlette.types import ASGIApp, Receive, Scope, Send

from assent.testing import Databases, RunningServer, run_server
from tests.contract.source import ROOT
from tests.mcp.programs import make_key
from tests.mcp.suite import build_extension

pytestmark = pytest.mark.filterwarnings("ignore:The logging capability is deprecated")

FOLDER = ROOT / "tests" / "conformance"
NODE = ROOT / ".venv" / "node" / "bin" / "node"
SUITE = FOLDER / "node_modules" / "@modelcontextprotocol" / "conformance" / "dist" / "index.js"


class Introduced:
    """Gives every request the key: the suite has no way to bring one."""

    def __init__(self) -> None:
        self.key = ""

    def wrap(self, app: ASGIApp) -> ASGIApp:
        async def wrapped(scope: Scope, receive: Receive, send: Send) -> None:
            if scope["type"] == "http" and scope["path"] == "/mcp":
                credential = (b"authorization", f"Bearer {self.key}".encode())
                scope["headers"] = [*scope["headers"], credential]
            await app(scope, receive, send)

        return wrapped


@pytest_asyncio.fixture(scope="module")
async def tested(databases: Databases) -> AsyncGenerator[RunningServer]:
    introduced = Introduced()
    async with (
        databases.copy() as url,
        run_server(
            url,
            demo=True,
            background_work=False,
            tool_calls=10_000,
            mcp_extension=build_extension(),
            wrap=introduced.wrap,
        ) as server,
    ):
        introduced.key = await make_key(await server.open_admin(), "*")
        yield server


@pytest.mark.parametrize("revision", ["2025-11-25", "2026-07-28"])
async def test_nothing_fails(tested: RunningServer, tmp_path: Path, revision: str) -> None:
    """Warnings count as failures: they are what a server should do."""
    process = await asyncio.create_subprocess_exec(
        *(str(NODE), str(SUITE), "server"),
        *("--url", f"{tested.url}/mcp", "--requirements", revision),
        *("--output-dir", str(tmp_path)),
        cwd=FOLDER,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.STDOUT,
    )
    told, _ = await process.communicate()
    required = read_required(revision)
    checks = read_checks(tmp_path)
    assert required - checks.keys() == set(), told.decode()
    failed = {
        f"{name} {check['id']}": check.get("errorMessage")
        for name in required
        for check in checks[name]
        if check["status"] in ("FAILURE", "WARNING")
    }
    assert failed == {}
    assert process.returncode == 0, told.decode()


def read_required(revision: str) -> set[str]:
    """The scenarios for servers that a revision requires, as the suite says."""
    file = SUITE.parent.parent / "requirements" / f"{revision}.yaml"
    return set(yaml.safe_load(file.read_text())["server"])


def read_checks(folder: Path) -> dict[str, list[dict[str, Any]]]:
    """By scenario; the folder of one is named after it and the time."""
    return {
        re.sub(r"^server-|-\d{4}-\d\d-\d\dT.*$", "", file.parent.name): json.loads(file.read_text())
        for file in folder.rglob("checks.json")
    }
