"""Tools through the one door, over HTTP: who sees which, what a call does and leaves behind."""

import asyncio
from collections.abc import AsyncGenerator
from typing import Any

import pytest
import pytest_asyncio

from assent.bundled.catalog import plugin as catalog
from assent.plugins import administration, assistant
from assent.plugins.api import Context, Event, Plugin
from assent.plugins.load import load_plugins
from assent.testing import Client, Databases, RunningServer, run_server
from tests.turn.people import expect, fetch

CALL = "/api/tools/catalog.listSystems/call"
GROUPS = "catalog.listGroups"


@pytest_asyncio.fixture(scope="module")
async def shop(databases: Databases) -> AsyncGenerator[RunningServer]:
    async with (
        databases.copy() as url,
        run_server(url, demo=True, background_work=False, tool_calls=1000) as server,
    ):
        yield server


@pytest_asyncio.fixture
async def admin(shop: RunningServer) -> Client:
    return await shop.open_admin()


async def make_key(admin: Client, *rules: str) -> str:
    draft = {"name": "robot", "rules": list(rules)}
    application = expect(await admin.post("/api/applications", json=draft), 201)
    return expect(await admin.post(f"/api/applications/{application['id']}/keys"), 201)["key"]


async def list_entries(server: RunningServer, action: str) -> list[tuple[str, str, str]]:
    rows = await fetch(
        server,
        "SELECT edge, effect, status FROM audit_entries WHERE action = $1 ORDER BY id",
        action,
    )
    return [(row["edge"], row["effect"], row["status"]) for row in rows]


async def test_a_person_sees_all_tools(admin: Client) -> None:
    tools = expect(await admin.get("/api/tools"), 200)["items"]
    by_name = {tool["name"]: tool for tool in tools}
    assert list(by_name) == sorted(by_name)
    assert {
        "ai.readArtifact",
        "catalog.listEnvironments",
        "catalog.listGroups",
        "catalog.listSystems",
        "dependency.list",
    } <= set(by_name)
    systems = by_name["catalog.listSystems"]
    assert systems["title"] == "List systems"
    assert systems["effect"] == "read"
    assert systems["egress"] is False
    assert systems["rules"] == ["catalog.system.read"]
    assert set(systems["inputSchema"]["properties"]) >= {"q", "workspaceId", "limit"}


async def test_a_key_sees_and_calls_what_its_rules_allow(
    shop: RunningServer, admin: Client
) -> None:
    robot = await shop.open_client(key=await make_key(admin, "catalog.system.read"))
    tools = expect(await robot.get("/api/tools"), 200)["items"]
    assert [tool["name"] for tool in tools] == [
        "ai.askOperator",
        "ai.getDoc",
        "ai.getRun",
        "ai.listDocs",
        "ai.listRuns",
        "ai.loadGuide",
        "ai.readArtifact",
        "ai.readProposal",
        "ai.searchDocs",
        "ai.setPhase",
        "ai.showPlan",
        "ai.suggestReplies",
        "catalog.listSystems",
        "system.issues",
    ]
    answer = expect(await robot.post(CALL, json={"input": {"q": "check"}}), 200)
    assert [item["name"] for item in answer["result"]["items"]] == ["checkout"]
    assert answer["truncated"] is False
    refused = expect(await robot.post("/api/tools/dependency.list/call", json={}), 403)
    assert refused["rule"] == "catalog.dependency.read"
    assert await list_entries(shop, "dependency.list") == [("rest", "read", "refused")]


@pytest.mark.parametrize(
    ("given", "path"),
    [
        ({"nonsense": 1}, "nonsense"),
        ({"limit": 0}, "limit"),
        ({"limit": "5"}, "limit"),
        ({"workspaceId": "here"}, "workspaceId"),
    ],
)
async def test_wrong_arguments_name_the_field(
    admin: Client, given: dict[str, Any], path: str
) -> None:
    problem = expect(await admin.post(CALL, json={"input": given}), 422)
    assert problem["code"] == "tool_validation"
    assert path in {issue["path"] for issue in problem["issues"]}


async def test_an_unknown_tool_names_its_neighbour(shop: RunningServer, admin: Client) -> None:
    name = "catalog.listSystem"
    problem = expect(await admin.post(f"/api/tools/{name}/call", json={}), 404)
    assert "catalog.listSystems" in problem["detail"]
    assert await list_entries(shop, name) == [("rest", "read", "refused")]


async def test_a_large_result_is_cut_and_says_so(shop: RunningServer, admin: Client) -> None:
    me = expect(await admin.get("/api/me"), 200)
    for number in range(60):
        draft = {
            "workspaceId": me["workspaces"][0]["id"],
            "name": f"bulk-{number}",
            "description": "x" * 900,
        }
        expect(await admin.post("/api/p/catalog/systems", json=draft), 201)
    answer = await admin.post(CALL, json={"input": {"q": "bulk", "limit": 100}})
    body = expect(answer, 200)
    assert body["truncated"] is True
    assert "_truncated" in answer.text
    assert len(answer.text) < 13_000


async def test_every_call_leaves_an_entry(shop: RunningServer, admin: Client) -> None:
    before = len(await list_entries(shop, GROUPS))
    expect(await admin.post(f"/api/tools/{GROUPS}/call", json={"input": {"q": "x"}}), 200)
    assert (await list_entries(shop, GROUPS))[before:] == [("rest", "read", "executed")]
    assert await fetch(shop, "SELECT FROM outbox WHERE topic = 'tool.called'") == []


async def test_whoever_listens_hears_of_every_call(databases: Databases) -> None:
    """Its metadata, and never its arguments. Where nobody listens, nothing waits for anybody."""
    ear, heard = Plugin("ear", title="Ear", rules=["ear.call.read"]), asyncio.Queue[Event]()

    @ear.on("tool.called")
    async def hear(ctx: Context, event: Event) -> None:
        heard.put_nowait(event)

    loaded = load_plugins([administration.plugin, assistant.plugin], [catalog, ear], {})
    async with databases.copy() as url, run_server(url, loaded=loaded) as server:
        admin = await server.open_admin()
        given = {"q": "a secret word"}
        expect(await admin.post(f"/api/tools/{GROUPS}/call", json={"input": given}), 200)
        event = await heard.get()
    assert event.payload["tool"] == GROUPS
    assert event.payload["status"] == "executed"
    assert "secret word" not in str(event)


async def test_the_budget_is_never_overshot(databases: Databases) -> None:
    """64 at once on two servers with room for 10: exactly 10 get through."""
    async with (
        databases.copy() as url,
        run_server(url, background_work=False, tool_calls=10) as first,
        run_server(
            url,
            background_work=False,
            tool_calls=10,
            master_key=first.settings.master_key,
        ) as second,
    ):
        clients = [await first.open_admin(), await second.open_admin()]
        answers = await asyncio.gather(
            *(clients[number % 2].post(CALL, json={}) for number in range(64))
        )
    statuses = [answer.status_code for answer in answers]
    assert sorted(set(statuses)) == [200, 429]
    assert statuses.count(200) == 10
    refused = next(answer for answer in answers if answer.status_code == 429)
    assert 1 <= int(refused.headers["retry-after"]) <= 60
