"""People and roles: nobody gets, gives or takes charge of more than they hold themselves."""

import asyncio
from typing import Any
from uuid import UUID

import pytest

from assent.ids import new_id
from assent.testing import RunningServer
from tests.turn.people import (
    Person,
    Tenant,
    add_person,
    add_role,
    add_tenant,
    add_workspace,
    expect,
    fetch_value,
    find_role,
    number,
)

PEOPLE = ["identity.user.read", "identity.user.manage", "identity.role.manage"]
OWN = [*PEOPLE, "identity.application.manage", "catalog.system.read"]
COUNT_REFUSED = """
SELECT count(*) FROM audit_entries WHERE principal_id = $1 AND status = 'refused' AND action = $2
"""


@pytest.fixture
async def manager(shared: RunningServer, tenant: Tenant) -> Person:
    """May manage people and roles, but is no admin."""
    return await add_person(shared, tenant.id, rules=OWN)


def draft(**fields: Any) -> dict[str, Any]:
    return {"email": f"new-{number()}@example.com", "name": "New", **fields}


def member(role_id: UUID, workspace_id: UUID | None = None) -> dict[str, Any]:
    return {"roleId": str(role_id), "workspaceId": str(workspace_id) if workspace_id else None}


async def test_adding_and_changing_a_person(
    shared: RunningServer, tenant: Tenant, manager: Person
) -> None:
    role_id = await add_role(shared, tenant.id, ["catalog.system.read"])
    wanted = draft(email=f"New-{number()}@Example.com", memberships=[member(role_id)])
    made = expect(await manager.client.post("/api/users", json=wanted), 201)
    assert made["link"].startswith(f"{shared.url}/login?reset=")
    user = made["user"]
    assert user["email"] == wanted["email"].lower()
    assert user["memberships"] == [member(role_id)]
    assert expect(await manager.client.get(f"/api/users/{user['id']}"), 200) == user

    change = {"name": "Renamed", "memberships": [member(role_id, tenant.workspace_id)]}
    changed = expect(await manager.client.patch(f"/api/users/{user['id']}", json=change), 200)
    assert (changed["name"], changed["memberships"]) == ("Renamed", change["memberships"])
    found = expect(await manager.client.get("/api/users", params={"q": wanted["email"]}), 200)
    assert [item["id"] for item in found["items"]] == [user["id"]]

    again = draft(email=wanted["email"].upper())
    problem = expect(await manager.client.post("/api/users", json=again), 409)
    assert problem["issues"][0]["path"] == "email"


@pytest.mark.parametrize("where", ["everywhere", "workspace"])
@pytest.mark.parametrize("slug", ["admin", "operator"])
async def test_roles_above_ones_own_cannot_be_given(
    shared: RunningServer, tenant: Tenant, manager: Person, slug: str, where: str
) -> None:
    role_id = await find_role(shared, tenant.id, slug)
    wanted = [member(role_id, tenant.workspace_id if where == "workspace" else None)]
    problem = expect(await manager.client.post("/api/users", json=draft(memberships=wanted)), 403)
    assert problem["code"] == "missing_rule"
    for user_id in (manager.id, (await add_person(shared, tenant.id)).id):
        change = {"memberships": wanted}
        expect(await manager.client.patch(f"/api/users/{user_id}", json=change), 403)
    assert await fetch_value(shared, COUNT_REFUSED, manager.id, "identity.addUser") == 1
    assert await fetch_value(shared, COUNT_REFUSED, manager.id, "identity.changeUser") == 2


async def test_those_above_cannot_be_touched(
    shared: RunningServer, tenant: Tenant, manager: Person
) -> None:
    above = [
        tenant.admin,
        await add_person(shared, tenant.id, rules=["*"], workspace_id=tenant.workspace_id),
        await add_person(shared, tenant.id, rules=["catalog.system.manage"]),
        await add_person(
            shared, tenant.id, rules=["catalog.group.read"], workspace_id=tenant.workspace_id
        ),
    ]
    for person in above:
        url = f"/api/users/{person.id}"
        for change in ({"name": "x"}, {"active": False}, {"memberships": []}, {}):
            assert expect(await manager.client.patch(url, json=change), 403)["rule"]
        expect(await manager.client.post(f"{url}/reset-link"), 403)
        expect(await person.client.get("/api/me"), 200)


