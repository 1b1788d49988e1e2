"""The catalog over HTTP: each kind from its creation to its end, versions, races and events."""

import asyncio
from dataclasses import dataclass
from typing import Any

import pytest

from assent.ids import new_id
from assent.testing import Client, RunningServer
from tests.turn.people import Tenant, add_workspace, expect, fetch, fetch_value, number
from tests.turn.shop import BASE, Shop, open_shop

KINDS = ["systems", "groups", "environments", "dependencies"]
NAMED = KINDS[:3]
LIST_EVENTS = "SELECT topic FROM outbox WHERE payload::text LIKE '%' || $1 || '%' ORDER BY id"


@dataclass(frozen=True, slots=True)
class Catalog:
    """A workspace of its own, and a way to make one of each kind in it."""

    client: Client
    shop: Shop

    async def create(self, kind: str, **fields: Any) -> dict[str, Any]:
        draft = {"workspaceId": self.shop.workspace_id, "name": f"{kind}-{number()}"}
        if kind == "dependencies":
            target = (await self.create("systems"))["id"]
            draft = {"systemId": self.shop.systems[0], "dependsOnId": target}
        return expect(await self.client.post(f"{BASE}/{kind}", json={**draft, **fields}), 201)

    async def get(self, kind: str, one: str, status: int = 200) -> Any:
        return expect(await self.client.get(f"{BASE}/{kind}/{one}"), status)


@pytest.fixture
async def catalog(shared: RunningServer, tenant: Tenant) -> Catalog:
    workspace_id = await add_workspace(shared, tenant.id)
    return Catalog(tenant.admin.client, await open_shop(tenant.admin.client, workspace_id))


@pytest.mark.parametrize(
    ("kind", "fields", "change"),
    [
        ("systems", {"description": "d"}, {"name": "Renamed"}),
        ("systems", {}, {"description": "changed"}),
        ("groups", {"description": "d"}, {"name": "Renamed", "description": ""}),
        ("environments", {"description": "d"}, {"name": "Renamed"}),
        ("dependencies", {"strength": "soft", "note": "n"}, {"strength": "hard"}),
        ("dependencies", {}, {"note": "changed"}),
    ],
)
async def test_from_beginning_to_end(
    shared: RunningServer,
    catalog: Catalog,
    kind: str,
    fields: dict[str, Any],
    change: dict[str, Any],
) -> None:
    made = await catalog.create(kind, **fields)
    url = f"{BASE}/{kind}/{made['id']}"
    assert made | fields == made
    assert made["version"] == 1
    assert made["createdAt"] == made["updatedAt"]
    assert await catalog.get(kind, made["id"]) == made

    changed = expect(await catalog.client.patch(url, json=change), 200)
    assert changed["version"] == 2
    assert changed["updatedAt"] > made["updatedAt"]
    kept = {key: value for key, value in changed.items() if key not in ("version", "updatedAt")}
    assert kept == {key: made[key] for key in kept} | change
    nulls = dict.fromkeys(change)
    same = expect(await catalog.client.patch(url, json=nulls), 200)
    assert {key: same[key] for key in change} == change

    expect(await catalog.client.delete(url), 204)
    await catalog.get(kind, made["id"], 404)
    expect(await catalog.client.patch(url, json=change), 404)
    expect(await catalog.client.delete(url), 404)
    singular = {"dependencies": "dependency"}.get(kind, kind[:-1])
    events = [row["topic"] for row in await fetch(shared, LIST_EVENTS, made["id"])]
    assert events == [
        f"catalog.{singular}.{verb}" for verb in ("created", "updated", "updated", "deleted")
    ]


@pytest.mark.parametrize("kind", KINDS)
async def test_an_expected_version_guards_against_overwriting(catalog: Catalog, kind: str) -> None:
    made = await catalog.create(kind)
    url = f"{BASE}/{kind}/{made['id']}"
    text = "note" if kind == "dependencies" else "description"
    first = {text: "first", "expectedVersion": 1}
    expect(await catalog.client.patch(url, json=first), 200)
    late = {text: "late", "expectedVersion": 1}
    assert expect(await catalog.client.patch(url, json=late), 412)["code"] == "changed"
    assert (await catalog.get(kind, made["id"]))[text] == "first"
    for wrong in (0, -1, 2**31, "1", 1.5, True):
        problem = expect(
            await catalog.client.patch(url, json={text: "x", "expectedVersion": wrong}), 422
        )
        assert problem["issues"][0]["path"] == "expectedVersion"


