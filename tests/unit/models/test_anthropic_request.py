"""A request as the body of Anthropic's Messages API."""

import json
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest

from assent.models.anthropic_request import (
    ANSWER_TOOL,
    CACHED,
    GO_ON,
    MOMENT,
    Dialect,
    build_body,
    build_digest,
    encode_request,
    find_lesser,
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
from tests.provider_rules import check_anthropic_body

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
NOON = {"type": "text", "text": f"{MOMENT}\n\nIt is noon."}
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
        ],
        "messages": [
            {
                "role": "user",
                "content": [
                    {"type": "text", "text": "Hello", "cache_control": CACHED},
                    NOON,
                ],
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


@pytest.mark.parametrize(("count", "stable"), [(1, 1), (2, 1), (3, 2), (5, 4)])
def test_the_last_of_several_instructions_is_not_before_the_conversation(
    count: int, stable: int
) -> None:
    body = build(instructions=tuple(f"Section {n}" for n in range(count)))
    marked = [n for n, one in enumerate(body["system"]) if "cache_control" in one]
    assert (len(body["system"]), marked) == (stable, [stable - 1])
    assert ("moment" in json.dumps(body["messages"])) == (count > 1)


def test_no_instruction_gets_lost_where_nobody_said_anything() -> None:
    assert len(build_body(replace(REQUEST, messages=()), Dialect())["system"]) == 3


SAID = AssistantMessage((TextPart("So."),))


@pytest.mark.parametrize(
    ("messages", "breakpoints"),
    [
        ((HELLO,), 3),
        ((HELLO, CALL, RESULT), 4),
        ((HELLO, CALL, RESULT, SAID, HELLO), 3),
        ((HELLO, CALL, RESULT, SAID, HELLO, CALL, RESULT), 4),
        ((HELLO, SAID), 4),
    ],
)
def test_never_more_than_four_breakpoints(messages: tuple[Message, ...], breakpoints: int) -> None:
    assert json.dumps(build(*messages)).count('"cache_control"') == breakpoints


def test_words_never_follow_results() -> None:
    *_, last = build(HELLO, CALL, RESULT)["messages"]
    assert [one["type"] for one in last["content"]] == ["tool_result"]


def test_what_was_marked_is_there_again_in_the_next_step_and_turn() -> None:
    first = build(HELLO)
    later = build(HELLO, CALL, RESULT, instructions=("Stable.", "Tools.", "It is one."))
    turn = build(HELLO, CALL, RESULT, SAID, HELLO, instructions=("Stable.", "Tools.", "It is two."))
    for before, after in ((first, later), (first, turn), (later, turn)):
        assert list_marked(before)[0] in list_prefixes(after)
    assert list_marked(later)[1] not in list_prefixes(turn)


def list_marked(body: dict[str, Any]) -> list[str]:
    """What is before each breakpoint in the conversation, in its order."""
    return [text for text, is_marked in walk(body) if is_marked]


def list_prefixes(body: dict[str, Any]) -> list[str]:
    return [text for text, _ in walk(body)]


def walk(body: dict[str, Any]) -> Iterator[tuple[str, bool]]:
    seen = json.dumps([body["tools"], body["system"]])
    for message in body["messages"]:
        for block in message["content"]:
            plain = {key: value for key, value in block.items() if key != "cache_control"}
            seen += json.dumps([message["role"], plain])
            yield seen, "cache_control" in block


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
    assert [one["type"] for one in messages[-1]["content"]] == ["tool_result", "text", "text"]


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
    image, other, _ = build(seen)["messages"][0]["content"]
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
    forced = build_body(request, Dialect(form="tool"))
    assert forced["tool_choice"]["name"] == ANSWER_TOOL
    assert forced["tools"][0]["input_schema"] == schema
    assert "output_config" not in forced


def test_what_cannot_be_encoded_is_left_out() -> None:
    request = replace(REQUEST, messages=(UserMessage((TextPart("a\ud800b"),)),))
    assert b'"ab"' in encode_request(request, Dialect())


class TestToolsThatMayNotBeCalled:
    """The server refuses a history of calls without tools, and keeps in its cache what stays."""

    def test_stay(self) -> None:
        free = build(HELLO, CALL, RESULT)
        bound = build(HELLO, CALL, RESULT, may_call=False)
        assert bound.pop("tool_choice") == {"type": "none"}
        assert bound == free
        assert "tool_choice" not in free

    def test_whoever_has_none_any_more_names_those_that_were_called(self) -> None:
        body = build(HELLO, CALL, RESULT, tools=())
        assert [tool["name"] for tool in body["tools"]] == ["f"]
        assert body["tool_choice"] == {"type": "none"}
        check_anthropic_body(body)

    def test_without_calls_there_is_nothing_to_name(self) -> None:
        assert not {"tools", "tool_choice"} & set(build(HELLO, tools=()))

    def test_an_older_server_is_not_told(self) -> None:
        lesser = find_lesser(Dialect(), "tool_choice.type: none is not supported", is_shaped=False)
        assert lesser is not None
        body = build_body(replace(REQUEST, messages=(HELLO, CALL, RESULT), may_call=False), lesser)
        assert "tools" in body and "tool_choice" not in body


def test_calls_that_do_not_begin_with_thoughts_are_not_thought_on() -> None:
    """As where a model spoke first, and thought then."""
    signed = think("Hm")
    messages = HELLO, AssistantMessage((TextPart("Well."), signed, *CALL.parts)), RESULT
    request = replace(REQUEST, messages=messages)
    assert "thinking" not in build_body(request, Dialect(thinks=True))
    led = replace(request, messages=(HELLO, AssistantMessage((signed, *CALL.parts)), RESULT))
    body = build_body(led, Dialect(thinks=True))
    assert body["thinking"]["type"] == "adaptive"
    check_anthropic_body(body)
