"""From the credential of a request to a principal, and what is said where one is not enough."""

from collections.abc import Collection, Sequence

from starlette.datastructures import Headers
from starlette.responses import JSONResponse, Response

from assent.actions.admission.admit import Admitted, admit
from assent.identity.access import load_granted_rules
from assent.identity.authenticate import authenticate_key, find_acting
from assent.identity.oauth.authenticate import authenticate_token
from assent.identity.oauth.scopes import find_lacking, gather_held, is_held
from assent.identity.principal import Principal
from assent.mcp_server.parts import McpParts


async def find_caller(parts: McpParts, headers: Headers, *, calls: bool) -> Admitted | None:
    """A program with a person's consent, or an application with its key.

    A browser's session is none here: no cookie is looked at. Where it `calls` a tool, that is
    counted right away.
    """
    scheme, _, credential = headers.get("authorization", "").partition(" ")
    if scheme.lower() != "bearer":
        return None
    database, credential = parts.means.database, credential.strip()
    if calls:
        return await admit(parts.means, credential, parts.resource)
    principal = await authenticate_token(
        database, credential, parts.resource
    ) or await authenticate_key(database, credential)
    return Admitted(principal) if principal else None


def challenge(parts: McpParts, headers: Headers) -> Response:
    """401, and where a program learns how to be connected."""
    given = headers.get("authorization", "")
    error = "invalid_token" if given else "unauthorized"
    named = [f'error="{error}"'] if given else []
    return _challenge(parts, 401, error, named, parts.terms.offered)


async def find_step_up(
    parts: McpParts, principal: Principal, rules: Sequence[str]
) -> Response | None:
    """403 with the scopes that a program needs for a tool with these rules, beside those it has.

    Nothing where asking the person again would not help: an application, a program that was
    allowed all of it, or a person who does not hold it themselves.
    """
    client = principal.client
    lacking = find_lacking(client.scopes, rules) if client else ()
    if client is None or not lacking:
        return None
    async with parts.means.database.connection() as db:
        acting = await find_acting(db, principal.tenant_id, principal.actor)
        if acting is None:
            return None
        person = acting.principal
        held = gather_held(person, await load_granted_rules(db, person))
    if not all(is_held(held, rule) for rule in rules):
        return None
    error = "insufficient_scope"
    return _challenge(parts, 403, error, [f'error="{error}"'], [*sorted(client.scopes), *lacking])


def _challenge(
    parts: McpParts, status: int, error: str, named: Sequence[str], scopes: Collection[str]
) -> Response:
    metadata = f"{parts.public_url}/.well-known/oauth-protected-resource/mcp"
    told = [*named, f'scope="{" ".join(scopes)}"', f'resource_metadata="{metadata}"']
    headers = {"www-authenticate": f"Bearer {', '.join(told)}"}
    return JSONResponse({"error": error}, status, headers=headers)
