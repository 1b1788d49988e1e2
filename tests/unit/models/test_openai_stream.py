"""Answers of OpenAI-style servers, and everything in which such servers differ."""

import json
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assent.errors import (
    ModelContextTooLong,
    ModelError,
    ModelQuota,
    ModelRateLimit,
    ModelRefused,
    ModelUnavailable,
)
from assent.models import lines, openai_stream
from assent.models.model import Finished, ReasoningDelta, TextDelta, Usage
from tests.unit.models.openai_answer import build_parser, read, run
from tests.unit.models.openai_streams import DONE, STREAMS, deltas, frame, last, usage, words

HELLO = words("Hel", "lo")


def test_events_in_their_order() -> None:
    events, error = run(
        frame(*deltas({"reasoning_content": "Hm", "content": ""}, *HELLO), last(usage(3, 2)))
    )
    assert error is None
    assert events == [
        ReasoningDelta("Hm"),
        TextDelta("Hel"),
        TextDelta("lo"),
        Usage(input=3, output=2),
        Finished("stop"),
    ]


class TestEnd:
    def test_a_cut_answer_is_an_error_after_what_came(self) -> None:
        events, error = run(frame(*deltas(*HELLO, finish=None), done=False))
        assert events == [TextDelta("Hel"), TextDelta("lo")]
        assert isinstance(error, ModelUnavailable)

    def test_done_without_a_reason_is_a_stop(self) -> None:
        assert read(frame(*deltas(*HELLO, finish=None))).reason == "stop"

    def test_done_without_anything(self) -> None:
        assert read(DONE).reason == "other"

    def test_a_reason_without_done(self) -> None:
        assert read(frame(*deltas(*HELLO), done=False)).reason == "stop"

    def test_done_without_a_newline(self) -> None:
        assert read(frame(*deltas(*HELLO, finish=None)).rstrip()).reason == "stop"

    def test_a_last_chunk_without_a_newline(self) -> None:
        assert read(frame(*deltas(*HELLO), done=False).rstrip()).text == "Hello"

    def test_cut_inside_a_chunk(self) -> None:
        events, error = run(frame(*deltas(*HELLO, finish=None), done=False)[:-20])
        assert events == [TextDelta("Hel")]
        assert isinstance(error, ModelUnavailable)

    def test_cut_inside_what_follows_the_reason(self) -> None:
        assert read(frame(*deltas(*HELLO), done=False) + b'data: {"usage":{"prom').text == "Hello"

    @pytest.mark.parametrize("body", [b"", b"\n\n", b": ping\n\n", b"<html>Sign in</html>\n"])
    def test_nothing_at_all(self, body: bytes) -> None:
        assert isinstance(run(body)[1], ModelUnavailable)

    def test_nothing_counts_after_done(self) -> None:
        body = frame(*deltas(*HELLO))
        assert read(body + b"data: nonsense\n\n" + body).text == "Hello"


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ("stop", "stop"),
        ("STOP", "stop"),
        ("eos", "stop"),
        ("length", "length"),
        ("model_length", "length"),
        ("content_filter", "content_filter"),
        ("tool_calls", "stop"),
        ("function_call", "stop"),
        ("a new one", "other"),
        ("", "stop"),
        (None, "stop"),
        (7, "other"),
    ],
)
def test_reasons_of_a_text(given: Any, expected: str) -> None:
    chunks: list[Any] = [
        *deltas(*HELLO, finish=None),
        {"choices": [{"delta": {}, "finish_reason": given}]},
    ]
    assert read(frame(*chunks)).reason == expected


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ("tool_calls", "tool_calls"),
        ("function_call", "tool_calls"),
        ("stop", "tool_calls"),
        ("a new one", "tool_calls"),
        (None, "tool_calls"),
        ("length", "length"),
        ("content_filter", "content_filter"),
    ],
)
def test_reasons_of_calls(given: str | None, expected: str) -> None:
    piece = {"index": 0, "id": "c", "function": {"name": "f", "arguments": "{}"}}
    assert read(frame(*deltas({"tool_calls": [piece]}, finish=given))).reason == expected


@pytest.mark.parametrize("given", ["error", "insufficient_system_resource"])
def test_reasons_of_servers_that_gave_up(given: str) -> None:
    assert isinstance(run(frame(*deltas(*HELLO, finish=given)))[1], ModelUnavailable)


