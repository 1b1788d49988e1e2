"""Connecting a program: what a person is asked, what they allow, and what they see of it later."""

from typing import Any
from uuid import uuid4

import pytest

from assent.testing import Client, RunningServer
from tests.turn.oauth import (
    CALLBACK,
    CLIENTS,
    CONNECT,
    CONSENT,
    MANAGE,
    READ,
    Lathe,
    Site,
    open_lathe,
    read_query,
)
from tests.turn.people import Person, Tenant, add_person, add_tenant, execute, expect, fetch

ENTRIES = """
SELECT edge, action, effect, status FROM audit_entries
WHERE principal_id = $1 AND edge <> 'sign_in' ORDER BY id
"""


@pytest.fixture
async def person(workshop: RunningServer, guild: Tenant) -> Person:
    return await add_person(workshop, guild.id, rules=[READ, CONNECT])


async def list_own(client: Client, **query: str) -> list[dict[str, Any]]:
    return expect(await client.get(CLIENTS, params=query), 200)["items"]


async def test_from_the_document_to_a_token(lathe: Lathe, person: Person, documents: Site) -> None:
    query = await lathe.ask(scope=f"{READ} {MANAGE} offline_access")
    assert expect(await person.client.post(CONSENT, json=query), 201) == {
        "clientName": "Lathe",
        "clientHost": documents.opening,
        "clientUri": "https://lathe.example.com",
        "registeredBy": "document",
        "redirectHost": "127.0.0.1",
        "isLoopback": True,
        "scopes": [
            {"rule": READ, "title": "See systems", "held": True},
            {"rule": MANAGE, "title": "Change systems", "held": False},
        ],
        "knownSince": None,
        "alreadyAllowed": [],
    }
    tokens = await lathe.connect(person.client, READ)
    assert tokens["token_type"] == "Bearer"
    assert tokens["expires_in"] == 3600
    assert tokens["scope"] == READ
    assert tokens["access_token"].startswith("ast_")
    assert tokens["refresh_token"].startswith("asr_")
    assert await lathe.is_let_in(tokens)
    [listed] = await list_own(person.client)
    assert listed["clientName"] == "Lathe"
    assert listed["clientHost"] == documents.opening
    assert listed["user"] == {"id": str(person.id), "name": person.email}
    assert listed["scopes"] == [{"rule": READ, "title": "See systems"}]
    assert listed["lastUsedAt"] is not None
    assert listed["expiresAt"] is not None


async def test_the_answer_carries_state_and_issuer(lathe: Lathe, person: Person) -> None:
    body = {**await lathe.ask(), "scopes": [READ]}
    to = expect(await person.client.post(f"{CONSENT}/allow", json=body), 201)["redirectTo"]
    assert to.startswith(f"{CALLBACK}?code=")
    answered = read_query(to)
    assert set(answered) == {"code", "state", "iss"}
    assert answered["state"] == "st&te=1"
    assert answered["iss"] == lathe.server.url


async def test_a_no_is_told_and_keeps_nothing(
    workshop: RunningServer, lathe: Lathe, person: Person
) -> None:
    query = await lathe.ask()
    to = expect(await person.client.post(f"{CONSENT}/deny", json=query), 201)["redirectTo"]
    assert to.startswith(f"{CALLBACK}?error=access_denied&")
    answered = read_query(to)
    assert answered["state"] == "st&te=1"
    assert answered["iss"] == lathe.server.url
    assert "code" not in answered
    assert await list_own(person.client) == []
    assert await fetch(workshop, ENTRIES, person.id) == [
        {"edge": "form", "action": "identity.denyProgram", "effect": "mutate", "status": "executed"}
    ]


async def test_without_a_word_about_scopes_what_is_offered_is_asked(
    lathe: Lathe, person: Person
) -> None:
    asked = expect(await person.client.post(CONSENT, json=await lathe.ask()), 201)
    rules = lathe.server.app.state.parts.loaded.program_rules
    assert [one["rule"] for one in asked["scopes"]] == list(rules)
    assert {one["rule"] for one in asked["scopes"] if one["held"]} == {READ}