async def test_rules_above_ones_own_cannot_be_made_into_a_role_or_key(
    shared: RunningServer, tenant: Tenant, manager: Person
) -> None:
    too_much = [["*"], ["catalog.system.manage"], [*OWN, "identity.team.read"]]
    mine = await add_role(shared, tenant.id, ["catalog.system.read"])
    for rules in too_much:
        role = {"slug": f"r-{number()}", "name": "R", "rules": rules}
        expect(await manager.client.post("/api/roles", json=role), 403)
        expect(await manager.client.patch(f"/api/roles/{mine}", json={"rules": rules}), 403)
        expect(
            await manager.client.post("/api/applications", json={"name": "A", "rules": rules}), 403
        )
    above = await add_role(shared, tenant.id, ["identity.team.read"])
    expect(await manager.client.patch(f"/api/roles/{above}", json={"name": "x"}), 403)
    expect(await manager.client.patch(f"/api/roles/{above}", json={"rules": []}), 403)
    expect(await manager.client.delete(f"/api/roles/{above}"), 403)


async def test_rules_of_a_workspace_reach_no_further(shared: RunningServer, tenant: Tenant) -> None:
    """Who manages people only in a workspace manages nobody: people belong to the tenant."""
    local = await add_person(shared, tenant.id, rules=["*"], workspace_id=tenant.workspace_id)
    for method, path, body in [
        ("GET", "/api/users", None),
        ("POST", "/api/users", draft()),
        ("PATCH", f"/api/users/{local.id}", {"memberships": []}),
        ("GET", "/api/roles", None),
        ("GET", "/api/workspaces", None),
        ("GET", "/api/applications", None),
        ("POST", "/api/applications", {"name": "A", "rules": []}),
    ]:
        problem = expect(await local.client.request(method, path, json=body), 403)
        assert problem["code"] == "missing_rule"


async def test_each_change_of_people_needs_its_rule(shared: RunningServer, tenant: Tenant) -> None:
    reader = await add_person(shared, tenant.id, rules=["identity.user.read", "identity.role.read"])
    expect(await reader.client.get("/api/users"), 200)
    expect(await reader.client.get("/api/roles"), 200)
    for method, path, body, rule in [
        ("POST", "/api/users", draft(), "identity.user.manage"),
        ("PATCH", f"/api/users/{reader.id}", {"name": "x"}, "identity.user.manage"),
        ("POST", f"/api/users/{reader.id}/reset-link", None, "identity.user.manage"),
        ("POST", "/api/roles", {"slug": "x", "name": "x", "rules": []}, "identity.role.manage"),
        ("GET", "/api/teams", None, "identity.team.read"),
        ("GET", "/api/workspaces", None, "identity.workspace.read"),
    ]:
        problem = expect(await reader.client.request(method, path, json=body), 403)
        assert problem["rule"] == rule


async def test_memberships_name_what_does_not_exist(
    shared: RunningServer, tenant: Tenant, manager: Person
) -> None:
    mine = await add_role(shared, tenant.id, ["catalog.system.read"])
    other = await add_tenant(shared)
    foreign_role = await add_role(shared, other.id, ["catalog.system.read"])
    for wanted, path in [
        ([member(mine), member(foreign_role)], "memberships.1.roleId"),
        ([member(new_id())], "memberships.0.roleId"),
        ([member(mine, other.workspace_id)], "memberships.0.workspaceId"),
        ([member(mine, new_id())], "memberships.0.workspaceId"),
    ]:
        body = draft(memberships=wanted)
        problem = expect(await manager.client.post("/api/users", json=body), 409)
        assert problem["issues"][0]["path"] == path
        taken = "SELECT count(*) FROM users WHERE email = $1"
        assert await fetch_value(shared, taken, body["email"]) == 0
        change = {"memberships": wanted}
        expect(await manager.client.patch(f"/api/users/{manager.id}", json=change), 409)
    assert expect(await manager.client.get("/api/me"), 200)["rules"] == sorted(OWN)


