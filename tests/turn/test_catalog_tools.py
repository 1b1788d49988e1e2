"""The catalog's tools over HTTP: proposed, shown as a card, applied, and refused when overtaken."""

from collections.abc import AsyncGenerator
from dataclasses import dataclass
from typing import Any

import pytest
import pytest_asyncio

from assent.testing import Client, Databases, RunningServer, run_server
from tests.turn.people import add_person, add_workspace, expect, fetch, find_tenant, number
from tests.turn.shop import BASE, Shop, open_shop

PROPOSALS = "/api/proposals"


@dataclass(frozen=True, slots=True)
class Door:
    """One person's browser, and the shop in a workspace that the changes are about."""

    server: RunningServer
    client: Client
    shop: Shop
    names: dict[str, str]

    async def propose(self, tool: str, given: dict[str, Any], status: int = 201) -> Any:
        body = {"tool": f"catalog.{tool}", "input": given}
        return expect(await self.client.post(PROPOSALS, json=body), status)

    async def apply(self, card: dict[str, Any], status: int = 200) -> Any:
        token = expect(await self.client.post(f"{PROPOSALS}/{card['id']}/token"), 200)
        assert token["payloadHash"] == card["payloadHash"]
        given = {"token": token["token"]}
        answer = await self.client.post(f"{PROPOSALS}/{card['id']}/apply", json=given)
        return expect(answer, status)

    async def get(self, kind: str, one: str, status: int = 200) -> Any:
        return expect(await self.client.get(f"{BASE}/{kind}/{one}"), status)


@pytest_asyncio.fixture(scope="module")
async def server(databases: Databases) -> AsyncGenerator[RunningServer]:
    async with (
        databases.copy() as url,
        run_server(url, background_work=False, tool_calls=10_000) as running,
    ):
        yield running


@pytest.fixture
async def door(server: RunningServer) -> Door:
    tenant = await find_tenant(server)
    client = tenant.admin.client
    workspace_id = await add_workspace(server, tenant.id)
    shop = await open_shop(client, workspace_id)
    names: dict[str, str] = {}
    kinds = {
        "systems": shop.systems,
        "groups": [shop.group],
        "environments": [shop.environment],
    }
    for kind, ids in kinds.items():
        for one in ids:
            names[one] = expect(await client.get(f"{BASE}/{kind}/{one}"), 200)["name"]
    (row,) = await fetch(server, "SELECT name FROM workspaces WHERE id = $1", workspace_id)
    names[shop.workspace_id] = row["name"]
    return Door(server, client, shop, names)


async def test_a_system_from_beginning_to_end(door: Door) -> None:
    shop, names = door.shop, door.names
    draft = {
        "workspaceId": shop.workspace_id,
        "name": f"mail-{number()}",
        "description": "Sends mail.",
        "groupIds": [shop.group],
        "environmentIds": [shop.environment],
    }
    card = await door.propose("createSystem", draft)
    assert card["state"] == "proposed"
    assert card["payload"] == draft
    assert card["creates"] == {
        "workspace": names[shop.workspace_id],
        "name": draft["name"],
        "description": "Sends mail.",
        "groups": [names[shop.group]],
        "environments": [names[shop.environment]],
    }
    applied = await door.apply(card)
    assert applied["state"] == "applied"
    made = applied["result"]["id"]
    system = await door.get("systems", made)
    assert {key: system[key] for key in draft} == draft

    change = {"systemId": made, "name": f"post-{number()}", "description": "Sends mail."}
    card = await door.propose("updateSystem", change)
    assert card["summary"] == f"Change the name of system {draft['name']}"
    assert [(one["path"], one["before"], one["after"]) for one in card["diff"]] == [
        ("name", draft["name"], change["name"])
    ]
    await door.apply(card)
    assert (await door.get("systems", made))["name"] == change["name"]

    card = await door.propose("deleteSystem", {"systemId": made})
    assert card["effect"] == "destructive"
    assert card["removes"] == [
        f"system {change['name']}",
        f"membership in group {names[shop.group]}",
        f"link to environment {names[shop.environment]}",
    ]
    await door.apply(card)
    await door.get("systems", made, 404)


async def test_a_group_from_beginning_to_end(door: Door) -> None:
    shop, names = door.shop, door.names
    draft = {
        "workspaceId": shop.workspace_id,
        "name": f"group-{number()}",
        "systemIds": [shop.systems[0]],
    }
    card = await door.propose("createGroup", draft)
    assert card["creates"]["systems"] == [names[shop.systems[0]]]
    made = (await door.apply(card))["result"]["id"]
    assert (await door.get("groups", made))["systemIds"] == [shop.systems[0]]

    card = await door.propose("updateGroup", {"groupId": made, "description": "Money."})
    await door.apply(card)
    assert (await door.get("groups", made))["description"] == "Money."

    card = await door.propose("deleteGroup", {"groupId": made})
    assert card["removes"] == [
        f"group {draft['name']}",
        f"membership of system {names[shop.systems[0]]}",
    ]
    await door.apply(card)
    await door.get("groups", made, 404)


