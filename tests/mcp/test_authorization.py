"""The public conformance suite's scenarios for authorization servers; the person says yes."""

import asyncio
import json
import socket
from pathlib import Path
from typing import Any

import httpx2
import pytest

from assent.testing import RunningServer
from tests.mcp.browser import Browser
from tests.mcp.test_conformance import FOLDER, NODE, SUITE
from tests.turn.oauth import Site

EXPECTED = {
    "authorization-server-metadata",
    "authorization-server-metadata-cimd",
    "authorization-code-grant",
}


def find_free_port() -> int:
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return one.getsockname()[1]


async def find_request(told: asyncio.StreamReader, url: str) -> str:
    """The address that the suite wants opened in a browser."""
    async for line in told:
        text = line.decode().strip()
        if text.startswith(f"{url}/oauth/authorize?"):
            return text
    raise AssertionError("The suite has ended before it asked for anything.")


def read_checks(folder: Path) -> list[dict[str, Any]]:
    files = folder.rglob("checks.json")
    return [check for file in files for check in json.loads(file.read_text())]


@pytest.mark.parametrize("revision", ["2025-06-18", "2025-11-25", "2026-07-28"])
async def test_nothing_fails(
    workshop: RunningServer, documents: Site, tmp_path: Path, revision: str
) -> None:
    """Warnings count as failures, and so does what was left out."""
    port = find_free_port()
    client_id = documents.publish(redirect_uris=["http://127.0.0.1/callback"])
    process = await asyncio.create_subprocess_exec(
        *(str(NODE), str(SUITE), "authorization", "--url", workshop.url, "--client-id", client_id),
        *("--resource", f"{workshop.url}/mcp", "--port", str(port), "--spec-version", revision),
        *("--output-dir", str(tmp_path)),
        cwd=FOLDER,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.STDOUT,
    )
    try:
        assert process.stdout is not None
        request = await find_request(process.stdout, workshop.url)
        to = await Browser(await workshop.open_admin()).visit(request)
        async with httpx2.AsyncClient() as http:
            assert (await http.get(to)).status_code == 200
        told = (await process.stdout.read()).decode()
        assert await process.wait() == 0, told
    finally:
        if process.returncode is None:
            process.kill()
    checks = read_checks(tmp_path)
    left_out = {"authorization-server-metadata-cimd"} if revision == "2025-06-18" else set[str]()
    assert {check["id"] for check in checks} >= EXPECTED - left_out
    assert {
        check["id"]: check.get("errorMessage")
        for check in checks
        if check["status"] not in ("SUCCESS", "INFO")
    } == {}
