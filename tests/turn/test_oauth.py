"""Connecting a program: from its document to a token that works at the tools' address alone."""

from collections.abc import AsyncGenerator
from typing import Any

import pytest
import pytest_asyncio

from assent.testing import Databases, RunningServer, run_server
from tests.turn.oauth import CALLBACK, CLIENTS, CONSENT, Lathe, Site, open_lathe, open_site
from tests.turn.people import Person, Tenant, add_person, expect, find_tenant

READ, MANAGE = "catalog.system.read", "catalog.system.manage"


@pytest_asyncio.fixture(scope="module")
async def site() -> AsyncGenerator[Site]:
    async with open_site() as opened:
        yield opened


@pytest_asyncio.fixture(scope="module")
async def server(databases: Databases, site: Site) -> AsyncGenerator[RunningServer]:
    async with (
        databases.copy() as url,
        run_server(url, background_work=False, inside_hosts=[site.opening]) as running,
    ):
        yield running


@pytest_asyncio.fixture(scope="module")
async def tenant(server: RunningServer) -> Tenant:
    return await find_tenant(server)


@pytest.fixture
async def person(server: RunningServer, tenant: Tenant) -> Person:
    return await add_person(server, tenant.id, rules=[READ, "identity.program.manage"])


@pytest.fixture
async def lathe(server: RunningServer, site: Site) -> AsyncGenerator[Lathe]:
    async with open_lathe(server, site.publish()) as opened:
        yield opened


async def test_from_the_document_to_a_token(lathe: Lathe, person: Person, tenant: Tenant) -> None:
    query = await lathe.ask(scope=f"{READ} {MANAGE} offline_access")
    asked: dict[str, Any] = expect(await person.client.post(CONSENT, json=query), 201)
    assert asked == {
        "clientName": "Lathe",
        "clientHost": f"127.0.0.1:{lathe.client_id.split(':')[2].split('/')[0]}",
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
    assert tokens["scope"] == READ
    assert tokens["access_token"].startswith("ast_")
    assert tokens["refresh_token"].startswith("asr_")
    assert await lathe.is_let_in(tokens)
    [listed] = expect(await person.client.get(CLIENTS), 200)["items"]
    assert listed["clientName"] == "Lathe"
    assert listed["user"] == {"id": str(person.id), "name": person.email}
    assert listed["scopes"] == [{"rule": READ, "title": "See systems"}]
    assert listed["lastUsedAt"] is not None
    assert listed["expiresAt"] is not None
    expect(await person.client.delete(f"{CLIENTS}/{listed['id']}"), 204)
    assert not await lathe.is_let_in(tokens)
    assert (await lathe.refresh(tokens["refresh_token"])).json()["error"] == "invalid_grant"


async def test_the_redirect_carries_state_and_issuer(lathe: Lathe, person: Person) -> None:
    query = await lathe.ask()
    body = {**query, "scopes": [READ]}
    to = expect(await person.client.post(f"{CONSENT}/allow", json=body), 201)["redirectTo"]
    assert to.startswith(f"{CALLBACK}?code=")
    assert "state=st%26te%3D1" in to
