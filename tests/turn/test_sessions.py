"""Sessions as requests see them: opaque, rotated, limited, listed, ended at once."""

import asyncio
import hashlib
from collections.abc import Mapping
from http.cookiejar import DefaultCookiePolicy
from uuid import UUID

import httpx2
import pytest

from assent.ids import new_id
from assent.testing import Client, Databases, RunningServer, run_server
from tests.turn.people import (
    PASSWORD,
    Pair,
    Person,
    Tenant,
    add_person,
    execute,
    expect,
    fetch,
    fetch_value,
    find_tenant,
    sign_in,
)

COOKIE = "assent_session"
MAKE_DUE = """
UPDATE sessions SET rotated_at = now() - interval '61 minutes' WHERE user_id = $1
"""
LIST_SESSIONS = "SELECT * FROM sessions WHERE user_id = $1 ORDER BY created_at"


@pytest.fixture
async def person(shared: RunningServer, tenant: Tenant) -> Person:
    return await add_person(shared, tenant.id, role="operator")


@pytest.fixture
async def bare(shared: RunningServer) -> httpx2.AsyncClient:
    """A client that keeps no cookies: each request says which token it brings."""
    client = await shared.open_client()
    client.cookies.jar.set_policy(DefaultCookiePolicy(allowed_domains=[]))
    return client


def token_of(client: httpx2.AsyncClient) -> str:
    return client.cookies[COOKIE]


def bring(token: str) -> Mapping[str, str]:
    return {"cookie": f"{COOKIE}={token}"}


async def test_the_token_is_opaque_and_only_its_hash_is_stored(
    shared: RunningServer, person: Person
) -> None:
    token = token_of(person.client)
    assert len(token) >= 43
    [row] = await fetch(shared, LIST_SESSIONS, person.id)
    assert row["token_hash"] == hashlib.sha256(token.encode()).digest()
    assert token not in str(row)
    assert str(row["id"]) not in token


@pytest.mark.parametrize("token", ["", "x", "a" * 8000, "ä", '"', "../..", "%00", "Bearer"])
async def test_made_up_tokens(bare: Client, token: str) -> None:
    headers = {"cookie": f"{COOKIE}={token}".encode()}
    assert expect(await bare.get("/api/me", headers=headers), 401)["code"] == "not_signed_in"


@pytest.mark.parametrize(
    ("method", "path", "status"),
    [
        ("GET", "/api/me", 200),
        ("GET", "/api/p/catalog/systems", 200),
        ("POST", "/api/sessions/revoke-others", 200),
        ("DELETE", f"/api/sessions/{UUID(int=1)}", 404),
        ("DELETE", f"/api/p/catalog/systems/{UUID(int=1)}", 404),
        ("GET", "/api/p/catalog/systems/x", 422),
        ("GET", "/api/users", 403),
        ("GET", "/api/p/catalog/pages/nothing.js", 404),
    ],
)
async def test_a_due_session_is_rotated_on_any_route(
    shared: RunningServer, person: Person, method: str, path: str, status: int
) -> None:
    old = token_of(person.client)
    assert "set-cookie" not in (await person.client.request(method, path)).headers
    await execute(shared, MAKE_DUE, person.id)
    answer = await person.client.request(method, path)
    assert answer.status_code == status
    assert answer.headers.get_list("set-cookie")[0].startswith(f"{COOKIE}=")
    assert token_of(person.client) != old
    assert "set-cookie" not in (await person.client.get("/api/me")).headers


async def test_twenty_requests_at_once_rotate_once(
    shared: RunningServer, person: Person, bare: Client
) -> None:
    old = token_of(person.client)
    await execute(shared, MAKE_DUE, person.id)
    answers = await asyncio.gather(*(bare.get("/api/me", headers=bring(old)) for _ in range(20)))
    assert [answer.status_code for answer in answers] == [200] * 20
    fresh = [answer.cookies[COOKIE] for answer in answers if "set-cookie" in answer.headers]
    assert len(fresh) == 1
    expect(await bare.get("/api/me", headers=bring(fresh[0])), 200)
    assert len(await fetch(shared, LIST_SESSIONS, person.id)) == 1


async def test_a_lost_answer_locks_nobody_out(
    shared: RunningServer, person: Person, bare: Client
) -> None:
    """The browser never saw the new token: the old one goes on, however long it takes."""
    old = token_of(person.client)
    await execute(shared, MAKE_DUE, person.id)
    assert "set-cookie" in (await bare.get("/api/me", headers=bring(old))).headers
    await execute(shared, MAKE_DUE, person.id)
    for _ in range(3):
        expect(await bare.get("/api/me", headers=bring(old)), 200)


