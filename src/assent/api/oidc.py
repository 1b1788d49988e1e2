"""Routes for single sign-on: off to the provider, and back with a code."""

from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from assent.api.auth import with_session
from assent.api.cookies import is_secure
from assent.api.parts import Parts, PartsOf
from assent.api.principal import read_device
from assent.errors import AssentError, NotFound
from assent.identity.oidc import OidcClient

COOKIE = "assent_oidc"

router = APIRouter(tags=["Sign-in"])


@router.get("/api/auth/oidc/login", include_in_schema=False)
async def start(
    request: Request,
    parts: PartsOf,
    next: str = "/",  # noqa: A002 - its name on the wire
) -> Response:
    client = _client(parts)
    try:
        departure = await client.depart(next)
    except AssentError as error:
        return RedirectResponse(f"/login?error={error.code}", 303)
    response = RedirectResponse(departure.url, 303)
    response.headers.append("set-cookie", _cookie(request, departure.sealed, departure.lifetime))
    return response


@router.get("/api/auth/oidc/callback", include_in_schema=False)
async def finish(request: Request, parts: PartsOf) -> Response:
    client = _client(parts)
    try:
        arrival = await client.arrive(
            request.cookies.get(COOKIE, ""),
            dict(request.query_params),
            limits=parts.limits,
            device=read_device(request),
        )
    except AssentError as error:
        response = RedirectResponse(f"/login?error={error.code}", 303)
    else:
        response = RedirectResponse(arrival.next_path, 303)
        with_session(parts, request, response, arrival.session_token)
    response.headers.append("set-cookie", _cookie(request, "", 0))
    return response


def _client(parts: Parts) -> OidcClient:
    if parts.oidc is None:
        raise NotFound("Single sign-on is not set up.")
    return parts.oidc


def _cookie(request: Request, value: str, age: int) -> str:
    secure = "; Secure" if is_secure(request.scope) else ""
    return f"{COOKIE}={value}; Path=/api/auth/oidc; Max-Age={age}; HttpOnly; SameSite=Lax{secure}"
