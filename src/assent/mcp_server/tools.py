"""Tools over MCP: which there are for whoever asks, and a call of one through the one door."""

from typing import Any, cast

from mcp.shared.exceptions import MCPError
from mcp_types import INVALID_PARAMS, CallToolRequestParams, PaginatedRequestParams

from assent.actions.call import Ran, ToolCall, call_tool
from assent.errors import AssentError, Conflict, Invalid, TooMany
from assent.identity.access import load_granted_rules
from assent.mcp_server.asking import Context, read_asking
from assent.mcp_server.changes import answer_change, find_place, resume_change
from assent.mcp_server.paging import cut_page
from assent.tools.json_value import encode_json
from assent.tools.registry import Registry, is_offered_at
from assent.tools.tool import Tool

LONGEST_NAME = 200


async def list_tools(ctx: Context, params: PaginatedRequestParams) -> dict[str, Any]:
    """By name, so that a client that keeps the list sees the same one again."""
    asking = read_asking(ctx)
    means = asking.parts.means
    async with means.database.reading() as db:
        granted = await load_granted_rules(db, asking.principal)
    tools = [
        tool
        for tool in means.loaded.tools.list_for(asking.principal, granted=granted)
        if is_offered_at(tool, "mcp")
    ]
    return cut_page("tools", [describe_tool(tool) for tool in tools], params.cursor)


async def call_by_name(ctx: Context, params: CallToolRequestParams) -> dict[str, Any]:
    """What the tool complains about is a result: the model reads it and can do better."""
    asking = read_asking(ctx)
    registry = asking.parts.means.loaded.tools
    tool = find_tool(registry, params.name[:LONGEST_NAME])
    name = tool.name if tool else params.name[:LONGEST_NAME]
    arguments = params.arguments or {}
    try:
        resumed = await resume_change(ctx, params)
        if resumed is not None:
            return resumed
        answer = await call_tool(
            asking.parts.means,
            ToolCall(
                name=name,
                arguments=arguments,
                principal=asking.principal,
                place=find_place(ctx, name, arguments),
                tell=asking.tell,
                taken=asking.taken,
            ),
        )
    except TooMany:
        raise
    except AssentError as error:
        if tool is None:
            raise MCPError(INVALID_PARAMS, error.message) from None
        return _answer_error(error)
    if isinstance(answer, Ran):
        return _answer_value(answer.value)
    return await answer_change(ctx, answer)


def find_tool(registry: Registry, name: str) -> Tool | None:
    """By its own name, or by the form of it that providers of models accept."""
    tool = registry.find(name) or registry.find_by_wire_name(name)
    return tool if tool is not None and is_offered_at(tool, "mcp") else None


def describe_tool(tool: Tool) -> dict[str, Any]:
    reads = tool.behaviour.effect == "read"
    hints: dict[str, Any] = {
        "title": tool.title,
        "readOnlyHint": reads,
        "openWorldHint": tool.behaviour.egress,
    }
    if not reads:
        hints["destructiveHint"] = tool.behaviour.effect == "destructive"
    described: dict[str, Any] = {
        "name": tool.name,
        "title": tool.title,
        "description": tool.description,
        "inputSchema": dict(tool.shape.input_schema),
        "annotations": hints,
    }
    return described


def _answer_value(value: Any) -> dict[str, Any]:
    """Structured content is an object in the older revisions, so a list stands in one."""
    structured = cast(dict[str, Any], value) if isinstance(value, dict) else {"result": value}
    return {
        "content": [{"type": "text", "text": encode_json(value)}],
        "structuredContent": structured,
        "isError": False,
        "resultType": "complete",
    }


def _answer_error(error: AssentError) -> dict[str, Any]:
    told: dict[str, Any] = {"code": error.code, "message": error.message}
    if isinstance(error, Invalid | Conflict) and error.issues:
        told["issues"] = [{"path": one.path, "message": one.message} for one in error.issues]
    return {
        "content": [{"type": "text", "text": error.message}],
        "structuredContent": {"error": told},
        "isError": True,
        "resultType": "complete",
    }
