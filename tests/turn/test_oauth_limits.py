"""Registration where it is let, how often programs may ask, and what is removed in the end."""

import asyncio
from collections.abc import AsyncGenerator
from typing import Any

import httpx2
import pytest
import pytest_asyncio

from assent.identity.oauth import programs
from assent.identity.oauth.purge import purge
from assent.testing import Databases, RunningServer, run_server
from tests.turn.oauth import (
    CALLBACK,
    CLIENTS,
    CONNECT,
    CONSENT,
    READ,
    Lathe,
    Site,
    describe,
    open_lathe,
)
from tests.turn.people import Person, Tenant, add_person, execute, expect, fetch_value, find_tenant

REGISTER = "/oauth/register"
LIMIT = 5
COUNTS = ("oauth_connections", "oauth_codes", "oauth_tokens", "oauth_documents")


@pytest_asyncio.fixture(scope="module")
async def strict(databases: Databases, documents: Site) -> AsyncGenerator[RunningServer]:
    """A server that lets programs register, and few of them ask."""
    settings: dict[str, Any] = {
        "background_work": False,
        "inside_hosts": [documents.opening],
        "oauth_attempts": LIMIT,
        "oauth_registration": True,
        "oauth_registrations": LIMIT,
        "oauth_schemes": ["cursor", "javascript"],
    }
    async with databases.copy() as url, run_server(url, **settings) as running:
        yield running


@pytest_asyncio.fixture(scope="module")
async def tenant(strict: RunningServer) -> Tenant:
    return await find_tenant(strict)


@pytest.fixture
async def person(strict: RunningServer, tenant: Tenant) -> Person:
    await execute(strict, "DELETE FROM sign_in_attempts")
    return await add_person(strict, tenant.id, rules=[READ, CONNECT])


@pytest.fixture
async def saw(strict: RunningServer) -> AsyncGenerator[Lathe]:
    await execute(strict, "DELETE FROM sign_in_attempts")
    async with open_lathe(strict, "") as opened:
        yield opened


def draft(**changed: Any) -> dict[str, Any]:
    return {"client_name": "Saw", "redirect_uris": [CALLBACK], **changed}


async def test_registration_is_off_by_default(workshop: RunningServer, lathe: Lathe) -> None:
    refused = await lathe.http.post(REGISTER, json=draft())
    assert expect(refused, 403)["error"] == "access_denied"
    assert await fetch_value(workshop, "SELECT count(*) FROM oauth_registrations") == 0


async def test_a_registered_program_is_connected(saw: Lathe, person: Person) -> None:
    told = expect(await saw.http.get("/.well-known/oauth-authorization-server"), 200)
    assert told["registration_endpoint"] == f"{saw.server.url}{REGISTER}"
    asked = draft(token_endpoint_auth_method="client_secret_basic", client_secret="x", scope="*")
    response = await saw.http.post(REGISTER, json=asked)
    made = expect(response, 201)
    assert response.headers["cache-control"] == "no-store"
    assert made == {
        "client_id": made["client_id"],
        "client_name": "Saw",
        "redirect_uris": [CALLBACK],
        "token_endpoint_auth_method": "none",
        "grant_types": ["authorization_code", "refresh_token"],
        "response_types": ["code"],
    }
    saw.client_id = made["client_id"]
    asked = expect(await person.client.post(CONSENT, json=await saw.ask()), 201)
    assert asked["registeredBy"] == "registration"
    assert asked["clientHost"] == "127.0.0.1"
    tokens = await saw.connect(person.client, READ)
    assert await saw.is_let_in(tokens)
    saw.redirect_uri = "https://thief.example.com/"
    assert (await saw.authorize(saw.build_request())).status_code == 400


