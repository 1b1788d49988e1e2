"""Signing in over HTTP: one-time links and passwords, and what they do not give away."""

import asyncio
import re

import pytest

from assent.testing import Client, RunningServer
from tests.turn.hashing import QUICK, CountingHasher
from tests.turn.people import (
    PASSWORD,
    Person,
    Tenant,
    add_person,
    execute,
    expect,
    fetch_value,
    make_token,
)

COUNT_SESSIONS = "SELECT count(*) FROM sessions WHERE user_id = $1"
COUNT_LINKS = "SELECT count(*) FROM links WHERE user_id = $1"
LOAD_HASH = "SELECT password_hash FROM users WHERE id = $1"


@pytest.fixture
async def person(shared: RunningServer, tenant: Tenant) -> Person:
    return await add_person(shared, tenant.id, password=PASSWORD)


@pytest.fixture
async def visitor(shared: RunningServer) -> Client:
    return await shared.open_client()


async def test_a_link_works_once(shared: RunningServer, person: Person, visitor: Client) -> None:
    token = await make_token(shared, person.tenant_id, person.id)
    assert (await visitor.get(f"/login?token={token}")).headers["location"] == "/"
    assert expect(await visitor.get("/api/me"), 200)["id"] == str(person.id)

    other = await shared.open_client()
    again = await other.get(f"/login?token={token}")
    assert again.headers["location"] == "/login?error=link_unusable"
    assert "set-cookie" not in again.headers
    expect(await other.get("/api/me"), 401)


async def test_of_twenty_at_once_one_gets_a_session(
    shared: RunningServer, person: Person, visitor: Client
) -> None:
    token = await make_token(shared, person.tenant_id, person.id)
    before = await fetch_value(shared, COUNT_SESSIONS, person.id)
    answers = await asyncio.gather(*(visitor.get(f"/login?token={token}") for _ in range(20)))
    assert [answer.status_code for answer in answers] == [303] * 20
    assert sum("set-cookie" in answer.headers for answer in answers) == 1
    assert await fetch_value(shared, COUNT_SESSIONS, person.id) == before + 1


@pytest.mark.parametrize(
    "why",
    ["UPDATE links SET expires_at = now() WHERE user_id = $1",
     "UPDATE users SET active = false WHERE id = $1"],
)  # fmt: skip
async def test_a_link_that_came_too_late(
    shared: RunningServer, person: Person, visitor: Client, why: str
) -> None:
    token = await make_token(shared, person.tenant_id, person.id)
    await execute(shared, why, person.id)
    answer = await visitor.get(f"/login?token={token}")
    assert answer.headers["location"] == "/login?error=link_unusable"
    assert "set-cookie" not in answer.headers


@pytest.mark.parametrize(
    ("method", "headers"),
    [
        ("HEAD", {}),
        ("OPTIONS", {}),
        ("GET", {"sec-purpose": "prefetch"}),
        ("GET", {"sec-purpose": "prefetch;prerender"}),
        ("GET", {"purpose": "prefetch"}),
        ("GET", {"x-moz": "prefetch"}),
        ("GET", {"x-purpose": "preview"}),
    ],
)
async def test_looking_ahead_does_not_use_the_link_up(
    shared: RunningServer, person: Person, visitor: Client, method: str, headers: dict[str, str]
) -> None:
    token = await make_token(shared, person.tenant_id, person.id)
    answer = await visitor.request(method, f"/login?token={token}", headers=headers)
    assert "set-cookie" not in answer.headers
    assert await fetch_value(shared, COUNT_LINKS, person.id) == 1
    assert (await visitor.get(f"/login?token={token}")).headers["location"] == "/"


@pytest.mark.parametrize("token", ["", "x", "é", "%00", "%ff%fe", "a" * 5000])
async def test_a_made_up_link(visitor: Client, token: str) -> None:
    answer = await visitor.get(f"/login?token={token}")
    assert answer.status_code == 303
    assert answer.headers["location"] == "/login?error=link_unusable"


async def test_a_link_to_set_a_password_does_not_sign_in_by_itself(
    shared: RunningServer, tenant: Tenant, person: Person, visitor: Client
) -> None:
    made = expect(await tenant.admin.client.post(f"/api/users/{person.id}/reset-link"), 201)
    token = made["link"].partition("reset=")[2]
    answer = await visitor.get(f"/login?token={token}")
    assert answer.headers["location"] == "/login?error=link_unusable"

    sign_in_token = await make_token(shared, person.tenant_id, person.id)
    reset = {"token": sign_in_token, "password": PASSWORD}
    assert expect(await visitor.post("/api/auth/reset", json=reset), 410)["code"] == "link_unusable"


