"""Events as bytes: what the client's schema accepts, and nothing else."""

import json
from typing import Any, get_args

import pytest

from assent.errors import ModelQuota
from assent.models.model import FinishReason, Usage
from assent.runs.events import (
    DONE,
    HEARTBEAT,
    TRANSIENT,
    UNEXPECTED,
    Abort,
    Chunk,
    Data,
    DataType,
    Event,
    Failure,
    File,
    Finish,
    FinishStep,
    InputError,
    InputPiece,
    InputReady,
    InputStart,
    MessageMetadata,
    Numbered,
    OutputDenied,
    OutputError,
    OutputReady,
    ReasoningEnd,
    ReasoningPiece,
    ReasoningStart,
    SourceDocument,
    SourceUrl,
    StartStep,
    TextEnd,
    TextPiece,
    TextStart,
    build_data,
    build_failure,
    build_finish,
    build_start,
    encode_event,
    encode_usage,
    merge,
    parse_event,
    parse_usage,
)

EXAMPLES: list[tuple[Event, dict[str, Any]]] = [
    (
        build_start("m", "r"),
        {"type": "start", "messageId": "m", "messageMetadata": {"runId": "r"}},
    ),
    (StartStep(), {"type": "start-step"}),
    (FinishStep(), {"type": "finish-step"}),
    (TextStart("0.0"), {"type": "text-start", "id": "0.0"}),
    (
        TextPiece("0.0", 'a "b"\r\n\u2028ä😀'),
        {"type": "text-delta", "id": "0.0", "delta": 'a "b"\r\n\u2028ä😀'},
    ),
    (TextEnd("0.0"), {"type": "text-end", "id": "0.0"}),
    (ReasoningStart("0.1"), {"type": "reasoning-start", "id": "0.1"}),
    (ReasoningPiece("0.1", "Hm"), {"type": "reasoning-delta", "id": "0.1", "delta": "Hm"}),
    (ReasoningEnd("0.1"), {"type": "reasoning-end", "id": "0.1"}),
    (
        ReasoningEnd("0.1", {"assent": {"durationMs": 5}}),
        {
            "type": "reasoning-end",
            "id": "0.1",
            "providerMetadata": {"assent": {"durationMs": 5}},
        },
    ),
    (
        InputStart("c", "a.b"),
        {"type": "tool-input-start", "toolCallId": "c", "toolName": "a.b", "dynamic": True},
    ),
    (
        InputPiece("c", "{"),
        {"type": "tool-input-delta", "toolCallId": "c", "inputTextDelta": "{"},
    ),
    (
        InputReady("c", "a.b", {"x": None}, "Title"),
        {
            "type": "tool-input-available",
            "toolCallId": "c",
            "toolName": "a.b",
            "input": {"x": None},
            "title": "Title",
            "dynamic": True,
        },
    ),
    (
        InputError("c", "a.b", "{", "Not JSON."),
        {
            "type": "tool-input-error",
            "toolCallId": "c",
            "toolName": "a.b",
            "input": "{",
            "errorText": "Not JSON.",
            "dynamic": True,
        },
    ),
    (
        OutputReady("c", None),
        {"type": "tool-output-available", "toolCallId": "c", "output": None, "dynamic": True},
    ),
    (
        OutputError("c", "It failed."),
        {
            "type": "tool-output-error",
            "toolCallId": "c",
            "errorText": "It failed.",
            "dynamic": True,
        },
    ),
    (OutputDenied("c"), {"type": "tool-output-denied", "toolCallId": "c"}),
    (SourceUrl("s", "/d"), {"type": "source-url", "sourceId": "s", "url": "/d"}),
    (
        SourceDocument("s", "text/plain", "T", "t.txt"),
        {
            "type": "source-document",
            "sourceId": "s",
            "mediaType": "text/plain",
            "title": "T",
            "filename": "t.txt",
        },
    ),
    (File("/f", "image/png"), {"type": "file", "url": "/f", "mediaType": "image/png"}),
    (
        MessageMetadata({"a": 1}),
        {"type": "message-metadata", "messageMetadata": {"a": 1}},
    ),
    (
        build_finish("tool_calls", Usage(input=1, output=2, cache_read=3)),
        {
            "type": "finish",
            "finishReason": "tool-calls",
            "messageMetadata": {
                "usage": {
                    "inputTokens": 1,
                    "outputTokens": 2,
                    "cacheReadTokens": 3,
                    "cacheWriteTokens": 0,
                    "reasoningTokens": 0,
                }
            },
        },
    ),
    (Finish("error"), {"type": "finish", "finishReason": "error"}),
    (Abort(), {"type": "abort"}),
    (Abort("Stopped."), {"type": "abort", "reason": "Stopped."}),
    (Failure("It failed."), {"type": "error", "errorText": "It failed."}),
    (
        build_data("data-proposal", "p", {"a": 1}),
        {"type": "data-proposal", "id": "p", "data": {"a": 1}},
    ),
    (
        build_data("data-progress", "p", {"a": 1}),
        {"type": "data-progress", "id": "p", "data": {"a": 1}, "transient": True},
    ),
]