class TestUsage:
    def test_never(self) -> None:
        assert read(frame(*deltas(*HELLO))).usage is None

    def test_all_figures(self) -> None:
        counts = usage(
            100,
            40,
            prompt_tokens_details={"cached_tokens": 64, "cache_write_tokens": 20},
            completion_tokens_details={"reasoning_tokens": 12},
        )
        assert read(frame(*deltas(*HELLO), last(counts))).usage == Usage(
            input=100, output=40, cache_read=64, cache_write=20, reasoning=12
        )

    def test_repeated_figures_grow_and_empty_ones_do_not_count(self) -> None:
        chunks = [last(usage(9, 1)), last(usage(9, 5)), *deltas(*HELLO), last(usage(0, 0))]
        assert read(frame(*chunks)).usage == Usage(input=9, output=5)

    def test_under_groqs_own_name(self) -> None:
        chunks = deltas(*HELLO, x_groq={"id": "r", "usage": usage(4, 2)})
        assert read(frame(*chunks)).usage == Usage(input=4, output=2)

    def test_reasoning_that_only_the_total_knows(self) -> None:
        counts = {"prompt_tokens": 10, "completion_tokens": 5, "total_tokens": 40}
        assert read(frame(*deltas(*HELLO), last(counts))).usage == Usage(input=10, output=30)

    def test_deepseeks_cache(self) -> None:
        counts = usage(10, 5, prompt_cache_hit_tokens=8)
        found = read(frame(*deltas(*HELLO), last(counts))).usage
        assert found == Usage(input=10, output=5, cache_read=8)

    @pytest.mark.parametrize("odd", [3.0, "3"])
    def test_numbers_in_other_clothes(self, odd: Any) -> None:
        counts = {"prompt_tokens": odd, "completion_tokens": 2, "prompt_tokens_details": None}
        assert read(frame(*deltas(*HELLO), last(counts))).usage == Usage(input=3, output=2)

    @pytest.mark.parametrize("counts", [{"prompt_tokens": None}, {"prompt_tokens": [1]}, {}])
    def test_figures_that_are_none(self, counts: dict[str, Any]) -> None:
        assert read(frame(*deltas(*HELLO), last(counts))).usage == Usage(input=0, output=0)


class TestContent:
    @pytest.mark.parametrize("field", ["reasoning", "reasoning_content"])
    def test_reasoning(self, field: str) -> None:
        whole = read(frame(*deltas({field: "Hm", "content": None}, *HELLO)))
        assert (whole.reasoning, whole.text) == ("Hm", "Hello")

    def test_reasoning_under_both_names_is_read_once(self) -> None:
        assert read(frame(*deltas({"reasoning": "a", "reasoning_content": "a"}))).reasoning == "a"

    def test_content_as_a_list_of_pieces(self) -> None:
        thinking = {"type": "thinking", "thinking": [{"type": "text", "text": "Hm"}]}
        whole = read(frame(*deltas({"content": [thinking]}, {"content": [{"text": "Hi"}]})))
        assert (whole.reasoning, whole.text) == ("Hm", "Hi")

    def test_a_refusal_is_said_and_is_no_stop(self) -> None:
        whole = read(frame(*deltas({"refusal": "I can't "}, {"refusal": "help."})))
        assert (whole.text, whole.reason) == ("I can't help.", "content_filter")

    def test_empty_deltas_are_nothing(self) -> None:
        empty: list[Any] = [
            {},
            {"content": ""},
            {"content": None},
            {"tool_calls": []},
            {"tool_calls": None},
        ]
        events, _ = run(frame(*deltas(*empty), {"choices": [{"index": 0}]}, {"choices": [{}]}))
        assert events == [Finished("stop")]

    def test_the_first_choice_counts_wherever_it_stands(self) -> None:
        both = [{"index": 1, "delta": {"content": "b"}}, {"index": 0, "delta": {"content": "a"}}]
        assert read(frame({"choices": both}, *deltas())).text == "a"

    def test_nul_and_lone_surrogates_are_dropped(self) -> None:
        found = ["a\0b", "\0", "c\ud83dd", "\ude00", "🙂"]
        assert read(frame(*deltas(*({"content": one} for one in found)))).text == "abcd🙂"

    def test_nul_in_reasoning_calls_and_refusals(self) -> None:
        piece = {"id": "c\0", "function": {"name": "f\0", "arguments": '{"a":1}\0'}}
        whole = read(frame(*deltas({"reasoning": "a\0"}, {"tool_calls": [piece]})))
        assert (whole.reasoning, whole.calls) == ("a", {0: ("c", "f", '{"a":1}')})

    def test_broken_utf8_does_not_break_the_answer(self) -> None:
        body = b'data: {"choices":[{"delta":{"content":"a\xff\xfeb"}}]}\n\n' + DONE
        assert read(body).text == "a\ufffd\ufffdb"

    def test_a_character_in_two_reads(self) -> None:
        body = json.dumps(deltas({"content": "wörld 🙂"})[0], ensure_ascii=False).encode()
        whole = b"data: " + body + b"\n\n" + DONE
        for cut in range(1, len(whole)):
            assert read(whole[:cut], whole[cut:]).text == "wörld 🙂"


