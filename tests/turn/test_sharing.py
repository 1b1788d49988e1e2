"""Programs in pages of other sites: what they may ask and read, and what stays closed to them."""

from collections.abc import AsyncGenerator

import pytest
import pytest_asyncio

from assent.mcp_server.oauth.routes import READ_AT, SENT_TO
from assent.testing import Databases, RunningServer, run_server
from tests.turn.oauth import READ, Lathe, Site, open_lathe
from tests.turn.people import Tenant, expect, find_tenant

CHAT = "https://chat.example.com"
ELSEWHERE = "https://elsewhere.example"
CROSS = {"sec-fetch-site": "cross-site"}
ALLOWED = "access-control-allow-origin"


@pytest_asyncio.fixture(scope="module")
async def listing(databases: Databases, documents: Site) -> AsyncGenerator[RunningServer]:
    """A server to whose tools the pages of one other site may come."""
    settings = {"inside_hosts": [documents.opening], "mcp_origins": [CHAT]}
    async with (
        databases.copy() as url,
        run_server(url, background_work=False, **settings) as running,
    ):
        yield running


@pytest_asyncio.fixture(scope="module")
async def town(listing: RunningServer) -> Tenant:
    return await find_tenant(listing)


@pytest_asyncio.fixture
async def saw(listing: RunningServer, documents: Site) -> AsyncGenerator[Lathe]:
    async with open_lathe(listing, documents.publish()) as opened:
        yield opened


def ask_first(origin: str, method: str) -> dict[str, str]:
    return {
        "origin": origin,
        "access-control-request-method": method,
        "access-control-request-headers": "authorization,content-type,mcp-protocol-version",
        **CROSS,
    }


@pytest.mark.parametrize("path", [*READ_AT, *SENT_TO])
async def test_everybody_reads_how_programs_are_connected(lathe: Lathe, path: str) -> None:
    method = "GET" if path in READ_AT else "POST"
    before = await lathe.http.options(path, headers=ask_first(ELSEWHERE, method))
    assert before.status_code == 204
    assert before.headers[ALLOWED] == "*"
    assert before.headers["access-control-allow-methods"] == method
    assert "mcp-protocol-version" in before.headers["access-control-allow-headers"]
    answer = await lathe.http.request(method, path, headers={"origin": ELSEWHERE, **CROSS})
    assert answer.headers[ALLOWED] == "*"
    assert "access-control-allow-credentials" not in {*before.headers, *answer.headers}
    assert (await lathe.http.request(method, path)).headers[ALLOWED] == "*"


async def test_tokens_are_fetched_from_elsewhere(lathe: Lathe, guild: Tenant) -> None:
    tokens = await lathe.connect(guild.admin.client, READ)
    lathe.http.headers.update({"origin": ELSEWHERE, **CROSS})
    renewed = await lathe.refresh(tokens["refresh_token"])
    assert renewed.headers[ALLOWED] == "*"
    assert expect(renewed, 200)["access_token"]


async def test_no_page_reads_where_a_browser_is_sent(lathe: Lathe) -> None:
    asked = lathe.build_request()
    for answer in (
        await lathe.http.options("/oauth/authorize", headers=ask_first(ELSEWHERE, "GET")),
        await lathe.http.get("/oauth/authorize", params=asked, headers={"origin": ELSEWHERE}),
    ):
        assert ALLOWED not in answer.headers


async def test_with_a_session_no_other_site_gets_through(listing: RunningServer) -> None:
    """Not that a session were looked at there: a page that sends one along means no good."""
    admin = await listing.open_admin()
    for path in (*SENT_TO, "/mcp"):
        answer = await admin.post(path, json={}, headers={"origin": CHAT, **CROSS})
        assert (answer.status_code, answer.json()["code"]) == (403, "cross_site")


async def test_a_listed_site_uses_the_tools(saw: Lathe, town: Tenant) -> None:
    before = await saw.http.options("/mcp", headers=ask_first(CHAT, "POST"))
    assert before.status_code == 204
    assert before.headers[ALLOWED] == CHAT
    assert before.headers["vary"] == "origin"
    assert "POST" in before.headers["access-control-allow-methods"]
    tokens = await saw.connect(town.admin.client, READ)
    saw.http.headers.update({"origin": CHAT, **CROSS})
    refused = await saw.http.post("/mcp", json={})
    answer = await saw.call(tokens["access_token"], "tools/list")
    for response, status in ((refused, 401), (answer, 200)):
        assert response.status_code == status
        assert response.headers[ALLOWED] == CHAT
        assert response.headers["vary"] == "origin"
        exposed = response.headers["access-control-expose-headers"].split(", ")
        assert {"www-authenticate", "mcp-session-id", "retry-after"} <= {*exposed}


@pytest.mark.parametrize("origin", [ELSEWHERE, "null", f"{CHAT}:8443", "http://192.0.2.7"])
async def test_no_other_site_uses_the_tools(saw: Lathe, town: Tenant, origin: str) -> None:
    tokens = await saw.connect(town.admin.client, READ)
    before = await saw.http.options("/mcp", headers=ask_first(origin, "POST"))
    assert before.status_code == 403
    saw.http.headers["origin"] = origin
    answer = await saw.call(tokens["access_token"], "tools/list")
    assert answer.status_code == 403
    for response in (before, answer):
        assert ALLOWED not in response.headers


async def test_programs_outside_of_browsers_are_told_nothing_of_it(lathe: Lathe) -> None:
    answer = await lathe.http.post("/mcp", json={})
    assert ALLOWED not in answer.headers
    assert "vary" not in answer.headers
