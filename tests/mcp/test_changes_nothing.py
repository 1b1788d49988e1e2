"""A client that accepts whatever it is asked, and calls whatever there is: nothing changes."""

import json
from collections import Counter
from typing import Any

import mcp_types as types
import pytest
from mcp import MCPError

from assent.mcp_server import changes
from assent.testing import Client, Databases, RunningServer, run_server
from tests.mcp.made import KNOWN, Maker
from tests.mcp.programs import REVISIONS, make_key, open_program
from tests.turn.people import fetch

LIST_TABLES = """
SELECT format('%I.%I', schemaname, tablename) AS name FROM pg_tables
WHERE schemaname NOT IN ('pg_catalog', 'information_schema') ORDER BY 1
"""
READ_ROWS = "SELECT (to_jsonb(t) - 'last_used_at')::text AS row FROM {} AS t"
MAY_GROW = {
    "public.proposals": "what was asked for",
    "public.audit_entries": "that it was asked for",
    "public.tool_budget": "how often",
    "public.spent_states": "with which state",
    "public.evidence": "what reads have shown to whoever asked",
    "public.artifacts": "results that were too large to show",
    "public.outbox": "that tools were called, for whoever watches",
}
"""All that a program's calls leave behind."""
MANY_PROPOSALS = 25
"""Tools at least whose calls made sense to the server: otherwise nothing was tried."""


async def read_all(server: RunningServer) -> dict[str, Counter[str]]:
    """Every row of every table, but for when a key was used."""
    rows: dict[str, Counter[str]] = {}
    for table in await fetch(server, LIST_TABLES):
        name = table["name"]
        found = await fetch(server, READ_ROWS.format(name))
        rows[name] = Counter(one["row"] for one in found)
    return rows


async def find_ids(server: RunningServer) -> dict[str, str]:
    found: dict[str, str] = {}
    for field, table in KNOWN.items():
        rows = await fetch(server, f"SELECT id FROM {table} ORDER BY id LIMIT 1")
        found[field] = str(rows[0]["id"]) if rows else "00000000-0000-0000-0000-000000000000"
    return found


async def accept(_ctx: Any, _params: Any) -> types.ElicitResult:
    return types.ElicitResult(action="accept", content={})


async def call_everything(server: RunningServer, key: str, revision: str) -> list[str]:
    """Which tools there are; each was called with little, with everything, and again."""
    ids = await find_ids(server)
    async with open_program(server.url, key, revision, elicitation_callback=accept) as program:
        assert program.protocol_version == revision
        tools = (await program.list_tools()).tools
        for tool in tools:
            for whole in (False, True, True):
                given = Maker(tool.input_schema, ids, whole=whole).make()
                try:
                    await program.call_tool(tool.name, given)
                except MCPError as error:
                    assert error.error.code == -32042, error
    return [tool.name for tool in tools]


@pytest.mark.parametrize("revision", REVISIONS)
async def test_accepting_everything_changes_nothing(
    databases: Databases, monkeypatch: pytest.MonkeyPatch, revision: str
) -> None:
    monkeypatch.setattr(changes, "PATIENCE_SECONDS", 0.0)
    monkeypatch.setattr(changes, "MOST_ROUNDS", 2)
    async with (
        databases.copy() as url,
        run_server(url, demo=True, background_work=False, tool_calls=100_000) as server,
    ):
        admin: Client = await server.open_admin()
        key = await make_key(admin, "*")
        before = await read_all(server)
        names = await call_everything(server, key, revision)
        after = await read_all(server)
        assert before.keys() == after.keys()
        changed = {name for name, rows in after.items() if rows != before[name]}
        assert changed - set(MAY_GROW) == set()
        assert not any(before[name] - after[name] for name in MAY_GROW)
        told = after["public.outbox"] - before["public.outbox"]
        assert {json.loads(row)["topic"] for row in told} == {"tool.called"}
        made = await fetch(server, "SELECT tool, state, edge FROM proposals")
        assert {(one["state"], one["edge"]) for one in made} == {("proposed", "mcp")}
        assert len({one["tool"] for one in made} & set(names)) >= MANY_PROPOSALS
