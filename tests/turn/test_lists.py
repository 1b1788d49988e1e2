"""Lists: every row once whatever the size of a page, in one order, searched and filtered."""

import base64
import json
from typing import Any
from uuid import UUID

import pytest
import pytest_asyncio

from assent.testing import Client, RunningServer
from tests.turn.people import Tenant, add_person, add_tenant, add_workspace, execute, expect
from tests.turn.shop import BASE

NAMES = [
    "alpha",
    "Alpha 2",
    "BETA",
    "beta-1",
    "Émile",
    "zoë",
    "ZZ",
    "ß",
    "İa",
    "İb",
    "iz",
    "日本",
    "a%b_c\\d",
]
NAMED = ["systems", "groups", "environments"]
WORKSPACES = 5
ALL = len(NAMES) * WORKSPACES


@pytest_asyncio.fixture(scope="module")
async def many(shared: RunningServer) -> Tenant:
    """A tenant with the same names in five workspaces, so that most names tie."""
    tenant = await add_tenant(shared)
    others = [await add_workspace(shared, tenant.id) for _ in range(WORKSPACES - 1)]
    for workspace_id in (tenant.workspace_id, *others):
        for kind in NAMED:
            insert = f"""
            INSERT INTO catalog.{kind} (id, tenant_id, workspace_id, name, description)
            SELECT gen_random_uuid(), $1, $2, name, 'About ' || name || '.'
            FROM unnest($3::text[]) AS name
            """
            await execute(shared, insert, tenant.id, workspace_id, NAMES)
    await execute(
        shared,
        """
        INSERT INTO catalog.dependencies
            (id, tenant_id, workspace_id, system_id, depends_on_id, strength, note)
        SELECT gen_random_uuid(), one.tenant_id, one.workspace_id, one.id, other.id, 'soft', ''
        FROM catalog.systems one JOIN catalog.systems other
          ON one.workspace_id = other.workspace_id AND one.id <> other.id
        WHERE one.tenant_id = $1 AND one.name = 'alpha'
        """,
        tenant.id,
    )
    for number in range(12):
        person = await add_person(shared, tenant.id)
        name = "Same Name" if number % 3 else f"Person {number}"
        await execute(shared, "UPDATE users SET name = $2 WHERE id = $1", person.id, name)
    return tenant


async def read_all(client: Client, path: str, limit: int, **query: Any) -> list[dict[str, Any]]:
    items: list[dict[str, Any]] = []
    cursor: str | None = None
    while True:
        params = {"limit": limit, **query} | ({"cursor": cursor} if cursor else {})
        page = expect(await client.get(path, params=params), 200)
        assert 0 < len(page["items"]) <= limit
        items += page["items"]
        cursor = page["nextCursor"]
        if cursor is None:
            return items


@pytest.mark.parametrize("limit", [1, 3, 7, 50])
@pytest.mark.parametrize("path", [*(f"{BASE}/{kind}" for kind in NAMED), f"{BASE}/dependencies"])
async def test_every_row_comes_once_and_in_order(many: Tenant, path: str, limit: int) -> None:
    items = await read_all(many.admin.client, path, limit)
    ids = [item["id"] for item in items]
    assert len(set(ids)) == len(ids) == (ALL if "dependencies" not in path else ALL - WORKSPACES)
    whole = await read_all(many.admin.client, path, 200)
    assert ids == [item["id"] for item in whole]


@pytest.mark.parametrize("limit", [1, 2, 5])
async def test_people_with_one_name_are_all_listed(many: Tenant, limit: int) -> None:
    items = await read_all(many.admin.client, "/api/users", limit)
    assert len({item["id"] for item in items}) == len(items) == 13
    names = [item["name"].lower() for item in items]
    assert names == sorted(names)


async def test_a_list_that_changes_meanwhile_repeats_nothing(
    shared: RunningServer, many: Tenant
) -> None:
    client, path = many.admin.client, f"{BASE}/groups"
    first = expect(await client.get(path, params={"limit": 10}), 200)
    gone = first["items"][-1]["id"]
    await execute(shared, "DELETE FROM catalog.groups WHERE id = $1", UUID(gone))
    rest = await read_all(client, path, 10, cursor=first["nextCursor"])
    seen = {item["id"] for item in first["items"]}
    assert len(rest) == ALL - 10
    assert seen.isdisjoint(item["id"] for item in rest)


