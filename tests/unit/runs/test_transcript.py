"""Whoever follows a run, however late or slowly, ends with what is stored."""

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from assent.models.model import ModelEvent
from assent.runs.events import (
    Abort,
    Event,
    Failure,
    File,
    FinishStep,
    InputPiece,
    InputReady,
    InputStart,
    MessageMetadata,
    Numbered,
    OutputError,
    OutputReady,
    ReasoningEnd,
    ReasoningPiece,
    ReasoningStart,
    SourceDocument,
    SourceUrl,
    Start,
    StartStep,
    TextEnd,
    TextPiece,
    TextStart,
    build_data,
    build_finish,
    encode_event,
    merge,
    parse_event,
)
from assent.runs.step import Step
from assent.runs.transcript import Part, Transcript, build_shown_parts
from tests.unit.runs.samples import TOOLS, Played, answers, drop_server_only, runs, speak

drawn_largely = settings(suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large])


def follow(*events: Event) -> list[Part]:
    transcript = Transcript()
    transcript.apply_all(events)
    return transcript.parts


@drawn_largely
@given(answers())
def test_what_a_step_stores_is_what_it_showed(answer: list[ModelEvent]) -> None:
    said, ended = speak(Step(1, TOOLS), answer)
    assert follow(*said) == drop_server_only(ended.parts)


@drawn_largely
@given(runs(), st.data())
def test_every_follower_ends_with_what_is_stored(run: Played, data: st.DataObject) -> None:
    stored = drop_server_only(run.parts)
    numbered = [Numbered(seq, event) for seq, event in enumerate(run.events, 1)]
    sent = [parse_event(encode_event(event)) for event in run.events]
    assert follow(*sent) == stored
    assert follow(*(one.event for one in merge(numbered))) == stored

    seen = data.draw(st.integers(0, len(numbered)), label="seen before the connection broke")
    missing = merge(numbered[seen:])
    first = [one.event for one in numbered[:seen]]
    assert follow(*first, *(one.event for one in missing)) == stored
    assert follow(*first, *run.events) == stored


@drawn_largely
@given(runs(), st.data())
def test_what_was_merged_goes_on_after_its_last_number(run: Played, data: st.DataObject) -> None:
    numbered = [Numbered(seq, event) for seq, event in enumerate(run.events, 1)]
    merged = merge(numbered)
    assert merged[-1].seq == numbered[-1].seq
    assert [one.seq for one in merged] == sorted({one.seq for one in merged})
    seen = data.draw(st.integers(1, len(merged)), label="merged events seen")
    last = merged[seen - 1].seq
    went_on = [one.event for one in (*merged[:seen], *numbered[last:])]
    assert follow(*went_on) == drop_server_only(run.parts)


def test_a_start_begins_again() -> None:
    transcript = Transcript()
    transcript.apply_all([Start("m1", {"runId": "r"}), TextStart("0.0"), TextPiece("0.0", "Hal")])
    transcript.apply_all([Start("m1", {"runId": "r"}), TextStart("0.0"), TextPiece("0.0", "Hello")])
    assert transcript.parts == [{"type": "text", "text": "Hello"}]
    assert transcript.message_id == "m1"


def test_metadata_grows() -> None:
    transcript = Transcript()
    transcript.apply(Start("m1", {"runId": "r"}))
    transcript.apply(MessageMetadata({"model": "small"}))
    transcript.apply(build_finish("stop", None))
    assert transcript.metadata == {"runId": "r", "model": "small"}


def test_prose_of_several_parts_at_once() -> None:
    parts = follow(
        StartStep(),
        ReasoningStart("a"),
        TextStart("a"),
        ReasoningPiece("a", "think"),
        TextPiece("a", "say"),
        ReasoningEnd("a", {"assent": {"durationMs": 12}}),
        TextEnd("a"),
    )
    assert parts == [
        {"type": "step-start"},
        {"type": "reasoning", "text": "think", "durationMs": 12},
        {"type": "text", "text": "say"},
    ]


