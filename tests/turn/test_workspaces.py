"""A role in one workspace: the whole catalog there, and nothing of any other."""

from typing import Any

import pytest

from assent.plugins.load import Loaded
from assent.plugins.procedure import Procedure
from assent.testing import RunningServer
from tests.turn.people import Person, Tenant, add_person, add_workspace, expect
from tests.turn.shop import BASE, CHANGES, Shop, open_shop


@pytest.fixture
def procedures(loaded: Loaded) -> list[Procedure[Any, Any]]:
    [catalog] = [plugin for plugin in loaded.plugins if plugin.name == "catalog"]
    return catalog.procedures


@pytest.fixture
async def here(shared: RunningServer, tenant: Tenant) -> Shop:
    return await open_shop(tenant.admin.client, await add_workspace(shared, tenant.id))


@pytest.fixture
async def elsewhere(shared: RunningServer, tenant: Tenant) -> Shop:
    return await open_shop(tenant.admin.client, await add_workspace(shared, tenant.id))


@pytest.fixture
async def local(shared: RunningServer, tenant: Tenant, here: Shop) -> Person:
    return await add_person(shared, tenant.id, role="operator", workspace_id=here.workspace_id)


async def test_every_single_thing_elsewhere_is_not_there(
    procedures: list[Procedure[Any, Any]], here: Shop, elsewhere: Shop, local: Person
) -> None:
    single = [one for one in procedures if one.route.path_fields]
    assert len(single) >= 12
    # What is deleted comes last, dependencies before the systems that they hang on.
    order = {"read": 0, "mutate": 1, "destructive": 2}
    for procedure in sorted(single, key=lambda one: (order[one.access.effect], one.name)):
        method, path = procedure.route.method, procedure.route.path
        body = CHANGES[procedure.name] if method == "PATCH" else None
        foreign = await local.client.request(method, elsewhere.fill(path), json=body)
        assert expect(foreign, 404)["code"] == "not_found", procedure.name
        own = await local.client.request(method, here.fill(path), json=body)
        assert own.is_success, (procedure.name, own.text)


async def test_every_list_shows_only_what_is_here(
    procedures: list[Procedure[Any, Any]],
    here: Shop,
    elsewhere: Shop,
    local: Person,
    tenant: Tenant,
) -> None:
    lists = [
        one
        for one in procedures
        if one.access.effect == "read" and not one.route.path_fields and one.name != "list_issues"
    ]
    assert len(lists) == 4
    for procedure in lists:
        url, some = BASE + procedure.route.path, {"limit": 200}
        seen = {
            item["id"] for item in expect(await local.client.get(url, params=some), 200)["items"]
        }
        assert seen
        assert seen <= here.ids, procedure.name
        other = {"workspaceId": elsewhere.workspace_id}
        assert expect(await local.client.get(url, params=other), 200)["items"] == []
        everything = expect(await tenant.admin.client.get(url, params=other), 200)["items"]
        assert {item["id"] for item in everything} <= elsewhere.ids
        assert everything


async def test_nothing_is_created_elsewhere(
    procedures: list[Procedure[Any, Any]], here: Shop, elsewhere: Shop, local: Person
) -> None:
    creating = [one for one in procedures if one.route.method == "POST"]
    assert len(creating) == 4
    for procedure in creating:
        url = BASE + procedure.route.path
        foreign = await local.client.post(url, json=elsewhere.draft(procedure.name))
        if procedure.name == "create_dependency":
            expect(foreign, 404)
        else:
            assert expect(foreign, 409)["issues"][0]["path"] == "workspaceId"
        expect(await local.client.post(url, json=here.draft(procedure.name)), 201)


@pytest.mark.parametrize(
    ("path", "field"),
    [("/systems", "groupIds"), ("/systems", "environmentIds"), ("/groups", "systemIds")],
)
async def test_links_do_not_lead_elsewhere(
    tenant: Tenant, here: Shop, elsewhere: Shop, path: str, field: str
) -> None:
    """Not even for an admin: a workspace is closed in itself."""
    admin = tenant.admin.client
    foreign = {
        "groupIds": [elsewhere.group],
        "environmentIds": [elsewhere.environment],
        "systemIds": [here.systems[0], elsewhere.systems[0]],
    }[field]
    draft = {**here.draft(f"create{path}"), field: foreign}
    assert expect(await admin.post(BASE + path, json=draft), 409)["issues"][0]["path"] == field
    target = here.systems[0] if path == "/systems" else here.group
    change = {field: foreign}
    problem = expect(await admin.patch(f"{BASE}{path}/{target}", json=change), 409)
    assert problem["issues"][0]["path"] == field
    unchanged = expect(await admin.get(f"{BASE}{path}/{target}"), 200)
    assert unchanged["version"] <= 3
    assert not set(foreign) - here.ids & set(unchanged[field])


async def test_dependencies_do_not_lead_elsewhere(
    tenant: Tenant, here: Shop, elsewhere: Shop
) -> None:
    for one, other in ((here, elsewhere), (elsewhere, here)):
        draft = {"systemId": one.systems[0], "dependsOnId": other.systems[0]}
        problem = expect(await tenant.admin.client.post(f"{BASE}/dependencies", json=draft), 409)
        assert problem["issues"][0]["path"] == "dependsOnId"


async def test_a_viewer_here_sees_and_does_not_change(
    shared: RunningServer, tenant: Tenant, here: Shop, procedures: list[Procedure[Any, Any]]
) -> None:
    viewer = await add_person(shared, tenant.id, role="viewer", workspace_id=here.workspace_id)
    for procedure in procedures:
        method, path = procedure.route.method, procedure.route.path
        body = CHANGES.get(procedure.name)
        if method == "POST":
            body = here.draft(procedure.name)
        answer = await viewer.client.request(method, here.fill(path), json=body)
        if procedure.access.effect == "read":
            expect(answer, 200)
        else:
            assert expect(answer, 403)["rule"] == procedure.access.rule
