"""Applications and keys: shown once, stored as a hash, never more than their owner, reads only."""

import hashlib
from typing import Any
from uuid import UUID

import pytest

from assent.ids import new_id
from assent.plugins.load import Loaded
from assent.plugins.run import SERVICE_ID
from assent.testing import Client, RunningServer
from tests.turn.people import (
    Person,
    Tenant,
    add_person,
    add_workspace,
    execute,
    expect,
    fetch,
    fetch_value,
    find_role,
)
from tests.turn.shop import BASE, CHANGES, Shop, open_shop

OWNER_RULES = ["identity.application.manage", "catalog.system.manage", "catalog.group.read"]
SYSTEMS = f"{BASE}/systems"
GROUPS = f"{BASE}/groups"


@pytest.fixture
async def owner(shared: RunningServer, tenant: Tenant) -> Person:
    return await add_person(shared, tenant.id, rules=OWNER_RULES)


async def add_key(client: Client, *rules: str, **draft: Any) -> dict[str, Any]:
    body = {"name": "robot", "rules": list(rules)}
    application = expect(await client.post("/api/applications", json=body), 201)
    url = f"/api/applications/{application['id']}/keys"
    key = expect(await client.post(url, json=draft), 201)
    return {**key, "applicationId": application["id"]}


async def status_with(shared: RunningServer, key: str, path: str = SYSTEMS) -> int:
    client = await shared.open_client(key=key)
    return (await client.get(path)).status_code


async def test_a_key_is_shown_once_and_stored_as_a_hash(
    shared: RunningServer, owner: Person
) -> None:
    made = await add_key(owner.client, "catalog.system.read")
    key = made["key"]
    assert key.startswith("ask_")
    assert len(key) >= 47
    [row] = await fetch(shared, "SELECT * FROM application_keys WHERE id = $1", UUID(made["id"]))
    assert row["key_hash"] == hashlib.sha256(key.encode()).digest()
    assert key not in str(row)
    listed = await owner.client.get("/api/applications")
    assert key not in listed.text
    [application] = expect(listed, 200)["items"]
    assert application["owner"] == {"id": str(owner.id), "name": owner.email}
    assert application["keys"][0]["hint"] == made["hint"] == key[:10] + "…"
    assert application["keys"][0]["lastUsedAt"] is None
    assert await status_with(shared, key) == 200
    [application] = expect(await owner.client.get("/api/applications"), 200)["items"]
    assert application["keys"][0]["lastUsedAt"] is not None


async def test_a_revoked_an_expired_and_a_deleted_key(shared: RunningServer, owner: Person) -> None:
    revoked = await add_key(owner.client, "catalog.system.read")
    expired = await add_key(owner.client, "catalog.system.read", expiresInDays=1)
    deleted = await add_key(owner.client, "catalog.system.read", expiresInDays=3650)
    for made in (revoked, expired, deleted):
        assert await status_with(shared, made["key"]) == 200
    url = f"/api/applications/{revoked['applicationId']}/keys/{revoked['id']}"
    expect(await owner.client.delete(url), 204)
    expect(await owner.client.delete(url), 204)
    change = "UPDATE application_keys SET expires_at = now() WHERE id = $1"
    await execute(shared, change, UUID(expired["id"]))
    expect(await owner.client.delete(f"/api/applications/{deleted['applicationId']}"), 204)
    for made in (revoked, expired, deleted):
        assert await status_with(shared, made["key"]) == 401


@pytest.mark.parametrize("key", ["", "ask_", "ask_" + "x" * 43, "x", "ask_" + "a" * 9000])
async def test_made_up_keys(shared: RunningServer, key: str) -> None:
    assert await status_with(shared, key) == 401


async def test_neither_the_hash_nor_a_session_is_a_key(
    shared: RunningServer, owner: Person
) -> None:
    made = await add_key(owner.client, "catalog.system.read")
    stored = hashlib.sha256(made["key"].encode()).hexdigest()
    session = owner.client.cookies["assent_session"]
    for wrong in (stored, made["hint"].rstrip("…"), made["id"], session, f"ask_{session}"):
        assert await status_with(shared, wrong) == 401
    as_cookie = {"cookie": f"assent_session={made['key']}"}
    expect(await (await shared.open_client()).get("/api/me", headers=as_cookie), 401)


async def test_a_key_follows_its_owners_rules(
    shared: RunningServer, tenant: Tenant, owner: Person
) -> None:
    made = await add_key(owner.client, "catalog.system.read", "catalog.group.read")
    robot = await shared.open_client(key=made["key"])
    expect(await robot.get(SYSTEMS), 200)
    expect(await robot.get(GROUPS), 200)
    assert (
        expect(await robot.get(f"{BASE}/environments"), 403)["rule"] == "catalog.environment.read"
    )

    [role_id] = await fetch(shared, "SELECT role_id FROM memberships WHERE user_id = $1", owner.id)
    less = {"rules": ["catalog.group.read"]}
    url = f"/api/roles/{role_id['role_id']}"
    expect(await tenant.admin.client.patch(url, json=less), 200)
    expect(await robot.get(SYSTEMS), 403)
    expect(await robot.get(GROUPS), 200)
    nothing: dict[str, Any] = {"memberships": []}
    expect(await tenant.admin.client.patch(f"/api/users/{owner.id}", json=nothing), 200)
    expect(await robot.get(GROUPS), 403)


