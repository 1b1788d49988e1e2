"""Objectives over HTTP and through the door: figures, rights, versions, races, issues."""

import asyncio
from datetime import timedelta
from typing import Any
from uuid import UUID

import pytest

from assent.ids import new_id
from assent.testing import Client, RunningServer
from tests.turn.people import Tenant, add_person, add_workspace, expect, fetch_value, number
from tests.turn.shop import BASE
from tests.turn.watch import add_check, count_runs

OBJECTIVES = "/api/p/slo/objectives"
READ, MANAGE = "slo.objective.read", "slo.objective.manage"
CHECK_READ, SYSTEM_READ = "healthcheck.check.read", "catalog.system.read"


async def add_system(tenant: Tenant, workspace_id: UUID | None = None) -> str:
    draft = {"workspaceId": str(workspace_id or tenant.workspace_id), "name": f"s-{number()}"}
    return expect(await tenant.admin.client.post(f"{BASE}/systems", json=draft), 201)["id"]


async def add_objective(client: Client, **fields: Any) -> dict[str, Any]:
    draft = {"name": f"o-{number()}", "target": 99, **fields}
    return expect(await client.post(OBJECTIVES, json=draft), 201)


async def test_from_beginning_to_end(shared: RunningServer, tenant: Tenant) -> None:
    client, system = tenant.admin.client, await add_system(tenant)
    made = await add_objective(client, systemId=system, target=99.9, windowDays=7)
    assert (made["target"], made["windowDays"], made["version"]) == (99.9, 7, 1)
    assert made["workspaceId"] == str(tenant.workspace_id)
    assert made["budget"]["state"] == "unknown"
    url = f"{OBJECTIVES}/{made['id']}"
    assert expect(await client.get(url), 200) == made
    changed = expect(await client.patch(url, json={"target": 95, "expectedVersion": 1}), 200)
    assert (changed["target"], changed["version"], changed["name"]) == (95, 2, made["name"])
    expect(await client.patch(url, json={"target": 90, "expectedVersion": 1}), 412)
    listed = expect(await client.get(OBJECTIVES, params={"systemId": system}), 200)["items"]
    assert [one["id"] for one in listed] == [made["id"]]
    expect(await client.delete(url), 204)
    expect(await client.get(url), 404)


async def test_figures_are_those_of_the_checks(shared: RunningServer, tenant: Tenant) -> None:
    client, system = tenant.admin.client, await add_system(tenant)
    one = await add_check(client, tenant.workspace_id, systemIds=[system])
    other = await add_check(client, tenant.workspace_id, systemIds=[system])
    await count_runs(shared, tenant, one["id"], ago=timedelta(days=2), up=995, down=5)
    await count_runs(shared, tenant, other["id"], ago=timedelta(days=20), up=900, down=100)
    week = await add_objective(client, systemId=system, windowDays=7)
    month = await add_objective(client, systemId=system, windowDays=30)
    alone = await add_objective(client, checkId=one["id"], windowDays=30)
    assert (
        week["budget"] | {"runs": 1000, "failed": 5, "attained": 99.5, "left": 0.5}
        == (week["budget"])
    )
    assert (month["budget"]["runs"], month["budget"]["failed"]) == (2000, 105)
    assert (month["budget"]["state"], week["budget"]["state"]) == ("exhausted", "met")
    assert (alone["budget"]["runs"], alone["about"]) == (1000, one["name"])


async def test_what_is_wrong_names_budgets(shared: RunningServer, tenant: Tenant) -> None:
    client = tenant.admin.client
    gone, burning, fine = [await add_system(tenant) for _ in range(3)]
    names: dict[str, str] = {}
    for system, hours in (
        (gone, [(timedelta(days=2), 50, 50)]),
        (burning, [(timedelta(days=2), 100_000, 0), (timedelta(), 50, 10)]),
        (fine, [(timedelta(days=2), 1000, 0)]),
    ):
        check = await add_check(client, tenant.workspace_id, systemIds=[system])
        for ago, up, down in hours:
            await count_runs(shared, tenant, check["id"], ago=ago, up=up, down=down)
        names[system] = (await add_objective(client, systemId=system))["name"]
    report = expect(await client.get(f"{BASE}/issues"), 200)
    found = {
        one["systemId"]: issue
        for one in report["systems"]
        for issue in one["issues"]
        if issue["source"] == "slo"
    }
    assert fine not in found
    assert found[gone]["title"] == f"Objective {names[gone]} is missed: 50.0 % of 99.0 % in 30 days"
    assert found[burning]["title"].startswith(f"The error budget of {names[burning]} burns ")
    assert "slo" in [one["source"] for one in report["checked"]]


