"""All addresses of this edge."""

from starlette.routing import BaseRoute

from assent.mcp_server.endpoint import Endpoint
from assent.mcp_server.extension import Extension
from assent.mcp_server.named_route import NamedRoute
from assent.mcp_server.oauth.routes import OAUTH_PATHS, build_oauth_routes
from assent.mcp_server.server import build_server

PUBLIC_PATHS = frozenset({"/mcp"}) | OAUTH_PATHS
"""Outside of what the pages' API asks of its callers: who may do what is decided here."""


def build_routes(extension: Extension | None = None) -> list[BaseRoute]:
    server = build_server()
    if extension is not None:
        extension.add_handlers(server)
    endpoint = Endpoint(server, extension.back_channel if extension else None)
    mcp = NamedRoute("/mcp", endpoint.answer, methods=["POST", "GET", "DELETE"])
    return [mcp, *build_oauth_routes()]
