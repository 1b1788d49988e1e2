"""What `/mcp` says to requests that are not as they should be, and to older clients' sessions."""

import json
from typing import Any

import pytest
import pytest_asyncio

from assent.testing import Client, Databases, RunningServer, run_server
from tests.mcp.programs import make_key
from tests.mcp.wire import MODERN, Wire, find_error, request

PARSE, INVALID, NO_METHOD, PARAMS = -32700, -32600, -32601, -32602
MISMATCH, UNSUPPORTED = -32020, -32022
JSON = {"content-type": "application/json"}
LIST = request("tools/list")
HEADERS = {"mcp-protocol-version": MODERN, "mcp-method": "tools/list"}


@pytest_asyncio.fixture
async def wire(shop: RunningServer, admin: Client) -> Wire:
    key = await make_key(admin, "catalog.system.read")
    return Wire(await shop.open_client(key=key))


async def test_nobody_gets_in_without_a_credential(shop: RunningServer, admin: Client) -> None:
    """A browser's session is none, and every method is refused before anything is read."""
    nobody = await shop.open_client()
    wrong = await shop.open_client(key="ask_made_up")
    for client in (nobody, admin, wrong):
        for method in ("POST", "GET", "DELETE"):
            response = await client.request(method, "/mcp", content=b"no json", headers=JSON)
            assert response.status_code == 401
            assert "resource_metadata=" in response.headers["www-authenticate"]


@pytest.mark.parametrize("method", ["GET", "DELETE"])
async def test_there_is_nothing_beside_the_requests(wire: Wire, method: str) -> None:
    response = await wire.client.request(method, "/mcp")
    assert (response.status_code, response.headers["allow"]) == (405, "POST")


@pytest.mark.parametrize(
    ("content", "code"),
    [
        (b"", PARSE),
        (b"{", PARSE),
        (b'{"a": NaN}', PARSE),
        (b"\xff\xfe\xfa", PARSE),
        (b"[" * 200 + b"]" * 200, PARSE),
        (b"[" * 90_000, PARSE),
        (b'{"id": ' + b"9" * 5000 + b"}", PARSE),
        (b"[]", INVALID),
        (b"7", INVALID),
        (b"null", INVALID),
        (json.dumps([LIST, LIST]).encode(), INVALID),
        (json.dumps(LIST | {"jsonrpc": "1.0"}).encode(), INVALID),
        (json.dumps(LIST | {"id": None}).encode(), INVALID),
        (json.dumps(LIST | {"id": True}).encode(), INVALID),
        (json.dumps(LIST | {"id": 1.5}).encode(), INVALID),
        (json.dumps(LIST | {"id": {}}).encode(), INVALID),
        (json.dumps(LIST | {"method": 7}).encode(), INVALID),
        (json.dumps(LIST | {"params": [1]}).encode(), INVALID),
        (json.dumps({"jsonrpc": "2.0", "id": 1}).encode(), INVALID),
        (json.dumps({"jsonrpc": "2.0", "id": 1, "result": {}}).encode(), INVALID),
    ],
)
async def test_what_is_no_message_is_told(wire: Wire, content: bytes, code: int) -> None:
    for headers in (HEADERS, {}):
        response = await wire.post_text(content, **headers)
        assert find_error(response) == (400, code), response.text
        assert response.json()["jsonrpc"] == "2.0"
        assert "id" in response.json()


async def test_what_is_too_large_is_not_read(wire: Wire) -> None:
    response = await wire.post_text(b" " * (2 * 1024 * 1024 + 1), **HEADERS)
    assert response.status_code == 413


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({"content-type": "text/plain"}, 415),
        ({"content-type": ""}, 415),
        ({"accept": "text/html"}, 406),
        ({"accept": "text/event-stream"}, 406),
        ({"accept": "application/json"}, 200),
        ({"accept": "*/*"}, 200),
        ({"content-type": "application/json; charset=utf-8"}, 200),
        ({"origin": "https://elsewhere.example"}, 403),
        ({"origin": "null"}, 403),
        ({"origin": "http://elsewhere.example", "host": "elsewhere.example"}, 403),
    ],
)
async def test_headers_of_the_way(wire: Wire, headers: dict[str, str], status: int) -> None:
    response = await wire.post_text(json.dumps(LIST).encode(), **HEADERS | headers)
    assert response.status_code == status, response.text


