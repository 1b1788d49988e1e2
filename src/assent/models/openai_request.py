"""A model request as the JSON body of an OpenAI-style chat completion. Pure.

The instructions become one system message: templates of several open models refuse a second one.
Without tools that may be called the body names none and no `tool_choice`: told "none", some models
print the markup of a call instead of an answer.
"""

import base64
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Literal

import msgspec

from assent.models.model import (
    AssistantMessage,
    CallPart,
    ImagePart,
    Message,
    ModelRequest,
    OfferedTool,
    ReasoningPart,
    TextPart,
    ToolMessage,
    UserMessage,
)
from assent.value import strip_unstorable


@dataclass(frozen=True, slots=True, kw_only=True)
class Dialect:
    """Where servers differ in what they take.

    `limit_field` names the bound of the answer. `sends_reasoning` gives earlier reasoning back as
    `reasoning_content`, which a few servers need and others refuse. `asks_for_usage` sends
    `stream_options`, which some old servers refuse.
    """

    limit_field: Literal["max_tokens", "max_completion_tokens"] = "max_tokens"
    sends_reasoning: bool = False
    asks_for_usage: bool = True


OPENAI = Dialect(limit_field="max_completion_tokens")
GENERIC = Dialect()


def encode_request(request: ModelRequest, dialect: Dialect) -> bytes:
    body = build_body(request, dialect)
    try:
        return msgspec.json.encode(body)
    except UnicodeEncodeError:
        return msgspec.json.encode(strip_unstorable(body))


def build_body(request: ModelRequest, dialect: Dialect) -> dict[str, Any]:
    body: dict[str, Any] = {
        "model": request.model,
        "messages": list(_list_messages(request, dialect)),
        dialect.limit_field: request.max_tokens,
        "stream": True,
    }
    if dialect.asks_for_usage:
        body["stream_options"] = {"include_usage": True}
    if request.callable_tools:
        body["tools"] = [_describe_tool(tool) for tool in request.callable_tools]
    if request.output_schema is not None:
        body["response_format"] = {
            "type": "json_schema",
            "json_schema": {"name": "answer", "schema": dict(request.output_schema)},
        }
    return body


def _list_messages(request: ModelRequest, dialect: Dialect) -> Iterator[dict[str, Any]]:
    if request.instructions:
        yield {"role": "system", "content": "\n\n".join(request.instructions)}
    for message in request.messages:
        yield from _translate(message, dialect)


def _translate(message: Message, dialect: Dialect) -> Iterator[dict[str, Any]]:
    match message:
        case UserMessage(parts):
            yield {"role": "user", "content": _build_content(parts)}
        case AssistantMessage():
            yield from _translate_assistant(message, dialect)
        case ToolMessage(results):
            for result in results:
                yield {"role": "tool", "tool_call_id": result.call_id, "content": result.content}


def _build_content(parts: tuple[TextPart | ImagePart, ...]) -> str | list[dict[str, Any]]:
    """One text where there are only texts: not every server reads a list."""
    texts = [part.text for part in parts if isinstance(part, TextPart)]
    if len(texts) == len(parts):
        return "\n\n".join(texts)
    return [_build_piece(part) for part in parts]


def _build_piece(part: TextPart | ImagePart) -> dict[str, Any]:
    match part:
        case TextPart(text):
            return {"type": "text", "text": text}
        case ImagePart(media_type, data):
            encoded = base64.b64encode(data).decode()
            return {
                "type": "image_url",
                "image_url": {"url": f"data:{media_type};base64,{encoded}"},
            }


def _translate_assistant(message: AssistantMessage, dialect: Dialect) -> Iterator[dict[str, Any]]:
    """Nothing for a message that holds only reasoning which is not sent back."""
    text = "".join(part.text for part in message.parts if isinstance(part, TextPart))
    calls = [_build_call(part) for part in message.parts if isinstance(part, CallPart)]
    reasoning = "".join(part.text for part in message.parts if isinstance(part, ReasoningPart))
    translated: dict[str, Any] = {"role": "assistant", "content": text}
    if calls:
        translated |= {"content": text or None, "tool_calls": calls}
    if reasoning and dialect.sends_reasoning:
        translated["reasoning_content"] = reasoning
    if text or len(translated) > 2:
        yield translated


def _build_call(part: CallPart) -> dict[str, Any]:
    function = {"name": part.name, "arguments": part.arguments}
    return {"id": part.id, "type": "function", "function": function}


def _describe_tool(tool: OfferedTool) -> dict[str, Any]:
    function = {
        "name": tool.name,
        "description": tool.description,
        "parameters": dict(tool.input_schema),
    }
    return {"type": "function", "function": function}
