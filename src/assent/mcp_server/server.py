"""The SDK's server with our handlers: one for all requests, it keeps nothing between them."""

from collections.abc import Callable
from typing import Any, TypeAlias

from mcp.server.caching import CacheHint
from mcp.server.lowlevel import Server
from mcp_types import CallToolRequestParams, PaginatedRequestParams

from assent import __version__
from assent.mcp_server.parts import McpParts
from assent.mcp_server.tools import call_by_name, list_tools

Extend: TypeAlias = Callable[[Server[McpParts]], None]
"""Adds handlers of its own. Only tests have something to add."""

FRESH = CacheHint(ttl_ms=60_000, scope="private")
"""What is listed depends on who asks, and changes when somebody's rights do."""
INSTRUCTIONS = (
    "Assent is an assistant for operational software. Tools that read answer at once. Tools that "
    "change something only propose: a person decides in the browser, and until then nothing has "
    "changed. Give the person the link, and read later what became of the proposal."
)


def build_server(extend: Extend | None = None) -> Server[McpParts]:
    server: Server[McpParts] = Server(
        "assent",
        version=__version__,
        title="Assent",
        instructions=INSTRUCTIONS,
        cache_hints={"tools/list": FRESH, "server/discover": FRESH},
    )
    # Requests and calls of tools have spans of our own.
    server.middleware.clear()
    handlers: dict[str, tuple[type[Any], Any]] = {
        "tools/list": (PaginatedRequestParams, list_tools),
        "tools/call": (CallToolRequestParams, call_by_name),
    }
    for method, (params, handler) in handlers.items():
        server.add_request_handler(method, params, handler)
    if extend is not None:
        extend(server)
    return server