@pytest.mark.parametrize(
    ("changed", "error"),
    [
        ({"redirect_uris": None}, "invalid_redirect_uri"),
        ({"redirect_uris": []}, "invalid_redirect_uri"),
        ({"redirect_uris": ["javascript:alert(1)"]}, "invalid_redirect_uri"),
        ({"redirect_uris": ["data:text/html,x"]}, "invalid_redirect_uri"),
        ({"redirect_uris": ["vscode://back"]}, "invalid_redirect_uri"),
        ({"redirect_uris": ["http://saw.example.com/"]}, "invalid_redirect_uri"),
        ({"redirect_uris": [CALLBACK, "file:///etc/passwd"]}, "invalid_redirect_uri"),
        ({"redirect_uris": [f"{CALLBACK}{one}" for one in range(21)]}, "invalid_redirect_uri"),
        ({"redirect_uris": [f"{CALLBACK}{'x' * 1000}"]}, "invalid_redirect_uri"),
        ({"grant_types": ["implicit"]}, "invalid_client_metadata"),
        ({"client_name": {}}, "invalid_client_metadata"),
    ],
)
async def test_what_is_not_registered(saw: Lathe, changed: dict[str, Any], error: str) -> None:
    refused = await saw.http.post(REGISTER, json=draft(**changed))
    assert expect(refused, 400)["error"] == error
    assert refused.json()["error_description"].startswith(min(changed))


async def test_schemes_of_programs(saw: Lathe) -> None:
    uri = "cursor://anysphere.cursor-mcp/oauth/callback"
    made = expect(await saw.http.post(REGISTER, json=draft(redirect_uris=[uri])), 201)
    saw.client_id, saw.redirect_uri = made["client_id"], uri
    assert await saw.ask()


async def test_bodies_that_are_none(saw: Lathe) -> None:
    json = {"content-type": "application/json"}
    for body, headers in (
        (b"{", json),
        (b"[]", json),
        (b"[" * 60_000, json),
        (b"x" * 70_000, json),
    ):
        await execute(saw.server, "DELETE FROM sign_in_attempts")
        refused = await saw.http.post(REGISTER, content=body, headers=headers)
        assert expect(refused, 400)["error"] == "invalid_client_metadata"
    refused = await saw.http.post(REGISTER, data={"client_name": "x"})
    assert expect(refused, 400)["error"] == "invalid_client_metadata"


async def test_one_place_registers_no_more_than_that(saw: Lathe) -> None:
    responses = await asyncio.gather(
        *(saw.http.post(REGISTER, json=draft()) for _ in range(LIMIT * 4))
    )
    statuses = [one.status_code for one in responses]
    assert statuses.count(201) == LIMIT
    assert statuses.count(429) == LIMIT * 3
    refused = next(one for one in responses if one.status_code == 429)
    assert 0 < int(refused.headers["retry-after"]) <= 3600
    assert refused.json()["error"] == "temporarily_unavailable"
    async with open_lathe(saw.server, "") as elsewhere:
        expect(await elsewhere.http.post(REGISTER, json=draft()), 201)


async def test_there_are_only_so_many(saw: Lathe, monkeypatch: pytest.MonkeyPatch) -> None:
    count = "SELECT count(*) FROM oauth_registrations"
    most = await fetch_value(saw.server, count) + 2
    monkeypatch.setattr(programs, "MOST_REGISTERED", most)
    responses = await asyncio.gather(*(saw.http.post(REGISTER, json=draft()) for _ in range(LIMIT)))
    assert sorted(one.status_code for one in responses) == [201, 201, 503, 503, 503]
    assert await fetch_value(saw.server, count) == most


async def test_how_often_a_program_asks(saw: Lathe, documents: Site) -> None:
    saw.client_id = documents.publish()
    for _ in range(LIMIT):
        assert await saw.ask()
    refused = await saw.authorize(saw.build_request())
    assert refused.status_code == 429
    assert 0 < int(refused.headers["retry-after"]) <= 15 * 60
    async with open_lathe(saw.server, saw.client_id) as elsewhere:
        assert await elsewhere.ask()


