"""A local OpenID provider for tests: real HTTP, real signatures, and a knob for every fault.

Whoever comes to `/authorize` is signed in as `person` at once. Nothing is kept secret here.
"""

import asyncio
import base64
import hashlib
import hmac
import json
import secrets
import socket
import time
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any, Literal, TypeAlias
from urllib.parse import parse_qsl, urlencode

import uvicorn
from joserfc import jwt
from joserfc.jwk import RSAKey
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, RedirectResponse, Response
from starlette.routing import Route

CLIENT_ID = "assent"
CLIENT_SECRET = "for tests only"
DISCOVERY = "/.well-known/openid-configuration"

Signature: TypeAlias = Literal["own", "none", "public_key_as_secret", "unknown_key", "foreign_key"]
"""How the token is signed: rightly, not at all, or in a way that must not pass."""


@dataclass(slots=True)
class Faults:
    """What goes wrong. `claims` and `metadata` override, and a value of `None` removes.

    `answers` replaces what an endpoint says: by its path, a status and a body.
    """

    signature: Signature = "own"
    claims: dict[str, Any] = field(default_factory=dict[str, Any])
    metadata: dict[str, Any] = field(default_factory=dict[str, Any])
    answers: dict[str, tuple[int, bytes]] = field(default_factory=dict[str, tuple[int, bytes]])
    only_userinfo: bool = False
    userinfo: dict[str, Any] = field(default_factory=dict[str, Any])


@dataclass(frozen=True, slots=True)
class Grant:
    """What a code stands for."""

    challenge: str
    nonce: str
    redirect_uri: str