async def test_who_may_not_see_checks_learns_nothing_of_them(
    shared: RunningServer, tenant: Tenant
) -> None:
    system = await add_system(tenant)
    check = await add_check(tenant.admin.client, tenant.workspace_id, systemIds=[system])
    await count_runs(shared, tenant, check["id"], ago=timedelta(days=1), up=1, down=99)
    made = await add_objective(tenant.admin.client, checkId=check["id"])
    person = await add_person(shared, tenant.id, rules=[READ])
    seen = expect(await person.client.get(f"{OBJECTIVES}/{made['id']}"), 200)
    assert (seen["about"], seen["budget"]["state"]) == (None, "unknown")
    assert seen["budget"]["reason"] == "You may not see checks."
    elsewhere = await add_person(
        shared,
        tenant.id,
        rules=[READ, CHECK_READ],
        workspace_id=await add_workspace(shared, tenant.id),
    )
    expect(await elsewhere.client.get(f"{OBJECTIVES}/{made['id']}"), 404)
    for rules, status in (([], 403), ([READ], 403)):
        stranger = await add_person(shared, tenant.id, rules=rules)
        draft = {"name": "x", "target": 99, "systemId": system}
        expect(await stranger.client.post(OBJECTIVES, json=draft), status)


@pytest.mark.parametrize(
    ("fields", "path"),
    [
        ({}, "systemId"),
        ({"systemId": "<system>", "checkId": "<nobody>"}, "systemId"),
        ({"systemId": "<nobody>"}, "systemId"),
        ({"checkId": "<nobody>"}, "checkId"),
        ({"systemId": "<system>", "name": "<taken>"}, "name"),
    ],
)
async def test_what_makes_no_sense(
    shared: RunningServer, tenant: Tenant, fields: dict[str, str], path: str
) -> None:
    system = await add_system(tenant)
    taken = (await add_objective(tenant.admin.client, systemId=system))["name"]
    places = {"<system>": system, "<nobody>": str(new_id()), "<taken>": taken.upper()}
    filled = {key: places.get(value, value) for key, value in fields.items()}
    draft = {"name": f"o-{number()}", "target": 99, **filled}
    problem = expect(await tenant.admin.client.post(OBJECTIVES, json=draft), 409)
    assert problem["issues"][0]["path"] == path
    called = await tenant.admin.client.post("/api/tools/slo.create/call", json={"input": draft})
    assert path in str(expect(called, 422)["issues"])


@pytest.mark.parametrize("target", [0, 100, 99.9999, "many", None])
async def test_targets_that_are_none(tenant: Tenant, target: Any) -> None:
    draft = {"name": "x", "systemId": str(new_id()), "target": target}
    expect(await tenant.admin.client.post(OBJECTIVES, json=draft), 422)


async def propose(client: Client, tool: str, given: dict[str, Any]) -> dict[str, Any]:
    return expect(await client.post(f"/api/tools/{tool}/call", json={"input": given}), 202)


async def apply(client: Client, card: dict[str, Any], state: str = "applied") -> dict[str, Any]:
    at = f"/api/proposals/{card['id']}"
    token = expect(await client.post(f"{at}/token"), 200)["token"]
    done = (await client.post(f"{at}/apply", json={"token": token})).json()
    assert done.get("state") == state, done
    return done


async def test_the_tools_through_the_door(shared: RunningServer, tenant: Tenant) -> None:
    client, system = tenant.admin.client, await add_system(tenant)
    name = f"o-{number()}"
    given = {"name": name, "systemId": system, "target": 99.5}
    card = await propose(client, "slo.create", given)
    assert card["summary"].startswith("Set an objective of 99.5 % for system s-")
    made = (await apply(client, card))["result"]
    got = await client.post("/api/tools/slo.get/call", json={"input": {"objectiveId": made["id"]}})
    assert expect(got, 200)["result"]["target"] == 99.5
    change = {"objectiveId": made["id"], "target": 99.9}
    card = await propose(client, "slo.update", change)
    assert [one["path"] for one in card["diff"]] == ["target"]
    done = await apply(client, card)
    assert done["result"]["before"] == {"target": 99.5}
    undone = expect(await client.post(f"/api/proposals/{card['id']}/undo"), 201)
    await apply(client, undone)
    assert expect(await client.get(f"{OBJECTIVES}/{made['id']}"), 200)["target"] == 99.5
    refused = {"input": {"objectiveId": made["id"], "target": 99.5}}
    expect(await client.post("/api/tools/slo.update/call", json=refused), 422)
    card = await propose(client, "slo.delete", {"objectiveId": made["id"]})
    assert card["removes"] == [f"objective {name}"]
    await apply(client, card)
    expect(await client.get(f"{OBJECTIVES}/{made['id']}"), 404)


async def test_of_changes_at_once_one_wins(shared: RunningServer, tenant: Tenant) -> None:
    system = await add_system(tenant)
    made = await add_objective(tenant.admin.client, systemId=system)
    url = f"{OBJECTIVES}/{made['id']}"
    answers = await asyncio.gather(
        *(
            tenant.admin.client.patch(url, json={"target": 90 + one, "expectedVersion": 1})
            for one in range(6)
        )
    )
    assert sorted(one.status_code for one in answers) == [200, 412, 412, 412, 412, 412]
    same = {"name": f"o-{number()}", "target": 99, "systemId": system}
    answers = await asyncio.gather(
        *(tenant.admin.client.post(OBJECTIVES, json=same) for _ in range(6))
    )
    assert sorted(one.status_code for one in answers) == [201, 409, 409, 409, 409, 409]
    kept = "SELECT count(*) FROM slo.objectives WHERE name = $1"
    assert await fetch_value(shared, kept, same["name"]) == 1