async def test_the_last_admin_stays(shared: RunningServer) -> None:
    tenant = await add_tenant(shared)
    admin, url = tenant.admin.client, f"/api/users/{tenant.admin.id}"
    local = await add_person(shared, tenant.id, rules=["*"], workspace_id=tenant.workspace_id)
    for change in ({"active": False}, {"memberships": []}):
        problem = expect(await admin.patch(url, json=change), 409)
        assert problem["code"] == "conflict"
    expect(await admin.get("/api/me"), 200)

    second = await add_person(shared, tenant.id, rules=["*"])
    expect(await admin.patch(url, json={"memberships": []}), 200)
    expect(await admin.get("/api/users"), 403)
    role_id = expect(await second.client.get(f"/api/users/{second.id}"), 200)["memberships"][0][
        "roleId"
    ]
    expect(await second.client.patch(f"/api/roles/{role_id}", json={"rules": []}), 409)
    expect(await second.client.delete(f"/api/roles/{role_id}"), 409)
    expect(await second.client.patch(f"/api/users/{local.id}", json={"active": False}), 200)


@pytest.mark.parametrize("change", [{"active": False}, {"memberships": []}])
@pytest.mark.parametrize("whom", ["themselves", "each other"])
async def test_of_the_last_two_admins_one_stays(
    shared: RunningServer, change: dict[str, Any], whom: str
) -> None:
    for _ in range(3):
        tenant = await add_tenant(shared)
        one, two = tenant.admin, await add_person(shared, tenant.id, role="admin")
        targets = (one, two) if whom == "themselves" else (two, one)
        answers = await asyncio.gather(
            *(
                by.client.patch(f"/api/users/{target.id}", json=change)
                for by, target in zip((one, two), targets, strict=True)
            )
        )
        statuses = sorted(answer.status_code for answer in answers)
        assert statuses[0] == 200
        assert statuses[1] in (401, 403, 409)
        left = """
        SELECT count(*) FROM users JOIN memberships ON user_id = users.id
        JOIN roles ON roles.id = role_id
        WHERE users.tenant_id = $1 AND active AND roles.slug = 'admin'
        """
        assert await fetch_value(shared, left, tenant.id) == 1


async def test_built_in_roles_stay_as_they_are(tenant: Tenant) -> None:
    roles = expect(await tenant.admin.client.get("/api/roles"), 200)["items"]
    built_in = {role["slug"]: role for role in roles if role["builtIn"]}
    assert set(built_in) == {"admin", "operator", "viewer"}
    assert built_in["admin"]["rules"] == ["*"]
    changing = {rule for rule in built_in["viewer"]["rules"] if not rule.endswith(".read")}
    of_their_own = {"ai.memory.manage", "ai.skill.manage", "identity.program.manage"}
    assert changing == of_their_own
    for role in built_in.values():
        url = f"/api/roles/{role['id']}"
        for change in ({"name": "Other"}, {"rules": []}, {"rules": ["*"]}):
            expect(await tenant.admin.client.patch(url, json=change), 409)
        expect(await tenant.admin.client.delete(url), 409)
        same = {"slug": role["slug"], "name": "x", "rules": []}
        problem = expect(await tenant.admin.client.post("/api/roles", json=same), 409)
        assert problem["issues"][0]["path"] == "slug"
    assert [role for role in roles if role["builtIn"]] == [
        role
        for role in expect(await tenant.admin.client.get("/api/roles"), 200)["items"]
        if role["builtIn"]
    ]


