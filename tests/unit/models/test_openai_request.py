"""What is sent to an OpenAI-style server."""

import json
from typing import Any

import pytest

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
from assent.models.openai_request import (
    GENERIC,
    OPENAI,
    Dialect,
    build_body,
    encode_request,
)

ASK = UserMessage((TextPart("Is billing up?"),))
THOUGHT = ReasoningPart("Look it up.", {"signature": "s"})
CALL = CallPart("c1", "catalog_get", '{ "name":"billing" }')
SENT_CALL = {
    "id": "c1",
    "type": "function",
    "function": {"name": "catalog_get", "arguments": '{ "name":"billing" }'},
}


def build(*messages: Message, dialect: Dialect = GENERIC, **more: Any) -> dict[str, Any]:
    given: dict[str, Any] = {"instructions": (), "messages": messages, "max_tokens": 500, **more}
    request = ModelRequest(purpose="turn", model="m-1", **given)
    return build_body(request, dialect)


def test_the_whole_of_a_small_request() -> None:
    assert build(ASK, instructions=("You help.", "Be brief.")) == {
        "model": "m-1",
        "messages": [
            {"role": "system", "content": "You help.\n\nBe brief."},
            {"role": "user", "content": "Is billing up?"},
        ],
        "max_tokens": 500,
        "stream": True,
        "stream_options": {"include_usage": True},
    }


def test_dialects() -> None:
    assert build(ASK, dialect=OPENAI)["max_completion_tokens"] == 500
    assert "max_tokens" not in build(ASK, dialect=OPENAI)
    assert "stream_options" not in build(ASK, dialect=Dialect(asks_for_usage=False))


@pytest.mark.parametrize(
    ("message", "expected"),
    [
        (AssistantMessage((TextPart("Yes"), TextPart("."))), [{"content": "Yes."}]),
        (AssistantMessage((CALL,)), [{"content": None, "tool_calls": [SENT_CALL]}]),
        (
            AssistantMessage((THOUGHT, TextPart("Wait."), CALL)),
            [{"content": "Wait.", "tool_calls": [SENT_CALL]}],
        ),
        (AssistantMessage((THOUGHT,)), []),
        (AssistantMessage(()), []),
    ],
)
def test_assistant_messages(message: AssistantMessage, expected: list[dict[str, Any]]) -> None:
    assert build(message)["messages"] == [{"role": "assistant", **one} for one in expected]


def test_reasoning_goes_back_only_where_it_is_wanted() -> None:
    (sent,) = build(AssistantMessage((THOUGHT, CALL)), dialect=Dialect(sends_reasoning=True))[
        "messages"
    ]
    assert sent["reasoning_content"] == "Look it up."
    assert "signature" not in str(sent)


def test_each_result_is_a_message_of_its_own() -> None:
    results = (ResultPart("c1", "a", "up"), ResultPart("c2", "b", "no such system", is_error=True))
    assert build(ToolMessage(results))["messages"] == [
        {"role": "tool", "tool_call_id": "c1", "content": "up"},
        {"role": "tool", "tool_call_id": "c2", "content": "no such system"},
    ]


def test_images_are_data_urls() -> None:
    message = UserMessage((TextPart("What is this?"), ImagePart("image/png", b"\x89PNG")))
    (sent,) = build(message)["messages"]
    assert sent["content"] == [
        {"type": "text", "text": "What is this?"},
        {"type": "image_url", "image_url": {"url": "data:image/png;base64,iVBORw=="}},
    ]


def test_tools_with_their_schema() -> None:
    schema = {"type": "object", "properties": {"name": {"type": "string"}}}
    body = build(ASK, tools=(OfferedTool("catalog_get", "Get a system.", schema),))
    function = {"name": "catalog_get", "description": "Get a system.", "parameters": schema}
    assert body["tools"] == [{"type": "function", "function": function}]
    assert "tool_choice" not in body


def test_without_tools_there_is_no_word_of_them() -> None:
    assert {"tools", "tool_choice"}.isdisjoint(build(ASK))


def test_a_wanted_shape() -> None:
    schema = {"type": "object"}
    assert build(ASK, output_schema=schema)["response_format"] == {
        "type": "json_schema",
        "json_schema": {"name": "answer", "schema": schema},
    }


def test_lone_surrogates_do_not_stop_a_request() -> None:
    request = ModelRequest(
        purpose="turn",
        model="m-1",
        instructions=(),
        messages=(UserMessage((TextPart("a\ud83db ü"),)),),
        max_tokens=5,
    )
    assert json.loads(encode_request(request, GENERIC))["messages"][0]["content"] == "ab ü"


def test_tools_that_may_not_be_called_are_not_named() -> None:
    tools = (OfferedTool("f", "Do f.", {"type": "object"}),)
    assert "tools" in build(ASK, tools=tools)
    assert "tools" not in build(ASK, tools=tools, may_call=False)
