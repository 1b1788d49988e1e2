"""Which requests get through to the routes, and what every response carries."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import pytest
from starlette.requests import Request
from starlette.responses import PlainTextResponse
from starlette.types import Message, Receive, Scope, Send

from assent.api.protect import FILE_LIMIT, JSON_LIMIT, NEW_COOKIE, SECURITY_HEADERS, Protect
from assent.errors import TooLarge

COOKIE = {"cookie": "assent_session=token"}
SECURE_COOKIE = {"cookie": "__Host-assent_session=token"}
CSRF = {"x-assent-csrf": "1"}
JSON = {"content-type": "application/json", "content-length": "2"}
PUBLIC = "https://assent.example.com"


@dataclass(slots=True)
class Answer:
    status: int = 0
    headers: dict[str, str] = field(default_factory=dict[str, str])

    async def take(self, message: Message) -> None:
        if message["type"] == "http.response.start":
            self.status = message["status"]
            self.headers = {key.decode(): value.decode() for key, value in message["headers"]}


async def reads_everything(scope: Scope, receive: Receive, send: Send) -> None:
    await Request(scope, receive).body()
    await PlainTextResponse("in")(scope, receive, send)


async def ask(
    method: str,
    headers: Mapping[str, str],
    *,
    scheme: str = "http",
    public_url: str | None = None,
    chunks: tuple[bytes, ...] = (b"{}",),
    more: Mapping[str, Any] | None = None,
) -> Answer:
    waiting = list(chunks)

    async def receive() -> Message:
        body = waiting.pop(0) if waiting else b""
        return {"type": "http.request", "body": body, "more_body": bool(waiting)}

    scope = {
        "type": "http",
        "method": method,
        "path": "/api/me",
        "scheme": scheme,
        "query_string": b"",
        "headers": [
            (key.encode(), value.encode())
            for key, value in ({"host": "localhost:8700"} | dict(headers)).items()
        ],
        **(more or {}),
    }
    answer = Answer()
    await Protect(reads_everything, public_url=public_url)(scope, receive, answer.take)
    return answer


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({}, 200),
        (COOKIE, 403),
        (COOKIE | {"x-assent-csrf": "true"}, 403),
        (COOKIE | CSRF, 200),
        (COOKIE | CSRF | JSON, 200),
        (COOKIE | CSRF | JSON | {"content-type": "application/json; charset=utf-8"}, 200),
        (COOKIE | CSRF | JSON | {"content-type": "Application/JSON"}, 200),
        (COOKIE | CSRF | JSON | {"content-type": "multipart/form-data; boundary=x"}, 415),
        (COOKIE | CSRF | JSON | {"content-type": "text/plain"}, 415),
        (COOKIE | CSRF | JSON | {"content-type": "application/x-www-form-urlencoded"}, 415),
        (COOKIE | CSRF | {"content-length": "2"}, 415),
        (COOKIE | CSRF | {"transfer-encoding": "chunked"}, 415),
        (COOKIE | CSRF | {"content-length": "0", "content-type": "text/plain"}, 200),
        ({"cookie": "other=1"}, 200),
        ({"cookie": "assent_session="}, 200),
        (SECURE_COOKIE, 200),
        ({"origin": "http://localhost:8700"}, 200),
        ({"origin": "HTTP://LOCALHOST:8700"}, 200),
        ({"origin": "https://localhost:8700"}, 403),
        ({"origin": "http://localhost"}, 403),
        ({"origin": "http://localhost:8700.elsewhere.example"}, 403),
        ({"origin": "https://elsewhere.example"}, 403),
        ({"origin": "null"}, 403),
        ({"origin": ""}, 403),
        ({"origin": "http://["}, 403),
        ({"sec-fetch-site": "same-origin"}, 200),
        ({"sec-fetch-site": "none"}, 200),
        ({"sec-fetch-site": "same-site"}, 403),
        ({"sec-fetch-site": "cross-site"}, 403),
        (COOKIE | CSRF | JSON | {"sec-fetch-site": "cross-site"}, 403),
        (COOKIE | CSRF | JSON | {"origin": "https://elsewhere.example"}, 403),
    ],
)
async def test_a_change(headers: dict[str, str], status: int) -> None:
    for method in ("POST", "PUT", "PATCH", "DELETE", "INVENTED"):
        assert (await ask(method, headers)).status == status


@pytest.mark.parametrize("method", ["GET", "HEAD", "OPTIONS"])
async def test_reading_is_not_held_up(method: str) -> None:
    foreign = COOKIE | {"origin": "https://elsewhere.example", "sec-fetch-site": "cross-site"}
    assert (await ask(method, foreign)).status == 200


@pytest.mark.parametrize(
    ("origin", "status"),
    [
        ("https://assent.example.com", 200),
        ("http://localhost:8700", 200),
        ("https://assent.example.com:444", 403),
        ("http://assent.example.com", 403),
    ],
)
async def test_behind_a_proxy_the_public_address_is_ours_too(origin: str, status: int) -> None:
    assert (await ask("POST", {"origin": origin}, public_url=f"{PUBLIC}/")).status == status


@pytest.mark.parametrize(("cookie", "status"), [(COOKIE, 200), (SECURE_COOKIE, 403)])
async def test_under_https_the_other_cookie_counts(cookie: dict[str, str], status: int) -> None:
    assert (await ask("POST", cookie, scheme="https")).status == status


@pytest.mark.parametrize(
    ("path", "length", "status"),
    [
        ("/api/me", JSON_LIMIT, 200),
        ("/api/me", JSON_LIMIT + 1, 413),
        ("/api/files", FILE_LIMIT, 200),
        ("/api/files", FILE_LIMIT + 1, 413),
        ("/api/files/more", JSON_LIMIT + 1, 413),
    ],
)
async def test_a_length_that_is_told(path: str, length: int, status: int) -> None:
    kind = "multipart/form-data; boundary=x"
    headers = {"content-type": kind, "content-length": str(length)}
    assert (await ask("POST", headers, more={"path": path})).status == status


async def test_files_may_be_sent_with_a_cookie() -> None:
    headers = COOKIE | CSRF | {"content-type": "multipart/form-data; boundary=x"}
    told = headers | {"content-length": "5"}
    assert (await ask("POST", told, more={"path": "/api/files"})).status == 200


async def test_a_length_that_is_not_told() -> None:
    half = b"x" * (JSON_LIMIT // 2)
    assert (await ask("POST", {}, chunks=(half, half))).status == 200
    with pytest.raises(TooLarge):
        await ask("POST", {}, chunks=(half, half, b"x"))


@pytest.mark.parametrize("headers", [{}, COOKIE])
async def test_every_response_is_protected(headers: dict[str, str]) -> None:
    answer = await ask("POST", headers)
    assert {name: answer.headers.get(name) for name in SECURITY_HEADERS} == SECURITY_HEADERS
    assert answer.headers["cache-control"] == "no-store"
    assert "strict-transport-security" not in answer.headers


async def test_pages_may_be_cached() -> None:
    assert "cache-control" not in (await ask("GET", {}, more={"path": "/people"})).headers


async def test_https_stays_https() -> None:
    answer = await ask("GET", {}, scheme="https")
    assert answer.headers["strict-transport-security"] == "max-age=31536000"


async def test_a_rotated_session_gets_its_cookie() -> None:
    answer = await ask("GET", {}, more={NEW_COOKIE: "assent_session=new"})
    assert answer.headers["set-cookie"] == "assent_session=new"


def test_the_policy_allows_nothing_inline_and_nobody_else() -> None:
    policy = SECURITY_HEADERS["content-security-policy"]
    assert "default-src 'none'" in policy
    assert not {"'unsafe-inline'", "'unsafe-eval'", "*", "https:", "http:"} & set(policy.split())
    assert not {"data:", "blob:"} & set(policy.replace(";", "").split())
    assert "require-trusted-types-for 'script'; trusted-types 'none'" in policy
    assert "form-action 'none'" in policy
    assert "base-uri 'none'" in policy


def test_browsers_look_nothing_up_ahead_and_lend_only_the_microphone() -> None:
    assert SECURITY_HEADERS["x-dns-prefetch-control"] == "off"
    lent = SECURITY_HEADERS["permissions-policy"].split(", ")
    assert {"camera=()", "geolocation=()"} <= set(lent)
    assert [one for one in lent if not one.endswith("=()")] == ["microphone=(self)"]