async def test_the_old_token_ends_a_minute_after_the_new_one_was_used(
    shared: RunningServer, person: Person, bare: Client
) -> None:
    old = token_of(person.client)
    await execute(shared, MAKE_DUE, person.id)
    new = (await bare.get("/api/me", headers=bring(old))).cookies[COOKIE]
    left = "SELECT extract(epoch FROM previous_until - now()) FROM sessions WHERE user_id = $1"
    assert await fetch_value(shared, left, person.id) is None

    expect(await bare.get("/api/me", headers=bring(new)), 200)
    assert 50 < await fetch_value(shared, left, person.id) <= 60
    expect(await bare.get("/api/me", headers=bring(old)), 200)
    await execute(
        shared, "UPDATE sessions SET previous_until = now() WHERE user_id = $1", person.id
    )
    expect(await bare.get("/api/me", headers=bring(old)), 401)
    expect(await bare.get("/api/me", headers=bring(new)), 200)


async def test_a_token_before_the_previous_one_is_dead(
    shared: RunningServer, person: Person, bare: Client
) -> None:
    tokens = [token_of(person.client)]
    for _ in range(2):
        await execute(shared, MAKE_DUE, person.id)
        answer = await bare.get("/api/me", headers=bring(tokens[-1]))
        tokens.append(answer.cookies[COOKIE])
    statuses = [(await bare.get("/api/me", headers=bring(token))).status_code for token in tokens]
    assert statuses == [401, 200, 200]


@pytest.mark.parametrize(
    ("change", "status"),
    [
        ("last_seen_at = now() - interval '167 hours 59 minutes'", 200),
        ("last_seen_at = now() - interval '168 hours'", 401),
        ("expires_at = now() + interval '1 minute'", 200),
        ("expires_at = now()", 401),
    ],
)
async def test_idle_and_absolute_limits(
    shared: RunningServer, person: Person, change: str, status: int
) -> None:
    await execute(shared, f"UPDATE sessions SET {change} WHERE user_id = $1", person.id)
    expect(await person.client.get("/api/me"), status)


async def test_use_is_noted_and_rotation_does_not_prolong(
    shared: RunningServer, person: Person
) -> None:
    before = (await fetch(shared, LIST_SESSIONS, person.id))[0]
    await execute(
        shared,
        "UPDATE sessions SET last_seen_at = now() - interval '2 minutes' WHERE user_id = $1",
        person.id,
    )
    await execute(shared, MAKE_DUE, person.id)
    expect(await person.client.get("/api/me"), 200)
    after = (await fetch(shared, LIST_SESSIONS, person.id))[0]
    assert after["last_seen_at"] >= before["last_seen_at"]
    assert after["expires_at"] == before["expires_at"]


async def test_the_oldest_session_ends_when_there_are_too_many(databases: Databases) -> None:
    async with (
        databases.copy() as url,
        run_server(url, background_work=False, sessions_per_person=3) as server,
    ):
        tenant = await find_tenant(server)
        clients = [tenant.admin.client]
        for _ in range(3):
            clients.append(await sign_in(server, tenant.id, tenant.admin.id))
        statuses = [(await client.get("/api/me")).status_code for client in clients]
        assert statuses == [401, 200, 200, 200]


async def test_the_list_marks_the_current_one(shared: RunningServer, person: Person) -> None:
    other = await sign_in(shared, person.tenant_id, person.id)
    other.headers["user-agent"] = "another browser"
    listed = expect(await person.client.get("/api/sessions"), 200)
    assert listed["nextCursor"] is None
    assert [item["current"] for item in listed["items"]].count(True) == 1
    seen_by_other = expect(await other.get("/api/sessions"), 200)["items"]
    current = {item["id"] for item in listed["items"] if item["current"]}
    assert current.isdisjoint(item["id"] for item in seen_by_other if item["current"])
    assert all(item["address"] == "127.0.0.1" for item in seen_by_other)
    assert set(seen_by_other[0]) == {
        "id", "current", "createdAt", "lastSeenAt", "expiresAt", "userAgent", "address"
    }  # fmt: skip


async def test_ending_sessions(shared: RunningServer, person: Person) -> None:
    clients = [await sign_in(shared, person.tenant_id, person.id) for _ in range(3)]
    [current] = [
        item["id"]
        for item in expect(await clients[0].get("/api/sessions"), 200)["items"]
        if item["current"]
    ]
    expect(await person.client.delete(f"/api/sessions/{current}"), 204)
    expect(await person.client.delete(f"/api/sessions/{current}"), 404)
    expect(await clients[0].get("/api/me"), 401)
    expect(await clients[1].get("/api/me"), 200)
    assert expect(await person.client.post("/api/sessions/revoke-others"), 200) == {"revoked": 2}
    expect(await clients[1].get("/api/me"), 401)
    expect(await clients[2].get("/api/me"), 401)
    expect(await person.client.get("/api/me"), 200)


