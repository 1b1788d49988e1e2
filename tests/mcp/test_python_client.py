"""The official Python client in every revision: what it sees, calls, and is told."""

import json

import pytest

from assent.testing import Client, RunningServer
from tests.mcp.programs import REVISIONS, make_key, open_program
from tests.turn.people import fetch


@pytest.mark.parametrize("revision", REVISIONS)
async def test_a_program_lists_and_calls(shop: RunningServer, admin: Client, revision: str) -> None:
    key = await make_key(admin, "catalog.system.read")
    async with open_program(shop.url, key, revision) as program:
        assert program.protocol_version == revision
        assert program.server_info is not None
        assert program.server_info.name == "assent"
        listed = (await program.list_tools()).tools
        names = [tool.name for tool in listed]
        assert names == sorted(names)
        assert "catalog.listSystems" in names
        assert not {"ai.askOperator", "ai.setPhase", "ai.showPlan", "ai.suggestReplies"} & {*names}
        result = await program.call_tool("catalog.listSystems", {"limit": 2})
        assert not result.is_error
        (text,) = result.content
        assert text.type == "text"
        assert json.loads(text.text) == result.structured_content
        assert len(result.structured_content["items"]) == 2
    rows = await fetch(
        shop, "SELECT edge, status FROM audit_entries WHERE action = 'catalog.listSystems'"
    )
    assert {(row["edge"], row["status"]) for row in rows} == {("mcp", "executed")}


@pytest.mark.parametrize("revision", REVISIONS)
async def test_a_change_is_only_proposed(shop: RunningServer, admin: Client, revision: str) -> None:
    key = await make_key(admin, "*")
    async with open_program(shop.url, key, revision) as program:
        before = await program.call_tool("catalog.listGroups", {})
        groups = before.structured_content["items"]
        result = await program.call_tool(
            "catalog.updateGroup",
            {
                "groupId": groups[0]["id"],
                "name": f"New {revision}",
            },
        )
        assert not result.is_error
        told = result.structured_content
        assert told["state"] == "proposed"
        assert told["url"] == f"{shop.url}/decide/{told['proposalId']}"
        after = await program.call_tool("catalog.listGroups", {})
        assert after.structured_content == before.structured_content
