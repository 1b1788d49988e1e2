"""All addresses of this edge."""

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import BaseRoute, Route

from assent.mcp_server.bearer import challenge, find_principal
from assent.mcp_server.oauth.routes import OAUTH_PATHS, build_oauth_routes
from assent.mcp_server.parts import read_parts

PUBLIC_PATHS = frozenset({"/mcp"}) | OAUTH_PATHS
"""Outside of what the pages' API asks of its callers: who may do what is decided here."""


def build_routes() -> list[BaseRoute]:
    mcp = Route("/mcp", _answer, methods=["POST", "GET", "DELETE"])
    return [mcp, *build_oauth_routes()]


async def _answer(request: Request) -> Response:
    parts = read_parts(request)
    principal = await find_principal(parts, request.headers)
    if principal is None:
        return challenge(parts, request.headers)
    return JSONResponse({"error": "not_built"}, 501)
