"""The addresses by which programs are connected."""

from starlette.routing import BaseRoute

from assent.mcp_server.named_route import NamedRoute
from assent.mcp_server.oauth.authorize import authorize
from assent.mcp_server.oauth.metadata import tell_resource, tell_server
from assent.mcp_server.oauth.register import register
from assent.mcp_server.oauth.token import exchange, give_up

RESOURCE = "/.well-known/oauth-protected-resource"
SERVER = "/.well-known/oauth-authorization-server"


def build_oauth_routes() -> list[BaseRoute]:
    return [
        NamedRoute("/oauth/token", exchange, methods=["POST"]),
        NamedRoute("/oauth/authorize", authorize, methods=["GET"]),
        NamedRoute("/oauth/revoke", give_up, methods=["POST"]),
        NamedRoute("/oauth/register", register, methods=["POST"]),
        NamedRoute(f"{RESOURCE}/mcp", tell_resource, methods=["GET"]),
        NamedRoute(RESOURCE, tell_resource, methods=["GET"]),
        NamedRoute(SERVER, tell_server, methods=["GET"]),
        NamedRoute(f"{SERVER}/mcp", tell_server, methods=["GET"]),
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