class TestLines:
    @pytest.mark.parametrize(
        "noise",
        [
            b": keep-alive\n\n",
            b":\n\n",
            b"\n\n\n",
            b"\r\n",
            b"event: message\n",
            b"event: error\n\n",
            b"id: 7\n",
            b"retry: 10\n",
            b"data:\n\n",
            b"data\n",
            b"whatever\n",
            b'data: {"type":"ping"}\n\n',
            b'data: {"choices":[]}\n\n',
            b'data: {"error":null,"choices":[]}\n\n',
        ],
    )
    def test_noise_between_chunks(self, noise: bytes) -> None:
        first, second = (frame(one, done=False) for one in deltas({"content": "ab"}))
        assert read(noise + first + noise + second + noise + DONE).text == "ab"

    def test_a_byte_order_mark(self) -> None:
        assert read(b"\xef\xbb\xbf" + frame(*deltas({"content": "Hello"}))).text == "Hello"

    def test_single_newlines(self) -> None:
        assert read(frame(*deltas(*HELLO)).replace(b"\n\n", b"\n")).text == "Hello"

    def test_data_that_is_no_json(self) -> None:
        events, error = run(frame(*deltas(*HELLO, finish=None), done=False) + b"data: oops\n\n")
        assert len(events) == 2
        assert isinstance(error, ModelUnavailable)

    @pytest.mark.parametrize(
        "reads",
        [
            pytest.param([b"data: ", *[b"x" * 100] * 11], id="a line"),
            pytest.param([b"data: x\n"] * 1001, id="data of one event"),
            pytest.param([b"{\n", *[b"x" * 99 + b"\n"] * 11], id="a document"),
        ],
    )
    def test_what_never_ends(self, reads: list[bytes], monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(lines, "LONGEST", 1000)
        parser = build_parser()
        with pytest.raises(ModelUnavailable):
            for data in reads:
                list(parser.feed(data))

    @pytest.mark.parametrize("data", [b": alive\n", b"\n" * 8, b"event: x\n\n", b"data: {}\n\n"])
    def test_what_says_nothing_without_end(
        self, data: bytes, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(lines, "LONGEST_SILENCE", 1000)
        parser = build_parser()
        for _ in range(1000 // len(data)):
            assert list(parser.feed(data)) == []
        with pytest.raises(ModelUnavailable, match="did not come to an end"):
            list(parser.feed(data))

    @pytest.mark.parametrize(
        "delta",
        [
            {"content": "x" * 100},
            {"reasoning_content": "x" * 100},
            {"refusal": "x" * 100},
            {"tool_calls": [{"index": 0, "function": {"name": "f", "arguments": "x" * 100}}]},
            {"function_call": {"name": "f", "arguments": "x" * 100}},
        ],
    )
    def test_what_says_too_much(
        self, delta: dict[str, Any], monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(openai_stream, "LONGEST_ANSWER", 1000)
        assert run(frame(*deltas(*[delta] * 10)))[1] is None
        events, error = run(frame(*deltas(*[delta] * 11)))
        assert len(events) >= 10
        assert isinstance(error, ModelUnavailable)

    @pytest.mark.parametrize("together", [True, False])
    def test_too_many_calls(self, together: bool, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(openai_stream, "MOST_CALLS", 3)
        calls = [{"index": n, "id": f"c{n}", "function": {"name": "f"}} for n in range(4)]
        pieces = [calls] if together else [[one] for one in calls]
        assert isinstance(
            run(frame(*deltas(*({"tool_calls": one} for one in pieces))))[1], ModelUnavailable
        )
        fewer = [calls[:3]] if together else [[one] for one in calls[:3]]
        assert run(frame(*deltas(*({"tool_calls": one} for one in fewer))))[1] is None

    def test_a_long_answer_of_short_lines(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(lines, "LONGEST", 1000)
        assert read(*[b": " + b"x" * 100 + b"\n"] * 20, frame(*deltas(*HELLO))).text == "Hello"


class TestDocument:
    """Asked to stream, some gateways answer in one piece."""

    ANSWER = {
        "object": "chat.completion",
        "choices": [
            {
                "index": 0,
                "message": {
                    "role": "assistant",
                    "content": "Hello",
                    "reasoning_content": "Hm",
                    "tool_calls": [
                        {"id": "c1", "function": {"name": "f", "arguments": '{"a":1}'}},
                        {"id": "c2", "function": {"name": "f", "arguments": '{"a":2}'}},
                    ],
                },
                "finish_reason": "tool_calls",
            }
        ],
        "usage": usage(5, 6),
    }

    @pytest.mark.parametrize("indent", [None, 2])
    @pytest.mark.parametrize("around", [b"", b"\n", b"\r\n"])
    def test_is_read_as_a_whole(self, indent: int | None, around: bytes) -> None:
        whole = read(around + json.dumps(self.ANSWER, indent=indent).encode() + around)
        assert (whole.text, whole.reasoning) == ("Hello", "Hm")
        assert whole.calls == {0: ("c1", "f", '{"a":1}'), 1: ("c2", "f", '{"a":2}')}
        assert (whole.usage, whole.reason) == (Usage(input=5, output=6), "tool_calls")

    def test_cut(self) -> None:
        events, error = run(json.dumps(self.ANSWER).encode()[:-9])
        assert events == []
        assert isinstance(error, ModelUnavailable)

    def test_an_error(self) -> None:
        body = {"error": {"message": "no", "code": "context_length_exceeded"}}
        assert isinstance(run(json.dumps(body, indent=2).encode())[1], ModelContextTooLong)


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        (b'data: {"error":{"message":"boom","type":"server_error"}}\n\n', ModelUnavailable),
        (b'data: {"error":"boom"}\n\n', ModelUnavailable),
        (b'data: {"error":{"code":429,"message":"slow"}}\n\n', ModelRateLimit),
        (b'data: {"error":{"code":"insufficient_quota"}}\n\n', ModelQuota),
        (b'data: {"error":{"code":"content_filter"}}\n\n', ModelRefused),
        (b'data: [{"error":{"code":429,"status":"RESOURCE_EXHAUSTED"}}]\n\n', ModelRateLimit),
        (
            b'data: {"id":"g","error":{"code":502,"message":"gone"},"choices":[{"index":0,'
            b'"delta":{"content":""},"finish_reason":"error"}]}\n\n',
            ModelUnavailable,
        ),
        (
            b'data: {"object":"error","message":"This model\'s maximum context length is 9.",'
            b'"type":"BadRequestError","param":null,"code":400}\n\n',
            ModelContextTooLong,
        ),
        (b'data: {"detail":"Too many tokens in the prompt"}\n\n', ModelContextTooLong),
        (b'event: error\ndata: {"message":"overloaded"}\n\n', ModelUnavailable),
        (b'event: error\ndata: {"code":429}\n\n', ModelRateLimit),
        (b"event: error\ndata: context length exceeded\n\n", ModelContextTooLong),
        (
            b'error: {"code":400,"message":"the request exceeds the available context size"}\n\n',
            ModelContextTooLong,
        ),
    ],
)
def test_errors_inside_the_stream(body: bytes, expected: type[ModelError]) -> None:
    events, error = run(frame(*deltas(*HELLO, finish=None), done=False) + body + DONE)
    assert events == [TextDelta("Hel"), TextDelta("lo")]
    assert type(error) is expected


def test_what_a_server_wrote_is_kept_out_of_the_error() -> None:
    parser = build_parser()
    with pytest.raises(ModelError) as raised:
        list(parser.feed(b'data: {"error":{"message":"key sk-1 of Ann"}}\n\n'))
    assert "sk-1" in parser.complaint.decode()
    assert "sk-1" not in str(raised.value)
    assert raised.value.__cause__ is None


ODD = {
    "an error": frame(*deltas(*HELLO, finish=None), {"error": {"code": 429}}),
    "cut": frame(*deltas(*words("wörld 🙂"), finish=None), done=False)[:-9],
    "a document": json.dumps(TestDocument.ANSWER, indent=1).encode(),
    "a byte order mark": b"\xef\xbb\xbf" + frame(*deltas(*HELLO)),
    "an error event": b": hi\r\nevent: error\r\ndata: boom\r\n\r\n",
    "surrogates": frame(*deltas({"content": "a\ud83d"}, {"content": "b\0"})),
    "no json": frame(*deltas(*HELLO, finish=None), done=False) + b"data: oops\r\n\r\n",
}
ALL = {**STREAMS, **ODD}


@pytest.mark.parametrize("name", ALL)
@settings(max_examples=40, deadline=None)
@given(data=st.data())
def test_reads_may_end_anywhere(name: str, data: st.DataObject) -> None:
    body = ALL[name]
    places = st.integers(0, len(body))
    cuts = sorted({0, len(body), *data.draw(st.lists(places, max_size=30))})
    reads = [body[start:stop] for start, stop in pairwise(cuts)]
    assert _describe(*reads) == _describe(body)


@pytest.mark.parametrize("name", ALL)
def test_reads_may_be_single_bytes(name: str) -> None:
    body = ALL[name]
    assert _describe(*(body[at : at + 1] for at in range(len(body)))) == _describe(body)


def _describe(*reads: bytes) -> tuple[Any, type[ModelError] | None]:
    events, error = run(*reads)
    return events, None if error is None else type(error)