class LocalProvider:
    """Set `person` and `faults` between requests; `asked` lists the paths that were called."""

    def __init__(self, issuer: str) -> None:
        self.issuer = issuer
        self.person: dict[str, Any] = {}
        self.faults = Faults()
        self.asked: list[str] = []
        self._key = RSAKey.generate_key(2048, {"kid": "own"})
        self._foreign = RSAKey.generate_key(2048, {"kid": "own"})
        self._codes: dict[str, Grant] = {}
        self._tokens: set[str] = set()

    def build_app(self) -> Starlette:
        routes = {
            DISCOVERY: ("GET", self._discover),
            "/authorize": ("GET", self._authorize),
            "/token": ("POST", self._exchange),
            "/jwks": ("GET", self._publish_keys),
            "/userinfo": ("GET", self._describe),
        }
        return Starlette(
            routes=[
                Route(path, self._with_faults(endpoint), methods=[method])
                for path, (method, endpoint) in routes.items()
            ]
        )

    def _with_faults(self, endpoint: Any) -> Any:
        async def answer(request: Request) -> Response:
            self.asked.append(request.url.path)
            if request.url.path in self.faults.answers:
                status, body = self.faults.answers[request.url.path]
                return Response(body, status, media_type="application/json")
            return await endpoint(request)

        return answer

    async def _discover(self, _request: Request) -> Response:
        metadata = {
            "issuer": self.issuer,
            "authorization_endpoint": f"{self.issuer}/authorize",
            "token_endpoint": f"{self.issuer}/token",
            "jwks_uri": f"{self.issuer}/jwks",
            "userinfo_endpoint": f"{self.issuer}/userinfo",
            "response_types_supported": ["code"],
            "subject_types_supported": ["public"],
            "id_token_signing_alg_values_supported": ["RS256"],
        }
        return JSONResponse(_override(metadata, self.faults.metadata))

    async def _authorize(self, request: Request) -> Response:
        query = request.query_params
        expected = {
            "response_type": "code",
            "client_id": CLIENT_ID,
            "code_challenge_method": "S256",
        }
        wrong = [name for name, value in expected.items() if query.get(name) != value]
        if wrong or "openid" not in query.get("scope", "").split():
            return JSONResponse({"error": "invalid_request", "wrong": wrong}, 400)
        code = secrets.token_urlsafe()
        self._codes[code] = Grant(
            challenge=query["code_challenge"],
            nonce=query["nonce"],
            redirect_uri=query["redirect_uri"],
        )
        back = urlencode({"code": code, "state": query["state"]})
        return RedirectResponse(f"{query['redirect_uri']}?{back}", 302)

    async def _exchange(self, request: Request) -> Response:
        form = dict(parse_qsl((await request.body()).decode()))
        credentials = base64.b64encode(f"{CLIENT_ID}:{CLIENT_SECRET}".encode()).decode()
        if request.headers.get("authorization") != f"Basic {credentials}":
            return JSONResponse({"error": "invalid_client"}, 401)
        grant = self._codes.pop(form.get("code", ""), None)
        if grant is None or not _is_proof(grant, form):
            return JSONResponse({"error": "invalid_grant"}, 400)
        access_token = secrets.token_urlsafe()
        self._tokens.add(access_token)
        return JSONResponse(
            {
                "access_token": access_token,
                "token_type": "Bearer",
                "expires_in": 300,
                "id_token": self._sign(self._claim(grant)),
            }
        )

    async def _publish_keys(self, _request: Request) -> Response:
        return JSONResponse({"keys": [self._key.as_dict(private=False)]})

    async def _describe(self, request: Request) -> Response:
        token = request.headers.get("authorization", "").removeprefix("Bearer ")
        if token not in self._tokens:
            return JSONResponse({"error": "invalid_token"}, 401)
        return JSONResponse(_override(self.person, self.faults.userinfo))

    def _claim(self, grant: Grant) -> dict[str, Any]:
        now = int(time.time())
        person = {"sub": self.person["sub"]} if self.faults.only_userinfo else self.person
        claims = {
            **person,
            "iss": self.issuer,
            "aud": CLIENT_ID,
            "iat": now,
            "exp": now + 300,
            "nonce": grant.nonce,
        }
        return _override(claims, self.faults.claims)

    def _sign(self, claims: dict[str, Any]) -> str:
        match self.faults.signature:
            case "own":
                return jwt.encode({"alg": "RS256", "kid": "own"}, claims, self._key)
            case "unknown_key":
                return jwt.encode({"alg": "RS256", "kid": "unknown"}, claims, self._foreign)
            case "foreign_key":
                return jwt.encode({"alg": "RS256", "kid": "own"}, claims, self._foreign)
            case "none":
                return _join({"alg": "none"}, claims) + "."
            case "public_key_as_secret":
                unsigned = _join({"alg": "HS256", "kid": "own"}, claims)
                secret = self._key.as_pem(private=False)
                digest = hmac.digest(secret, unsigned.encode(), "sha256")
                return f"{unsigned}.{_encode(digest)}"


@asynccontextmanager
async def run_oidc_provider() -> AsyncGenerator[LocalProvider]:
    """Serve on a free port until the body ends."""
    listener = socket.socket(socket.AF_INET, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    listener.bind(("127.0.0.1", 0))
    provider = LocalProvider(f"http://127.0.0.1:{listener.getsockname()[1]}")
    config = uvicorn.Config(provider.build_app(), log_config=None, lifespan="off")
    server = uvicorn.Server(config)
    serving = asyncio.create_task(server.serve(sockets=[listener]))
    try:
        while not server.started:
            if serving.done():
                await serving
            await asyncio.sleep(0.01)
        yield provider
    finally:
        server.should_exit = True
        await serving


def _is_proof(grant: Grant, form: dict[str, str]) -> bool:
    """Whether this is who began: the same address, and the verifier of the challenge (PKCE)."""
    challenge = _encode(hashlib.sha256(form.get("code_verifier", "").encode()).digest())
    return challenge == grant.challenge and form.get("redirect_uri") == grant.redirect_uri


def _override(document: dict[str, Any], changes: dict[str, Any]) -> dict[str, Any]:
    changed = {**document, **changes}
    return {key: value for key, value in changed.items() if value is not None}


def _join(header: dict[str, Any], claims: dict[str, Any]) -> str:
    return ".".join(_encode(json.dumps(part).encode()) for part in (header, claims))


def _encode(raw: bytes) -> str:
    return base64.urlsafe_b64encode(raw).rstrip(b"=").decode()
