"""Tools, resources and prompts that the public conformance suite calls by name."""

import asyncio
import json
from collections.abc import Awaitable, Callable, Mapping
from typing import Any, TypeAlias

from mcp.server.context import ServerRequestContext
from mcp.shared.exceptions import MCPError
from mcp.shared.message import ServerMessageMetadata
from mcp_types import (
    MISSING_REQUIRED_CLIENT_CAPABILITY,
    CallToolRequestParams,
    CreateMessageRequest,
    CreateMessageResult,
    ElicitRequest,
    ElicitResult,
)

Context: TypeAlias = ServerRequestContext[Any, Any]
Run: TypeAlias = Callable[[Context, CallToolRequestParams], Awaitable[dict[str, Any]]]

PIXEL = (
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8"
    "z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg=="
)
SILENCE = "UklGRiQAAABXQVZFZm10IBAAAAABAAEAQB8AAEAfAAABAAgAZGF0YQAAAAA="
IMAGE = {"type": "image", "data": PIXEL, "mimeType": "image/png"}
PAUSE = 0.02


def text(said: str) -> dict[str, Any]:
    return {"type": "text", "text": said}


def complete(*content: Mapping[str, Any], is_error: bool = False) -> dict[str, Any]:
    return {"content": list(content), "isError": is_error, "resultType": "complete"}


def embed(uri: str, kind: str, said: str) -> dict[str, Any]:
    return {"type": "resource", "resource": {"uri": uri, "mimeType": kind, "text": said}}


def always(result: dict[str, Any]) -> Run:
    async def run(ctx: Context, params: CallToolRequestParams) -> dict[str, Any]:
        return result

    return run


async def tell_log(ctx: Context, params: CallToolRequestParams) -> dict[str, Any]:
    for said in ("Tool execution started", "Tool processing data", "Tool execution completed"):
        await ctx.session.send_log_message(
            level="info", data=said, related_request_id=ctx.request_id
        )
        await asyncio.sleep(PAUSE)
    return complete(text("Logged."))


async def tell_progress(ctx: Context, params: CallToolRequestParams) -> dict[str, Any]:
    for done in (0, 50, 100):
        await ctx.session.report_progress(done, 100)
        await asyncio.sleep(PAUSE)
    return complete(text("Done."))


async def ask_model(ctx: Context, params: CallToolRequestParams) -> dict[str, Any]:
    said = {"role": "user", "content": text((params.arguments or {})["prompt"])}
    request = CreateMessageRequest.model_validate(
        {"method": "sampling/createMessage", "params": {"messages": [said], "maxTokens": 100}}
    )
    answer = await ctx.session.send_request(request, CreateMessageResult, metadata=_within(ctx))
    spoken = answer.content
    return complete(text(f"LLM response: {getattr(spoken, 'text', '')}"))


def ask_person(properties: dict[str, Any], required: list[str], begin: str) -> Run:
    async def run(ctx: Context, params: CallToolRequestParams) -> dict[str, Any]:
        message = (params.arguments or {}).get("message", "Please answer.")
        schema = {"type": "object", "properties": properties, "required": required}
        request = ElicitRequest.model_validate(
            {
                "method": "elicitation/create",
                "params": {"mode": "form", "message": message, "requestedSchema": schema},
            }
        )
        answer = await ctx.session.send_request(request, ElicitResult, metadata=_within(ctx))
        content = json.dumps(answer.content)
        return complete(text(f"{begin}: action={answer.action}, content={content}"))

    return run


def _within(ctx: Context) -> ServerMessageMetadata:
    return ServerMessageMetadata(related_request_id=ctx.request_id)


async def need_sampling(ctx: Context, params: CallToolRequestParams) -> dict[str, Any]:
    capabilities = ctx.session.client_capabilities
    if capabilities is None or capabilities.sampling is None:
        raise MCPError(
            MISSING_REQUIRED_CLIENT_CAPABILITY,
            "This needs sampling.",
            {"requiredCapabilities": {"sampling": {}}},
        )
    return complete(text("There is sampling."))


SOME_OPTIONS = ["option1", "option2", "option3"]
TITLED = [
    {"const": f"value{number}", "title": f"{word} Option"}
    for number, word in enumerate(("First", "Second", "Third"), 1)
]
ENUMS = {
    "untitledSingle": {"type": "string", "enum": SOME_OPTIONS},
    "titledSingle": {"type": "string", "oneOf": TITLED},
    "legacyEnum": {
        "type": "string",
        "enum": ["opt1", "opt2", "opt3"],
        "enumNames": ["Option One", "Option Two", "Option Three"],
    },
    "untitledMulti": {"type": "array", "items": {"type": "string", "enum": SOME_OPTIONS}},
    "titledMulti": {"type": "array", "items": {"anyOf": TITLED}},
}
DEFAULTS = {
    "name": {"type": "string", "default": "John Doe"},
    "age": {"type": "integer", "default": 30},
    "score": {"type": "number", "default": 95.5},
    "status": {"type": "string", "enum": ["active", "inactive", "pending"], "default": "active"},
    "verified": {"type": "boolean", "default": True},
}
PERSON = {
    "username": {"type": "string", "description": "User's response"},
    "email": {"type": "string", "description": "User's email address"},
}
COMPLETED = "Elicitation completed"

TOOLS: dict[str, Run] = {
    "test_simple_text": always(complete(text("This is a simple text response for testing."))),
    "test_image_content": always(complete(IMAGE)),
    "test_audio_content": always(
        complete({"type": "audio", "data": SILENCE, "mimeType": "audio/wav"})
    ),
    "test_embedded_resource": always(
        complete(
            embed("test://embedded-resource", "text/plain", "This is an embedded resource content.")
        )
    ),
    "test_multiple_content_types": always(
        complete(
            text("Multiple content types test:"),
            IMAGE,
            embed(
                "test://mixed-content-resource",
                "application/json",
                json.dumps({"test": "data", "value": 123}),
            ),
        )
    ),
    "test_error_handling": always(
        complete(text("This tool intentionally returns an error for testing"), is_error=True)
    ),
    "test_tool_with_logging": tell_log,
    "test_logging_tool": tell_log,
    "test_tool_with_progress": tell_progress,
    "test_sampling": ask_model,
    "test_elicitation": ask_person(PERSON, ["username", "email"], "User response"),
    "test_elicitation_sep1034_defaults": ask_person(DEFAULTS, [], COMPLETED),
    "test_elicitation_sep1330_enums": ask_person(ENUMS, [], COMPLETED),
    "test_missing_capability": need_sampling,
    "test_streaming_elicitation": tell_progress,
}
ARGUMENTS: dict[str, list[str]] = {"test_sampling": ["prompt"], "test_elicitation": ["message"]}