@pytest.mark.parametrize("kind", KINDS)
async def test_of_concurrent_changes_with_one_version_one_wins(
    shared: RunningServer, catalog: Catalog, kind: str
) -> None:
    made = await catalog.create(kind)
    url = f"{BASE}/{kind}/{made['id']}"
    text = "note" if kind == "dependencies" else "description"
    answers = await asyncio.gather(
        *(
            catalog.client.patch(url, json={text: f"by {n}", "expectedVersion": 1})
            for n in range(10)
        )
    )
    assert sorted(answer.status_code for answer in answers) == [200] + [412] * 9
    [winner] = [answer.json() for answer in answers if answer.status_code == 200]
    now = await catalog.get(kind, made["id"])
    assert (now["version"], now[text]) == (2, winner[text])
    events = await fetch(shared, LIST_EVENTS, made["id"])
    assert len(events) == 2


@pytest.mark.parametrize("kind", NAMED)
async def test_names_are_taken_whatever_their_case(
    shared: RunningServer, tenant: Tenant, catalog: Catalog, kind: str
) -> None:
    name = f"Name-{number()}"
    made, other = await catalog.create(kind, name=name), await catalog.create(kind)
    for again in (name, name.upper(), f"  {name} "):
        draft = {"workspaceId": catalog.shop.workspace_id, "name": again}
        problem = expect(await catalog.client.post(f"{BASE}/{kind}", json=draft), 409)
        assert problem["issues"][0]["path"] == "name"
        url = f"{BASE}/{kind}/{other['id']}"
        problem = expect(await catalog.client.patch(url, json={"name": again}), 409)
        assert problem["issues"][0]["path"] == "name"
    own = expect(
        await catalog.client.patch(f"{BASE}/{kind}/{made['id']}", json={"name": name.upper()}), 200
    )
    assert own["name"] == name.upper()
    elsewhere = {"workspaceId": str(await add_workspace(shared, tenant.id)), "name": name}
    expect(await catalog.client.post(f"{BASE}/{kind}", json=elsewhere), 201)


@pytest.mark.parametrize("kind", NAMED)
async def test_of_concurrent_creations_with_one_name_one_wins(catalog: Catalog, kind: str) -> None:
    draft = {"workspaceId": catalog.shop.workspace_id, "name": f"one-{number()}"}
    answers = await asyncio.gather(
        *(catalog.client.post(f"{BASE}/{kind}", json=draft) for _ in range(8))
    )
    assert sorted(answer.status_code for answer in answers) == [201] + [409] * 7


async def test_links_are_seen_from_both_ends(catalog: Catalog) -> None:
    group, environment = await catalog.create("groups"), await catalog.create("environments")
    system = await catalog.create(
        "systems", groupIds=[group["id"]] * 2, environmentIds=[environment["id"]]
    )
    assert system["groupIds"] == [group["id"]]
    now = await catalog.get("groups", group["id"])
    assert (now["systemIds"], now["version"]) == ([system["id"]], 2)

    url = f"{BASE}/groups/{group['id']}"
    expect(await catalog.client.patch(url, json={"systemIds": []}), 200)
    now = await catalog.get("systems", system["id"])
    assert (now["groupIds"], now["version"]) == ([], 2)
    expect(await catalog.client.patch(url, json={"systemIds": [system["id"]]}), 200)
    unchanged = (await catalog.get("systems", system["id"]))["version"]
    expect(await catalog.client.patch(url, json={"systemIds": [system["id"]]}), 200)
    assert (await catalog.get("systems", system["id"]))["version"] == unchanged

    expect(await catalog.client.delete(f"{BASE}/environments/{environment['id']}"), 204)
    expect(await catalog.client.delete(url), 204)
    now = await catalog.get("systems", system["id"])
    assert (now["groupIds"], now["environmentIds"]) == ([], [])
    assert now["version"] == unchanged + 2


async def test_a_deleted_system_takes_its_dependencies_along(
    shared: RunningServer, catalog: Catalog
) -> None:
    first, second, third = [await catalog.create("systems") for _ in range(3)]
    links = [
        await catalog.create("dependencies", systemId=one["id"], dependsOnId=other["id"])
        for one, other in ((first, second), (second, third), (third, first))
    ]
    group = await catalog.create("groups", systemIds=[second["id"]])
    expect(await catalog.client.delete(f"{BASE}/systems/{second['id']}"), 204)
    for link, status in zip(links, (404, 404, 200), strict=True):
        await catalog.get("dependencies", link["id"], status)
    assert (await catalog.get("groups", group["id"]))["systemIds"] == []
    events = [row["topic"] for row in await fetch(shared, LIST_EVENTS, second["id"])]
    assert events[-1] == "catalog.system.deleted"