async def test_nobody_gives_what_was_not_asked_for(lathe: Lathe, person: Person) -> None:
    query = await lathe.ask(scope=READ)
    for chosen in ([READ, CONNECT], ["*"], ["no.such.read"]):
        body = {**query, "scopes": chosen}
        refused = await person.client.post(f"{CONSENT}/allow", json=body)
        assert expect(refused, 422)["issues"][0]["path"] == "scopes"
    refused = await person.client.post(f"{CONSENT}/allow", json={**query, "scopes": []})
    assert expect(refused, 422)["issues"][0]["path"] == "scopes"
    assert await list_own(person.client) == []


async def test_nobody_gives_what_they_do_not_hold(lathe: Lathe, person: Person) -> None:
    tokens = await lathe.connect(person.client, MANAGE, "healthcheck.check.manage")
    assert tokens["scope"] == READ
    query = await lathe.ask(scope="healthcheck.check.manage")
    body = {**query, "scopes": ["healthcheck.check.manage"]}
    refused = await person.client.post(f"{CONSENT}/allow", json=body)
    assert expect(refused, 422)["issues"][0]["path"] == "scopes"


async def test_a_second_yes_replaces_the_first(lathe: Lathe, person: Person) -> None:
    first = await lathe.connect(person.client, READ, "identity.program.read")
    [before] = await list_own(person.client)
    asked = expect(await person.client.post(CONSENT, json=await lathe.ask()), 201)
    assert asked["knownSince"] == before["createdAt"]
    assert asked["alreadyAllowed"] == [READ, "identity.program.read"]
    assert "catalog.listSystems" in await lathe.list_tools(first)
    await lathe.connect(person.client, "identity.program.read")
    [after] = await list_own(person.client)
    assert after["id"] == before["id"]
    assert [one["rule"] for one in after["scopes"]] == ["identity.program.read"]
    assert "catalog.listSystems" not in await lathe.list_tools(first)


async def test_only_a_person_consents(
    workshop: RunningServer, guild: Tenant, lathe: Lathe, person: Person
) -> None:
    query = await lathe.ask()
    made = expect(
        await guild.admin.client.post("/api/applications", json={"name": "r", "rules": ["*"]}), 201
    )
    keys = f"/api/applications/{made['id']}/keys"
    key = expect(await guild.admin.client.post(keys, json={}), 201)["key"]
    robot = await workshop.open_client(key=key)
    stranger = await add_person(workshop, guild.id, rules=[READ])
    for path in ("", "/allow", "/deny"):
        body = {**query, "scopes": [READ]} if path == "/allow" else query
        refused = await robot.post(f"{CONSENT}{path}", json=body)
        assert expect(refused, 403)["code"] == "needs_proposal"
        refused = await stranger.client.post(f"{CONSENT}{path}", json=body)
        assert expect(refused, 403)["rule"] == CONNECT
        nobody = await workshop.open_client()
        assert (await nobody.post(f"{CONSENT}{path}", json=body)).status_code == 401


async def test_who_has_a_role_in_one_workspace_connects_too(
    workshop: RunningServer, guild: Tenant, lathe: Lathe
) -> None:
    person = await add_person(workshop, guild.id, role="viewer", workspace_id=guild.workspace_id)
    tokens = await lathe.connect(person.client, READ)
    assert "catalog.listSystems" in await lathe.list_tools(tokens)


async def test_a_page_that_somebody_made_up(lathe: Lathe, person: Person, documents: Site) -> None:
    """The page checks again all that was checked before it was opened."""
    query = await lathe.ask()
    unseen = documents.publish()
    for changed, code in (
        ({"client_id": unseen}, "client_refused"),
        ({"client_id": "asc_made-up"}, "client_refused"),
        ({"redirect_uri": "https://thief.example.com/"}, "client_refused"),
        ({"redirect_uri": "javascript:alert(1)"}, "client_refused"),
        ({"code_challenge": ""}, "invalid"),
        ({"code_challenge_method": "plain"}, "invalid"),
        ({"resource": "https://other.example.com/mcp"}, "invalid"),
        ({"response_type": "token"}, "invalid"),
        ({"scope": "nothing known"}, "invalid"),
        ({"unknown": "x"}, "invalid"),
    ):
        for path in ("", "/allow", "/deny"):
            body: dict[str, Any] = {**query, **changed}
            if path == "/allow":
                body["scopes"] = [READ]
            refused = await person.client.post(f"{CONSENT}{path}", json=body)
            assert refused.json()["code"] == code, (changed, path, refused.text)
    assert unseen.rpartition("/")[2] not in " ".join(documents.asked)