async def test_setting_a_password_with_a_link(
    tenant: Tenant, person: Person, visitor: Client
) -> None:
    url = f"/api/users/{person.id}/reset-link"
    older = expect(await tenant.admin.client.post(url), 201)["link"].partition("reset=")[2]
    newer = expect(await tenant.admin.client.post(url), 201)["link"]
    stale = {"token": older, "password": "another long password"}
    expect(await visitor.post("/api/auth/reset", json=stale), 410)
    short = {"token": newer.partition("reset=")[2], "password": "short"}
    assert expect(await visitor.post("/api/auth/reset", json=short), 422)["issues"][0]["path"] == (
        "password"
    )

    me = await visitor.set_password(newer, "another long password")
    assert me["id"] == str(person.id)
    expect(await person.client.get("/api/me"), 401)
    expect(await visitor.get("/api/me"), 200)
    await visitor.sign_in(person.email, "another long password")
    again = {"token": newer.partition("reset=")[2], "password": "yet another password"}
    expect(await visitor.post("/api/auth/reset", json=again), 410)


async def test_a_made_up_reset_costs_no_hashing(visitor: Client, hasher: CountingHasher) -> None:
    reset = {"token": "made up", "password": "another long password"}
    expect(await visitor.post("/api/auth/reset", json=reset), 410)
    assert hasher.hashed == 0


async def test_sign_in_with_password(person: Person, visitor: Client) -> None:
    me = await visitor.sign_in(f"  {person.email.upper()} ", PASSWORD)
    assert me["id"] == str(person.id)
    assert me == expect(await visitor.get("/api/me"), 200)


async def test_every_failure_looks_and_costs_the_same(
    shared: RunningServer, tenant: Tenant, hasher: CountingHasher
) -> None:
    known = await add_person(shared, tenant.id, password=PASSWORD)
    inactive = await add_person(shared, tenant.id, password=PASSWORD)
    without = await add_person(shared, tenant.id)
    await execute(shared, "UPDATE users SET active = false WHERE id = $1", inactive.id)
    bodies: list[object] = []
    for email, password in [
        (known.email, "wrong password here"),
        ("nobody@example.com", PASSWORD),
        ("not an address", PASSWORD),
        (inactive.email, PASSWORD),
        (without.email, PASSWORD),
        (known.email, ""),
    ]:
        before = hasher.verified
        client = await shared.open_client()
        answer = await client.post("/api/auth/login", json={"email": email, "password": password})
        body = expect(answer, 401)
        assert hasher.verified == before + 1, email
        assert body.pop("requestId")
        bodies.append((body, sorted(answer.headers)))
    assert bodies == [bodies[0]] * len(bodies)


async def test_the_stored_hash_is_argon2id_and_follows_the_parameters(
    strong_passwords: None, shared: RunningServer, person: Person, visitor: Client
) -> None:
    stored = await fetch_value(shared, LOAD_HASH, person.id)
    assert re.match(r"\$argon2id\$v=19\$m=65536,t=3,p=4\$", stored)
    await execute(
        shared, "UPDATE users SET password_hash = $2 WHERE id = $1", person.id, QUICK.hash(PASSWORD)
    )
    await visitor.sign_in(person.email, PASSWORD)
    renewed = await fetch_value(shared, LOAD_HASH, person.id)
    assert renewed.split("$")[:4] == stored.split("$")[:4]
    await visitor.sign_in(person.email, PASSWORD)
    assert await fetch_value(shared, LOAD_HASH, person.id) == renewed


async def test_a_password_changed_during_sign_in_is_not_brought_back(
    shared: RunningServer, tenant: Tenant, monkeypatch: pytest.MonkeyPatch, visitor: Client
) -> None:
    """Between the check and the new session somebody sets another password."""
    person = await add_person(shared, tenant.id, password=PASSWORD)
    newer = QUICK.hash("a newer password")

    async def hash_and_change(_password: str) -> str:
        await execute(shared, "UPDATE users SET password_hash = $2 WHERE id = $1", person.id, newer)
        return QUICK.hash(PASSWORD)

    monkeypatch.setattr("assent.identity.sign_in.needs_rehash", lambda _: True)
    monkeypatch.setattr("assent.identity.sign_in.hash_password", hash_and_change)
    answer = await visitor.post(
        "/api/auth/login", json={"email": person.email, "password": PASSWORD}
    )
    assert expect(answer, 401)["code"] == "sign_in_failed"
    assert await fetch_value(shared, LOAD_HASH, person.id) == newer


async def test_each_way_in_is_audited(
    shared: RunningServer, tenant: Tenant, person: Person, visitor: Client
) -> None:
    await visitor.sign_in(person.email, PASSWORD)
    made = expect(await tenant.admin.client.post(f"/api/users/{person.id}/reset-link"), 201)
    await visitor.set_password(made["link"], PASSWORD)
    query = """
    SELECT array_agg(action ORDER BY id) FROM audit_entries
    WHERE principal_id = $1 AND edge = 'sign_in' AND status = 'executed'
    """
    assert await fetch_value(shared, query, person.id) == [
        "identity.signInWithLink",
        "identity.signInWithPassword",
        "identity.setPasswordWithLink",
    ]