async def test_a_key_for_everything_is_still_only_its_owner(
    shared: RunningServer, tenant: Tenant
) -> None:
    boss = await add_person(shared, tenant.id, role="admin")
    made = await add_key(boss.client, "*")
    robot = await shared.open_client(key=made["key"])
    expect(await robot.get("/api/users"), 200)
    workspace_id = await add_workspace(shared, tenant.id)
    mine = await open_shop(tenant.admin.client, workspace_id)
    other = await open_shop(tenant.admin.client, tenant.workspace_id)
    viewer = await find_role(shared, tenant.id, "viewer")
    local = {"memberships": [{"roleId": str(viewer), "workspaceId": str(workspace_id)}]}
    expect(await tenant.admin.client.patch(f"/api/users/{boss.id}", json=local), 200)
    expect(await robot.get("/api/users"), 403)
    seen = expect(await robot.get(SYSTEMS, params={"limit": 200}), 200)["items"]
    assert {item["id"] for item in seen} == set(mine.systems)
    expect(await robot.get(f"{SYSTEMS}/{other.systems[0]}"), 404)


async def test_grants_of_the_owner_are_not_the_keys(shared: RunningServer, tenant: Tenant) -> None:
    shop = await open_shop(tenant.admin.client, tenant.workspace_id)
    owner = await add_person(shared, tenant.id, rules=["identity.application.manage"])
    grant = {
        "resourceKind": "catalog.system",
        "resourceId": shop.systems[0],
        "subject": {"kind": "user", "id": str(owner.id)},
        "level": "own",
    }
    expect(await tenant.admin.client.put("/api/grants", json=grant), 200)
    expect(await owner.client.get(f"{SYSTEMS}/{shop.systems[0]}"), 200)
    refused = {"name": "robot", "rules": ["catalog.system.read"]}
    expect(await owner.client.post("/api/applications", json=refused), 403)
    made = await add_key(owner.client)
    assert await status_with(shared, made["key"], f"{SYSTEMS}/{shop.systems[0]}") == 403


async def test_a_key_reads_and_never_changes(
    shared: RunningServer, tenant: Tenant, loaded: Loaded
) -> None:
    shop = await open_shop(tenant.admin.client, tenant.workspace_id)
    robot = await shared.open_client(key=(await add_key(tenant.admin.client, "*"))["key"])
    [catalog] = [plugin for plugin in loaded.plugins if plugin.name == "catalog"]
    for procedure in catalog.procedures:
        method, url = procedure.route.method, shop.fill(procedure.route.path)
        body = shop.draft(procedure.name) if method == "POST" else CHANGES.get(procedure.name)
        answer = await robot.request(method, url, json=body)
        if procedure.access.effect == "read":
            expect(answer, 200)
        else:
            assert expect(answer, 403)["code"] == "needs_proposal"
    await check_untouched(tenant.admin.client, shop)
    for method, path in [
        ("GET", "/api/me"),
        ("GET", "/api/sessions"),
        ("GET", "/api/pages"),
        ("POST", "/api/auth/logout"),
    ]:
        assert expect(await robot.request(method, path), 403)["code"] == "people_only"


async def check_untouched(client: Client, shop: Shop) -> None:
    for path in ("/systems/{system_id}", "/groups/{group_id}", "/dependencies/{dependency_id}"):
        assert expect(await client.get(shop.fill(path)), 200)["version"] <= 2


async def test_a_key_wins_over_a_cookie(shared: RunningServer, tenant: Tenant) -> None:
    """A request that brings a key is the application's, whoever is signed in beside it."""
    key = (await add_key(tenant.admin.client, "catalog.system.read"))["key"]
    both = {"authorization": f"Bearer {key}"}
    expect(await tenant.admin.client.get("/api/me", headers=both), 403)
    expect(await tenant.admin.client.get("/api/me", headers={"authorization": "Bearer x"}), 401)
    expect(await tenant.admin.client.get("/api/me", headers={"authorization": "Basic eA=="}), 401)


async def test_other_peoples_applications(
    shared: RunningServer, tenant: Tenant, owner: Person
) -> None:
    made = await add_key(owner.client, "catalog.system.read")
    other = await add_person(shared, tenant.id, rules=OWNER_RULES)
    assert expect(await other.client.get("/api/applications"), 200)["items"] == []
    url = f"/api/applications/{made['applicationId']}"
    for method, path in [
        ("DELETE", url),
        ("POST", f"{url}/keys"),
        ("DELETE", f"{url}/keys/{made['id']}"),
    ]:
        expect(await other.client.request(method, path), 404)
    assert await status_with(shared, made["key"]) == 200
    own = await add_key(other.client)
    crossed = f"/api/applications/{own['applicationId']}/keys/{made['id']}"
    expect(await other.client.delete(crossed), 404)
    expect(await other.client.delete(f"{url}/keys/{new_id()}"), 404)
    listed = expect(await tenant.admin.client.get("/api/applications", params={"limit": 200}), 200)
    assert made["applicationId"] in [item["id"] for item in listed["items"]]
    expect(await tenant.admin.client.delete(f"{url}/keys/{made['id']}"), 204)
    assert await status_with(shared, made["key"]) == 401


async def test_there_is_a_limit_to_live_keys(owner: Person) -> None:
    made = await add_key(owner.client)
    url = f"/api/applications/{made['applicationId']}/keys"
    for _ in range(19):
        expect(await owner.client.post(url), 201)
    expect(await owner.client.post(url), 409)
    expect(await owner.client.delete(f"{url}/{made['id']}"), 204)
    expect(await owner.client.post(url), 201)


async def test_services_have_no_credential(shared: RunningServer) -> None:
    """Their id belongs to nobody: no row from which a session or a key could be made."""
    for table, column in (("users", "id"), ("sessions", "user_id"), ("applications", "owner_id")):
        query = f"SELECT count(*) FROM {table} WHERE {column} = $1"
        assert await fetch_value(shared, query, SERVICE_ID) == 0
    for key in (str(SERVICE_ID), f"ask_{SERVICE_ID}", "service", "command line"):
        assert await status_with(shared, key) == 401