@pytest.mark.parametrize(("event", "chunk"), EXAMPLES)
def test_encodes_and_parses(event: Event, chunk: dict[str, Any]) -> None:
    encoded = encode_event(event)
    assert encoded.startswith(b"data: ")
    assert encoded.endswith(b"\n\n")
    assert b"\n" not in encoded[:-2] and b"\r" not in encoded
    assert json.loads(encoded.removeprefix(b"data: ")) == chunk
    assert parse_event(encoded) == event


def test_there_is_an_example_of_every_event() -> None:
    assert {type(event) for event, _ in EXAMPLES} == {*get_args(Chunk), Data}


@pytest.mark.parametrize(
    "encoded",
    [DONE, HEARTBEAT, b'data: {"type":"data-secret","id":"x","data":{}}\n\n', b"data: {}\n\n"],
)
def test_parses_nothing_else(encoded: bytes) -> None:
    with pytest.raises(ValueError):
        parse_event(encoded)


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ({"__proto__": 1, "a": 2}, {"a": 2}),
        ([{"b": {"__proto__": {}}}], [{"b": {}}]),
        ({"constructor": {"prototype": 1}}, {}),
        ({"constructor": "Ada", "prototype": 1}, {"constructor": "Ada", "prototype": 1}),
        ({"a": "__proto__"}, {"a": "__proto__"}),
    ],
)
def test_leaves_out_keys_at_which_the_client_would_stop(value: Any, expected: Any) -> None:
    for event, key in [
        (OutputReady("c", value), "output"),
        (InputReady("c", "a.b", value), "input"),
        (build_data("data-applied", "p", value), "data"),
    ]:
        assert json.loads(encode_event(event).removeprefix(b"data: "))[key] == expected


@pytest.mark.parametrize("reason", get_args(FinishReason))
def test_every_reason_has_a_name_that_the_client_knows(reason: FinishReason) -> None:
    assert build_finish(reason, None).finish_reason == reason.replace("_", "-")


@pytest.mark.parametrize("kind", get_args(DataType))
def test_transient_data_says_so(kind: DataType) -> None:
    assert (build_data(kind, "p", {}).transient is True) == (kind in TRANSIENT)


def test_only_our_own_words_are_shown_of_an_error() -> None:
    assert build_failure(ModelQuota()) == Failure(ModelQuota().message)
    assert build_failure(ValueError("sk-secret at 10.0.0.1")) == Failure(UNEXPECTED)


def test_merges_pieces_in_a_row() -> None:
    events = [
        TextStart("0.0"),
        TextPiece("0.0", "a"),
        TextPiece("0.0", "b"),
        ReasoningPiece("0.0", "c"),
        TextPiece("0.0", "d"),
        InputPiece("c1", "{"),
        InputPiece("c1", "}"),
        InputPiece("c2", "{}"),
        TextEnd("0.0"),
        StartStep(),
        StartStep(),
    ]
    assert merge(Numbered(seq, event) for seq, event in enumerate(events, 7)) == [
        (7, TextStart("0.0")),
        (9, TextPiece("0.0", "ab")),
        (10, ReasoningPiece("0.0", "c")),
        (11, TextPiece("0.0", "d")),
        (13, InputPiece("c1", "{}")),
        (14, InputPiece("c2", "{}")),
        (15, TextEnd("0.0")),
        (16, StartStep()),
        (17, StartStep()),
    ]


@pytest.mark.parametrize(
    "usage",
    [
        Usage(input=1, output=2),
        Usage(input=1, output=2, cache_read=3, cache_write=4, reasoning=5),
        Usage(input=1, output=2, cleared_calls=3, cleared_input=4),
    ],
)
def test_usage_can_be_read_back(usage: Usage) -> None:
    assert parse_usage(encode_usage(usage)) == usage
