"""What a run says while it works: the chunks of the AI SDK's UI message stream as values. Pure.

Only chunk types that both supported majors of the client know, and an optional field is left out,
never null: the client ends the stream at anything else. An encoded event has no id yet; numbering
is the journal's (`frames.py`).
"""

from collections.abc import Iterable, Mapping
from itertools import groupby
from typing import Any, Literal, NamedTuple, TypeAlias, cast

import msgspec
from msgspec import UNSET, UnsetType

from assent.errors import AssentError
from assent.models.model import FinishReason, Usage

DONE = b"data: [DONE]\n\n"
HEARTBEAT = b": heartbeat\n\n"
UNEXPECTED = "Something went wrong. The log has the details."
OWN = "assent"
"""Where our own facts stand in a chunk's `providerMetadata`."""

ShownReason: TypeAlias = Literal["stop", "length", "content-filter", "tool-calls", "error", "other"]
DataType: TypeAlias = Literal[
    "data-proposal",
    "data-receipt",
    "data-applied",
    "data-question",
    "data-quick-replies",
    "data-picker",
    "data-progress",
    "data-plan",
    "data-delegation",
    "data-title",
    "data-phase",
]
TRANSIENT: frozenset[DataType] = frozenset({"data-progress", "data-title", "data-phase"})
"""Shown while the run goes on, and stored nowhere."""

_SHOWN: Mapping[FinishReason, ShownReason] = {
    "stop": "stop",
    "length": "length",
    "tool_calls": "tool-calls",
    "content_filter": "content-filter",
    "other": "other",
}


class _Chunk(msgspec.Struct, frozen=True, rename="camel", tag_field="type"):
    pass


class Start(_Chunk, frozen=True, tag="start"):
    """The message begins, or begins again: a follower drops what it has of it."""

    message_id: str
    message_metadata: dict[str, Any]


class StartStep(_Chunk, frozen=True, tag="start-step"):
    pass


class FinishStep(_Chunk, frozen=True, tag="finish-step"):
    pass


class TextStart(_Chunk, frozen=True, gc=False, tag="text-start"):
    id: str


class TextPiece(_Chunk, frozen=True, gc=False, tag="text-delta"):
    id: str
    delta: str


class TextEnd(_Chunk, frozen=True, gc=False, tag="text-end"):
    id: str


class ReasoningStart(_Chunk, frozen=True, gc=False, tag="reasoning-start"):
    id: str


class ReasoningPiece(_Chunk, frozen=True, gc=False, tag="reasoning-delta"):
    id: str
    delta: str


class ReasoningEnd(_Chunk, frozen=True, tag="reasoning-end"):
    id: str
    provider_metadata: dict[str, dict[str, Any]] | UnsetType = UNSET


class InputStart(_Chunk, frozen=True, gc=False, tag="tool-input-start"):
    id: str = msgspec.field(name="toolCallId")
    tool_name: str
    title: str | UnsetType = UNSET
    dynamic: bool = True


class InputPiece(_Chunk, frozen=True, gc=False, tag="tool-input-delta"):
    id: str = msgspec.field(name="toolCallId")
    delta: str = msgspec.field(name="inputTextDelta")


class InputReady(_Chunk, frozen=True, tag="tool-input-available"):
    id: str = msgspec.field(name="toolCallId")
    tool_name: str
    input: Any
    title: str | UnsetType = UNSET
    dynamic: bool = True


class InputError(_Chunk, frozen=True, tag="tool-input-error"):
    """The arguments cannot be read; `input` is what the model wrote."""

    id: str = msgspec.field(name="toolCallId")
    tool_name: str
    input: Any
    error_text: str
    title: str | UnsetType = UNSET
    dynamic: bool = True


class OutputReady(_Chunk, frozen=True, tag="tool-output-available"):
    id: str = msgspec.field(name="toolCallId")
    output: Any
    dynamic: bool = True


class OutputError(_Chunk, frozen=True, gc=False, tag="tool-output-error"):
    id: str = msgspec.field(name="toolCallId")
    error_text: str
    dynamic: bool = True


class OutputDenied(_Chunk, frozen=True, gc=False, tag="tool-output-denied"):
    id: str = msgspec.field(name="toolCallId")


class SourceUrl(_Chunk, frozen=True, gc=False, tag="source-url"):
    source_id: str
    url: str
    title: str | UnsetType = UNSET


class SourceDocument(_Chunk, frozen=True, gc=False, tag="source-document"):
    source_id: str
    media_type: str
    title: str
    filename: str | UnsetType = UNSET


class File(_Chunk, frozen=True, gc=False, tag="file"):
    url: str
    media_type: str


class MessageMetadata(_Chunk, frozen=True, tag="message-metadata"):
    message_metadata: dict[str, Any]


class Finish(_Chunk, frozen=True, tag="finish"):
    finish_reason: ShownReason
    message_metadata: dict[str, Any] | UnsetType = UNSET


class Abort(_Chunk, frozen=True, gc=False, tag="abort"):
    reason: str | UnsetType = UNSET


class Failure(_Chunk, frozen=True, gc=False, tag="error"):
    """The last event of a run that failed: the client reads no further."""

    error_text: str