async def test_links(door: Door) -> None:
    shop, names = door.shop, door.names
    one = {"systemId": shop.systems[1], "groupId": shop.group}
    card = await door.propose("addSystemToGroup", one)
    assert card["summary"] == f"Add system {names[shop.systems[1]]} to group {names[shop.group]}"
    assert [change["after"] for change in card["diff"]] == [names[shop.group]]
    await door.apply(card)
    assert shop.systems[1] in (await door.get("groups", shop.group))["systemIds"]

    card = await door.propose("removeSystemFromGroup", one)
    assert [change["before"] for change in card["diff"]] == [names[shop.group]]
    await door.apply(card)
    assert shop.systems[1] not in (await door.get("groups", shop.group))["systemIds"]

    draft = {"workspaceId": shop.workspace_id, "name": f"place-{number()}"}
    made = (await door.apply(await door.propose("createEnvironment", draft)))["result"]["id"]
    places = {"systemId": shop.systems[0], "environmentIds": [made]}
    card = await door.propose("setSystemEnvironments", places)
    assert {(change["kind"], change["before"], change["after"]) for change in card["diff"]} == {
        ("removed", names[shop.environment], None),
        ("added", None, draft["name"]),
    }
    await door.apply(card)
    assert (await door.get("systems", shop.systems[0]))["environmentIds"] == [made]


async def test_an_overtaken_card_is_replaced(door: Door) -> None:
    """A dependency that came in between would have gone unseen."""
    shop, names = door.shop, door.names
    old = await door.propose("deleteSystem", {"systemId": shop.systems[0]})
    back = {"systemId": shop.systems[1], "dependsOnId": shop.systems[0]}
    expect(await door.client.post(f"{BASE}/dependencies", json=back), 201)
    problem = await door.apply(old, 412)
    assert problem["code"] == "changed"
    await door.get("systems", shop.systems[0])

    fresh = expect(await door.client.get(f"{PROPOSALS}/{problem['successorId']}"), 200)
    more = f"dependency {names[shop.systems[1]]} → {names[shop.systems[0]]} (hard)"
    assert set(fresh["removes"]) == {*old["removes"], more}
    assert (await door.apply(fresh))["state"] == "applied"
    await door.get("systems", shop.systems[0], 404)


async def test_a_renamed_group_replaces_the_card(door: Door) -> None:
    shop = door.shop
    old = await door.propose(
        "addSystemToGroup", {"systemId": shop.systems[1], "groupId": shop.group}
    )
    name = f"renamed-{number()}"
    expect(await door.client.patch(f"{BASE}/groups/{shop.group}", json={"name": name}), 200)
    problem = await door.apply(old, 412)
    fresh = expect(await door.client.get(f"{PROPOSALS}/{problem['successorId']}"), 200)
    assert fresh["summary"].endswith(f"to group {name}")


async def test_many_cards_for_one_group_are_applied_at_once(door: Door) -> None:
    shop = door.shop
    made = [
        expect(await door.client.post(f"{BASE}/systems", json=shop.draft("create_system")), 201)
        for _ in range(4)
    ]
    decisions: list[dict[str, str]] = []
    for system in made:
        given = {"systemId": system["id"], "groupId": shop.group}
        card = await door.propose("addSystemToGroup", given)
        token = expect(await door.client.post(f"{PROPOSALS}/{card['id']}/token"), 200)["token"]
        decisions.append({"id": card["id"], "token": token, "kind": "apply"})
    answer = expect(await door.client.post(f"{PROPOSALS}/decide", json=decisions), 200)
    assert [one["proposal"]["state"] for one in answer["items"]] == ["applied"] * 4
    members = (await door.get("groups", shop.group))["systemIds"]
    assert {system["id"] for system in made} <= set(members)


@pytest.mark.parametrize(
    ("tool", "given", "path"),
    [
        ("updateSystem", {"name": "x"}, "systemId"),
        ("updateSystem", {"systemId": "{group}", "name": "x"}, "systemId"),
        ("updateSystem", {"systemId": "{system}"}, ""),
        (
            "setSystemEnvironments",
            {"systemId": "{system}", "environmentIds": ["{group}"]},
            "environmentIds.0",
        ),
        ("createGroup", {"workspaceId": "{workspace}", "name": "x", "colour": "red"}, "colour"),
    ],
)
async def test_nonsense_makes_no_card(
    door: Door, tool: str, given: dict[str, Any], path: str
) -> None:
    shop = door.shop
    ids = {"group": shop.group, "system": shop.systems[0], "workspace": shop.workspace_id}
    count = "SELECT count(*) AS cards FROM proposals"
    before = await fetch(door.server, count)
    problem = await door.propose(tool, fill(given, ids), 422)
    assert problem["code"] == "tool_validation"
    assert [issue["path"] for issue in problem["issues"]] == [path]
    assert await fetch(door.server, count) == before


async def test_who_may_not_change_it_gets_no_card(door: Door) -> None:
    tenant = await find_tenant(door.server)
    reader = await add_person(door.server, tenant.id, rules=["catalog.system.read"])
    given = {"systemId": door.shop.systems[0], "description": "x"}
    body = {"tool": "catalog.updateSystem", "input": given}
    problem = expect(await reader.client.post(PROPOSALS, json=body), 403)
    assert (problem["code"], problem["rule"]) == ("missing_rule", "catalog.system.manage")


def fill(value: Any, ids: dict[str, str]) -> Any:
    if isinstance(value, str):
        return value.format(**ids)
    if isinstance(value, list):
        return [fill(one, ids) for one in value]  # pyright: ignore[reportUnknownVariableType]
    return {key: fill(one, ids) for key, one in value.items()}
