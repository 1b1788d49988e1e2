"""All addresses of this edge."""

from starlette.routing import BaseRoute

from assent.mcp_server.endpoint import Endpoint, find_reader
from assent.mcp_server.extension import Extension
from assent.mcp_server.named_route import NamedRoute
from assent.mcp_server.oauth.routes import OAUTH_PATHS, SHARED_OAUTH_PATHS, build_oauth_routes
from assent.mcp_server.server import build_server
from assent.mcp_server.sharing import PREFLIGHT, share

PUBLIC_PATHS = frozenset({"/mcp"}) | OAUTH_PATHS
"""Outside of what the pages' API asks of its callers: who may do what is decided here."""
SHARED_PATHS = frozenset({"/mcp"}) | SHARED_OAUTH_PATHS
"""Where programs in pages of other sites come: only what they send along counts, never a cookie."""


def build_routes(extension: Extension | None = None) -> list[BaseRoute]:
    server = build_server()
    if extension is not None:
        extension.add_handlers(server)
    endpoint = Endpoint(server, extension.back_channel if extension else None)
    methods = ["POST", "GET", "DELETE"]
    answer = share(endpoint.answer, methods, find_reader)
    mcp = NamedRoute("/mcp", answer, methods=[*methods, PREFLIGHT])
    return [mcp, *build_oauth_routes()]