class Data(msgspec.Struct, frozen=True):
    """A part of our own, made by `build_data`. The same type and id again replaces its data."""

    type: DataType
    id: str
    data: Any
    transient: bool | UnsetType = UNSET


Piece: TypeAlias = TextPiece | ReasoningPiece | InputPiece
PIECES = frozenset({TextPiece, ReasoningPiece, InputPiece})
Chunk: TypeAlias = (
    Start
    | StartStep
    | FinishStep
    | TextStart
    | TextPiece
    | TextEnd
    | ReasoningStart
    | ReasoningPiece
    | ReasoningEnd
    | InputStart
    | InputPiece
    | InputReady
    | InputError
    | OutputReady
    | OutputError
    | OutputDenied
    | SourceUrl
    | SourceDocument
    | File
    | MessageMetadata
    | Finish
    | Abort
    | Failure
)
Event: TypeAlias = Chunk | Data

_ENCODE = msgspec.json.Encoder().encode
_CHUNKS = msgspec.json.Decoder(Chunk)
_DATA = msgspec.json.Decoder(Data)
_DATA_START = b'{"type":"data-'


def build_start(message_id: str, run_id: str) -> Start:
    return Start(message_id, {"runId": run_id})


def build_finish(reason: FinishReason, usage: Usage | None) -> Finish:
    metadata = UNSET if usage is None else {"usage": encode_usage(usage)}
    return Finish(_SHOWN[reason], metadata)


def build_failure(error: Exception) -> Failure:
    """Only what Assent itself says about an error is fit to be read."""
    return Failure(error.message if isinstance(error, AssentError) else UNEXPECTED)


def describe_failure(error: Exception) -> dict[str, str]:
    """As it is stored with the run."""
    code = error.code if isinstance(error, AssentError) else "internal"
    return {"code": code, "message": build_failure(error).error_text}


def build_data(kind: DataType, part_id: str, data: dict[str, Any]) -> Data:
    return Data(kind, part_id, data, True if kind in TRANSIENT else UNSET)


def encode_usage(usage: Usage) -> dict[str, int]:
    encoded = {
        "inputTokens": usage.input,
        "outputTokens": usage.output,
        "cacheReadTokens": usage.cache_read,
        "cacheWriteTokens": usage.cache_write,
        "reasoningTokens": usage.reasoning,
    }
    if usage.cleared_calls or usage.cleared_input:
        encoded["clearedToolUses"] = usage.cleared_calls
        encoded["clearedInputTokens"] = usage.cleared_input
    return encoded


def parse_usage(encoded: dict[str, int]) -> Usage:
    """Read what `encode_usage` wrote."""
    return Usage(
        input=encoded["inputTokens"],
        output=encoded["outputTokens"],
        cache_read=encoded["cacheReadTokens"],
        cache_write=encoded["cacheWriteTokens"],
        reasoning=encoded["reasoningTokens"],
        cleared_calls=encoded.get("clearedToolUses", 0),
        cleared_input=encoded.get("clearedInputTokens", 0),
    )


def encode_event(event: Event) -> bytes:
    """One server-sent event, without its id."""
    body = _ENCODE(event)
    if type(event) not in PIECES and (b'"__proto__":' in body or b'"constructor":' in body):
        body = _ENCODE(drop_forbidden(msgspec.to_builtins(event)))
    return b"data: %b\n\n" % body


def parse_event(encoded: bytes) -> Event:
    """Read what `encode_event` wrote; raise `ValueError` for anything else."""
    body = encoded.removeprefix(b"data: ")
    return (_DATA if body.startswith(_DATA_START) else _CHUNKS).decode(body)


def drop_forbidden(value: Any) -> Any:
    """Leave out the keys at which the client's JSON parser, on its guard, ends the stream."""
    if isinstance(value, list):
        return [drop_forbidden(item) for item in cast(list[Any], value)]
    if isinstance(value, dict):
        items = cast(dict[str, Any], value).items()
        return {key: drop_forbidden(item) for key, item in items if not _is_forbidden(key, item)}
    return value


class Numbered(NamedTuple):
    """An event with its place in the stream."""

    seq: int
    event: Event


def merge(events: Iterable[Numbered]) -> list[Numbered]:
    """The same for a slow follower: pieces of one part that come in a row become one.

    A merged event has the number of its last piece, so that whoever saw it goes on after that.
    """
    return [_join(list(row)) for _, row in groupby(events, _find_row)]


def _find_row(numbered: Numbered) -> tuple[object, ...]:
    event = numbered.event
    return (type(event), event.id) if isinstance(event, Piece) else (numbered.seq,)


def _join(row: list[Numbered]) -> Numbered:
    last = row[-1]
    if len(row) == 1 or not isinstance(last.event, Piece):
        return last
    delta = "".join(cast(Piece, numbered.event).delta for numbered in row)
    return Numbered(last.seq, type(last.event)(last.event.id, delta))


def _is_forbidden(key: str, value: Any) -> bool:
    return key == "__proto__" or (
        key == "constructor" and isinstance(value, dict) and "prototype" in value
    )
