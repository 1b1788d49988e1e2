"""A tool that a program was not allowed: it is told what to ask for, if asking can help."""

from typing import Any

import pytest

from assent.testing import Client, RunningServer
from tests.turn.oauth import CONNECT, READ, Lathe
from tests.turn.people import Person, Tenant, add_person, expect, fetch

INCIDENTS = "incident.incident.read"
LIST = "incident.list"


@pytest.fixture
async def person(workshop: RunningServer, guild: Tenant) -> Person:
    return await add_person(workshop, guild.id, rules=[READ, INCIDENTS, CONNECT])


async def call(lathe: Lathe, tokens: dict[str, Any], name: str) -> tuple[int, str]:
    given: dict[str, Any] = {"name": name, "arguments": {}}
    response = await lathe.call(tokens["access_token"], "tools/call", given)
    return response.status_code, response.headers.get("www-authenticate", "")


@pytest.mark.parametrize("name", ["incident.list", "incident_list"])
async def test_what_is_needed_is_named_beside_what_is_there(
    lathe: Lathe, person: Person, name: str
) -> None:
    tokens = await lathe.connect(person.client, READ)
    status, told = await call(lathe, tokens, name)
    assert status == 403
    metadata = f"{lathe.server.url}/.well-known/oauth-protected-resource/mcp"
    assert told == (
        f'Bearer error="insufficient_scope", scope="{READ} {INCIDENTS}", '
        f'resource_metadata="{metadata}"'
    )
    more = await lathe.connect(person.client, READ, INCIDENTS)
    assert (await call(lathe, more, name))[0] == 200


async def test_who_does_not_hold_it_is_not_asked(
    workshop: RunningServer, guild: Tenant, lathe: Lathe
) -> None:
    person = await add_person(workshop, guild.id, rules=[READ, CONNECT])
    tokens = await lathe.connect(person.client, READ)
    assert (await lathe.call_tool(tokens, "incident.list"))["isError"]


async def test_what_grants_give_is_asked_for(
    workshop: RunningServer, guild: Tenant, lathe: Lathe
) -> None:
    draft = {"workspaceId": str(guild.workspace_id), "name": "granted"}
    made = expect(await guild.admin.client.post("/api/p/catalog/systems", json=draft), 201)
    person = await add_person(workshop, guild.id, rules=[CONNECT])
    body = {
        "resourceKind": "catalog.system",
        "resourceId": made["id"],
        "subject": {"kind": "user", "id": str(person.id)},
        "level": "read",
    }
    expect(await guild.admin.client.put("/api/grants", json=body), 200)
    tokens = await lathe.connect(person.client, "identity.program.read")
    status, told = await call(lathe, tokens, "catalog.listSystems")
    assert status == 403
    assert f'scope="identity.program.read {READ}"' in told


async def test_it_is_recorded_and_counts(lathe: Lathe, person: Person) -> None:
    tokens = await lathe.connect(person.client, READ)
    limit = lathe.server.settings.tool_calls
    statuses = [(await call(lathe, tokens, LIST))[0] for _ in range(limit + 1)]
    assert statuses == [403] * limit + [429]
    entries = "SELECT status, edge FROM audit_entries WHERE action = $1 AND principal_id = $2"
    told = await fetch(lathe.server, entries, LIST, person.id)
    assert told == [{"status": "refused", "edge": "mcp"}] * (limit + 1)


async def test_others_are_answered_as_ever(lathe: Lathe, person: Person, guild: Tenant) -> None:
    """No such tool, no name at all, an application: nothing that a person could be asked for."""
    tokens = await lathe.connect(person.client, READ)
    assert (await call(lathe, tokens, "no.such"))[0] != 403
    response = await lathe.call(tokens["access_token"], "tools/call", {"name": 7})
    assert response.status_code != 403
    key = await make_key(guild.admin.client)
    assert (await call(lathe, {"access_token": key}, LIST))[0] == 200


async def make_key(client: Client) -> str:
    draft = {"name": "robot", "rules": [READ]}
    made = expect(await client.post("/api/applications", json=draft), 201)
    return expect(await client.post(f"/api/applications/{made['id']}/keys", json={}), 201)["key"]


COUNT = (
    "SELECT coalesce(sum(cardinality(taken)), 0) AS count FROM tool_budget WHERE principal_id = $1"
)


@pytest.mark.parametrize("name", ["catalog.listSystems", "incident.list", "catalog.nothing"])
async def test_a_call_counts_once_however_it_ends(
    workshop: RunningServer, lathe: Lathe, person: Person, name: str
) -> None:
    tokens = await lathe.connect(person.client, READ)
    await lathe.call(tokens["access_token"], "tools/list", {})
    before = await fetch(workshop, COUNT, person.id)
    await call(lathe, tokens, name)
    after = await fetch(workshop, COUNT, person.id)
    assert [row["count"] for row in (*before, *after)] == [0, 1]
