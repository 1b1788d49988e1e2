"""A request as the body of Anthropic's Messages API."""

import json
from dataclasses import replace
from typing import Any

import pytest

from assent.models.anthropic_request import (
    ANSWER_TOOL,
    CACHED,
    GO_ON,
    Dialect,
    build_body,
    build_digest,
    encode_request,
)
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

HELLO = UserMessage((TextPart("Hello"),))
CALL = AssistantMessage((CallPart("c1", "f", '{"a": 1}'),))
RESULT = ToolMessage((ResultPart("c1", "f", "42"),))
TOOLS = (
    OfferedTool("f", "Do f.", {"type": "object", "properties": {}}),
    OfferedTool("g", "Do g.", {"type": "object"}),
)
REQUEST = ModelRequest(
    purpose="turn",
    model="m-1",
    instructions=("Stable.", "Tools.", "It is noon."),
    messages=(HELLO,),
    max_tokens=100,
    tools=TOOLS,
)
THINKS = Dialect(thinks=True)


def build(*messages: Message, dialect: Dialect | None = None, **more: Any) -> dict[str, Any]:
    request = replace(REQUEST, messages=messages or (HELLO,), **more)
    return build_body(request, dialect or Dialect())


def think(thought: str, **opaque: Any) -> ReasoningPart:
    known = {"provider": "anthropic", "model": "m-1", "signature": "s"}
    return ReasoningPart(thought, {**known, "digest": build_digest(thought), **opaque})


def test_the_whole_body() -> None:
    assert build() == {
        "model": "m-1",
        "max_tokens": 100,
        "stream": True,
        "system": [
            {"type": "text", "text": "Stable."},
            {"type": "text", "text": "Tools.", "cache_control": CACHED},
            {"type": "text", "text": "It is noon."},
        ],
        "messages": [
            {
                "role": "user",
                "content": [{"type": "text", "text": "Hello", "cache_control": CACHED}],
            }
        ],
        "tools": [
            {
                "name": "f",
                "description": "Do f.",
                "input_schema": {"type": "object", "properties": {}},
            },
            {
                "name": "g",
                "description": "Do g.",
                "input_schema": {"type": "object"},
                "cache_control": CACHED,
            },
        ],
    }


@pytest.mark.parametrize(("count", "marked"), [(1, 0), (2, 0), (3, 1), (5, 3)])
def test_the_last_instruction_is_not_cached_where_there_are_more(count: int, marked: int) -> None:
    system = build(instructions=tuple(f"Section {n}" for n in range(count)))["system"]
    assert [n for n, one in enumerate(system) if "cache_control" in one] == [marked]


def test_never_more_than_four_breakpoints() -> None:
    body = build(HELLO, CALL, RESULT, AssistantMessage((TextPart("So."),)), HELLO)
    assert json.dumps(body).count('"cache_control"') == 3


def test_what_was_sent_stays_the_same_to_the_byte() -> None:
    """All but the breakpoint at its end, which moves on."""
    first = build(HELLO)["messages"]
    second = build(HELLO, CALL, RESULT)["messages"]
    plain = json.dumps(first).replace(f', "cache_control": {json.dumps(CACHED)}', "")
    assert json.dumps(second).startswith(plain[:-1])
    assert "cache_control" not in json.dumps(second[:-1])


def test_calls_and_results() -> None:
    failed = ToolMessage((ResultPart("c1", "f", "It broke.", is_error=True),))
    assert build(HELLO, CALL, failed)["messages"][1:] == [
        {
            "role": "assistant",
            "content": [{"type": "tool_use", "id": "c1", "name": "f", "input": {"a": 1}}],
        },
        {
            "role": "user",
            "content": [
                {
                    "type": "tool_result",
                    "tool_use_id": "c1",
                    "content": "It broke.",
                    "is_error": True,
                    "cache_control": CACHED,
                }
            ],
        },
    ]


@pytest.mark.parametrize("arguments", ["", "nonsense", "[1]", '"x"', '{"a'])
def test_arguments_that_are_no_object(arguments: str) -> None:
    made = AssistantMessage((CallPart("c1", "f", arguments),))
    assert build(HELLO, made, RESULT)["messages"][1]["content"][0]["input"] == {}


def test_results_and_words_of_one_side_are_one_message() -> None:
    messages = build(HELLO, CALL, RESULT, HELLO)["messages"]
    assert [one["role"] for one in messages] == ["user", "assistant", "user"]
    assert [one["type"] for one in messages[-1]["content"]] == ["tool_result", "text"]


