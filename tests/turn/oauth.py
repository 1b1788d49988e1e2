"""Programs for tests: a site with their documents, and one that goes through all of OAuth."""

import base64
import hashlib
import secrets
from collections.abc import AsyncGenerator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import parse_qsl, urlsplit

import httpx2
from aiohttp import web

from assent.testing import Client, RunningServer
from assent.testing.client import open_trust
from tests.turn.people import expect, number

CALLBACK = "http://127.0.0.1:33418/callback"
CONSENT = "/api/oauth/consent"
CLIENTS = "/api/oauth/clients"
READ, MANAGE = "catalog.system.read", "catalog.system.manage"
CONNECT = "identity.program.manage"


@dataclass
class Site:
    """A web site with documents of programs: what is at each path, and what was asked for."""

    port: int = 0
    pages: dict[str, web.Response] = field(default_factory=dict[str, web.Response])
    asked: list[str] = field(default_factory=list[str])

    @property
    def origin(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    @property
    def opening(self) -> str:
        return f"127.0.0.1:{self.port}"

    def publish(self, **metadata: Any) -> str:
        """Put a document up and return its address, which is the program's id."""
        path = f"/programs/{number()}.json"
        client_id = f"{self.origin}{path}"
        self.put(path, {**describe(client_id), **metadata})
        return client_id

    def put(self, path: str, document: object, **options: Any) -> str:
        self.pages[path] = web.json_response(document, **options)
        return f"{self.origin}{path}"

    async def answer(self, request: web.Request) -> web.StreamResponse:
        self.asked.append(request.path)
        page = self.pages.get(request.path)
        if page is None:
            return web.Response(status=404)
        return web.Response(status=page.status, body=page.body, headers=page.headers)


def describe(client_id: str) -> dict[str, Any]:
    return {
        "client_id": client_id,
        "client_name": "Lathe",
        "client_uri": "https://lathe.example.com",
        "redirect_uris": [CALLBACK, "https://lathe.example.com/done"],
        "token_endpoint_auth_method": "none",
        "grant_types": ["authorization_code", "refresh_token"],
        "response_types": ["code"],
    }


@asynccontextmanager
async def open_site() -> AsyncGenerator[Site]:
    site = Site()
    app = web.Application()
    app.router.add_route("*", "/{path:.*}", site.answer)
    runner = web.AppRunner(app)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0).start()
    site.port = runner.addresses[0][1]
    try:
        yield site
    finally:
        await runner.cleanup()


def make_pkce() -> tuple[str, str]:
    """A verifier and its challenge."""
    verifier = secrets.token_urlsafe(48)
    digest = hashlib.sha256(verifier.encode()).digest()
    return verifier, base64.urlsafe_b64encode(digest).rstrip(b"=").decode()


def read_query(url: str) -> dict[str, str]:
    return dict(parse_qsl(urlsplit(url).query, keep_blank_values=True))


@dataclass
class Lathe:
    """A program that somebody connects. It has no cookies, and says where it comes from."""

    server: RunningServer
    client_id: str
    http: httpx2.AsyncClient
    address: str
    redirect_uri: str = CALLBACK
    verifier: str = ""

    @property
    def resource(self) -> str:
        return f"{self.server.url}/mcp"

    def build_request(self, **changed: str | None) -> dict[str, str]:
        self.verifier, challenge = make_pkce()
        asked: dict[str, str | None] = {
            "client_id": self.client_id,
            "redirect_uri": self.redirect_uri,
            "response_type": "code",
            "code_challenge": challenge,
            "code_challenge_method": "S256",
            "state": "st&te=1",
            "resource": self.resource,
            **changed,
        }
        return {name: value for name, value in asked.items() if value is not None}

    async def authorize(self, asked: Mapping[str, str]) -> httpx2.Response:
        return await self.http.get("/oauth/authorize", params=dict(asked))

    async def ask(self, **changed: str | None) -> dict[str, str]:
        """The query with which the page opens."""
        response = await self.authorize(self.build_request(**changed))
        assert response.status_code == 302, response.text
        location = response.headers["location"]
        assert location.startswith("/connect?"), location
        return read_query(location)

    async def get_code(self, person: Client, scopes: Sequence[str], **changed: str | None) -> str:
        query = await self.ask(**changed)
        body = {**query, "scopes": list(scopes)}
        answered = expect(await person.post(f"{CONSENT}/allow", json=body), 201)
        return read_query(answered["redirectTo"])["code"]

    async def exchange(self, **form: str | None) -> httpx2.Response:
        given = {name: value for name, value in form.items() if value is not None}
        return await self.http.post("/oauth/token", data=given)

    async def redeem(self, code: str, /, **changed: str | None) -> httpx2.Response:
        form: dict[str, str | None] = {
            "grant_type": "authorization_code",
            "client_id": self.client_id,
            "code": code,
            "code_verifier": self.verifier,
            "redirect_uri": self.redirect_uri,
            "resource": self.resource,
        }
        return await self.exchange(**{**form, **changed})

    async def refresh(self, token: str, /, **changed: str | None) -> httpx2.Response:
        form: dict[str, str | None] = {
            "grant_type": "refresh_token",
            "client_id": self.client_id,
            "refresh_token": token,
        }
        return await self.exchange(**{**form, **changed})

    async def connect(self, person: Client, *scopes: str) -> dict[str, Any]:
        """All the way to tokens."""
        code = await self.get_code(person, scopes, scope=" ".join(scopes))
        return expect(await self.redeem(code), 200)

    async def knock(self, token: str) -> int:
        """What the tools' address says to this token: 401, or anything else."""
        headers = {"authorization": f"Bearer {token}"}
        return (await self.http.post("/mcp", json={}, headers=headers)).status_code

    async def is_let_in(self, tokens: Mapping[str, Any]) -> bool:
        status = await self.knock(tokens["access_token"])
        assert status != 500
        return status != 401

    async def call(
        self, token: str, method: str, parameters: Mapping[str, Any] | None = None
    ) -> httpx2.Response:
        """A request at the tools' address, as clients of 2025-11-25 send it."""
        headers = {
            "authorization": f"Bearer {token}",
            "accept": "application/json, text/event-stream",
            "mcp-protocol-version": "2025-11-25",
        }
        body = {"jsonrpc": "2.0", "id": 1, "method": method, "params": dict(parameters or {})}
        return await self.http.post("/mcp", json=body, headers=headers)

    async def list_tools(self, tokens: Mapping[str, Any]) -> set[str]:
        response = await self.call(tokens["access_token"], "tools/list")
        return {tool["name"] for tool in expect(response, 200)["result"]["tools"]}

    async def call_tool(
        self, tokens: Mapping[str, Any], name: str, arguments: Mapping[str, Any] | None = None
    ) -> Any:
        given = {"name": name, "arguments": dict(arguments or {})}
        response = await self.call(tokens["access_token"], "tools/call", given)
        return expect(response, 200)["result"]


@asynccontextmanager
async def open_lathe(server: RunningServer, client_id: str) -> AsyncGenerator[Lathe]:
    address = f"198.51.100.{number() % 250}"
    headers = {"x-forwarded-for": address}
    url = f"http://127.0.0.1:{server.settings.port}"
    async with httpx2.AsyncClient(
        base_url=url, headers=headers, timeout=60, verify=open_trust()
    ) as http:
        yield Lathe(server, client_id, http, address)
