"""The addresses by which programs are connected."""

from starlette.routing import BaseRoute

from assent.mcp_server.named_route import NamedRoute
from assent.mcp_server.oauth.authorize import authorize
from assent.mcp_server.oauth.metadata import tell_resource, tell_server
from assent.mcp_server.oauth.register import register
from assent.mcp_server.oauth.token import exchange, give_up
from assent.mcp_server.sharing import PREFLIGHT, Answer, let_anybody_read, share

AUTHORIZE = "/oauth/authorize"
RESOURCE = "/.well-known/oauth-protected-resource"
SERVER = "/.well-known/oauth-authorization-server"
SENT_TO = {"/oauth/token": exchange, "/oauth/revoke": give_up, "/oauth/register": register}
READ_AT = {
    f"{RESOURCE}/mcp": tell_resource,
    RESOURCE: tell_resource,
    SERVER: tell_server,
    f"{SERVER}/mcp": tell_server,
}

SHARED_OAUTH_PATHS = frozenset({*SENT_TO, *READ_AT})
OAUTH_PATHS = SHARED_OAUTH_PATHS | {AUTHORIZE}
"""Open to programs that nobody knows yet: each answers with no more than it should."""


def build_oauth_routes() -> list[BaseRoute]:
    """All but one are for programs: to that one a person's browser goes, and no page reads it."""
    return [
        *(_share(path, answer, "POST") for path, answer in SENT_TO.items()),
        NamedRoute(AUTHORIZE, authorize, methods=["GET"]),
        *(_share(path, answer, "GET") for path, answer in READ_AT.items()),
    ]


def _share(path: str, answer: Answer, method: str) -> BaseRoute:
    shared = share(answer, [method], let_anybody_read)
    return NamedRoute(path, shared, methods=[method, PREFLIGHT])