async def test_how_often_one_place_asks(saw: Lathe, documents: Site) -> None:
    """However many programs it makes up: nothing more is fetched for it."""
    asked = len(documents.asked)

    async def ask(one: int) -> httpx2.Response:
        client_id = f"{documents.origin}/made-up/{one}"
        return await saw.authorize(saw.build_request(client_id=client_id))

    responses = await asyncio.gather(*(ask(one) for one in range(LIMIT * 10 + 15)))
    statuses = [one.status_code for one in responses]
    assert statuses.count(400) == LIMIT * 10
    assert statuses.count(429) == 15
    assert len(documents.asked) - asked == LIMIT * 10


async def test_how_often_tokens_are_guessed(saw: Lathe, documents: Site, person: Person) -> None:
    saw.client_id = documents.publish()
    tokens = await saw.connect(person.client, READ)
    for _ in range(LIMIT):
        assert (await saw.refresh("asr_made-up")).status_code == 400
    refused = await saw.refresh(tokens["refresh_token"])
    assert expect(refused, 429)["error"] == "temporarily_unavailable"
    assert int(refused.headers["retry-after"]) > 0
    async with open_lathe(saw.server, saw.client_id) as elsewhere:
        expect(await elsewhere.refresh(tokens["refresh_token"]), 200)


async def test_successes_are_not_counted(saw: Lathe, documents: Site, person: Person) -> None:
    """One program may fetch many people's tokens from one place; each has a browser elsewhere."""
    saw.client_id = documents.publish()
    for _ in range(LIMIT + 2):
        async with open_lathe(saw.server, saw.client_id) as browser:
            code = await browser.get_code(person.client, [READ], scope=READ)
        saw.verifier = browser.verifier
        tokens = expect(await saw.redeem(code), 200)
        expect(await saw.refresh(tokens["refresh_token"]), 200)


async def test_how_often_one_connection_is_renewed(
    saw: Lathe, documents: Site, person: Person
) -> None:
    saw.client_id = documents.publish()
    tokens = await saw.connect(person.client, READ)
    for _ in range(LIMIT - 1):
        tokens = expect(await saw.refresh(tokens["refresh_token"]), 200)
    for _ in range(LIMIT * 2):
        refused = await saw.refresh(tokens["refresh_token"])
        assert expect(refused, 429)["error"] == "temporarily_unavailable"
        assert 0 < int(refused.headers["retry-after"]) <= 15 * 60
    assert await saw.is_let_in(tokens)
    other = await saw.connect(person.client, READ)
    expect(await saw.refresh(other["refresh_token"]), 200)
    later = "UPDATE oauth_tokens SET expires_at = expires_at - interval '15 minutes'"
    await execute(saw.server, later)
    expect(await saw.refresh(tokens["refresh_token"]), 200)


async def test_how_often_tokens_are_given_up(saw: Lathe, documents: Site) -> None:
    saw.client_id = documents.publish()
    form = {"token": "asr_made-up", "client_id": saw.client_id}
    responses = await asyncio.gather(
        *(saw.http.post("/oauth/revoke", data=form) for _ in range(LIMIT * 2))
    )
    assert sorted(one.status_code for one in responses) == [200] * LIMIT + [429] * LIMIT
    refused = next(one for one in responses if one.status_code == 429)
    assert 0 < int(refused.headers["retry-after"]) <= 15 * 60
    async with open_lathe(saw.server, saw.client_id) as elsewhere:
        assert (await elsewhere.http.post("/oauth/revoke", data=form)).status_code == 200


async def count_all(server: RunningServer) -> dict[str, int]:
    return {one: await fetch_value(server, f"SELECT count(*) FROM {one}") for one in COUNTS}


