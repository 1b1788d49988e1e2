"""Anthropic's format: from any cut of the bytes to events."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assent.errors import (
    ModelContextTooLong,
    ModelCredentials,
    ModelError,
    ModelRateLimit,
    ModelUnavailable,
)
from assent.models.anthropic_request import ANSWER_TOOL, build_digest
from assent.models.model import ENDLESS, TextDelta, Usage
from assent.testing.anthropic_answers import (
    SIGNATURE,
    begin,
    build_block,
    build_error,
    call,
    encode,
    end,
    number,
    redacted,
    text,
    thinking,
)
from tests.unit.models.anthropic_answer import MODEL, build_parser, put_together, read, run
from tests.unit.models.anthropic_streams import CACHED, CLEARED, STREAMS, frame

TAG = {"provider": "anthropic", "model": MODEL}


@given(st.data())
@pytest.mark.parametrize("name", STREAMS)
def test_any_cut_reads_the_same(name: str, data: st.DataObject) -> None:
    stream = STREAMS[name]
    cuts = data.draw(st.lists(st.integers(0, len(stream)), max_size=20).map(sorted))
    pieces = [stream[a:b] for a, b in zip([0, *cuts], [*cuts, len(stream)], strict=True)]
    whole, opaque = put_together(run(stream)[0])
    assert put_together(run(*pieces)[0]) == (whole, opaque)
    assert whole.reason is not None


@pytest.mark.parametrize("name", STREAMS)
def test_byte_by_byte(name: str) -> None:
    stream = STREAMS[name]
    bytewise = run(*(stream[n : n + 1] for n in range(len(stream))))
    assert put_together(bytewise[0]) == put_together(run(stream)[0])


def test_thoughts_come_with_what_they_are_signed_with() -> None:
    events, _ = run(frame(thinking("Let me ", "see."), redacted("xyz"), text("Yes."), end()))
    whole, opaque = put_together(events)
    assert (whole.reasoning, whole.text) == ("Let me see.", "Yes.")
    assert opaque == [
        {**TAG, "signature": SIGNATURE, "digest": build_digest("Let me see.")},
        {**TAG, "redacted": "xyz"},
    ]


def test_thoughts_that_never_end_are_closed_with_the_answer() -> None:
    begun = [one for one in thinking("Hm") if one["type"] != "content_block_stop"]
    _, opaque = put_together(run(frame(begun, text("Yes."), end()))[0])
    assert [one["signature"] for one in opaque] == [SIGNATURE]


def test_input_includes_the_cache() -> None:
    usage = read(frame(text("Hi"), end(usage={"output_tokens": 25}), usage=CACHED)).usage
    assert usage == Usage(input=1203, output=25, cache_read=1000, cache_write=200)


def test_figures_that_are_taken_back_count() -> None:
    nothing = {"input_tokens": 0, "output_tokens": 7, "cache_read_input_tokens": 0}
    usage = read(frame(text("Hi"), end(usage=nothing), usage=CACHED)).usage
    assert usage == Usage(input=1203, output=7, cache_read=1000, cache_write=200)


def test_what_was_cleared() -> None:
    thoughts = {"type": "clear_thinking_20251015", "cleared_input_tokens": 10}
    usage = read(frame(text("Hi"), end(edits=[CLEARED, thoughts]))).usage
    assert usage == Usage(input=12, output=40, cleared_calls=8, cleared_input=50010)


@pytest.mark.parametrize(
    ("reason", "finish"),
    [
        ("end_turn", "stop"),
        ("stop_sequence", "stop"),
        ("max_tokens", "length"),
        ("model_context_window_exceeded", "length"),
        ("refusal", "content_filter"),
        ("pause_turn", "other"),
        ("tool_use", "stop"),
        ("brand_new", "other"),
    ],
)
def test_reasons(reason: str, finish: str) -> None:
    assert read(frame(text("Hi"), end(reason))).reason == finish


def test_calls_are_calls_whatever_the_reason() -> None:
    assert read(frame(call("f", "{}"), end("end_turn"))).reason == "tool_calls"
    assert read(frame(call("f", '{"a'), end("max_tokens"))).reason == "length"


class TestCalls:
    def test_an_id_is_new_in_the_conversation(self) -> None:
        stream = frame(call("f", "{}", id="a"), call("g", "{}", id="a"), end("tool_use"))
        assert read(stream, used_ids=["a"]).calls == {
            0: ("made1", "f", "{}"),
            1: ("made2", "g", "{}"),
        }

    def test_without_an_id(self) -> None:
        block = build_block({"type": "tool_use", "name": "f", "input": {"a": 1}})
        assert read(frame(block, end("tool_use"))).calls == {0: ("made1", "f", '{"a":1}')}

    def test_blocks_without_numbers(self) -> None:
        pieces = [*begin(), *text("Hi"), *call("f", "{}"), *call("g", '{"a"', ":1}"), *end()]
        whole = read(b"".join(map(encode, pieces)))
        assert [one[1:] for one in whole.calls.values()] == [("f", "{}"), ("g", '{"a":1}')]

    def test_blocks_that_are_written_by_turns(self) -> None:
        one, other = (
            number(call("f", '{"a"', ":1}", id="x"), call("g", '{"b"', ":2}", id="y"))[:5],
            number(call("f"), call("g", '{"b"', ":2}", id="y"))[2:],
        )
        mixed = [one[0], other[0], one[1], other[1], one[2], other[2], other[3], one[3]]
        whole = read(b"".join(map(encode, [*begin(), *mixed, *end("tool_use")])))
        assert whole.calls == {0: ("x", "f", '{"a":1}'), 1: ("y", "g", '{"b":2}')}

    def test_far_too_many(self) -> None:
        _, error = run(frame(*[call("f", "{}", id=f"c{n}") for n in range(200)], end()))
        assert error is not None
        assert error.message == ENDLESS

    def test_an_answer_of_a_shape_is_its_text(self) -> None:
        stream = frame(call(ANSWER_TOOL, '{"a"', ":1}"), end("tool_use"))
        whole = read(stream, shaped=True)
        assert (whole.text, whole.calls, whole.reason) == ('{"a":1}', {}, "stop")


class TestWhole:
    def test_with_the_reason_alone(self) -> None:
        assert read(frame(text("Hi"), end()[:1])).reason == "stop"

    def test_with_the_end_alone(self) -> None:
        assert read(frame(text("Hi"), end()[1:])).reason == "stop"
        assert read(frame(end()[1:])).reason == "other"

    @pytest.mark.parametrize("pieces", [[], [text("Hi")], [call("f", "{}")], [thinking("Hm")]])
    def test_not_without(self, pieces: list[Any]) -> None:
        _, error = run(frame(*pieces))
        assert type(error) is ModelUnavailable

    def test_nothing_is_read_after_the_end(self) -> None:
        parser = build_parser()
        events = [*parser.feed(frame(text("Hi"), end()) + frame(text("More"))), *parser.close()]
        assert put_together(events)[0].text == "Hi"

    def test_an_answer_in_one_document(self) -> None:
        document = {
            "type": "message",
            "role": "assistant",
            "content": [
                {"type": "thinking", "thinking": "Hm", "signature": "s"},
                {"type": "text", "text": "Hi"},
                {"type": "tool_use", "id": "t", "name": "f", "input": {"a": 1}},
            ],
            "stop_reason": "tool_use",
            "usage": {"input_tokens": 1, "output_tokens": 2},
        }
        for indent in (None, 2):
            whole, opaque = put_together(run(json.dumps(document, indent=indent).encode())[0])
            assert (whole.reasoning, whole.text) == ("Hm", "Hi")
            assert whole.calls == {0: ("t", "f", '{"a":1}')}
            assert (whole.usage, whole.reason) == (Usage(input=1, output=2), "tool_calls")
            assert opaque == [{**TAG, "signature": "s", "digest": build_digest("Hm")}]


class TestErrors:
    @pytest.mark.parametrize(
        ("kind", "message", "expected"),
        [
            ("overloaded_error", "Overloaded", ModelUnavailable),
            ("api_error", "Internal server error", ModelUnavailable),
            ("timeout_error", "Took too long", ModelUnavailable),
            ("rate_limit_error", "Slow down", ModelRateLimit),
            ("authentication_error", "invalid x-api-key", ModelCredentials),
            ("invalid_request_error", "prompt is too long: 9 tokens > 8", ModelContextTooLong),
        ],
    )
    @pytest.mark.parametrize("named", [True, False])
    def test_in_the_stream(
        self, kind: str, message: str, expected: type[ModelError], named: bool
    ) -> None:
        failing = encode(build_error(kind, message))
        if not named:
            failing = failing.split(b"\n", 1)[1]
        events, error = run(frame(text("Hi")) + failing)
        assert events == [TextDelta("Hi")]
        assert type(error) is expected
        assert message not in str(error)

    @pytest.mark.parametrize(
        "payload",
        [b"42", b"null", b"[]", b"{]", b'"x"', b'{"type": 4}', b'{"error": {}, "message": "no"}'],
    )
    def test_garbage_as_data(self, payload: bytes) -> None:
        events, error = run(frame(text("Hi")) + b"data: " + payload + b"\n\n" + frame(end()))
        assert events == [TextDelta("Hi")]
        assert type(error) is ModelUnavailable

    def test_what_the_server_wrote_is_kept_for_the_log(self) -> None:
        parser = build_parser()
        with pytest.raises(ModelUnavailable):
            list(parser.feed(encode(build_error("overloaded_error", "Busy"))))
        assert b"Busy" in parser.complaint

    def test_a_page(self) -> None:
        assert type(run(b"<html><body>Bad gateway</body></html>")[1]) is ModelUnavailable

    @pytest.mark.parametrize(
        "reads",
        [
            [b"x" * 65536] * 100,
            [b"\n" * 65536] * 100,
            [b'data: {"a\n' * 8000] * 100,
            [frame(text("x" * 300_000))],
            [frame(call("f", '"' + "x" * 300_000))],
        ],
        ids=["line", "lines", "event", "text", "arguments"],
    )
    def test_without_end(self, reads: list[bytes]) -> None:
        _, error = run(*reads)
        assert error is not None
        assert error.message == ENDLESS


def test_what_cannot_be_stored_is_left_out() -> None:
    broken = encode({"type": "content_block_delta", "delta": {"type": "text_delta", "text": "a~b"}})
    stream = b"".join(map(encode, begin())) + broken.replace(b"~", b"\xff\\u0000\\ud800")
    assert read(stream + b"".join(map(encode, end()))).text == "a\ufffdb"
