"""The SDK's server with our handlers: one for all requests, it keeps nothing between them."""

from typing import Any, get_args

from mcp.server.caching import CacheableMethod, CacheHint
from mcp.server.lowlevel import Server
from mcp_types import (
    CallToolRequestParams,
    CompleteRequestParams,
    GetPromptRequestParams,
    PaginatedRequestParams,
    ReadResourceRequestParams,
)

from assent import __version__
from assent.mcp_server.completion import complete
from assent.mcp_server.parts import McpParts
from assent.mcp_server.prompts import get_prompt, list_prompts
from assent.mcp_server.resources import list_resources, list_templates, read_resource
from assent.mcp_server.states import guard_states
from assent.mcp_server.tools import call_by_name, list_tools

FRESH = CacheHint(ttl_ms=60_000, scope="private")
"""What is listed depends on who asks, and changes when somebody's rights do."""
INSTRUCTIONS = (
    "Assent is an assistant for operational software. Tools that read answer at once. Tools that "
    "change something only propose: a person decides in the browser, and until then nothing has "
    "changed. Give the person the link, and read later what became of the proposal."
)


def build_server() -> Server[McpParts]:
    server: Server[McpParts] = Server(
        "assent",
        version=__version__,
        title="Assent",
        instructions=INSTRUCTIONS,
        cache_hints=dict.fromkeys(get_args(CacheableMethod), FRESH),
    )
    # Requests and calls of tools have spans of our own.
    server.middleware.clear()
    server.middleware.append(guard_states)
    handlers: dict[str, tuple[type[Any], Any]] = {
        "tools/list": (PaginatedRequestParams, list_tools),
        "tools/call": (CallToolRequestParams, call_by_name),
        "resources/list": (PaginatedRequestParams, list_resources),
        "resources/templates/list": (PaginatedRequestParams, list_templates),
        "resources/read": (ReadResourceRequestParams, read_resource),
        "prompts/list": (PaginatedRequestParams, list_prompts),
        "prompts/get": (GetPromptRequestParams, get_prompt),
        "completion/complete": (CompleteRequestParams, complete),
    }
    for method, (params, handler) in handlers.items():
        server.add_request_handler(method, params, handler)
    return server
