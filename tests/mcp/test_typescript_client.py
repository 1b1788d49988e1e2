"""The official clients in TypeScript, the newest and the one before, in every revision."""

import asyncio
import json
import sys
from pathlib import Path
from typing import Any

import pytest

from assent.testing import Client, RunningServer
from tests.mcp.programs import REVISIONS, make_key

NODE = Path(sys.prefix) / "node" / "bin" / "node"
SCRIPT = Path(__file__).with_name("client.mjs")
SPOKEN = [
    *(("client", revision) for revision in REVISIONS),
    *(("sdk", revision) for revision in REVISIONS[1:]),
]


async def drive(package: str, server: RunningServer, key: str, revision: str) -> dict[str, Any]:
    process = await asyncio.create_subprocess_exec(
        *(str(NODE), str(SCRIPT), package, f"{server.url}/mcp", key, revision),
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
    )
    told, complaints = await process.communicate()
    assert process.returncode == 0, complaints.decode()
    return json.loads(told)


@pytest.mark.parametrize(("package", "revision"), SPOKEN)
async def test_a_program_gets_everything(
    shop: RunningServer, admin: Client, package: str, revision: str
) -> None:
    key = await make_key(admin, "*")
    seen = await drive(package, shop, key, revision)
    assert (seen["version"], seen["complaints"]) == (revision, [])
    names = [tool["name"] for tool in seen["tools"]]
    assert "catalog.listSystems" in names
    assert len(seen["systems"]["structuredContent"]["items"]) == 2
    assert seen["wrong"]["isError"] is True
    assert seen["wrong"]["content"][0]["text"].startswith("limit: ")
    assert seen["unknown"]["code"] == -32602
    assert "Did you mean catalog.listSystems" in seen["unknown"]["message"]
    assert "assent://docs/proposals" in [one["uri"] for one in seen["resources"]]
    assert seen["page"]["contents"][0]["text"].startswith("# ")
    assert "guide-build" in [one["name"] for one in seen["prompts"]]
    assert seen["guide"]["messages"][0]["content"]["text"]
