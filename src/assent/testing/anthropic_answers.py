"""Answers in Anthropic's streaming format for the fake provider, made of pieces.

`FakeProvider.url` is the base URL for this format too. Pieces are events; each makes a block of its
own when they are put together: `stream(thinking("Hm"), text("Hel", "lo"), end())`.
"""

import json
from collections.abc import Mapping
from typing import Any, TypeAlias

from assent.testing.provider import Scripted, Step

Event: TypeAlias = dict[str, Any]

MODEL = "fake"
USAGE = {"input_tokens": 100, "output_tokens": 1}
WRITTEN = {"output_tokens": 40}
SIGNATURE = "EqQBCkYIARgCKkB-signed-by-the-fake"


def stream(*pieces: list[Event], pause: float = 0, usage: Mapping[str, Any] = USAGE) -> Scripted:
    """A whole answer; blocks are numbered in their order."""
    steps: list[Step] = []
    for event in (*begin(usage), *number(*pieces)):
        steps.append(encode(event))
        if pause:
            steps.append(pause)
    return Scripted(tuple(steps))


def refuse(
    status: int, kind: str, message: str = "No.", headers: Mapping[str, str] | None = None
) -> Scripted:
    """An HTTP error of this type."""
    return Scripted(
        (json.dumps(build_error(kind, message)).encode(),),
        status,
        headers or {},
        "application/json",
    )


def begin(usage: Mapping[str, Any] = USAGE) -> list[Event]:
    message: Event = {
        "id": "msg_1",
        "type": "message",
        "role": "assistant",
        "model": MODEL,
        "content": [],
        "stop_reason": None,
        "stop_sequence": None,
        "usage": dict(usage),
    }
    return [{"type": "message_start", "message": message}, {"type": "ping"}]


def text(*pieces: str) -> list[Event]:
    deltas = [{"type": "text_delta", "text": piece} for piece in pieces]
    return build_block({"type": "text", "text": ""}, *deltas)


def thinking(*pieces: str, signature: str = SIGNATURE) -> list[Event]:
    deltas = [{"type": "thinking_delta", "thinking": piece} for piece in pieces]
    signed = {"type": "signature_delta", "signature": signature}
    return build_block({"type": "thinking", "thinking": "", "signature": ""}, *deltas, signed)


def redacted(data: str) -> list[Event]:
    return build_block({"type": "redacted_thinking", "data": data})


def call(name: str, *arguments: str, id: str = "toolu_1") -> list[Event]:  # noqa: A002 - the format's own word
    """A tool use whose input comes in these pieces."""
    deltas = [{"type": "input_json_delta", "partial_json": piece} for piece in arguments]
    return build_block({"type": "tool_use", "id": id, "name": name, "input": {}}, *deltas)


def end(
    reason: str = "end_turn",
    usage: Mapping[str, Any] = WRITTEN,
    edits: list[dict[str, Any]] | None = None,
) -> list[Event]:
    """The stop reason with usage, and what was cleared from the context; then the end."""
    delta = {"stop_reason": reason, "stop_sequence": None}
    last: Event = {"type": "message_delta", "delta": delta, "usage": dict(usage)}
    if edits is not None:
        last["context_management"] = {"applied_edits": edits}
    return [last, {"type": "message_stop"}]


def build_block(block: Event, *deltas: Event) -> list[Event]:
    return [
        {"type": "content_block_start", "content_block": block},
        *({"type": "content_block_delta", "delta": delta} for delta in deltas),
        {"type": "content_block_stop"},
    ]


def number(*pieces: list[Event]) -> list[Event]:
    """The events of all pieces, with the numbers of their blocks."""
    events: list[Event] = []
    index = -1
    for event in (event for piece in pieces for event in piece):
        index += event["type"] == "content_block_start"
        is_block = event["type"].startswith("content_block")
        events.append({**event, "index": index} if is_block else event)
    return events


def build_error(kind: str, message: str = "No.") -> Event:
    return {"type": "error", "error": {"type": kind, "message": message}}


def encode(event: Mapping[str, Any]) -> bytes:
    body = json.dumps(event, separators=(",", ":")).encode()
    return b"event: %b\ndata: %b\n\n" % (event["type"].encode(), body)
