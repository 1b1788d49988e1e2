"""A model's events become stream events and parts, however they are mixed."""

import pytest
from hypothesis import given

from assent.models.model import (
    CallDelta,
    CallStart,
    Finished,
    FinishReason,
    ModelEvent,
    ReasoningDelta,
    ReasoningOpaque,
    TextDelta,
    Usage,
)
from assent.runs.events import (
    Event,
    InputError,
    InputPiece,
    InputReady,
    InputStart,
    ReasoningEnd,
    ReasoningPiece,
    ReasoningStart,
    StartStep,
    TextEnd,
    TextPiece,
    TextStart,
)
from assent.runs.step import NOT_COMPLETE, NOT_JSON, Call, Step, StepEnd, add_usage
from assent.runs.transcript import Part
from tests.unit.runs.samples import TOOLS, answers, speak

STEP_START: Part = {"type": "step-start"}
LIST = CallStart(0, "c0", "catalog_listSystems")
CREATE = CallStart(1, "c1", "catalog_createSystem")


def say(*answer: ModelEvent) -> tuple[list[Event], StepEnd]:
    return speak(Step(2, TOOLS), answer)


def lasting(milliseconds: int) -> dict[str, dict[str, int]]:
    return {"assent": {"durationMs": milliseconds}}


def test_text() -> None:
    said, ended = say(TextDelta("Hel"), TextDelta("lo"), Usage(input=1, output=2), Finished("stop"))
    assert said == [
        StartStep(),
        TextStart("2.0"),
        TextPiece("2.0", "Hel"),
        TextPiece("2.0", "lo"),
        TextEnd("2.0"),
    ]
    assert ended.parts == [STEP_START, {"type": "text", "text": "Hello"}]
    assert (ended.calls, ended.usage, ended.reason) == ([], Usage(input=1, output=2), "stop")


def test_what_came_together_is_told_together() -> None:
    step = Step(2, TOOLS)
    told = step.take_all(
        [TextDelta("Hel"), TextDelta("lo"), LIST, CallDelta(0, "{"), CallDelta(0, "}")], 0
    )
    assert told == [
        StartStep(),
        TextStart("2.0"),
        TextPiece("2.0", "Hello"),
        TextEnd("2.0"),
        InputStart("c0", "catalog.listSystems", "List systems"),
        InputPiece("c0", "{}"),
    ]


@given(answers())
def test_together_or_one_by_one_it_comes_to_the_same(answer: list[ModelEvent]) -> None:
    together, alone = Step(2, TOOLS), Step(2, TOOLS)
    together.take_all(answer, 0)
    for event in answer:
        alone.take(event, 0)
    assert together.end(1) == alone.end(1)


def test_text_after_reasoning_after_text() -> None:
    said, ended = say(TextDelta("a"), ReasoningDelta("b"), ReasoningDelta("c"), TextDelta("d"))
    assert said == [
        StartStep(),
        TextStart("2.0"),
        TextPiece("2.0", "a"),
        TextEnd("2.0"),
        ReasoningStart("2.1"),
        ReasoningPiece("2.1", "b"),
        ReasoningPiece("2.1", "c"),
        ReasoningEnd("2.1", lasting(200)),
        TextStart("2.2"),
        TextPiece("2.2", "d"),
        TextEnd("2.2"),
    ]
    assert ended.parts == [
        STEP_START,
        {"type": "text", "text": "a"},
        {"type": "reasoning", "text": "bc", "durationMs": 200},
        {"type": "text", "text": "d"},
    ]


@pytest.mark.parametrize(
    "answer",
    [
        [],
        [Finished("stop")],
        [TextDelta(""), ReasoningDelta(""), TextDelta("\0"), Finished("stop")],
        [Usage(input=1, output=0)],
    ],
)
def test_nothing_said_leaves_no_trace(answer: list[ModelEvent]) -> None:
    step = Step(0, TOOLS)
    said, ended = speak(step, answer)
    assert (said, ended.parts, ended.calls) == ([], [], [])
    assert step.is_empty


