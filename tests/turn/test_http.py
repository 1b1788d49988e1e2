"""The edge itself: bodies of every wrong shape, methods, addresses, headers on every answer."""

import asyncio
import json
import logging
from collections.abc import AsyncGenerator, AsyncIterator
from pathlib import Path
from typing import Any

import httpx2
import pytest
import pytest_asyncio

from assent.api import pages
from assent.testing import Client, Databases, RunningServer, run_server
from tests.patience import PATIENCE, wait_until
from tests.turn.people import Tenant, expect, fetch_value, find_tenant, number

SYSTEMS = "/api/p/catalog/systems"
JSON = {"content-type": "application/json"}
MEBIBYTE = 1024 * 1024
ROUTES = [("POST", SYSTEMS), ("PATCH", "/api/me"), ("POST", "/api/auth/login")]
"""A procedure, a route about oneself and an open one: they read bodies in two different ways."""


@pytest_asyncio.fixture(scope="module")
async def server(
    databases: Databases, tmp_path_factory: pytest.TempPathFactory
) -> AsyncGenerator[RunningServer]:
    """With pages of its own, so that nothing depends on whether the real ones were built."""
    folder: Path = tmp_path_factory.mktemp("web")
    (folder / "assets").mkdir()
    (folder / "index.html").write_text("<!doctype html><title>Assent</title>")
    (folder / "favicon.svg").write_text("<svg/>")
    (folder / "assets" / "app-1234.js").write_text("export {};" * 200)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(pages, "FOLDER", folder)
        async with databases.copy() as url, run_server(url, background_work=False) as running:
            yield running


@pytest_asyncio.fixture(scope="module")
async def tenant(server: RunningServer) -> Tenant:
    return await find_tenant(server)


@pytest.fixture
def admin(tenant: Tenant) -> Client:
    return tenant.admin.client


@pytest.mark.parametrize(("method", "path"), ROUTES)
@pytest.mark.parametrize(
    "body",
    [b"{", b"", b"[]", b"null", b"1", b'"text"', b"{]", b"{'a': 1}", b"\xff\xfe\xfd", b"\x00",
     b'{"a": NaN}', b'{"a": Infinity}', b'{"a": 1e999}', b'{"name": "\\ud800"}',
     b'{"a": ' + b"9" * 5000 + b"}", b"[" * 100_000, b'{"a":' * 100_000],
    ids=lambda body: repr(body[:12]),
)  # fmt: skip
async def test_what_is_no_proper_json(admin: Client, method: str, path: str, body: bytes) -> None:
    answer = await admin.request(method, path, content=body, headers=JSON)
    assert answer.status_code in (400, 422), answer.text
    assert answer.headers["content-type"] == "application/problem+json"


@pytest.mark.parametrize("depth", [101, 300, 480, 495, 600, 900, 985, 999, 5000])
async def test_deep_nesting(admin: Client, tenant: Tenant, depth: int) -> None:
    deep = "[" * depth + "]" * depth
    body = f'{{"workspaceId": "{tenant.workspace_id}", "name": "x", "description": {deep}}}'
    problem = expect(await admin.post(SYSTEMS, content=body, headers=JSON), 422)
    assert problem["issues"][0]["path"] == "body"
    name = await admin.patch("/api/me", content=f'{{"name": {deep}}}', headers=JSON)
    assert name.status_code in (400, 422)


