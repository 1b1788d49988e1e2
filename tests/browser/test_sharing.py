"""A program in a page of another site, in a real browser: the browser itself says what it may."""

from collections.abc import AsyncGenerator
from typing import Any
from urllib.parse import urlencode

import pytest_asyncio
from aiohttp import web
from playwright.async_api import Page

from assent.testing import Databases, RunningServer, run_server
from tests.browser.conftest import OpenPage, lend_session
from tests.turn.oauth import MANAGE, READ, Lathe, Site, open_lathe, open_site, read_query

FETCH = """async ([address, options]) => {
  try {
    const answer = await fetch(address, options);
    const text = await answer.text();
    return {
      status: answer.status,
      body: text.startsWith("{") ? JSON.parse(text) : text,
      challenge: answer.headers.get("www-authenticate"),
      session: answer.headers.get("mcp-session-id"),
    };
  } catch (error) {
    return { blocked: error.name };
  }
}"""
BLOCKED = {"blocked": "TypeError"}
VERSION = "2026-07-28"


@pytest_asyncio.fixture
async def chat() -> AsyncGenerator[Site]:
    """The site of a program that runs in its page."""
    async with open_site() as opened:
        opened.pages["/chat"] = web.Response(text="<!doctype html>", content_type="text/html")
        yield opened


@pytest_asyncio.fixture
async def shop(databases: Databases, documents: Site, chat: Site) -> AsyncGenerator[RunningServer]:
    """A server with a name, which lets that site in; the browser finds it under the name."""
    async with (
        databases.copy() as url,
        run_server(
            url, demo=True, inside_hosts=[documents.opening], mcp_origins=[open_at(chat)]
        ) as server,
    ):
        yield server


@pytest_asyncio.fixture
async def saw(shop: RunningServer, documents: Site) -> AsyncGenerator[Lathe]:
    async with open_lathe(shop, documents.publish()) as opened:
        opened.redirect_uri = f"{documents.origin}/callback"
        yield opened


def open_at(site: Site) -> str:
    """Another site than the server's also for the browser: a name, where that has an address."""
    return f"http://chat.localhost:{site.port}"


async def fetch(page: Page, address: str, **options: Any) -> dict[str, Any]:
    return await page.evaluate(FETCH, [address, options])


def build_form(**fields: str) -> dict[str, Any]:
    kind = {"content-type": "application/x-www-form-urlencoded"}
    return {"method": "POST", "headers": kind, "body": urlencode(fields)}


def build_call(token: str, method: str) -> dict[str, Any]:
    headers = {
        "authorization": f"Bearer {token}",
        "content-type": "application/json",
        "accept": "application/json, text/event-stream",
        "mcp-protocol-version": VERSION,
        "mcp-method": method,
        "mcp-param-region": "north",
        "traceparent": "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01",
    }
    meta = f"""{{"io.modelcontextprotocol/protocolVersion": "{VERSION}",
      "io.modelcontextprotocol/clientCapabilities": {{}}}}"""
    body = f'{{"jsonrpc": "2.0", "id": 1, "method": "{method}", "params": {{"_meta": {meta}}}}}'
    return {"method": "POST", "headers": headers, "body": body}


async def test_it_connects_and_lists_the_tools(
    shop: RunningServer, open_page: OpenPage, chat: Site, saw: Lathe
) -> None:
    admin = await shop.open_admin()
    page = await open_page()
    await page.goto(f"{open_at(chat)}/chat")
    version = {"mcp-protocol-version": VERSION}
    refused = await fetch(page, f"{shop.url}/mcp", method="POST", body="{}")
    assert refused["status"] == 401
    where = refused["challenge"].split('resource_metadata="')[1].rstrip('"')
    resource = await fetch(page, where, headers=version)
    issuer = resource["body"]["authorization_servers"][0]
    told = await fetch(page, f"{issuer}/.well-known/oauth-authorization-server", headers=version)
    assert told["body"]["issuer"] == shop.url

    await lend_session(admin, page, shop.url)
    asked = saw.build_request(scope=f"{READ} {MANAGE}")
    await page.goto(f"{told['body']['authorization_endpoint']}?{urlencode(asked)}")
    await page.get_by_role("button", name="Allow").click()
    await page.wait_for_url(f"{saw.redirect_uri}?**")
    code = read_query(page.url)["code"]
    await page.goto(f"{open_at(chat)}/chat")
    form = build_form(
        grant_type="authorization_code",
        client_id=saw.client_id,
        code=code,
        code_verifier=saw.verifier,
        redirect_uri=saw.redirect_uri,
    )
    tokens = await fetch(page, told["body"]["token_endpoint"], **form)
    assert tokens["body"]["scope"] == f"{MANAGE} {READ}"
    token = tokens["body"]["access_token"]
    listed = await fetch(page, f"{shop.url}/mcp", **build_call(token, "tools/list"))
    names = [tool["name"] for tool in listed["body"]["result"]["tools"]]
    assert "catalog.listSystems" in names
    gone = build_form(token=tokens["body"]["refresh_token"], client_id=saw.client_id)
    assert (await fetch(page, told["body"]["revocation_endpoint"], **gone))["status"] == 200
    after = await fetch(page, f"{shop.url}/mcp", **build_call(token, "tools/list"))
    assert after["status"] == 401


async def test_a_site_that_is_not_listed_reads_nothing(
    shop: RunningServer, open_page: OpenPage, chat: Site, saw: Lathe
) -> None:
    admin = await shop.open_admin()
    tokens = await saw.connect(admin, READ)
    page = await open_page()
    await page.goto(f"http://other.localhost:{chat.port}/chat")
    call = build_call(tokens["access_token"], "tools/list")
    assert await fetch(page, f"{shop.url}/mcp", **call) == BLOCKED
    metadata = f"{shop.url}/.well-known/oauth-protected-resource/mcp"
    assert (await fetch(page, metadata))["status"] == 200


async def test_no_cookie_goes_along(shop: RunningServer, open_page: OpenPage, chat: Site) -> None:
    """Whoever wants one sent is shown nothing at all; the rest of the API stays closed."""
    page = await open_page()
    await lend_session(await shop.open_admin(), page, shop.url)
    await page.goto(f"{open_at(chat)}/chat")
    metadata = f"{shop.url}/.well-known/oauth-protected-resource/mcp"
    assert await fetch(page, metadata, credentials="include") == BLOCKED
    form = build_form(token="x", client_id="y")
    revoke = f"{shop.url}/oauth/revoke"
    assert await fetch(page, revoke, credentials="include", **form) == BLOCKED
    assert (await fetch(page, revoke, **form))["status"] == 200
    for path in ("/api/me", "/api/tools", "/oauth/authorize"):
        assert await fetch(page, f"{shop.url}{path}") == BLOCKED