@pytest.mark.parametrize(
    ("search", "found"),
    [
        ("alpha", {"alpha", "Alpha 2"}),
        ("ALPHA", {"alpha", "Alpha 2"}),
        ("about beta", {"BETA", "beta-1"}),
        ("émile", {"Émile"}),
        ("É", {"Émile"}),
        ("日", {"日本"}),
        ("%", {"a%b_c\\d"}),
        ("_c\\", {"a%b_c\\d"}),
        ("'; DROP TABLE users; --", set[str]()),
        ("nothing", set[str]()),
        ("", set(NAMES)),
    ],
)
async def test_search(many: Tenant, search: str, found: set[str]) -> None:
    query = {"workspaceId": str(many.workspace_id), "q": search}
    for kind in ("systems", "environments"):
        listed = expect(await many.admin.client.get(f"{BASE}/{kind}", params=query), 200)
        assert {item["name"] for item in listed["items"]} == found


async def test_filters(many: Tenant) -> None:
    client, workspace = many.admin.client, str(many.workspace_id)
    query = {"workspaceId": workspace, "limit": 200}
    systems = expect(await client.get(f"{BASE}/systems", params=query), 200)["items"]
    assert {item["workspaceId"] for item in systems} == {workspace}
    by_name = {item["name"]: item["id"] for item in systems}
    group = expect(await client.get(f"{BASE}/groups", params=query), 200)["items"][0]["id"]
    environment = expect(await client.get(f"{BASE}/environments", params=query), 200)["items"][0]
    for name, change in {
        "BETA": {"groupIds": [group]},
        "ZZ": {"groupIds": [group], "environmentIds": [environment["id"]]},
    }.items():
        expect(await client.patch(f"{BASE}/systems/{by_name[name]}", json=change), 200)

    async def names(**filters: str) -> set[str]:
        listed = expect(await client.get(f"{BASE}/systems", params=filters), 200)
        return {item["name"] for item in listed["items"]}

    assert await names(groupId=group) == {"BETA", "ZZ"}
    assert await names(environmentId=environment["id"]) == {"ZZ"}
    assert await names(groupId=group, environmentId=environment["id"], q="beta") == set()
    links = f"{BASE}/dependencies"
    hub = expect(await client.get(links, params={"systemId": by_name["alpha"], "limit": 200}), 200)
    assert len(hub["items"]) == len(NAMES) - 1
    leaf = expect(await client.get(links, params={"systemId": by_name["BETA"]}), 200)["items"]
    assert [item["dependsOnId"] for item in leaf] == [by_name["BETA"]]


def encode(position: object) -> str:
    return base64.urlsafe_b64encode(json.dumps(position).encode()).decode()


@pytest.mark.parametrize(
    "cursor",
    ["", "x", "é", "====", encode([]), encode(["a"]), encode(["a", "b"]), encode([1, 2]),
     encode({"a": 1}), encode(["a", "b", "c"]), encode("ab"), encode(None)],
)  # fmt: skip
@pytest.mark.parametrize("path", [f"{BASE}/systems", f"{BASE}/dependencies", "/api/users"])
async def test_a_cursor_from_elsewhere(many: Tenant, path: str, cursor: str) -> None:
    problem = expect(await many.admin.client.get(path, params={"cursor": cursor}), 404)
    assert problem["code"] == "unknown_cursor"


async def test_a_cursor_gives_nothing_that_one_may_not_see(
    shared: RunningServer, many: Tenant
) -> None:
    """It is a position, not a permission."""
    page = expect(await many.admin.client.get(f"{BASE}/systems", params={"limit": 1}), 200)
    local = await add_person(
        shared, many.id, rules=["catalog.system.read"], workspace_id=many.workspace_id
    )
    rest = await read_all(local.client, f"{BASE}/systems", 4, cursor=page["nextCursor"])
    assert {item["workspaceId"] for item in rest} == {str(many.workspace_id)}


@pytest.mark.parametrize("limit", ["0", "201", "-1", "x", "1.5", ""])
async def test_limits_of_a_page(many: Tenant, limit: str) -> None:
    problem = expect(await many.admin.client.get("/api/users", params={"limit": limit}), 422)
    assert problem["issues"][0]["path"] == "limit"
