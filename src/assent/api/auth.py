"""Routes for signing in and out. These few are open; they tell nothing about who exists."""

from typing import Annotated, TypeVar

from fastapi import APIRouter
from pydantic import BeforeValidator, Field
from starlette.requests import Request
from starlette.responses import JSONResponse, RedirectResponse, Response

from assent.api.cookies import clear_session, set_session
from assent.api.me import Me, load_me
from assent.api.pages import open_index
from assent.api.parts import Parts, PartsOf
from assent.api.principal import Person, read_device
from assent.api.problems import PROBLEM_RESPONSES
from assent.errors import AssentError, NotSignedIn
from assent.identity.authenticate import authenticate_session
from assent.identity.passwords import LONGEST, SHORTEST
from assent.identity.sessions import end_session
from assent.identity.sign_in import (
    set_password_with_link,
    sign_in_with_link,
    sign_in_with_password,
)
from assent.value import Value, strip_unstorable

R = TypeVar("R", bound=Response)
NewPassword = Annotated[str, Field(min_length=SHORTEST, max_length=LONGEST)]

LOOKING_AHEAD = ("sec-purpose", "purpose", "x-purpose", "x-moz")

router = APIRouter(tags=["Sign-in"], responses=PROBLEM_RESPONSES)


class Credentials(Value):
    email: Annotated[str, BeforeValidator(strip_unstorable)] = Field(max_length=254)
    password: str = Field(max_length=LONGEST)


class PasswordReset(Value):
    token: str = Field(max_length=200)
    password: NewPassword


class OidcMethod(Value):
    label: str


class Methods(Value):
    """The ways in which one can sign in here."""

    password: bool
    oidc: OidcMethod | None


@router.get("/api/auth/methods", operation_id="auth_methods")
async def list_methods(parts: PartsOf) -> Methods:
    """Tell the ways in which one can sign in here."""
    oidc = OidcMethod(label=parts.settings.oidc_label) if parts.oidc else None
    return Methods(password=True, oidc=oidc)


@router.post("/api/auth/login", response_model=Me, operation_id="auth_login")
async def sign_in(request: Request, parts: PartsOf, credentials: Credentials) -> Response:
    """Sign in with e-mail address and password."""
    token = await sign_in_with_password(
        parts.database,
        email=credentials.email,
        password=credentials.password,
        attempts=parts.settings.sign_in_attempts,
        limits=parts.limits,
        device=read_device(request),
    )
    return await _welcome(request, parts, token)


@router.post("/api/auth/reset", response_model=Me, operation_id="auth_reset")
async def reset_password(request: Request, parts: PartsOf, reset: PasswordReset) -> Response:
    """Set a password with a one-time link, and sign in."""
    token = await set_password_with_link(
        parts.database,
        reset.token,
        reset.password,
        limits=parts.limits,
        device=read_device(request),
    )
    return await _welcome(request, parts, token)


@router.post("/api/auth/logout", status_code=204, operation_id="auth_logout")
async def sign_out(request: Request, parts: PartsOf, person: Person) -> Response:
    """End this session."""
    if person.session_id is not None:
        await end_session(parts.database, person, person.session_id)
    response = Response(status_code=204)
    response.headers.append("set-cookie", clear_session(request.scope))
    return response


@router.head("/login", include_in_schema=False)
async def look_at_login() -> Response:
    """Who only looks uses no link up."""
    return open_index()


@router.get("/login", include_in_schema=False)
async def open_login(request: Request, parts: PartsOf, token: str | None = None) -> Response:
    """Serve the page; with a one-time token sign in at once."""
    if token is None or _looks_ahead(request):
        return open_index()
    try:
        session = await sign_in_with_link(
            parts.database, token, limits=parts.limits, device=read_device(request)
        )
    except AssentError as error:
        return RedirectResponse(f"/login?error={error.code}", 303)
    return with_session(parts, request, RedirectResponse("/", 303), session)


def with_session(parts: Parts, request: Request, response: R, token: str) -> R:
    age = int(parts.limits.lifetime.total_seconds())
    response.headers.append("set-cookie", set_session(request.scope, token, age))
    return response


def _looks_ahead(request: Request) -> bool:
    """Whether a browser loads the page before anybody asked for it: that must use nothing up."""
    told = (request.headers.get(name, "") for name in LOOKING_AHEAD)
    return any("prefetch" in value or "preview" in value for value in told)


async def _welcome(request: Request, parts: Parts, token: str) -> Response:
    found = await authenticate_session(parts.database, token, parts.limits)
    if found is None:
        raise NotSignedIn
    me = await load_me(parts, found.principal)
    response = JSONResponse(me.model_dump(mode="json", by_alias=True))
    return with_session(parts, request, response, token)
