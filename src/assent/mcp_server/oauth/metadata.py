"""What programs read first: what is protected here, and how they are let in."""

from typing import Any

from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from assent.mcp_server.parts import McpParts, read_parts

KEPT = {"cache-control": "max-age=300"}


async def tell_resource(request: Request) -> Response:
    """Protected resource metadata (RFC 9728)."""
    return JSONResponse(describe_resource(read_parts(request)), headers=KEPT)


async def tell_server(request: Request) -> Response:
    """Authorization server metadata (RFC 8414)."""
    return JSONResponse(describe_server(read_parts(request)), headers=KEPT)


def describe_resource(parts: McpParts) -> dict[str, Any]:
    return {
        "resource": parts.resource,
        "resource_name": "Assent",
        "authorization_servers": [parts.public_url],
        "scopes_supported": list(parts.terms.offered),
        "bearer_methods_supported": ["header"],
    }


def describe_server(parts: McpParts) -> dict[str, Any]:
    issuer = parts.public_url
    described: dict[str, Any] = {
        "issuer": issuer,
        "authorization_endpoint": f"{issuer}/oauth/authorize",
        "token_endpoint": f"{issuer}/oauth/token",
        "revocation_endpoint": f"{issuer}/oauth/revoke",
        "response_types_supported": ["code"],
        "response_modes_supported": ["query"],
        "grant_types_supported": ["authorization_code", "refresh_token"],
        "code_challenge_methods_supported": ["S256"],
        "token_endpoint_auth_methods_supported": ["none"],
        "revocation_endpoint_auth_methods_supported": ["none"],
        "scopes_supported": list(parts.terms.offered),
        "authorization_response_iss_parameter_supported": True,
        "client_id_metadata_document_supported": True,
        "protected_resources": [parts.resource],
    }
    if parts.settings.oauth_registration:
        described["registration_endpoint"] = f"{issuer}/oauth/register"
    return described
