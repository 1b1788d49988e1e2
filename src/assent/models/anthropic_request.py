"""A model request as the JSON body of Anthropic's Messages API. Pure.

Four breakpoints tell the server what to keep in its cache: the tools, the instructions that stay
the same (all but the last), what the person said last, and the end of the conversation. What is
before one has to be the same to the byte the next time, so the last instruction, which differs each
time, does not stand before the conversation but after what the person said last. It never follows
the results of tools: words there make these models end their answer.

Thoughts go back with the signature that they came with, to the model that wrote them and to no
other, and only if nobody has changed them since.
"""

import base64
import hashlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal, TypeAlias, cast

import msgspec

from assent.models.model import (
    AssistantMessage,
    CallPart,
    ImagePart,
    Message,
    ModelRequest,
    OfferedTool,
    ReasoningPart,
    ResultPart,
    TextPart,
    ToolMessage,
    UserMessage,
)
from assent.value import strip_unstorable

Json: TypeAlias = dict[str, Any]
Form: TypeAlias = Literal["format", "tool"]
"""How an answer of a given shape is asked for: in the API's own way, or as a call to be made."""

PROVIDER = "anthropic"
ANSWER_TOOL = "give_answer"
CACHED = {"type": "ephemeral"}
IMAGES = frozenset({"image/jpeg", "image/png", "image/gif", "image/webp"})
MOMENT = "(Not from the person. What holds at this moment:)"
GO_ON = "Go on exactly where you stopped."
KEPT_CALLS = 5
"""Newest tool uses whose results are never cleared."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Dialect:
    """What an integration wants of it, and what its server takes.

    With `thinks` the model may think before it answers; `returns_thoughts` gives it back what it
    thought before. With a `window` the server takes old tool results out of what is sent once half
    of it is full. `form` is how an answer of a shape is asked for. With `may_forbid` it is told
    when tools are not to be called any more; whatever it calls then is refused here.
    """

    thinks: bool = False
    returns_thoughts: bool = True
    window: int | None = None
    form: Form = "format"
    may_forbid: bool = True


def find_lesser(dialect: Dialect, refusal: str, *, is_shaped: bool) -> Dialect | None:
    """What to do without when a server refuses it by its name, if it is anything of ours.

    Servers with this API come in all ages, and so do the models behind them.
    """
    if dialect.window is not None and "context_management" in refusal:
        return replace(dialect, window=None)
    if dialect.returns_thoughts and "thinking" in refusal:
        return replace(dialect, thinks=False, returns_thoughts=False)
    if dialect.may_forbid and "tool_choice" in refusal:
        return replace(dialect, may_forbid=False)
    if is_shaped and dialect.form == "format":
        return replace(dialect, form="tool")
    return None


def encode_request(request: ModelRequest, dialect: Dialect) -> bytes:
    body = build_body(request, dialect)
    try:
        return msgspec.json.encode(body)
    except UnicodeEncodeError:
        return msgspec.json.encode(strip_unstorable(body))


def build_body(request: ModelRequest, dialect: Dialect) -> Json:
    messages = _build_messages(request, dialect)
    body: Json = {
        "model": request.model,
        "max_tokens": request.max_tokens,
        "stream": True,
        "messages": messages,
    }
    if system := _build_system(request):
        body["system"] = system
    if tools := _list_tools(request):
        body["tools"] = _mark([_describe_tool(tool) for tool in tools])
        if not request.callable_tools and dialect.may_forbid:
            body["tool_choice"] = {"type": "none"}
    if request.purpose == "turn" and request.output_schema is None:
        if dialect.thinks and _may_think(messages):
            body["thinking"] = {"type": "adaptive", "display": "summarized"}
        if dialect.window is not None and request.tools:
            body["context_management"] = {"edits": [_build_edit(dialect.window)]}
    if request.output_schema is not None:
        body |= _ask_for_shape(request.output_schema, dialect.form)
    return body


def build_digest(thought: str) -> str:
    """By which a thought is known to be unchanged."""
    return hashlib.sha256(thought.encode("utf-8", "surrogatepass")).hexdigest()[:16]


def _list_tools(request: ModelRequest) -> Sequence[OfferedTool]:
    """The server refuses calls in a history without tools, whoever made them."""
    if request.tools:
        return request.tools
    answers = (one for one in request.messages if isinstance(one, AssistantMessage))
    called = (part.name for one in answers for part in one.parts if isinstance(part, CallPart))
    return [OfferedTool(name, "Not there any more.", {}) for name in dict.fromkeys(called)]


def _build_system(request: ModelRequest) -> list[Json]:
    _, stable = _split_instructions(request)
    return _mark([{"type": "text", "text": text} for text in stable if text.strip()])


def _split_instructions(request: ModelRequest) -> tuple[str, Sequence[str]]:
    """The part that differs each time, if there are several, and those that stay the same."""
    *stable, last = request.instructions or ("",)
    has_place = any(isinstance(one, UserMessage) for one in request.messages)
    return (last, stable) if stable and has_place else ("", request.instructions)


def _mark(blocks: list[Json]) -> list[Json]:
    """The blocks with a breakpoint at their end."""
    return [*blocks[:-1], {**blocks[-1], "cache_control": CACHED}] if blocks else []


def _build_messages(request: ModelRequest, dialect: Dialect) -> list[Json]:
    """Messages of one role after another become one."""
    messages: list[Json] = []
    moment, _ = _split_instructions(request)
    asked = [n for n, one in enumerate(request.messages) if isinstance(one, UserMessage)]
    for number, message in enumerate(request.messages):
        role = "assistant" if isinstance(message, AssistantMessage) else "user"
        blocks = list(_translate(message, request.model if dialect.returns_thoughts else None))
        if moment and number == asked[-1]:
            blocks = [*_mark(blocks), {"type": "text", "text": f"{MOMENT}\n\n{moment}"}]
        if messages and messages[-1]["role"] == role:
            messages[-1]["content"] += blocks
        elif blocks:
            messages.append({"role": role, "content": blocks})
    if messages and messages[-1]["role"] == "assistant":
        messages.append({"role": "user", "content": [{"type": "text", "text": GO_ON}]})
    ends_with_moment = moment and asked[-1] == len(request.messages) - 1
    if messages and not ends_with_moment:
        messages[-1]["content"] = _mark(messages[-1]["content"])
    return messages


def _translate(message: Message, model: str | None) -> Iterator[Json]:
    """`model` is who gets back what it thought."""
    match message:
        case UserMessage(parts):
            for part in parts:
                yield from _build_block(part)
        case AssistantMessage(parts):
            for part in parts:
                yield from _translate_answer(part, model)
        case ToolMessage(results):
            for result in results:
                yield _build_result(result)


def _build_block(part: TextPart | ImagePart) -> Iterator[Json]:
    """Nothing for a text without words, which the server refuses."""
    match part:
        case TextPart(text):
            if text.strip():
                yield {"type": "text", "text": text}
        case ImagePart(media_type, data) if media_type in IMAGES:
            encoded = base64.b64encode(data).decode()
            source = {"type": "base64", "media_type": media_type, "data": encoded}
            yield {"type": "image", "source": source}
        case ImagePart(media_type):
            yield {"type": "text", "text": f"(An image that cannot be shown: {media_type}.)"}


def _translate_answer(
    part: TextPart | ReasoningPart | CallPart, model: str | None
) -> Iterator[Json]:
    match part:
        case TextPart():
            yield from _build_block(part)
        case ReasoningPart(text, opaque):
            yield from _give_back(text, opaque, model)
        case CallPart(call_id, name, arguments):
            given = _parse_arguments(arguments)
            yield {"type": "tool_use", "id": call_id, "name": name, "input": given}


def _give_back(thought: str, opaque: Mapping[str, Any] | None, model: str | None) -> Iterator[Json]:
    if model is None or opaque is None:
        return
    if opaque.get("provider") != PROVIDER or opaque.get("model") != model:
        return
    if isinstance(opaque.get("redacted"), str):
        yield {"type": "redacted_thinking", "data": opaque["redacted"]}
    elif opaque.get("signature") and opaque.get("digest") == build_digest(thought):
        yield {"type": "thinking", "thinking": thought, "signature": opaque["signature"]}


def _build_result(result: ResultPart) -> Json:
    block: Json = {
        "type": "tool_result",
        "tool_use_id": result.call_id,
        "content": result.content or "(nothing)",
    }
    return {**block, "is_error": True} if result.is_error else block


def _parse_arguments(arguments: str) -> Json:
    try:
        given: Any = msgspec.json.decode(arguments)
    except ValueError:
        return {}
    return cast(Json, given) if isinstance(given, dict) else {}


def _describe_tool(tool: OfferedTool) -> Json:
    return {
        "name": tool.name,
        "description": tool.description,
        "input_schema": {"type": "object", **tool.input_schema},
    }


def _may_think(messages: Sequence[Json]) -> bool:
    """Whether calls that wait for an answer begin with the thoughts that led to them.

    Where those are missing, as after a change of models, servers refuse to let a model think on.
    """
    for message in reversed(messages):
        kinds = [block["type"] for block in message["content"]]
        if message["role"] == "user" and "tool_result" not in kinds:
            return True
        if "tool_use" in kinds and kinds[0] not in ("thinking", "redacted_thinking"):
            return False
    return True


def _build_edit(window: int) -> Json:
    return {
        "type": "clear_tool_uses_20250919",
        "trigger": {"type": "input_tokens", "value": window // 2},
        "keep": {"type": "tool_uses", "value": KEPT_CALLS},
        "clear_at_least": {"type": "input_tokens", "value": window // 16},
    }


def _ask_for_shape(schema: Mapping[str, Any], form: Form) -> Json:
    if form == "format":
        shape = _close(dict(schema))
        return {"output_config": {"format": {"type": "json_schema", "schema": shape}}}
    answer = OfferedTool(ANSWER_TOOL, "Give your answer.", schema)
    return {
        "tools": [_describe_tool(answer)],
        "tool_choice": {"type": "tool", "name": ANSWER_TOOL, "disable_parallel_tool_use": True},
    }


def _close(schema: Any) -> Any:
    """The schema with objects that take no other fields: the server takes no others."""
    if isinstance(schema, list):
        return [_close(one) for one in cast(list[Any], schema)]
    if not isinstance(schema, dict):
        return schema
    closed = {key: _close(value) for key, value in cast(Json, schema).items()}
    if closed.get("type") == "object":
        closed["additionalProperties"] = False
    return closed
