"""One piece of an OpenAI-style answer, from JSON text to a typed value. Pure.

The usual shapes are decoded in one pass. What does not fit is read a second time with patience:
lone surrogates, broken UTF-8, content in a list, arguments as an object, numbers as text.
"""

import json
from collections.abc import Mapping
from typing import Any, cast

import msgspec

from assent.tools.json_value import encode_json
from assent.value import strip_unstorable


class Function(msgspec.Struct, gc=False):
    name: str | None = None
    arguments: str | None = None


class CallPiece(msgspec.Struct, gc=False):
    index: int | None = None
    id: str | None = None
    function: Function | None = None


class Delta(msgspec.Struct, gc=False):
    """What is new; in an answer that was not streamed, all of it."""

    content: str | None = None
    reasoning_content: str | None = None
    reasoning: str | None = None
    refusal: str | None = None
    tool_calls: list[CallPiece] | None = None
    function_call: Function | None = None


class Choice(msgspec.Struct, gc=False):
    index: int | None = None
    delta: Delta | None = None
    message: Delta | None = None
    finish_reason: str | None = None


class Details(msgspec.Struct, gc=False):
    cached_tokens: int | None = None
    cache_write_tokens: int | None = None
    reasoning_tokens: int | None = None


class Counts(msgspec.Struct, gc=False):
    prompt_tokens: int | None = None
    completion_tokens: int | None = None
    total_tokens: int | None = None
    prompt_cache_hit_tokens: int | None = None
    prompt_tokens_details: Details | None = None
    completion_tokens_details: Details | None = None


class GroqExtra(msgspec.Struct, gc=False):
    usage: Counts | None = None


class Chunk(msgspec.Struct, gc=False):
    choices: list[Choice] | None = None
    usage: Counts | None = None
    x_groq: GroqExtra | None = None
    error: Any = None


_decode = msgspec.json.Decoder(Chunk).decode


def parse_chunk(payload: bytes) -> Chunk | None:
    """`None` for what is no JSON object, or not yet a whole one."""
    try:
        return _decode(payload)
    except ValueError:
        document = parse_document(payload)
        return None if document is None else _read_chunk(document)


def parse_document(payload: bytes) -> dict[str, Any] | None:
    """The JSON object, also as the first of a list, without what cannot be stored."""
    try:
        value: Any = json.loads(payload.decode("utf-8", "replace"))
    except (ValueError, RecursionError):
        return None
    if isinstance(value, list) and value:
        value = cast(list[Any], value)[0]
    return strip_unstorable(value) if isinstance(value, dict) else None


def _read_chunk(found: Mapping[str, Any]) -> Chunk:
    choices = found.get("choices")
    return Chunk(
        choices=[_read_choice(one) for one in _objects(choices)] if choices is not None else None,
        usage=_read_counts(found.get("usage")),
        x_groq=GroqExtra(_read_counts(_object(found.get("x_groq")).get("usage"))),
        error=found.get("error"),
    )


def _read_choice(found: Mapping[str, Any]) -> Choice:
    return Choice(
        index=_whole(found.get("index")),
        delta=_read_delta(found.get("delta")),
        message=_read_delta(found.get("message")),
        finish_reason=_text(found.get("finish_reason")),
    )


def _read_delta(value: Any) -> Delta | None:
    if not isinstance(value, dict):
        return None
    found = _object(value)
    content, thoughts = _read_content(found.get("content"))
    return Delta(
        content=content,
        reasoning_content=_text(found.get("reasoning_content")) or thoughts,
        reasoning=_text(found.get("reasoning")),
        refusal=_text(found.get("refusal")),
        tool_calls=[_read_call(one) for one in _objects(found.get("tool_calls"))],
        function_call=_read_function(found.get("function_call")),
    )


def _read_content(value: Any) -> tuple[str | None, str | None]:
    """Text and thoughts. Some servers send a list of typed pieces, thoughts as lists in it."""
    pieces = _objects(value)
    if not pieces:
        return _text(value), None
    texts = [_text(one.get("text")) or "" for one in pieces]
    thoughts = [_read_content(one.get("thinking"))[0] or "" for one in pieces]
    return "".join(texts), "".join(thoughts)


def _read_call(found: Mapping[str, Any]) -> CallPiece:
    return CallPiece(
        index=_whole(found.get("index")),
        id=_text(found.get("id")),
        function=_read_function(found.get("function")),
    )


def _read_function(value: Any) -> Function | None:
    if not isinstance(value, dict):
        return None
    found = _object(value)
    arguments = found.get("arguments")
    return Function(
        name=_text(found.get("name")),
        arguments=encode_json(arguments) if isinstance(arguments, dict) else _text(arguments),
    )


def _read_counts(value: Any) -> Counts | None:
    if not isinstance(value, dict):
        return None
    found = _object(value)
    return Counts(
        prompt_tokens=_whole(found.get("prompt_tokens")),
        completion_tokens=_whole(found.get("completion_tokens")),
        total_tokens=_whole(found.get("total_tokens")),
        prompt_cache_hit_tokens=_whole(found.get("prompt_cache_hit_tokens")),
        prompt_tokens_details=_read_details(found.get("prompt_tokens_details")),
        completion_tokens_details=_read_details(found.get("completion_tokens_details")),
    )


def _read_details(value: Any) -> Details:
    found = _object(value)
    return Details(
        cached_tokens=_whole(found.get("cached_tokens")),
        cache_write_tokens=_whole(found.get("cache_write_tokens")),
        reasoning_tokens=_whole(found.get("reasoning_tokens")),
    )


def _object(value: Any) -> Mapping[str, Any]:
    return cast(dict[str, Any], value) if isinstance(value, dict) else {}


def _objects(value: Any) -> list[Mapping[str, Any]]:
    items = cast(list[Any], value) if isinstance(value, list) else []
    return [_object(item) for item in items if isinstance(item, dict)]


def _text(value: Any) -> str | None:
    if isinstance(value, int | float) and not isinstance(value, bool):
        return str(value)
    return value if isinstance(value, str) else None


def _whole(value: Any) -> int | None:
    try:
        return int(value)
    except (TypeError, ValueError, OverflowError):
        return None
