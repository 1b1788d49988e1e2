"""The addresses by which programs are connected."""

from starlette.routing import BaseRoute, Route

from assent.mcp_server.oauth.authorize import authorize
from assent.mcp_server.oauth.metadata import tell_resource, tell_server
from assent.mcp_server.oauth.register import register
from assent.mcp_server.oauth.token import exchange, give_up

RESOURCE = "/.well-known/oauth-protected-resource"
SERVER = "/.well-known/oauth-authorization-server"


def build_oauth_routes() -> list[BaseRoute]:
    return [
        Route("/oauth/token", exchange, methods=["POST"]),
        Route("/oauth/authorize", authorize, methods=["GET"]),
        Route("/oauth/revoke", give_up, methods=["POST"]),
        Route("/oauth/register", register, methods=["POST"]),
        Route(f"{RESOURCE}/mcp", tell_resource, methods=["GET"]),
        Route(RESOURCE, tell_resource, methods=["GET"]),
        Route(SERVER, tell_server, methods=["GET"]),
        Route(f"{SERVER}/mcp", tell_server, methods=["GET"]),
    ]


OAUTH_PATHS = frozenset(
    {
        "/oauth/token",
        "/oauth/authorize",
        "/oauth/revoke",
        "/oauth/register",
        RESOURCE,
        f"{RESOURCE}/mcp",
        SERVER,
        f"{SERVER}/mcp",
    }
)
"""Open to programs that nobody knows yet: each answers with no more than it should."""
