"""Which parts are kept, what leaves, and how one call stays one part."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assent.conversations.parts import (
    DEEPEST,
    INTERRUPTED,
    LARGEST_JSON,
    LARGEST_OUTPUT,
    LONGEST_TEXT,
    MOST_PARTS,
    Part,
    close_open_parts,
    parse_parts,
    text_of,
    upsert_part,
)

TEXT: Part = {"type": "text", "text": "Hello"}
CALL: Part = {"type": "dynamic-tool", "toolName": "shop.list", "toolCallId": "c1"}
STREAMING = CALL | {"state": "input-streaming"}
READY = CALL | {"state": "input-available", "input": {"q": 1}}
DONE = READY | {"state": "output-available", "output": [1]}
FAILED = READY | {"state": "output-error", "errorText": "No."}
DENIED = READY | {"state": "output-denied"}
WIRE = {"name": "shop_list", "arguments": '{"q": 1}'}


def nest(depth: int) -> Any:
    value: Any = 1
    for _ in range(depth):
        value = [value]
    return value


GOOD: list[Part] = [
    TEXT,
    {"type": "reasoning", "text": "Hm", "durationMs": 12, "_opaque": {"signature": "x"}},
    {"type": "reasoning", "text": "", "_opaque": {"encrypted": "x"}},
    STREAMING,
    STREAMING | {"input": {"q": None}},
    READY | {"title": "List shops", "description": "I look.", "_wire": WIRE},
    DONE,
    DONE | {"output": None},
    FAILED,
    CALL | {"state": "output-error", "errorText": "No."},
    DENIED,
    {"type": "file", "mediaType": "image/png", "url": "/api/files/1", "filename": "a.png"},
    {"type": "file", "mediaType": "image/svg+xml", "url": "https://example.com/a"},
    {"type": "source-url", "sourceId": "s", "url": "https://example.com", "title": "A"},
    {"type": "source-document", "sourceId": "s", "mediaType": "text/plain", "title": "A"},
    {"type": "step-start"},
    {"type": "data-proposal", "id": "p1", "data": {"summary": "x"}},
    {"type": "data-quick-replies", "id": "p1", "data": {}},
]

BAD: list[Any] = [
    None,
    "text",
    [],
    {},
    {"type": None},
    {"type": ["text"]},
    {"type": "text"},
    {"type": "text", "text": ""},
    {"type": "text", "text": "\x00"},
    {"type": "text", "text": 3},
    {"type": "reasoning", "text": ""},
    {"type": "tool-shop", "toolCallId": "c", "state": "input-available", "input": {}},
    {"type": "custom"},
    CALL,
    CALL | {"state": "approval-requested", "input": {}},
    CALL | {"state": ["input-streaming"]},
    CALL | {"state": "input-available"},
    CALL | {"state": "output-available", "output": 1},
    READY | {"state": "output-available"},
    READY | {"state": "output-error"},
    READY | {"state": "output-error", "errorText": None},
    CALL | {"state": "output-denied"},
    READY | {"toolCallId": ""},
    READY | {"toolCallId": "x" * 201},
    READY | {"toolCallId": "a\x00"},
    READY | {"toolName": 1},
    READY | {"input": nest(DEEPEST + 1)},
    READY | {"input": float("nan")},
    READY | {"input": {1, 2}},
    READY | {"input": "x" * LARGEST_JSON},
    DONE | {"output": nest(DEEPEST + 1)},
    DONE | {"output": object()},
    {"type": "file", "mediaType": "image/png"},
    {"type": "file", "mediaType": "png", "url": "/api/files/1"},
    {"type": "file", "mediaType": "image/png", "url": "data:image/png;base64,AA=="},
    {"type": "file", "mediaType": "image/png", "url": "//elsewhere.example/a"},
    {"type": "source-url", "sourceId": "s", "url": "javascript:alert(1)"},
    {"type": "source-url", "url": "https://example.com"},
    {"type": "source-document", "sourceId": "s", "mediaType": "text/plain"},
    {"type": "data-proposal", "data": {}},
    {"type": "data-proposal", "id": "p"},
    {"type": "data-proposal", "id": "p", "data": []},
    {"type": "data-", "id": "p", "data": {}},
    {"type": "data-Up", "id": "p", "data": {}},
]


@pytest.mark.parametrize("part", GOOD, ids=str)
def test_well_formed_parts_stay_as_they_are(part: Part) -> None:
    assert parse_parts([part]) == [part]


@pytest.mark.parametrize("part", BAD, ids=lambda part: str(part)[:60])
def test_malformed_parts_are_stripped_and_others_stay(part: Any) -> None:
    assert parse_parts([TEXT, part, TEXT]) == [TEXT, TEXT]


@pytest.mark.parametrize("raw", [None, "[]", {}, 3])
def test_what_is_no_list_has_no_parts(raw: Any) -> None:
    assert parse_parts(raw) == []


def test_only_known_keys_of_the_right_kind_stay() -> None:
    raw = {"type": "reasoning", "text": "Hm", "durationMs": True, "_opaque": 1, "_x": 1, "state": 1}
    assert parse_parts([raw]) == [{"type": "reasoning", "text": "Hm"}]
    assert parse_parts([READY | {"output": 1, "errorText": "x", "_wire": {"name": "x"}}]) == [READY]


def test_what_postgres_cannot_hold_is_dropped_at_any_depth() -> None:
    raw = DONE | {"output": {"a\x00": ["\ud800b", ("\x00",)]}, "title": "A\x00 b"}
    assert parse_parts([raw]) == [DONE | {"output": {"a": ["b", [""]]}, "title": "A b"}]
    assert parse_parts([{"type": "text", "text": "a\ud83d\x00b"}]) == [
        {"type": "text", "text": "ab"}
    ]


def test_sizes_are_bounded() -> None:
    assert len(parse_parts([TEXT] * (MOST_PARTS + 1))) == MOST_PARTS
    assert len(text_of(parse_parts([{"type": "text", "text": "x" * (LONGEST_TEXT + 1)}]))) == (
        LONGEST_TEXT
    )
    (part,) = parse_parts([DONE | {"output": ["x" * 100] * (LARGEST_OUTPUT // 50)}])
    assert len(json.dumps(part["output"], separators=(",", ":"))) <= LARGEST_OUTPUT
    assert "_truncated" in part["output"][-1]


def test_updates_of_one_call_stay_one_part() -> None:
    raw = [STREAMING, TEXT, READY | {"title": "List"}, DONE]
    assert parse_parts(raw) == [DONE | {"title": "List"}, TEXT]
    first = DONE | {"toolCallId": "c0"}
    assert upsert_part([first, READY, TEXT], FAILED) == [first, FAILED, TEXT]
    assert upsert_part([TEXT], READY) == [TEXT, READY]
    assert upsert_part([TEXT], TEXT) == [TEXT, TEXT]


def test_an_error_keeps_the_input_and_drops_the_output() -> None:
    error = CALL | {"state": "output-error", "errorText": "No."}
    assert upsert_part([DONE], error) == [FAILED]
    assert upsert_part([FAILED], DONE) == [DONE]


@pytest.mark.parametrize(
    "late", [STREAMING, READY | {"input": {"q": 2}}, DONE | {"toolName": "shop.drop"}]
)
def test_a_call_never_goes_back_nor_changes_its_tool(late: Part) -> None:
    assert upsert_part([DONE], late) == [DONE]
    assert parse_parts([DONE, late]) == [DONE]


def test_data_is_updated_by_type_and_id() -> None:
    old: Part = {"type": "data-plan", "id": "1", "data": {"done": 0}}
    new, other = old | {"data": {"done": 1}}, old | {"type": "data-progress"}
    assert parse_parts([old, TEXT, other, new]) == [new, TEXT, other]


def test_the_plain_content_is_all_text() -> None:
    parts = [{"type": "reasoning", "text": "Hm"}, TEXT, DONE, {"type": "text", "text": " you\n"}]
    assert text_of(parts) == "Hello\n\nyou"
    assert text_of([DONE, {"type": "text", "text": "\n"}]) == ""


def test_open_calls_of_an_interrupted_message_are_closed() -> None:
    error = {"state": "output-error", "errorText": INTERRUPTED}
    half = STREAMING | {"input": {"q": None}, "_wire": WIRE, "title": "List"}
    assert close_open_parts([TEXT, half, READY | {"_wire": WIRE}, DONE, FAILED, DENIED]) == [
        TEXT,
        CALL | error | {"title": "List"},
        READY | error | {"_wire": WIRE},
        DONE,
        FAILED,
        DENIED,
    ]


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(st.characters()),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner),
    max_leaves=8,
)
keys = st.sampled_from([*(key for part in GOOD for key in part), "x"])
part_values = st.sampled_from([value for part in GOOD for value in part.values()]) | json_values
anything = st.lists(
    st.builds(
        lambda part, change: part | change,
        st.sampled_from(GOOD),
        st.dictionaries(keys, part_values, max_size=3),
    )
    | json_values,
    max_size=6,
)


@given(anything)
def test_whatever_comes_what_is_kept_is_clean(raw: list[Any]) -> None:
    parts = parse_parts(raw)
    assert parse_parts(parts) == parts
    assert "\\u0000" not in json.dumps(parts, allow_nan=False)
    json.dumps(parts, ensure_ascii=False).encode()
    assert parse_parts(close_open_parts(parts)) == close_open_parts(parts)
    assert all(
        part.get("state") not in ("input-streaming", "input-available")
        for part in close_open_parts(parts)
    )
