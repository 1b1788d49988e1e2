"""The official Python client connects itself: discovery, consent, tokens, renewal, more scopes."""

import ssl
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any

import httpx2
import pytest
import pytest_asyncio
from aiohttp import web
from mcp import Client as Program
from mcp.client.auth import OAuthClientProvider
from mcp.client.streamable_http import streamable_http_client
from mcp.shared.auth import OAuthClientInformationFull, OAuthClientMetadata, OAuthToken
from pydantic import AnyUrl

from assent.testing import Databases, RunningServer, run_server
from assent.testing.client import open_trust
from tests.mcp.browser import Browser
from tests.mcp.programs import REVISIONS
from tests.net.certificates import Authority
from tests.turn.oauth import CALLBACK, CONNECT, READ, describe
from tests.turn.people import Person, Tenant, add_person, execute, fetch_value, find_tenant

INCIDENTS = "incident.incident.read"
GRANTS = ["authorization_code", "refresh_token"]


@dataclass
class Storage:
    """What a program keeps."""

    tokens: OAuthToken | None = None
    client: OAuthClientInformationFull | None = None

    async def get_tokens(self) -> OAuthToken | None:
        return self.tokens

    async def set_tokens(self, tokens: OAuthToken) -> None:
        self.tokens = tokens

    async def get_client_info(self) -> OAuthClientInformationFull | None:
        return self.client

    async def set_client_info(self, client_info: OAuthClientInformationFull) -> None:
        self.client = client_info


@asynccontextmanager
async def serve_document(context: ssl.SSLContext) -> AsyncGenerator[str]:
    """A document at an https address of this machine; yields that address."""

    async def answer(request: web.Request) -> web.Response:
        return web.json_response(describe(f"https://{request.host}{request.path}"))

    app = web.Application()
    app.router.add_get("/program.json", answer)
    runner = web.AppRunner(app)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0, ssl_context=context).start()
    yield f"https://127.0.0.1:{runner.addresses[0][1]}/program.json"
    await runner.cleanup()


@dataclass
class Place:
    server: RunningServer
    document: str
    tenant: Tenant


@pytest_asyncio.fixture(scope="module")
async def place(databases: Databases) -> AsyncGenerator[Place]:
    authority = Authority()
    async with serve_document(authority.build_server("127.0.0.1")) as document:
        settings: dict[str, Any] = {
            "background_work": False,
            "inside_hosts": [document.split("/")[2]],
            "oauth_registration": True,
        }
        async with databases.copy() as url, run_server(url, demo=True, **settings) as server:
            client = server.app.state.parts.procedures.outside.http.client
            client._trust = authority.build_trust()
            yield Place(server, document, await find_tenant(server))


@pytest.fixture
async def person(place: Place) -> Person:
    return await add_person(place.server, place.tenant.id, rules=[READ, INCIDENTS, CONNECT])


@asynccontextmanager
async def open_program(
    place: Place, storage: Storage, browser: Browser, *, document: bool = True, modern: bool = True
) -> AsyncGenerator[tuple[Program, OAuthClientProvider]]:
    url = f"{place.server.url}/mcp"
    provider = OAuthClientProvider(
        server_url=url,
        client_metadata=OAuthClientMetadata(
            client_name="Lathe", redirect_uris=[AnyUrl(CALLBACK)], grant_types=GRANTS
        ),
        storage=storage,
        redirect_handler=browser.open,
        callback_handler=browser.come_back,
        client_metadata_url=place.document if document else None,
    )
    async with (
        httpx2.AsyncClient(auth=provider, timeout=60, verify=open_trust()) as http,
        Program(
            streamable_http_client(url, http_client=http), mode="auto" if modern else "legacy"
        ) as program,
    ):
        yield program, provider


@pytest.mark.parametrize("document", [True, False])
@pytest.mark.parametrize("modern", [True, False])
async def test_from_nothing_to_a_list_of_tools(
    place: Place, person: Person, document: bool, modern: bool
) -> None:
    storage, browser = Storage(), Browser(person.client)
    async with open_program(place, storage, browser, document=document, modern=modern) as (
        program,
        _,
    ):
        assert program.protocol_version == REVISIONS[0 if modern else 1]
        names = {tool.name for tool in (await program.list_tools()).tools}
        assert "catalog.listSystems" in names
        assert "catalog.deleteSystem" not in names
        result = await program.call_tool("catalog.listSystems", {})
        assert not result.is_error
    assert browser.asked == [list(place.server.app.state.parts.loaded.program_rules)]
    assert storage.tokens is not None
    assert storage.tokens.scope == f"{READ} {INCIDENTS}"
    assert storage.client is not None
    assert (storage.client.client_id == place.document) is document


async def test_renewal(place: Place, person: Person) -> None:
    """An access token that has ended is renewed, without the person."""
    storage, browser = Storage(), Browser(person.client)
    async with open_program(place, storage, browser) as (program, provider):
        await program.list_tools()
        first = storage.tokens
        assert first is not None
        await execute(place.server, "DELETE FROM oauth_tokens WHERE kind = 'access'")
        provider.context.token_expiry_time = 1
        assert not (await program.call_tool("catalog.listSystems", {})).is_error
    assert len(browser.asked) == 1
    assert storage.tokens is not None
    assert storage.tokens.access_token != first.access_token
    assert storage.tokens.refresh_token != first.refresh_token


async def test_more_when_it_is_needed(place: Place, person: Person) -> None:
    storage, browser = Storage(), Browser(person.client, scopes=[READ])
    async with open_program(place, storage, browser) as (program, _):
        assert "incident.list" not in {tool.name for tool in (await program.list_tools()).tools}
        browser.scopes = None
        result = await program.call_tool("incident.list", {})
        assert not result.is_error
    assert len(browser.asked) == 2
    async with open_program(place, storage, browser) as (program, _):
        assert "incident.list" in {tool.name for tool in (await program.list_tools()).tools}
    assert len(browser.asked) == 2
    count = "SELECT count(*) FROM oauth_connections WHERE user_id = $1"
    assert await fetch_value(place.server, count, person.id) == 1