def test_a_result_that_comes_again_replaces_the_first() -> None:
    parts = follow(
        InputStart("c", "catalog.listSystems", "List systems"),
        InputPiece("c", "{}"),
        InputReady("c", "catalog.listSystems", {}),
        OutputError("c", "It failed."),
        OutputReady("c", [1]),
    )
    assert parts == [
        {
            "type": "dynamic-tool",
            "toolName": "catalog.listSystems",
            "toolCallId": "c",
            "state": "output-available",
            "title": "List systems",
            "input": {},
            "output": [1],
        }
    ]


def test_an_error_takes_the_place_of_a_result() -> None:
    start, ready = InputStart("c", "a.b"), InputReady("c", "a.b", {})
    (part,) = follow(start, ready, OutputReady("c", [1]), OutputError("c", "It failed."))
    assert (part["state"], part["errorText"]) == ("output-error", "It failed.")
    assert "output" not in part


def test_a_result_belongs_to_the_last_call_of_its_id() -> None:
    first, second = follow(
        InputStart("c", "a.b"),
        InputReady("c", "a.b", {}),
        OutputReady("c", 1),
        FinishStep(),
        InputStart("c", "a.b"),
        InputReady("c", "a.b", {}),
        OutputReady("c", 2),
    )
    assert (first["output"], second["output"]) == (1, 2)


def test_a_result_is_stored_with_what_the_model_wrote() -> None:
    wire = {"name": "a_b", "arguments": "{}"}
    transcript = Transcript([{"type": "dynamic-tool", "toolCallId": "c", "_wire": wire}])
    transcript.apply(OutputReady("c", None))
    (part,) = transcript.parts
    assert part["_wire"] == wire
    assert (part["state"], part["output"]) == ("output-available", None)


def test_data_of_the_same_id_is_replaced_in_its_place() -> None:
    parts = follow(
        build_data("data-proposal", "o", {"state": 0}),
        build_data("data-proposal", "p", {"state": 1}),
        build_data("data-applied", "p", {"state": 2}),
        build_data("data-proposal", "p", {"state": 3}),
        build_data("data-title", "p", {"title": "Not stored"}),
    )
    assert parts == [
        {"type": "data-proposal", "id": "o", "data": {"state": 0}},
        {"type": "data-proposal", "id": "p", "data": {"state": 3}},
        {"type": "data-applied", "id": "p", "data": {"state": 2}},
    ]


def test_sources_and_files() -> None:
    parts = follow(
        SourceUrl("s", "/docs", "Guide"),
        SourceUrl("t", "/docs"),
        SourceDocument("d", "text/plain", "Notes"),
        File("/api/files/1", "image/png"),
        Abort(),
        Failure("It failed."),
    )
    assert parts == [
        {"type": "source-url", "sourceId": "s", "url": "/docs", "title": "Guide"},
        {"type": "source-url", "sourceId": "t", "url": "/docs"},
        {"type": "source-document", "sourceId": "d", "mediaType": "text/plain", "title": "Notes"},
        {"type": "file", "url": "/api/files/1", "mediaType": "image/png"},
    ]


@pytest.mark.parametrize(
    "event",
    [
        TextPiece("0.0", "x"),
        TextEnd("0.0"),
        ReasoningEnd("0.0"),
        InputPiece("c", "{"),
        InputReady("c", "a.b", {}),
        OutputReady("c", 1),
    ],
)
def test_what_never_began_cannot_go_on(event: Event) -> None:
    with pytest.raises(KeyError):
        follow(StartStep(), event)


def test_text_that_was_left_open_does_not_reach_into_the_next_step() -> None:
    with pytest.raises(KeyError):
        follow(TextStart("0.0"), FinishStep(), TextPiece("0.0", "x"))


def test_a_page_gets_nothing_that_is_only_for_the_server() -> None:
    stored: list[Part] = [
        {"type": "reasoning", "text": "Hm.", "durationMs": 7, "_opaque": {"signature": "s"}},
        {"type": "dynamic-tool", "toolCallId": "c", "input": {"_mine": 1}, "_wire": {}},
    ]
    assert build_shown_parts(stored) == [
        {"type": "reasoning", "text": "Hm.", "providerMetadata": {"assent": {"durationMs": 7}}},
        {"type": "dynamic-tool", "toolCallId": "c", "input": {"_mine": 1}},
    ]
    assert "_opaque" in stored[0]