async def chunks(size: int) -> AsyncIterator[bytes]:
    for _ in range(size // 65536 + 1):
        yield b" " * 65536


@pytest.mark.parametrize(("method", "path"), ROUTES)
@pytest.mark.parametrize("how", ["with its length", "in chunks"])
async def test_what_is_too_large(admin: Client, method: str, path: str, how: str) -> None:
    size = 2 * MEBIBYTE + 1
    content = b" " * size if how == "with its length" else chunks(size)
    answer = await admin.request(method, path, content=content, headers=JSON)
    assert expect(answer, 413)["code"] == "too_large"
    expect(await admin.get("/api/me"), 200)


async def test_what_is_just_small_enough(admin: Client, tenant: Tenant) -> None:
    body = json.dumps({"workspaceId": str(tenant.workspace_id), "name": f"s-{number()}"})
    padded = body.encode().ljust(2 * MEBIBYTE)
    expect(await admin.post(SYSTEMS, content=padded, headers=JSON), 201)


@pytest.mark.parametrize(
    "content_type",
    ["", "text/plain", "application/x-www-form-urlencoded", "application/jsonp", "text/json"],
)
@pytest.mark.parametrize("path", [SYSTEMS, "/api/auth/login"])
async def test_only_json_is_json(
    server: RunningServer, admin: Client, path: str, content_type: str
) -> None:
    headers = {"content-type": content_type} if content_type else {}
    body = b'{"email": "a@example.com", "password": "x"}'
    expect(await admin.post(path, content=body, headers=headers), 415)
    anonymous = await server.open_client()
    answer = await anonymous.post(path, content=body, headers=headers)
    assert answer.status_code in (401, 415, 422)
    assert answer.json()["code"] in ("not_signed_in", "wrong_media_type", "invalid")


async def test_json_with_a_charset(admin: Client, tenant: Tenant) -> None:
    draft = {"workspaceId": str(tenant.workspace_id), "name": f"ü-{number()}"}
    headers = {"content-type": "Application/JSON; charset=utf-8"}
    made = expect(await admin.post(SYSTEMS, content=json.dumps(draft), headers=headers), 201)
    assert made["name"] == draft["name"]


async def test_nul_and_lone_surrogates_are_dropped(
    server: RunningServer, admin: Client, tenant: Tenant
) -> None:
    name = f"n-{number()}"
    body = (
        f'{{"workspaceId": "{tenant.workspace_id}", "name": "{name}\\u0000\\ud800",'
        '"description": "a\\u0000b\\udfffc \\ud83d\\ude00"}'
    )
    made = expect(await admin.post(SYSTEMS, content=body.encode(), headers=JSON), 201)
    assert (made["name"], made["description"]) == (name, "abc 😀")
    found = expect(await admin.get(SYSTEMS, params={"q": f"{name}\0"}), 200)["items"]
    assert [item["id"] for item in found] == [made["id"]]
    renamed = b'{"name": "Ad\\u0000min\\ud800"}'
    assert expect(await admin.patch("/api/me", content=renamed, headers=JSON), 200)["name"] == (
        "Admin"
    )
    login = b'{"email": "a\\u0000b\\ud800@example.com", "password": "p\\u0000\\ud800"}'
    answer = await (await server.open_client()).post("/api/auth/login", content=login, headers=JSON)
    assert answer.status_code in (401, 422)


async def test_a_hidden_character_does_not_change_what_the_address_says(
    admin: Client, tenant: Tenant
) -> None:
    one, other = [
        expect(
            await admin.post(
                SYSTEMS, json={"workspaceId": str(tenant.workspace_id), "name": f"h-{number()}"}
            ),
            201,
        )
        for _ in range(2)
    ]
    for key in ("systemId", "system\0Id", "system_id", "system\ud800Id"):
        body = json.dumps({key: other["id"], "description": "x"})
        expect(await admin.patch(f"{SYSTEMS}/{one['id']}", content=body, headers=JSON), 422)
    assert expect(await admin.get(f"{SYSTEMS}/{other['id']}"), 200)["version"] == 1


@pytest.mark.parametrize(
    ("body", "path"),
    [
        ({"nmae": "x"}, "nmae"),
        ({"workspace_id": "x"}, "workspace_id"),
        ({"name": 5}, "name"),
        ({"name": None}, "name"),
        ({"name": ["x"]}, "name"),
        ({"name": ""}, "name"),
        ({"name": "   "}, "name"),
        ({"name": "x" * 121}, "name"),
        ({"description": "x" * 10_001}, "description"),
        ({"groupIds": "x"}, "groupIds"),
        ({"groupIds": ["x"]}, "groupIds.0"),
        ({"groupIds": [None]}, "groupIds.0"),
        ({"groupIds": {}}, "groupIds"),
        ({"workspaceId": "not an id"}, "workspaceId"),
        ({"workspaceId": 5}, "workspaceId"),
        ({"version": 1}, "version"),
        ({"id": "x"}, "id"),
        ({"tenantId": "x"}, "tenantId"),
    ],
    ids=lambda value: str(value)[:40],
)
async def test_every_complaint_names_its_field(
    admin: Client, tenant: Tenant, body: dict[str, Any], path: str
) -> None:
    draft = {"workspaceId": str(tenant.workspace_id), "name": "x", **body}
    problem = expect(await admin.post(SYSTEMS, json=draft), 422)
    assert [issue["path"] for issue in problem["issues"]] == [path]
    assert path in problem["detail"]


@pytest.mark.parametrize(
    ("method", "path", "name"),
    [
        ("GET", f"{SYSTEMS}?nothing=1", "nothing"),
        ("GET", f"{SYSTEMS}?workspace_id=1", "workspace_id"),
        ("GET", f"{SYSTEMS}?limit=x", "limit"),
        ("GET", f"{SYSTEMS}?limit=1&limit=2", "limit"),
        ("GET", f"{SYSTEMS}?groupId=x", "groupId"),
        ("GET", f"{SYSTEMS}?q={'x' * 201}", "q"),
        ("GET", f"{SYSTEMS}/not-an-id", "systemId"),
        ("GET", "/api/grants?resourceKind=catalog.system", "resourceId"),
        ("DELETE", f"{SYSTEMS}/00000000-0000-0000-0000-000000000000?expectedVersion=1",
         "expectedVersion"),
        ("DELETE", "/api/sessions/not-an-id", "sessionId"),
    ],
)  # fmt: skip
async def test_every_wrong_parameter_is_named(
    admin: Client, method: str, path: str, name: str
) -> None:
    problem = expect(await admin.request(method, path), 422)
    assert [issue["path"] for issue in problem["issues"]] == [name]


@pytest.mark.parametrize(
    ("method", "path", "allowed"),
    [
        ("DELETE", SYSTEMS, "GET, POST"),
        ("PUT", f"{SYSTEMS}/00000000-0000-0000-0000-000000000000", "DELETE, GET, PATCH"),
        ("GET", "/api/auth/login", "POST"),
        ("HEAD", "/api/auth/login", "POST"),
        ("POST", "/api/me", "GET, PATCH"),
        ("OPTIONS", "/api/me", "GET, PATCH"),
        ("POST", "/healthz", "GET, HEAD"),
        ("POST", "/login", "GET, HEAD"),
        ("POST", "/assets/app-1234.js", "GET, HEAD"),
        ("DELETE", "/any/page", "GET, HEAD"),
    ],
)
async def test_a_wrong_method_is_told_the_right_ones(
    admin: Client, method: str, path: str, allowed: str
) -> None:
    answer = await admin.request(method, path)
    assert answer.status_code == 405
    assert answer.headers["allow"] == allowed
    assert answer.headers["content-type"] == "application/problem+json"


@pytest.mark.parametrize("method", ["GET", "POST", "PATCH", "DELETE", "PUT"])
@pytest.mark.parametrize(
    "path", ["/api", "/api/", "/api/nothing", "/api/me/", "/api/p/nothing/x", f"{SYSTEMS}/a/b"]
)
async def test_there_is_nothing_at_this_address(admin: Client, method: str, path: str) -> None:
    problem = expect(await admin.request(method, path), 404)
    assert problem["code"] == "not_found"
    assert problem["type"] == "urn:assent:problem:not_found"


async def test_heads(admin: Client) -> None:
    for path in ("/", "/some/page", "/login", "/healthz", "/readyz", "/favicon.svg"):
        answer = await admin.head(path)
        assert (answer.status_code, answer.content) == (200, b""), path


@pytest.mark.parametrize("given", ["abc-123", "A.b_C", "x" * 64])
async def test_a_sane_request_id_is_echoed(admin: Client, given: str) -> None:
    answer = await admin.get("/api/nothing", headers={"x-request-id": given})
    assert answer.headers["x-request-id"] == answer.json()["requestId"] == given


@pytest.mark.parametrize("given", ["", "x" * 65, "a b", "a;b", "<script>", "ä", "a\tb"])
async def test_any_other_request_id_is_replaced(admin: Client, given: str) -> None:
    headers = [(b"x-request-id", given.encode())]
    answer = await admin.get("/api/nothing", headers=headers)
    assert answer.headers["x-request-id"] != given
    assert len(answer.headers["x-request-id"]) == 32
    assert answer.json()["requestId"] == answer.headers["x-request-id"]


def break_down(*_arguments: object, **_options: object) -> None:
    raise RuntimeError("the inner workings")


KINDS = {
    "page": ("GET", "/p/catalog/systems", 200),
    "file": ("GET", "/favicon.svg", 200),
    "asset": ("GET", "/assets/app-1234.js", 200),
    "missing asset": ("GET", "/assets/nothing.js", 404),
    "data": ("GET", SYSTEMS, 200),
    "nothing": ("DELETE", f"{SYSTEMS}/00000000-0000-0000-0000-000000000000", 404),
    "document": ("GET", "/api/openapi.json", 200),
    "missing": ("GET", "/api/nothing", 404),
    "method": ("PUT", "/api/me", 405),
    "shape": ("POST", SYSTEMS, 422),
    "redirect": ("GET", "/login?token=x", 303),
    "health": ("GET", "/healthz", 200),
    "metrics": ("GET", "/metrics", 200),
    "cross-site": ("POST", "/api/auth/logout", 403),
    "large": ("POST", "/api/auth/logout", 413),
    "broken": ("GET", "/api/me", 500),
}


@pytest.mark.parametrize("kind", KINDS)
async def test_every_answer_is_protected(
    admin: Client, monkeypatch: pytest.MonkeyPatch, kind: str
) -> None:
    method, path, status = KINDS[kind]
    headers: dict[str, str] = {}
    content = b""
    if kind == "cross-site":
        headers = {"sec-fetch-site": "cross-site"}
    if kind == "large":
        headers, content = JSON, b" " * (3 * MEBIBYTE)
    if kind == "broken":
        monkeypatch.setattr("assent.api.me.load_user", break_down)
    answer = await admin.request(method, path, headers=headers, content=content)
    assert answer.status_code == status
    policy = answer.headers["content-security-policy"]
    assert "default-src 'none'" in policy
    assert "frame-ancestors 'none'" in policy
    assert "unsafe" not in policy
    assert answer.headers["x-content-type-options"] == "nosniff"
    assert answer.headers["x-frame-options"] == "DENY"
    assert answer.headers["referrer-policy"] == "same-origin"
    assert answer.headers["cross-origin-opener-policy"] == "same-origin"
    assert answer.headers["cross-origin-resource-policy"] == "same-origin"
    assert answer.headers["x-request-id"]
    assert "access-control-allow-origin" not in answer.headers
    if path.startswith("/api"):
        assert answer.headers["cache-control"] == "no-store"
    if kind == "asset":
        assert "immutable" in answer.headers["cache-control"]
    if kind in ("page", "file"):
        assert answer.headers["cache-control"] == "no-cache"
    if kind == "broken":
        assert "inner workings" not in answer.text


async def test_what_is_not_at_rest_is_not_undone(
    server: RunningServer, admin: Client, tenant: Tenant, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A rotated session's new cookie reaches the browser even when the request then breaks."""
    due = "UPDATE sessions SET rotated_at = now() - interval '2 hours' WHERE user_id = $1"
    async with server.database.transaction() as db:
        await db.execute(due, tenant.admin.id)
    monkeypatch.setattr("assent.api.me.load_user", break_down)
    answer = await admin.get("/api/me")
    assert answer.status_code == 500
    assert answer.headers["set-cookie"].startswith("assent_session=")


@pytest.mark.parametrize(
    "path", ["/assets/../index.html", "/assets/%2e%2e/index.html", "/assets/..%2f..%2fmain.py"]
)
async def test_assets_stay_in_their_folder(server: RunningServer, path: str) -> None:
    host, port = server.url.removeprefix("http://").split(":")
    answer = await send_raw(host, int(port), f"GET {path} HTTP/1.1\r\nhost: x\r\n\r\n".encode())
    assert b" 404 " in answer.split(b"\r\n")[0]


async def send_raw(host: str, port: int, request: bytes) -> bytes:
    """The beginning of what the server says to bytes that no client would send."""
    reader, writer = await asyncio.open_connection(host, port)
    try:
        writer.write(request)
        await writer.drain()
        return await asyncio.wait_for(reader.read(65536), PATIENCE)
    finally:
        writer.close()
        await writer.wait_closed()


@pytest.mark.parametrize(
    "request_bytes",
    [
        b"GET / HTTP/1.1\r\n\r\n",
        b"GET /api/me HTTP/1.1\r\nhost: x\r\nauthorization: Bearer \xff\xfe\r\n\r\n",
        b"GET /api/me HTTP/1.1\r\nhost: x\r\ncookie: assent_session=\xff\xfe; =; ;;\r\n\r\n",
        b"GET /%ff%fe%00 HTTP/1.1\r\nhost: x\r\n\r\n",
        b"GET /api/p/catalog/systems?%ff=%00 HTTP/1.1\r\nhost: x\r\n\r\n",
        b"POST /api/auth/login HTTP/1.1\r\nhost: x\r\norigin: http://[\r\n"
        b"content-type: application/json\r\ncontent-length: 2\r\n\r\n{}",
        b"BREW /api/me HTTP/1.1\r\nhost: x\r\n\r\n",
        b"nonsense\r\n\r\n",
    ],
)
async def test_bytes_that_no_client_would_send(server: RunningServer, request_bytes: bytes) -> None:
    host, port = server.url.removeprefix("http://").split(":")
    answer = await send_raw(host, int(port), request_bytes)
    assert int(answer.split(b" ")[1]) < 500, answer
    async with httpx2.AsyncClient(verify=False, timeout=PATIENCE) as client:
        expect(await client.get(f"{server.url}/healthz"), 200)


async def test_a_length_that_is_too_much_is_refused_before_the_body(server: RunningServer) -> None:
    host, port = server.url.removeprefix("http://").split(":")
    head = b"POST /api/auth/login HTTP/1.1\r\nhost: x\r\ncontent-length: 999999999999\r\n\r\n"
    assert b" 413 " in (await send_raw(host, int(port), head)).split(b"\r\n")[0]


@pytest.mark.parametrize("path", ["/api/conversations", "/api/auth/login"])
async def test_a_client_that_leaves_in_the_middle_of_a_body_is_no_error(
    server: RunningServer, tenant: Tenant, caplog: pytest.LogCaptureFixture, path: str
) -> None:
    caplog.set_level(logging.DEBUG, logger="assent")
    host, port = server.url.removeprefix("http://").split(":")
    cookies = "; ".join(f"{one.name}={one.value}" for one in tenant.admin.client.cookies.jar)
    _, writer = await asyncio.open_connection(host, int(port))
    head = f"POST {path} HTTP/1.1\r\nhost: {host}:{port}\r\ncookie: {cookies}\r\n"
    head += "x-assent-csrf: 1\r\ncontent-type: application/json\r\ncontent-length: 99\r\n\r\n{"
    writer.write(head.encode())
    await writer.drain()
    writer.close()

    async def find_line() -> logging.LogRecord | None:
        lines = [one for one in caplog.records if one.name == "assent.http"]
        return next((one for one in lines if one.getMessage() == f"POST {path} 499"), None)

    line = await wait_until(find_line)
    assert line.levelno == logging.INFO
    assert not [one for one in caplog.records if one.levelno >= logging.WARNING]


async def test_nothing_of_all_this_was_stored(server: RunningServer) -> None:
    count = "SELECT count(*) FROM catalog.systems WHERE name = 'x'"
    assert await fetch_value(server, count) == 0
