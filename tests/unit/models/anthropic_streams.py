"""Answers as servers with Anthropic's API write them, all of them sound.

Every one is within what the official SDK understands too, so that both can be compared.
"""

import json
from typing import Any

from assent.testing.anthropic_answers import (
    begin,
    build_block,
    call,
    encode,
    end,
    number,
    redacted,
    text,
    thinking,
)

CACHED = {
    "input_tokens": 3,
    "cache_creation_input_tokens": 200,
    "cache_read_input_tokens": 1000,
    "cache_creation": {"ephemeral_5m_input_tokens": 200, "ephemeral_1h_input_tokens": 0},
    "output_tokens": 1,
    "service_tier": "standard",
}
CLEARED = {
    "type": "clear_tool_uses_20250919",
    "cleared_tool_uses": 8,
    "cleared_input_tokens": 50000,
}


def frame(*pieces: list[dict[str, Any]], usage: dict[str, Any] | None = None) -> bytes:
    events = [*begin(usage or {"input_tokens": 12, "output_tokens": 1}), *number(*pieces)]
    return b"".join(encode(event) for event in events)


def bare(*pieces: list[dict[str, Any]], newline: bytes = b"\n", space: bytes = b" ") -> bytes:
    """Other spacing, as proxies write it; the SDK wants the name of the event."""
    return b"".join(
        b"event:%b%b%bdata:%b%b%b%b"
        % (
            space,
            event["type"].encode(),
            newline,
            space,
            json.dumps(event).encode(),
            newline,
            newline,
        )
        for event in [*begin(), *number(*pieces)]
    )


STREAMS: dict[str, bytes] = {
    "text": frame(text("Hel", "lo", "!"), end()),
    "text with a cache": frame(text("Hello"), end(), usage=CACHED),
    "usage repeated at the end": frame(
        text("Hello"), end(usage={**CACHED, "output_tokens": 25}), usage=CACHED
    ),
    "usage only at the end": frame(
        text("Hello"),
        end(usage={"input_tokens": 30, "output_tokens": 25}),
        usage={"input_tokens": 0, "output_tokens": 0},
    ),
    "thinking tokens": frame(
        thinking("Let me ", "see."),
        text("Yes."),
        end(usage={"output_tokens": 90, "output_tokens_details": {"thinking_tokens": 70}}),
    ),
    "thinking that is hidden": frame(thinking(), text("Yes."), end()),
    "thoughts that nobody may read": frame(
        redacted("EmwKAhgBEgy3va3pzix"), thinking("Then."), text("Yes."), end()
    ),
    "one call": frame(
        text("I look."),
        call("get_weather", "", '{"loc', 'ation": "San', ' Francisco, CA"}', id="toolu_01T1x"),
        end("tool_use"),
    ),
    "two calls": frame(
        call("f", '{"a": 1}', id="toolu_1"),
        call("g", '{"b": [1, 2, {"c": "x"}]}', id="toolu_2"),
        end("tool_use"),
    ),
    "a call without input": frame(call("now", id="toolu_1"), end("tool_use")),
    "a call with an empty piece": frame(call("now", "", id="toolu_1"), end("tool_use")),
    "a call in one piece": frame(
        build_block({"type": "tool_use", "id": "toolu_1", "name": "f", "input": {"a": "ü"}}),
        end("tool_use"),
    ),
    "text in its beginning": frame(build_block({"type": "text", "text": "Hi"}), end()),
    "thoughts between calls": frame(
        thinking("First."), call("f", "{}", id="toolu_1"), thinking("Second."), text("So."), end()
    ),
    "cut by length": frame(text("One, two"), end("max_tokens")),
    "the window is full": frame(text("One"), end("model_context_window_exceeded")),
    "stop sequence": frame(text("One"), end("stop_sequence")),
    "refused": frame(text("I cannot"), end("refusal")),
    "citations": frame(
        build_block(
            {"type": "text", "text": "", "citations": []},
            {"type": "text_delta", "text": "So it is."},
            {
                "type": "citations_delta",
                "citation": {
                    "type": "char_location",
                    "cited_text": "It is.",
                    "document_index": 0,
                    "document_title": "T",
                    "start_char_index": 0,
                    "end_char_index": 6,
                },
            },
        ),
        end(),
    ),
    "other letters": frame(
        text("Größe 🧪", " 語\u2028x"), call("f", '{"a":"\\ud83e\\uddea"}'), end()
    ),
    "cleared context": frame(text("On."), end(edits=[CLEARED])),
    "crlf": bare(text("a", "b"), end(), newline=b"\r\n"),
    "no space after the colon": bare(text("a", "b"), end(), space=b""),
    "comments and pings": b": hello\n\n"
    + frame(text("a"), [{"type": "ping"}], text("b"), end()).replace(
        b"event: ping", b": keep-alive\n\nevent: ping"
    ),
    "an event that nobody knows": frame(text("a"), [{"type": "something_new", "x": 1}], end()),
}
