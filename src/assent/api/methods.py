"""Which methods an address answers to. Routes that share a path know nothing of each other."""

from fastapi.routing import iter_route_contexts
from starlette.requests import Request

PAGES = "/{path:path}"
PAGE_METHODS = ["GET", "HEAD"]


def list_methods(request: Request) -> list[str]:
    """Empty when there is nothing at this address: the API's are its own, the rest is a page."""
    path = request.url.path
    if path == "/api" or path.startswith("/api/"):
        return list_own_methods(request)
    return list_own_methods(request) or PAGE_METHODS


def list_own_methods(request: Request) -> list[str]:
    """Those of the routes that are there for this address, pages aside."""
    path = request.url.path
    found: set[str] = set()
    for route in iter_route_contexts(request.app.routes):
        if route.methods and route.path != PAGES and route.path_regex.match(path):
            found |= route.methods
    return sorted(found)