async def test_lists_and_disconnecting(
    workshop: RunningServer, guild: Tenant, lathe: Lathe, person: Person
) -> None:
    tokens = await lathe.connect(person.client, READ)
    [own] = await list_own(person.client)
    other = await add_person(workshop, guild.id, rules=[READ, CONNECT])
    elsewhere = await add_tenant(workshop)
    assert await list_own(other.client) == []
    everybody = await other.client.get(CLIENTS, params={"everybody": "true"})
    assert everybody.status_code == 403
    for client in (other.client, elsewhere.admin.client):
        assert (await client.delete(f"{CLIENTS}/{own['id']}")).status_code == 404
    assert own["id"] not in {one["id"] for one in await list_own(guild.admin.client)}
    seen = await list_own(guild.admin.client, everybody="true")
    assert own["id"] in {one["id"] for one in seen}
    assert await list_own(elsewhere.admin.client, everybody="true") == []
    assert await lathe.is_let_in(tokens)
    expect(await guild.admin.client.delete(f"{CLIENTS}/{own['id']}"), 204)
    assert not await lathe.is_let_in(tokens)
    refused = await lathe.refresh(tokens["refresh_token"])
    assert expect(refused, 400)["error"] == "invalid_grant"
    assert await list_own(person.client) == []
    assert (await person.client.delete(f"{CLIENTS}/{uuid4()}")).status_code == 404


async def test_the_list_goes_on(workshop: RunningServer, documents: Site, person: Person) -> None:
    for _ in range(3):
        async with open_lathe(workshop, documents.publish()) as lathe:
            await lathe.connect(person.client, READ)
    first = expect(await person.client.get(CLIENTS, params={"limit": 2}), 200)
    query = {"limit": 2, "cursor": first["nextCursor"]}
    second = expect(await person.client.get(CLIENTS, params=query), 200)
    ids = [one["id"] for one in [*first["items"], *second["items"]]]
    assert len(set(ids)) == 3
    assert second["nextCursor"] is None


async def test_use_is_noted_once_a_minute(
    workshop: RunningServer, lathe: Lathe, person: Person
) -> None:
    tokens = await lathe.connect(person.client, READ)
    [unused] = await list_own(person.client)
    assert unused["lastUsedAt"] is None
    used: list[str] = []
    for _ in range(2):
        assert await lathe.is_let_in(tokens)
        used.append((await list_own(person.client))[0]["lastUsedAt"])
    assert used[0] == used[1]
    age = "UPDATE oauth_connections SET last_used_at = now() - interval '61 seconds'"
    await execute(workshop, age)
    assert await lathe.is_let_in(tokens)
    assert (await list_own(person.client))[0]["lastUsedAt"] > used[1]


async def test_what_is_recorded(workshop: RunningServer, lathe: Lathe, person: Person) -> None:
    tokens = await lathe.connect(person.client, READ)
    await lathe.http.post("/oauth/revoke", data={"token": tokens["refresh_token"]})
    [own] = await list_own(person.client)
    expect(await person.client.delete(f"{CLIENTS}/{own['id']}"), 204)
    told = [
        (one["edge"], one["action"], one["effect"])
        for one in await fetch(workshop, ENTRIES, person.id)
    ]
    assert told == [
        ("form", "identity.allowProgram", "mutate"),
        ("mcp", "identity.revokeToken", "destructive"),
        ("form", "identity.disconnectProgram", "destructive"),
    ]


async def test_nothing_readable_is_stored(
    workshop: RunningServer, lathe: Lathe, person: Person
) -> None:
    code = await lathe.get_code(person.client, [READ])
    tokens = expect(await lathe.redeem(code), 200)
    rows = [
        *await fetch(workshop, "SELECT oauth_codes::text AS row FROM oauth_codes"),
        *await fetch(workshop, "SELECT oauth_tokens::text AS row FROM oauth_tokens"),
        *await fetch(workshop, "SELECT audit_entries::text AS row FROM audit_entries"),
    ]
    assert rows
    for secret in (code, tokens["access_token"], tokens["refresh_token"], lathe.verifier):
        assert not [row for row in rows if secret in row["row"]]