async def test_a_role_acts_at_once(shared: RunningServer, tenant: Tenant) -> None:
    role = {"slug": f"r-{number()}", "name": "R", "rules": ["catalog.system.read"]}
    made = expect(await tenant.admin.client.post("/api/roles", json=role), 201)
    assert made["members"] == 0
    person = await add_person(shared, tenant.id)
    expect(await person.client.get("/api/p/catalog/systems"), 403)
    given = {"memberships": [member(made["id"])]}
    expect(await tenant.admin.client.patch(f"/api/users/{person.id}", json=given), 200)
    expect(await person.client.get("/api/p/catalog/systems"), 200)

    url = f"/api/roles/{made['id']}"
    more = {"rules": ["catalog.group.read", "catalog.group.read"]}
    changed = expect(await tenant.admin.client.patch(url, json=more), 200)
    assert (changed["rules"], changed["members"]) == (["catalog.group.read"], 1)
    expect(await person.client.get("/api/p/catalog/systems"), 403)
    expect(await person.client.get("/api/p/catalog/groups"), 200)
    expect(await tenant.admin.client.delete(url), 204)
    expect(await person.client.get("/api/p/catalog/groups"), 403)
    expect(await tenant.admin.client.delete(url), 404)


@pytest.mark.parametrize("rules", [["nothing.at.read"], ["catalog.system.read", "x.y.manage"]])
async def test_rules_that_no_plugin_has_are_refused(tenant: Tenant, rules: list[str]) -> None:
    role = {"slug": f"r-{number()}", "name": "R", "rules": rules}
    problem = expect(await tenant.admin.client.post("/api/roles", json=role), 409)
    assert problem["issues"][0]["path"] == "rules"
    expect(
        await tenant.admin.client.post("/api/applications", json={"name": "A", "rules": rules}), 409
    )


async def test_workspaces_can_be_renamed_and_only_deleted_when_empty(
    shared: RunningServer, tenant: Tenant
) -> None:
    admin = tenant.admin.client
    wanted = {"slug": f"w-{number()}", "name": "One"}
    made = expect(await admin.post("/api/workspaces", json=wanted), 201)
    url = f"/api/workspaces/{made['id']}"
    problem = expect(await admin.post("/api/workspaces", json=wanted), 409)
    assert problem["issues"][0]["path"] == "slug"
    assert expect(await admin.patch(url, json={"name": "Two"}), 200)["name"] == "Two"
    system = {"workspaceId": made["id"], "name": "s"}
    held = expect(await admin.post("/api/p/catalog/systems", json=system), 201)
    expect(await admin.delete(url), 409)
    expect(await admin.delete(f"/api/p/catalog/systems/{held['id']}"), 204)
    local = await add_person(shared, tenant.id, role="viewer", workspace_id=UUID(made["id"]))
    expect(await admin.delete(url), 204)
    expect(await admin.patch(url, json={"name": "Three"}), 404)
    assert expect(await local.client.get("/api/me"), 200)["workspaceRules"] == {}


async def test_me_shows_what_holds_where(shared: RunningServer, tenant: Tenant) -> None:
    workspace_id = await add_workspace(shared, tenant.id)
    local = await add_person(
        shared, tenant.id, rules=["catalog.system.manage"], workspace_id=workspace_id
    )
    me = expect(await local.client.get("/api/me"), 200)
    assert me["rules"] == []
    assert me["workspaceRules"] == {str(workspace_id): ["catalog.system.manage"]}
    assert [one["id"] for one in me["workspaces"]] == [str(workspace_id)]
    assert me["tenant"]["id"] == str(tenant.id)
    assert expect(await local.client.patch("/api/me", json={"name": " Ada "}), 200)["name"] == "Ada"
    assert expect(await local.client.get("/api/me"), 200)["name"] == "Ada"
    pages = expect(await local.client.get("/api/pages"), 200)["items"]
    assert [page["slug"] for page in pages] == ["systems"]
