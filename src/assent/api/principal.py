"""From a request to a principal: the two dependencies that every route but a few has."""

from typing import Annotated

from fastapi import Depends
from starlette.requests import Request

from assent.api.cookies import find_token, set_session
from assent.api.observe import PRINCIPAL_KIND
from assent.api.parts import Parts, read_parts
from assent.api.protect import NEW_COOKIE
from assent.errors import NotSignedIn, PeopleOnly
from assent.identity.authenticate import Authenticated, authenticate_key, authenticate_session
from assent.identity.principal import Principal
from assent.identity.store.sessions import Device


async def require_principal(request: Request) -> Principal:
    """A person with a session or an application with a key; nobody else passes."""
    parts = read_parts(request)
    found = await _authenticate(request, parts)
    if found is None:
        raise NotSignedIn
    request.scope[PRINCIPAL_KIND] = found.principal.kind
    if found.new_session_token:
        age = int(parts.limits.lifetime.total_seconds())
        request.scope[NEW_COOKIE] = set_session(request.scope, found.new_session_token, age)
    return found.principal


Caller = Annotated[Principal, Depends(require_principal)]


async def require_person(principal: Caller) -> Principal:
    """A person with a session."""
    if not principal.is_person:
        raise PeopleOnly
    return principal


Person = Annotated[Principal, Depends(require_person)]


def read_device(request: Request) -> Device:
    return Device(
        user_agent=request.headers.get("user-agent", "")[:300],
        address=request.client.host if request.client else "",
    )


async def _authenticate(request: Request, parts: Parts) -> Authenticated | None:
    scheme, _, key = request.headers.get("authorization", "").partition(" ")
    if scheme:
        if scheme.lower() != "bearer":
            return None
        principal = await authenticate_key(parts.database, key.strip())
        return Authenticated(principal) if principal else None
    token = find_token(request.cookies, request.scope)
    if token is None:
        return None
    return await authenticate_session(parts.database, token, parts.limits)