def test_what_cannot_be_stored_is_not_shown() -> None:
    said, ended = say(TextDelta("a\0b"), TextDelta("\ud800ä"))
    assert said[2:4] == [TextPiece("2.0", "ab"), TextPiece("2.0", "ä")]
    assert ended.parts[1]["text"] == "abä"


def test_calls_whose_pieces_are_mixed() -> None:
    said, ended = say(
        LIST,
        CREATE,
        CallDelta(1, '{"name": '),
        CallDelta(0, ""),
        CallDelta(0, "{"),
        TextDelta("Wait."),
        CallDelta(1, '"billing"}'),
        CallDelta(0, "}"),
        Finished("tool_calls"),
    )
    assert said == [
        StartStep(),
        InputStart("c0", "catalog.listSystems", "List systems"),
        InputStart("c1", "catalog.createSystem", "Create a system"),
        InputPiece("c1", '{"name": '),
        InputPiece("c0", "{"),
        TextStart("2.2"),
        TextPiece("2.2", "Wait."),
        InputPiece("c1", '"billing"}'),
        InputPiece("c0", "}"),
        TextEnd("2.2"),
        InputReady("c0", "catalog.listSystems", {}, "List systems"),
        InputReady("c1", "catalog.createSystem", {"name": "billing"}, "Create a system"),
    ]
    assert [call.input for call in ended.calls] == [{}, {"name": "billing"}]
    assert ended.parts[2] == {
        "type": "dynamic-tool",
        "toolName": "catalog.createSystem",
        "toolCallId": "c1",
        "title": "Create a system",
        "state": "input-available",
        "input": {"name": "billing"},
        "_wire": {"name": "catalog_createSystem", "arguments": '{"name": "billing"}'},
    }


def test_a_call_ends_the_text_before_it() -> None:
    said, _ = say(TextDelta("Let me look."), LIST, Finished("tool_calls"))
    assert said[3:5] == [
        TextEnd("2.0"),
        InputStart("c0", "catalog.listSystems", "List systems"),
    ]


def test_a_name_that_was_not_offered_stays_as_it_is() -> None:
    said, ended = say(CallStart(0, "c", "rm_rf"), Finished("tool_calls"))
    assert said[1:] == [InputStart("c", "rm_rf"), InputReady("c", "rm_rf", {})]
    assert ended.calls == [Call(id="c", name="rm_rf", is_known=False, arguments="", input={})]
    assert "title" not in ended.parts[1]


def test_arguments_are_repaired_and_what_the_model_wrote_is_kept() -> None:
    _, ended = say(LIST, CallDelta(0, "```json\n{'q': 1,}"), Finished("tool_calls"))
    assert ended.calls[0].input == {"q": 1}
    assert ended.parts[1]["input"] == {"q": 1}
    assert ended.parts[1]["_wire"]["arguments"] == "```json\n{'q': 1,}"


@pytest.mark.parametrize(
    ("reason", "arguments", "error"),
    [
        ("tool_calls", "billing, please", NOT_JSON),
        ("stop", "[1]", NOT_JSON),
        ("length", '{"name": "bil', NOT_COMPLETE),
        ("other", "", NOT_COMPLETE),
        ("content_filter", "{", NOT_COMPLETE),
        (None, '{"name": "billing"}', NOT_COMPLETE),
    ],
)
def test_a_call_that_cannot_be_made(
    reason: FinishReason | None, arguments: str, error: str
) -> None:
    end = [] if reason is None else [Finished(reason)]
    said, ended = say(CREATE, CallDelta(1, arguments), *end)
    name, title = TOOLS["catalog_createSystem"]
    assert said[-1] == InputError("c1", name, arguments, error, title)
    (call,) = ended.calls
    assert (call.input, call.error) == (None, error)
    assert ended.parts[1] == {
        "type": "dynamic-tool",
        "toolName": name,
        "toolCallId": "c1",
        "title": title,
        "state": "output-error",
        "input": arguments,
        "errorText": error,
        "_wire": {"name": "catalog_createSystem", "arguments": arguments},
    }


