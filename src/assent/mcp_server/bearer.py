"""From the credential of a request to a principal, and what is said where there is none."""

from starlette.datastructures import Headers
from starlette.responses import JSONResponse, Response

from assent.identity.authenticate import authenticate_key
from assent.identity.principal import Principal
from assent.mcp_server.parts import McpParts


async def find_principal(parts: McpParts, headers: Headers) -> Principal | None:
    """An application with its key. A browser's session is none here: no cookie is looked at."""
    scheme, _, credential = headers.get("authorization", "").partition(" ")
    if scheme.lower() != "bearer":
        return None
    found = await authenticate_key(parts.means.database, credential.strip())
    return found.principal if found else None


def challenge(parts: McpParts, headers: Headers) -> Response:
    """401, and where a program learns how to be connected."""
    given = headers.get("authorization", "")
    told = f'Bearer resource_metadata="{parts.public_url}/.well-known/oauth-protected-resource/mcp"'
    error = "invalid_token" if given else "unauthorized"
    if given:
        told += f', error="{error}"'
    return JSONResponse({"error": error}, 401, headers={"www-authenticate": told})