async def test_a_dependency_is_between_two_systems_once(catalog: Catalog) -> None:
    one, other = [(await catalog.create("systems"))["id"] for _ in range(2)]
    await catalog.create("dependencies", systemId=one, dependsOnId=other)
    await catalog.create("dependencies", systemId=other, dependsOnId=one)
    for system, target, path in [
        (one, other, "dependsOnId"),
        (one, one, "dependsOnId"),
        (one, str(new_id()), "dependsOnId"),
        (one, catalog.shop.group, "dependsOnId"),
    ]:
        draft = {"systemId": system, "dependsOnId": target}
        problem = expect(await catalog.client.post(f"{BASE}/dependencies", json=draft), 409)
        assert problem["issues"][0]["path"] == path
    unknown = {"systemId": str(new_id()), "dependsOnId": one}
    expect(await catalog.client.post(f"{BASE}/dependencies", json=unknown), 404)


@pytest.mark.parametrize(
    ("method", "path", "body", "status"),
    [
        ("POST", "/systems", {"name": "taken", "groupIds": [str(new_id())]}, 409),
        ("PATCH", "/systems/{system_id}", {"name": "half", "groupIds": [str(new_id())]}, 409),
        ("PATCH", "/groups/{group_id}", {"name": "half", "systemIds": [str(new_id())]}, 409),
        ("PATCH", "/systems/{system_id}", {"name": "half", "expectedVersion": 99}, 412),
    ],
)
async def test_what_is_rolled_back_leaves_nothing(
    shared: RunningServer,
    catalog: Catalog,
    method: str,
    path: str,
    body: dict[str, Any],
    status: int,
) -> None:
    """Neither the row, nor an event, nor an entry in the audit log."""
    count = "SELECT (SELECT count(*) FROM outbox) + (SELECT count(*) FROM audit_entries)"
    before = await fetch_value(shared, count)
    url = catalog.shop.fill(path)
    if method == "POST":
        body = {"workspaceId": catalog.shop.workspace_id, **body}
    expect(await catalog.client.request(method, url, json=body), status)
    assert await fetch_value(shared, count) == before
    kept = "SELECT count(*) FROM catalog.{} WHERE name IN ('taken', 'half')"
    for table in NAMED:
        assert await fetch_value(shared, kept.format(table)) == 0


async def test_an_event_carries_ids_and_its_tenant(
    shared: RunningServer, tenant: Tenant, catalog: Catalog
) -> None:
    made = await catalog.create("systems", description="a secret plan")
    query = "SELECT tenant_id, topic, payload FROM outbox WHERE payload->>'systemId' = $1"
    assert await fetch(shared, query, made["id"]) == [
        {
            "tenant_id": tenant.id,
            "topic": "catalog.system.created",
            "payload": {"systemId": made["id"]},
        }
    ]


async def test_links_changed_from_all_ends_at_once_wait_for_each_other(
    shared: RunningServer, catalog: Catalog
) -> None:
    """Nobody is told to try again: the changes come one after the other."""
    systems = [(await catalog.create("systems"))["id"] for _ in range(2)]
    groups = [(await catalog.create("groups"))["id"] for _ in range(2)]

    def change(number: int) -> tuple[str, dict[str, Any]]:
        on, position = number % 3 > 0, number % 2
        ends = (groups, systems) if number % 4 < 2 else (systems, groups)
        kind, field = ("groups", "systemIds") if ends[0] is groups else ("systems", "groupIds")
        links = (ends[1] if position else ends[1][::-1]) if on else []
        return f"{BASE}/{kind}/{ends[0][position]}", {field: links}

    answers = await asyncio.gather(
        *(catalog.client.patch(url, json=body) for url, body in map(change, range(40)))
    )
    assert [answer.status_code for answer in answers] == [200] * 40
    seen = {
        (group, system)
        for group in groups
        for system in (await catalog.get("groups", group))["systemIds"]
    }
    assert seen == {
        (group, system)
        for system in systems
        for group in (await catalog.get("systems", system))["groupIds"]
    }
