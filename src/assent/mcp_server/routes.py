"""All addresses of this edge."""

from starlette.routing import BaseRoute, Route

from assent.mcp_server.endpoint import Endpoint
from assent.mcp_server.server import Extend, build_server

PUBLIC_PATHS = frozenset({"/mcp"})
"""Outside of what the pages' API asks of its callers: who may do what is decided here."""


def build_routes(extend: Extend | None = None) -> list[BaseRoute]:
    """`extend` gives the server more to answer with; tests have that, and no setting does."""
    endpoint = Endpoint(build_server(extend))
    return [Route("/mcp", endpoint.answer, methods=["POST", "GET", "DELETE"])]
