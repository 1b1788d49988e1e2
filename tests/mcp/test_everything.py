"""A program that accepts everything and calls everything it sees: nothing changes."""

from collections.abc import Iterator, Mapping
from typing import Any

import pytest
from mcp.shared.exceptions import MCPError
from mcp_types import ElicitResult, Tool

from assent.mcp_server import changes
from assent.testing import Client, RunningServer
from tests.contract.story import digest
from tests.mcp.programs import REVISIONS, make_key, open_program
from tests.turn.people import expect, fetch

WAITING = {
    "approval_votes",
    "artifacts",
    "evidence",
    "outbox",
    "proposals",
    "proposal_payloads",
    "spent_states",
    "tool_budget",
}
"""Where proposals are kept, what they rest on, what a call counts against, and used states."""


LISTED = {
    "incident.list": "incidentId",
    "maintenance.list": "windowId",
    "healthcheck.list": "checkId",
    "slo.list": "objectiveId",
}
KNOWN = {
    "baseUrl": "https://models.example",
    "url": "https://elsewhere.example/page",
    "startsAt": "2031-01-01T20:00:00Z",
    "endsAt": "2031-01-01T22:00:00Z",
    "rule": "catalog.system.read",
}
CHANGED = ("name", "title", "description", "systemId")
"""What is given too where it may be: a change without any is none."""


class Guesses:
    """Arguments that make sense: ids of what other tools have shown."""

    def __init__(self) -> None:
        self.ids = dict(KNOWN)

    def learn(self, tool: str, value: Any) -> None:
        for key, found in walk(value):
            self.ids.setdefault(key, found)
        items = value.get("items") if isinstance(value, dict) else None
        kind = tool.rpartition(".list")[2].removesuffix("s")
        if items and isinstance(items[0], dict) and "id" in items[0]:
            name = LISTED.get(tool, f"{kind[:1].lower()}{kind[1:]}Id")
            self.ids[name] = items[-1]["id"]

    def fill(self, schema: Mapping[str, Any], root: Mapping[str, Any], name: str = "") -> Any:
        if "$ref" in schema:
            return self.fill(root["$defs"][schema["$ref"].rpartition("/")[2]], root, name)
        if name in self.ids:
            return self.ids[name]
        for one in ("const", "default"):
            if schema.get(one) is not None:
                return schema[one]
        if "enum" in schema:
            return schema["enum"][0]
        for several in ("anyOf", "oneOf", "allOf"):
            if several in schema:
                return self.fill(schema[several][0], root, name)
        return self._fill_kind(schema, root, name)

    def _fill_kind(self, schema: Mapping[str, Any], root: Mapping[str, Any], name: str) -> Any:
        kind = schema.get("type")
        if kind == "object":
            properties = schema.get("properties", {})
            more = [one for one in CHANGED if one in properties]
            wanted = dict.fromkeys([*schema.get("required", []), *more])
            return {one: self.fill(properties[one], root, one) for one in wanted}
        if kind == "array":
            return [self.fill(schema.get("items", {}), root, name.removesuffix("s"))]
        if kind in ("integer", "number"):
            return schema.get("minimum", 1)
        return True if kind == "boolean" else "something-new"


def walk(value: Any) -> Iterator[tuple[str, str]]:
    if isinstance(value, list):
        for one in value:
            yield from walk(one)
    if isinstance(value, dict):
        for key, one in value.items():
            if isinstance(one, str) and key.endswith("Id"):
                yield key, one
            yield from walk(one)


async def accept(_context: Any, _params: Any) -> ElicitResult:
    return ElicitResult(action="accept", content={})


async def look(server: RunningServer) -> dict[str, str]:
    tables = await digest(server.database)
    return {name: one for name, one in tables.items() if name.split(".")[-1] not in WAITING}


async def furnish(admin: Client) -> None:
    """Something of each kind that could be changed."""
    (workspace, *_) = expect(await admin.get("/api/workspaces"), 200)["items"]
    listed = expect(await admin.get("/api/p/catalog/systems"), 200)["items"]
    here = {"workspaceId": workspace["id"]}
    page = {"title": "Runbook", "section": "Runbooks", "text": "Call somebody."}
    window = {"title": "Works", "startsAt": KNOWN["startsAt"], "endsAt": KNOWN["endsAt"]}
    objective = {"name": "Up", "systemId": listed[0]["id"], "target": 99.5}
    for path, draft in {
        "/api/documents": page,
        "/api/p/incident/incidents": here | {"title": "Down", "severity": "minor"},
        "/api/p/maintenance/windows": here | window,
        "/api/p/slo/objectives": objective,
    }.items():
        response = await admin.post(path, json=draft)
        assert response.status_code in (201, 409), response.text


@pytest.mark.parametrize("revision", REVISIONS)
async def test_nothing_changes(
    shop: RunningServer, admin: Client, revision: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(changes, "PATIENCE_SECONDS", 0)  # nobody is at the other page
    await furnish(admin)
    key = await make_key(admin, "*")
    before = await look(shop)
    guesses = Guesses()
    async with open_program(shop.url, key, revision, elicitation_callback=accept) as program:
        tools = (await program.list_tools()).tools
        for tool in sorted(tools, key=changes_something):
            given = guesses.fill(tool.input_schema, tool.input_schema)
            try:
                result = await program.call_tool(tool.name, given)
            except MCPError as error:
                assert error.code in (-32042, -32602), (tool.name, error)
                continue
            guesses.learn(tool.name, result.structured_content)
    changing = {tool.name for tool in tools if changes_something(tool)}
    rows = await fetch(shop, "SELECT DISTINCT tool, state FROM proposals")
    assert {row["state"] for row in rows} == {"proposed"}
    assert len(changing) > 20
    assert len({row["tool"] for row in rows} & changing) >= 20
    assert await look(shop) == before


def changes_something(tool: Tool) -> bool:
    return tool.annotations is None or not tool.annotations.read_only_hint
