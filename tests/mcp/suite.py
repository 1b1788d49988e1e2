"""The server as the public conformance suite wants it: ours, and beside our tools its own."""

import asyncio
import json
import re
from collections.abc import Mapping
from typing import Any

from mcp.server.lowlevel import Server
from mcp.shared.exceptions import MCPError
from mcp_types import (
    CallToolRequestParams,
    EmptyResult,
    GetPromptRequestParams,
    PaginatedRequestParams,
    ReadResourceRequestParams,
    SetLevelRequestParams,
    SubscribeRequestParams,
    UnsubscribeRequestParams,
)

from assent.mcp_server.extension import Extension, Write
from assent.mcp_server.message import Replied
from assent.mcp_server.parts import McpParts
from tests.mcp.suite_rounds import CONTEXT, ROUNDS, answered, require
from tests.mcp.suite_tools import ARGUMENTS, IMAGE, PIXEL, TOOLS, Context, embed, text

RUNS = {**TOOLS, **ROUNDS}
TEMPLATE = "test://template/{id}/data"
RESOURCES: dict[str, dict[str, str]] = {
    "test://static-text": {
        "mimeType": "text/plain",
        "text": "This is the content of the static text resource.",
    },
    "test://static-binary": {"mimeType": "image/png", "blob": PIXEL},
    "test://watched-resource": {"mimeType": "text/plain", "text": "Watched."},
}
PROMPTS: dict[str, list[str]] = {
    "test_simple_prompt": [],
    "test_prompt_with_arguments": ["arg1", "arg2"],
    "test_prompt_with_embedded_resource": ["resourceUri"],
    "test_prompt_with_image": [],
    "test_input_required_result_prompt": [],
}


class Waiting:
    """Questions to the client, in one process: good enough for one that is tested alone."""

    def __init__(self) -> None:
        self._asked: dict[str | int, asyncio.Future[Mapping[str, Any]]] = {}

    async def ask(
        self, write: Write, method: str, params: Mapping[str, Any] | None
    ) -> dict[str, Any]:
        number = f"asked-{len(self._asked)}"
        self._asked[number] = asyncio.get_running_loop().create_future()
        await write({"jsonrpc": "2.0", "id": number, "method": method, "params": params or {}})
        reply = await self._asked[number]
        if "error" in reply:
            raise MCPError(reply["error"]["code"], reply["error"]["message"])
        return reply["result"]

    def settle(self, reply: Replied) -> None:
        self._asked[reply.id].set_result(reply.whole)


def build_extension() -> Extension:
    return Extension(add_handlers, Waiting())


def add_handlers(server: Server[McpParts]) -> None:
    _add_tools(server)
    _add_resources(server)
    _add_prompts(server)
    server.add_request_handler("logging/setLevel", SetLevelRequestParams, _do_nothing)
    server.add_request_handler("resources/subscribe", SubscribeRequestParams, _do_nothing)
    server.add_request_handler("resources/unsubscribe", UnsubscribeRequestParams, _do_nothing)


async def _do_nothing(ctx: Context, params: Any) -> EmptyResult:
    return EmptyResult()


def _find(server: Server[McpParts], method: str) -> Any:
    entry = server.get_request_handler(method)
    assert entry is not None
    return entry.handler


def _add_to_list(server: Server[McpParts], method: str, kind: str, more: list[Any]) -> None:
    ours = _find(server, method)

    async def answer(ctx: Context, params: PaginatedRequestParams) -> dict[str, Any]:
        listed = await ours(ctx, params)
        return listed | {kind: [*more, *listed[kind]]}

    server.add_request_handler(method, PaginatedRequestParams, answer)


def _add_tools(server: Server[McpParts]) -> None:
    ours = _find(server, "tools/call")

    async def call(ctx: Context, params: CallToolRequestParams) -> dict[str, Any]:
        run = RUNS.get(params.name, ours)
        return await run(ctx, params)

    server.add_request_handler("tools/call", CallToolRequestParams, call)
    _add_to_list(server, "tools/list", "tools", [_describe(name) for name in RUNS])


def _describe(name: str) -> dict[str, Any]:
    required = ARGUMENTS.get(name, [])
    properties = {one: {"type": "string"} for one in required}
    schema = {"type": "object", "properties": properties, "required": required}
    return {"name": name, "description": f"For the suite: {name}.", "inputSchema": schema}


def _add_resources(server: Server[McpParts]) -> None:
    ours = _find(server, "resources/read")

    async def read(ctx: Context, params: ReadResourceRequestParams) -> dict[str, Any]:
        uri = str(params.uri)
        content = RESOURCES.get(uri)
        if found := re.fullmatch(r"test://template/(\w+)/data", uri):
            data = {"id": found[1], "templateTest": True, "data": f"Data for ID: {found[1]}"}
            content = {"mimeType": "application/json", "text": json.dumps(data)}
        if content is None:
            return await ours(ctx, params)
        return {"contents": [{"uri": uri, **content}], "resultType": "complete"}

    server.add_request_handler("resources/read", ReadResourceRequestParams, read)
    listed = [
        {"uri": uri, "name": uri, "description": "For the suite.", "mimeType": one["mimeType"]}
        for uri, one in RESOURCES.items()
    ]
    _add_to_list(server, "resources/list", "resources", listed)
    template = {"uriTemplate": TEMPLATE, "name": "template", "description": "For the suite."}
    _add_to_list(server, "resources/templates/list", "resourceTemplates", [template])


def _add_prompts(server: Server[McpParts]) -> None:
    ours = _find(server, "prompts/get")

    async def get(ctx: Context, params: GetPromptRequestParams) -> dict[str, Any]:
        if params.name not in PROMPTS:
            return await ours(ctx, params)
        if params.name == "test_input_required_result_prompt" and not answered(params, CONTEXT):
            return require(CONTEXT)
        said = [{"role": "user", "content": one} for one in _speak(params)]
        return {"messages": said, "resultType": "complete"}

    server.add_request_handler("prompts/get", GetPromptRequestParams, get)
    listed = [
        {
            "name": name,
            "description": "For the suite.",
            "arguments": [{"name": one, "required": True} for one in arguments],
        }
        for name, arguments in PROMPTS.items()
    ]
    _add_to_list(server, "prompts/list", "prompts", listed)


def _speak(params: GetPromptRequestParams) -> list[dict[str, Any]]:
    given = params.arguments or {}
    if params.name == "test_prompt_with_arguments":
        return [text(f"Prompt with arguments: arg1='{given['arg1']}', arg2='{given['arg2']}'")]
    if params.name == "test_prompt_with_embedded_resource":
        said = "Embedded resource content for testing."
        return [
            embed(given["resourceUri"], "text/plain", said),
            text("Please process the embedded resource above."),
        ]
    if params.name == "test_prompt_with_image":
        return [IMAGE, text("Please analyze the image above.")]
    return [text("This is a simple prompt for testing.")]