@pytest.mark.parametrize(
    ("message", "headers", "status", "code"),
    [
        (LIST, {}, 400, MISMATCH),
        (LIST, HEADERS | {"mcp-method": "tools/call"}, 400, MISMATCH),
        (LIST, {"mcp-protocol-version": MODERN}, 400, MISMATCH),
        (LIST, HEADERS | {"mcp-protocol-version": "2031-01-01"}, 400, MISMATCH),
        (LIST | {"params": {}}, HEADERS, 400, PARAMS),
        (request("tools/list", cursor="made up"), HEADERS, 400, PARAMS),
        (request("tools/list", cursor=7), HEADERS, 400, PARAMS),
        (request("nothing/like"), {**HEADERS, "mcp-method": "nothing/like"}, 404, NO_METHOD),
        (request("ping"), {**HEADERS, "mcp-method": "ping"}, 404, NO_METHOD),
        (request("tools/call"), {**HEADERS, "mcp-method": "tools/call"}, 400, PARAMS),
    ],
)
async def test_what_is_wrong_in_a_request(
    wire: Wire, message: Any, headers: dict[str, str], status: int, code: int
) -> None:
    response = await wire.post(message, **headers)
    assert find_error(response) == (status, code), response.text
    assert response.json()["id"] == 7


async def test_a_version_that_nobody_knows(wire: Wire) -> None:
    message = request("tools/list", _meta={"io.modelcontextprotocol/protocolVersion": "2031-01-01"})
    response = await wire.post(message, **HEADERS | {"mcp-protocol-version": "2031-01-01"})
    assert find_error(response) == (400, UNSUPPORTED)
    assert response.json()["error"]["data"] == {"requested": "2031-01-01", "supported": [MODERN]}


async def test_a_notification_is_taken_note_of(wire: Wire) -> None:
    told = {"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 7}}
    for headers in ({"mcp-protocol-version": MODERN}, {"mcp-protocol-version": "2025-06-18"}, {}):
        response = await wire.post(told, **headers)
        assert (response.status_code, response.content) == (202, b"")


async def test_what_is_listed_may_be_kept_for_oneself(wire: Wire) -> None:
    result = (await wire.ask("tools/list")).json()["result"]
    assert (result["cacheScope"], result["resultType"]) == ("private", "complete")
    assert result["ttlMs"] > 0


async def test_an_older_client_keeps_what_it_said_in_its_session(
    shop: RunningServer, admin: Client, wire: Wire
) -> None:
    response = await wire.introduce(elicitation={"url": {}})
    session = response.headers["mcp-session-id"]
    assert session.isascii()
    assert session.isprintable()
    assert response.json()["result"]["protocolVersion"] == "2025-11-25"
    listed = await wire.ask_older("tools/list", session)
    assert listed.status_code == 200
    assert "ttlMs" not in listed.json()["result"]
    assert (await wire.ask_older("ping", session)).json()["result"] == {}
    assert (await wire.ask_older("nothing/like", session)).json()["error"]["code"] == NO_METHOD
    other = Wire(await shop.open_client(key=await make_key(admin, "*")))
    assert (await other.ask_older("tools/list", session)).status_code == 404


async def test_a_session_that_was_altered_or_made_up_is_none(wire: Wire) -> None:
    session = (await wire.introduce()).headers["mcp-session-id"]
    altered = session[:-4] + ("AAAA" if session[-4:] != "AAAA" else "BBBB")
    for made_up in (altered, session[:-1], "x", "!", "A" * 5000):
        response = await wire.ask_older("tools/list", made_up)
        assert response.status_code == 404, made_up
        assert "initialize" in response.json()["error"]["message"]


async def test_any_process_reads_a_session(databases: Databases) -> None:
    async with (
        databases.copy() as url,
        run_server(url, background_work=False, master_key="01" * 32) as one,
        run_server(url, background_work=False, master_key="01" * 32) as same,
    ):
        key = await make_key(await one.open_admin(), "*")
        session = (await Wire(await one.open_client(key=key)).introduce()).headers["mcp-session-id"]
        there = Wire(await same.open_client(key=key))
        assert (await there.ask_older("tools/list", session)).status_code == 200


async def test_who_says_too_much_of_itself_gets_no_session(wire: Wire) -> None:
    response = await wire.introduce(experimental={"much": {"text": "x" * 20_000}})
    assert response.status_code == 200
    assert "mcp-session-id" not in response.headers
    assert (await wire.ask_older("tools/list", None)).status_code == 200


@pytest.mark.parametrize("version", ["2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"])
async def test_the_revision_is_agreed_on(wire: Wire, version: str) -> None:
    assert (await wire.introduce(version)).json()["result"]["protocolVersion"] == version


async def test_a_revision_that_is_not_known_gets_the_newest(wire: Wire) -> None:
    answer = await wire.introduce("1999-01-01")
    assert answer.json()["result"]["protocolVersion"] == "2025-11-25"