def test_a_whole_call_before_a_cut_one_is_made() -> None:
    _, ended = say(LIST, CallDelta(0, "{}"), CREATE, CallDelta(1, '{"na'), Finished("length"))
    assert [call.error for call in ended.calls] == [None, NOT_COMPLETE]


def test_a_stream_that_was_cut_off_is_closed() -> None:
    said, ended = say(ReasoningDelta("Hm"), LIST, TextDelta("So"))
    assert said[-2:] == [
        TextEnd("2.2"),
        InputError("c0", "catalog.listSystems", "", NOT_COMPLETE, "List systems"),
    ]
    assert (ended.reason, ended.usage) == (None, None)


def test_opaque_data_ends_its_reasoning() -> None:
    said, ended = say(
        ReasoningDelta("a"), ReasoningOpaque({"s": 1}), ReasoningDelta("b"), ReasoningOpaque({})
    )
    assert said == [
        StartStep(),
        ReasoningStart("2.0"),
        ReasoningPiece("2.0", "a"),
        ReasoningEnd("2.0", lasting(100)),
        ReasoningStart("2.1"),
        ReasoningPiece("2.1", "b"),
        ReasoningEnd("2.1", lasting(100)),
    ]
    assert ended.parts[1:] == [
        {"type": "reasoning", "text": "a", "durationMs": 100, "_opaque": {"s": 1}},
        {"type": "reasoning", "text": "b", "durationMs": 100, "_opaque": {}},
    ]


def test_opaque_data_that_comes_late_belongs_to_the_last_reasoning() -> None:
    _, ended = say(ReasoningDelta("a"), TextDelta("b"), ReasoningOpaque({"s": 1}), TextDelta("c"))
    assert ended.parts[1:] == [
        {"type": "reasoning", "text": "a", "durationMs": 100, "_opaque": {"s": 1}},
        {"type": "text", "text": "bc"},
    ]


def test_reasoning_of_which_only_opaque_data_is_there() -> None:
    said, ended = say(TextDelta("a"), ReasoningOpaque({"s": 1}), ReasoningOpaque({"s": 2}))
    assert said[3:] == [
        TextEnd("2.0"),
        ReasoningStart("2.1"),
        ReasoningEnd("2.1"),
        ReasoningStart("2.2"),
        ReasoningEnd("2.2"),
    ]
    assert ended.parts[2:] == [
        {"type": "reasoning", "text": "", "_opaque": {"s": 1}},
        {"type": "reasoning", "text": "", "_opaque": {"s": 2}},
    ]


def test_an_answer_that_was_cut_by_length_goes_on_in_the_same_text() -> None:
    said, ended = say(
        TextDelta("Once upon "),
        Usage(input=10, output=2),
        Finished("length"),
        TextDelta("a time"),
        Usage(input=1, output=1),
        Usage(input=12, output=3, reasoning=1),
        Finished("stop"),
    )
    assert [type(event) for event in said].count(TextStart) == 1
    assert ended.parts == [STEP_START, {"type": "text", "text": "Once upon a time"}]
    assert ended.usage == Usage(input=22, output=5, reasoning=1)
    assert ended.reason == "stop"


def test_an_answer_that_was_cut_off_while_it_went_on() -> None:
    _, ended = say(TextDelta("Once"), Finished("length"), LIST, CallDelta(0, "{}"))
    assert ended.reason is None
    assert [call.error for call in ended.calls] == [NOT_COMPLETE]


def test_usage_adds_up() -> None:
    one = Usage(
        input=1,
        output=2,
        cache_read=3,
        cache_write=4,
        reasoning=5,
        cleared_calls=6,
        cleared_input=7,
    )
    assert add_usage([one, one]) == Usage(
        input=2,
        output=4,
        cache_read=6,
        cache_write=8,
        reasoning=10,
        cleared_calls=12,
        cleared_input=14,
    )
    assert add_usage([]) is None