async def test_other_peoples_sessions_do_not_exist(
    shared: RunningServer, tenant: Tenant, person: Person
) -> None:
    other = await add_person(shared, tenant.id)
    [row] = await fetch(shared, LIST_SESSIONS, other.id)
    for client in (person.client, tenant.admin.client):
        expect(await client.delete(f"/api/sessions/{row['id']}"), 404)
        expect(await client.delete(f"/api/sessions/{new_id()}"), 404)
        await client.post("/api/sessions/revoke-others")
    expect(await other.client.get("/api/me"), 200)


async def test_signing_out(shared: RunningServer, person: Person, bare: Client) -> None:
    token = token_of(person.client)
    answer = await person.client.post("/api/auth/logout")
    assert answer.status_code == 204
    assert "Max-Age=0" in answer.headers["set-cookie"]
    expect(await bare.get("/api/me", headers=bring(token)), 401)
    assert await fetch(shared, LIST_SESSIONS, person.id) == []


async def test_who_is_deactivated_is_out_at_once(
    shared: RunningServer, tenant: Tenant, person: Person
) -> None:
    draft = {"name": "robot", "rules": ["catalog.system.read"]}
    application = expect(await person.client.post("/api/applications", json=draft), 201)
    made = expect(await person.client.post(f"/api/applications/{application['id']}/keys"), 201)
    robot = await shared.open_client(key=made["key"])
    expect(await robot.get("/api/p/catalog/systems"), 200)

    url = f"/api/users/{person.id}"
    expect(await tenant.admin.client.patch(url, json={"active": False}), 200)
    expect(await person.client.get("/api/me"), 401)
    expect(await robot.get("/api/p/catalog/systems"), 401)

    expect(await tenant.admin.client.patch(url, json={"active": True}), 200)
    expect(await person.client.get("/api/me"), 401)
    expect(await robot.get("/api/p/catalog/systems"), 200)


async def test_changing_the_password_ends_the_other_sessions(
    shared: RunningServer, tenant: Tenant
) -> None:
    person = await add_person(shared, tenant.id, password=PASSWORD)
    other = await sign_in(shared, tenant.id, person.id)
    url = f"/api/users/{person.id}/reset-link"
    link = expect(await tenant.admin.client.post(url), 201)["link"]
    for current in ("not the password", "", None):
        wrong = {"currentPassword": current, "newPassword": "another long password"}
        problem = expect(await person.client.put("/api/me/password", json=wrong), 422)
        assert problem["issues"][0]["path"] == "currentPassword"
    right = {"currentPassword": PASSWORD, "newPassword": "another long password"}
    expect(await person.client.put("/api/me/password", json=right), 204)

    expect(await person.client.get("/api/me"), 200)
    expect(await other.get("/api/me"), 401)
    reset = {"token": link.partition("reset=")[2], "password": "yet another password"}
    expect(await other.post("/api/auth/reset", json=reset), 410)
    expect(
        await other.post("/api/auth/login", json={"email": person.email, "password": PASSWORD}), 401
    )
    await other.sign_in(person.email, "another long password")


async def test_the_present_password_cannot_be_guessed_at_will(
    shared: RunningServer, tenant: Tenant
) -> None:
    person = await add_person(shared, tenant.id, password=PASSWORD)
    wrong = {"currentPassword": "a guess", "newPassword": "another long password"}
    for _ in range(shared.settings.sign_in_attempts):
        expect(await person.client.put("/api/me/password", json=wrong), 422)
    right = {**wrong, "currentPassword": PASSWORD}
    answer = await person.client.put("/api/me/password", json=right)
    expect(answer, 429)
    assert int(answer.headers["retry-after"]) > 0


async def test_a_first_password_needs_no_present_one(person: Person) -> None:
    assert expect(await person.client.get("/api/me"), 200)["hasPassword"] is False
    first = {"currentPassword": None, "newPassword": "a first long password"}
    expect(await person.client.put("/api/me/password", json=first), 204)
    assert expect(await person.client.get("/api/me"), 200)["hasPassword"] is True


async def test_a_session_of_one_server_works_on_another(pair: Pair) -> None:
    tenant = await find_tenant(pair.one)
    cookies = {COOKIE: token_of(tenant.admin.client)}
    async with Client(pair.other.url, cookies=cookies) as client:
        expect(await client.get("/api/me"), 200)
        await execute(pair.one, MAKE_DUE, tenant.admin.id)
        assert "set-cookie" in (await client.get("/api/me")).headers
        fresh = client.cookies
    async with Client(pair.one.url, cookies=fresh) as client:
        expect(await client.get("/api/me"), 200)
    expect(await tenant.admin.client.post("/api/auth/logout"), 204)
    async with Client(pair.other.url, cookies=fresh) as client:
        expect(await client.get("/api/me"), 401)