def test_words_without_letters_are_left_out() -> None:
    blank = AssistantMessage((TextPart("  \n"), CallPart("c1", "f", "{}")))
    assert [one["type"] for one in build(HELLO, blank, RESULT)["messages"][1]["content"]] == [
        "tool_use"
    ]
    nothing = AssistantMessage((TextPart(""),))
    assert [one["role"] for one in build(HELLO, nothing, HELLO)["messages"]] == ["user"]


def test_an_answer_that_is_to_go_on_is_asked_for() -> None:
    messages = build(HELLO, AssistantMessage((TextPart("Once upon "),)))["messages"]
    assert messages[-1]["role"] == "user"
    assert messages[-1]["content"][0]["text"] == GO_ON


def test_images() -> None:
    seen = UserMessage((ImagePart("image/png", b"\x89P"), ImagePart("image/tiff", b"II")))
    image, other = build(seen)["messages"][0]["content"]
    assert image == {
        "type": "image",
        "source": {"type": "base64", "media_type": "image/png", "data": "iVA="},
    }
    assert (other["type"], "image/tiff" in other["text"]) == ("text", True)


class TestThoughts:
    def test_go_back_unchanged(self) -> None:
        hidden = ReasoningPart("", {"provider": "anthropic", "model": "m-1", "redacted": "xyz"})
        answer = AssistantMessage((think("Hm"), hidden, CallPart("c1", "f", "{}")))
        content = build(HELLO, answer, RESULT)["messages"][1]["content"]
        assert content[:2] == [
            {"type": "thinking", "thinking": "Hm", "signature": "s"},
            {"type": "redacted_thinking", "data": "xyz"},
        ]

    @pytest.mark.parametrize(
        "part",
        [
            ReasoningPart("Hm"),
            ReasoningPart("Hm", {"signature": "s"}),
            think("Hm", provider="google"),
            think("Hm", model="m-2"),
            think("Hm", signature=""),
            think("Hm", digest=build_digest("Something that was hidden since")),
            ReasoningPart("", {"provider": "google", "model": "m-1", "redacted": "xyz"}),
        ],
    )
    def test_of_others_do_not(self, part: ReasoningPart) -> None:
        answer = AssistantMessage((part, TextPart("So.")))
        content = build(HELLO, answer, HELLO)["messages"][1]["content"]
        assert [one["type"] for one in content] == ["text"]

    def test_are_asked_for_only_where_declared(self) -> None:
        assert "thinking" not in build()
        assert build(dialect=THINKS)["thinking"] == {"type": "adaptive", "display": "summarized"}
        assert "thinking" not in build(dialect=THINKS, purpose="title")
        assert "thinking" not in build(dialect=THINKS, output_schema={"type": "object"})

    def test_are_not_asked_for_in_the_middle_of_calls_that_came_without(self) -> None:
        thought = AssistantMessage((think("Hm"), CallPart("c1", "f", "{}")))
        assert "thinking" not in build(HELLO, CALL, RESULT, dialect=THINKS)
        assert "thinking" in build(HELLO, thought, RESULT, dialect=THINKS)
        said = AssistantMessage((TextPart("So."),))
        assert "thinking" in build(HELLO, CALL, RESULT, said, HELLO, dialect=THINKS)


def test_old_results_are_cleared_when_half_of_the_window_is_full() -> None:
    (edit,) = build(dialect=Dialect(window=200_000))["context_management"]["edits"]
    assert edit["type"] == "clear_tool_uses_20250919"
    assert edit["trigger"] == {"type": "input_tokens", "value": 100_000}
    assert "context_management" not in build()
    assert "context_management" not in build(dialect=Dialect(window=200_000), tools=())
    assert "context_management" not in build(dialect=Dialect(window=200_000), purpose="title")


def test_an_answer_of_a_shape() -> None:
    inner = {"type": "object", "properties": {"x": {"type": "integer"}}}
    schema = {"type": "object", "properties": {"a": {"type": "array", "items": inner}}}
    asked = build(output_schema=schema, tools=())["output_config"]["format"]
    assert asked["type"] == "json_schema"
    assert asked["schema"]["additionalProperties"] is False
    assert asked["schema"]["properties"]["a"]["items"]["additionalProperties"] is False
    assert "additionalProperties" not in schema
    request = replace(REQUEST, output_schema=schema, tools=())
    forced = build_body(request, Dialect(), "tool")
    assert forced["tool_choice"]["name"] == ANSWER_TOOL
    assert forced["tools"][0]["input_schema"] == schema
    assert "output_config" not in forced


def test_what_cannot_be_encoded_is_left_out() -> None:
    request = replace(REQUEST, messages=(UserMessage((TextPart("a\ud800b"),)),))
    assert b'"ab"' in encode_request(request, Dialect())