async def test_what_is_removed_in_the_end(saw: Lathe, documents: Site, person: Person) -> None:
    server = saw.server
    for table in ("oauth_connections", "oauth_documents", "oauth_registrations"):
        await execute(server, f"DELETE FROM {table}")
    saw.client_id = documents.publish()
    tokens = await saw.connect(person.client, READ)
    renewed = expect(await saw.refresh(tokens["refresh_token"]), 200)
    taken = expect(await saw.http.post(REGISTER, json=draft()), 201)["client_id"]
    expect(await saw.http.post(REGISTER, json=draft()), 201)

    async def sweep() -> dict[str, int]:
        async with server.database.transaction() as db:
            await purge(db, registration=True)
        return await count_all(server)

    assert list((await sweep()).values()) == [1, 1, 4, 1]
    change = "UPDATE oauth_tokens SET expires_at = now() - interval '1 second'"
    await execute(server, f"{change} WHERE kind = 'access'")
    assert (await sweep())["oauth_tokens"] == 2
    refused = await saw.refresh(tokens["refresh_token"])
    assert expect(refused, 400)["error"] == "invalid_grant"
    assert not await saw.is_let_in(renewed)
    assert (await sweep())["oauth_codes"] == 0
    tokens = await saw.connect(person.client, READ)
    await execute(server, change)
    await execute(server, "UPDATE oauth_codes SET expires_at = now() - interval '1 hour'")
    assert list((await sweep()).values()) == [1, 0, 0, 1]
    days = "now() - interval '91 days'"
    await execute(server, f"UPDATE oauth_connections SET allowed_at = {days}")
    await execute(server, f"UPDATE oauth_documents SET fetched_at = {days}")
    assert list((await sweep()).values()) == [0, 0, 0, 0]
    saw.client_id = taken
    await saw.connect(person.client, READ)
    await execute(server, f"UPDATE oauth_registrations SET created_at = {days}")
    await sweep()
    left = await fetch_value(server, "SELECT array_agg(client_id) FROM oauth_registrations")
    assert left == [taken]


async def test_switching_registration_off_removes_what_nobody_connected(
    saw: Lathe, person: Person
) -> None:
    """What somebody has connected stays, as they and an admin see it, until it is revoked."""
    server = saw.server
    await execute(server, "DELETE FROM oauth_connections")
    await execute(server, "DELETE FROM oauth_registrations")
    saw.client_id = expect(await saw.http.post(REGISTER, json=draft()), 201)["client_id"]
    tokens = await saw.connect(person.client, READ)
    expect(await saw.http.post(REGISTER, json=draft()), 201)

    async def sweep(registration: bool) -> list[str]:
        async with server.database.transaction() as db:
            await purge(db, registration=registration)
            rows = await db.fetch("SELECT client_id FROM oauth_registrations")
        return [row["client_id"] for row in rows]

    assert len(await sweep(True)) == 2
    assert await sweep(False) == [saw.client_id]
    assert await saw.is_let_in(tokens)
    tokens = expect(await saw.refresh(tokens["refresh_token"]), 200)
    admin = await server.open_admin()
    listed = expect(await admin.get(CLIENTS, params={"everybody": "true"}), 200)["items"]
    assert [one["registeredBy"] for one in listed] == ["registration"]
    assert (await admin.delete(f"{CLIENTS}/{listed[0]['id']}")).status_code == 204
    assert not await saw.is_let_in(tokens)
    assert await sweep(False) == []
    assert (await saw.authorize(saw.build_request())).status_code == 400


async def test_faults_are_removed_soon(saw: Lathe, documents: Site) -> None:
    client_id = documents.put("/nothing.json", {**describe("x")})
    saw.client_id = client_id
    assert (await saw.authorize(saw.build_request())).status_code == 400
    count = "SELECT count(*) FROM oauth_documents WHERE client_id = $1"
    assert await fetch_value(saw.server, count, client_id) == 1
    await execute(saw.server, "UPDATE oauth_documents SET fresh_until = now() - interval '1 s'")
    async with saw.server.database.transaction() as db:
        await purge(db, registration=True)
    assert await fetch_value(saw.server, count, client_id) == 0
