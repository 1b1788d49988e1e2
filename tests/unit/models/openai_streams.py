"""Answers as servers write them, byte for byte in their documented forms, all of them sound.

Every one is within what the official SDK understands too, so that both can be compared.
"""

import json
from collections.abc import Iterable
from typing import Any

DONE = b"data: [DONE]\n\n"


def frame(*chunks: Any, done: bool = True, newline: bytes = b"\n", space: bytes = b" ") -> bytes:
    lines = [b"data:" + space + json.dumps(chunk).encode() + newline * 2 for chunk in chunks]
    return b"".join(lines) + (DONE.replace(b"\n", newline) if done else b"")


def deltas(*found: dict[str, Any], finish: str | None = "stop", **extra: Any) -> list[Any]:
    """Chunks of these deltas, the last of them with the finish reason alone."""
    chunks = [_chunk(delta, None, extra) for delta in found]
    return [*chunks, _chunk({}, finish, extra)] if finish else chunks


def _chunk(delta: dict[str, Any], finish: str | None, extra: dict[str, Any]) -> dict[str, Any]:
    choice = {"index": 0, "delta": delta, "logprobs": None, "finish_reason": finish}
    return {
        "id": "chatcmpl-Bx1",
        "object": "chat.completion.chunk",
        "created": 1760000000,
        "model": "m-1",
        "choices": [choice],
        **extra,
    }


def call(index: int, call_id: str | None, name: str | None, arguments: str) -> dict[str, Any]:
    function = {"arguments": arguments} if name is None else {"name": name, "arguments": arguments}
    start = {} if call_id is None else {"id": call_id, "type": "function"}
    return {"tool_calls": [{"index": index, **start, "function": function}]}


def usage(prompt: int, completion: int, **details: Any) -> dict[str, Any]:
    return {
        "prompt_tokens": prompt,
        "completion_tokens": completion,
        "total_tokens": prompt + completion,
        **details,
    }


def last(counts: dict[str, Any]) -> dict[str, Any]:
    return {"id": "chatcmpl-Bx1", "object": "chat.completion.chunk", "choices": [], "usage": counts}


def words(*texts: str) -> Iterable[dict[str, Any]]:
    return [{"role": "assistant", "content": ""}, *({"content": text} for text in texts)]


OPENAI_DETAILS: dict[str, Any] = {
    "prompt_tokens_details": {"cached_tokens": 1024, "audio_tokens": 0},
    "completion_tokens_details": {
        "reasoning_tokens": 64,
        "audio_tokens": 0,
        "accepted_prediction_tokens": 0,
        "rejected_prediction_tokens": 0,
    },
}
AZURE_SAFE = {"hate": {"filtered": False, "severity": "safe"}}

STREAMS: dict[str, bytes] = {
    "openai text": frame(
        *deltas(
            *words("Hello", ",", " wörld", " 🙂", '\n\n- a\t\\ "b"'),
            service_tier="default",
            system_fingerprint="fp_1",
            obfuscation="x7",
            usage=None,
        ),
        last(usage(1117, 46, **OPENAI_DETAILS)),
    ),
    "openai one call": frame(
        *deltas(
            {"role": "assistant", "content": None, "refusal": None},
            call(0, "call_DdmO9pD3xa9XTPNJ32zg2hcA", "catalog_listSystems", ""),
            call(0, None, None, '{"qu'),
            call(0, None, None, 'ery":"bil'),
            call(0, None, None, 'ling"}'),
            finish="tool_calls",
        ),
        last(usage(80, 17)),
    ),
    "openai calls in parallel": frame(
        *deltas(
            {"role": "assistant", "content": None},
            call(0, "call_a", "incident_list", ""),
            call(0, None, None, '{"state":"open"}'),
            call(1, "call_b", "incident_list", ""),
            call(1, None, None, '{"state":'),
            call(1, None, None, '"closed"}'),
            finish="tool_calls",
        ),
        last(usage(90, 40)),
    ),
    "openai cut by length": frame(*deltas(*words("One, two"), finish="length")),
    "openai filtered": frame(*deltas(*words("Well"), finish="content_filter")),
    "openai text, then a call": frame(
        *deltas(
            *words("Let me ", "look."),
            call(0, "call_t", "incident_get", '{"id":1}'),
            finish="tool_calls",
        )
    ),
    "openai legacy finish": frame(
        *deltas(call(0, "call_l", "lookup", "{}"), finish="function_call")
    ),
    "azure": frame(
        {
            "id": "",
            "object": "",
            "created": 0,
            "model": "",
            "choices": [],
            "prompt_filter_results": [{"prompt_index": 0, "content_filter_results": AZURE_SAFE}],
        },
        *deltas(*words("Servers", " are", " up.")),
        {
            "id": "",
            "object": "",
            "choices": [
                {
                    "index": 0,
                    "finish_reason": None,
                    "delta": {},
                    "content_filter_offsets": {"check_offset": 40},
                    "content_filter_results": AZURE_SAFE,
                }
            ],
        },
        last(usage(12, 4)),
    ),
    "openrouter": b": OPENROUTER PROCESSING\n\n: OPENROUTER PROCESSING\n\n"
    + frame(
        *deltas(
            {"role": "assistant", "content": "", "reasoning": "The user ", "reasoning_details": []},
            {"role": "assistant", "content": "", "reasoning": "greets."},
            {"role": "assistant", "content": "Hi."},
            provider="Somebody",
        ),
        last(usage(9, 30, cost=0.00002, is_byok=False)),
    ),
    "openrouter usage with choices": frame(
        *deltas(*words("Hi.")), *deltas({"content": ""}, finish=None, usage=usage(9, 2))
    ),
    "vllm": frame(
        *deltas(*words("Disk", " full"), usage=None),
        last({**usage(33, 9), "prompt_tokens_details": None}),
    ),
    "vllm usage in every chunk": frame(
        *deltas({"role": "assistant", "content": ""}, finish=None, usage=usage(33, 0)),
        *deltas({"content": "Disk"}, finish=None, usage=usage(33, 1)),
        *deltas({"content": " full"}, usage=usage(33, 3)),
    ),
    "vllm reasoning": frame(
        *deltas(
            {"role": "assistant", "content": ""},
            {"reasoning_content": "Hm, "},
            {"reasoning_content": "seven."},
            {"content": "7"},
        ),
        last(usage(10, 8)),
    ),
    "vllm call with its id in the first piece": frame(
        *deltas(
            call(0, "chatcmpl-tool-0af1", "search", ""),
            call(0, None, None, "{"),
            call(0, None, None, '"q": "x"'),
            call(0, None, None, "}"),
            {"content": ""},
            finish="tool_calls",
        )
    ),
    "ollama text": frame(
        *deltas({"role": "assistant", "content": "Hel"}, {"role": "assistant", "content": "lo"}),
        last(usage(26, 5)),
    ),
    "ollama thinking": frame(
        *deltas(
            {"role": "assistant", "content": "", "reasoning": "Okay"},
            {"role": "assistant", "content": "", "reasoning": "."},
            {"role": "assistant", "content": "Done"},
        )
    ),
    "ollama whole call": frame(
        *deltas(
            {
                "role": "assistant",
                "content": "",
                **call(0, "call_2bq1t0p9", "now", '{"zone":"UTC"}'),
            },
            finish="tool_calls",
        ),
        last(usage(160, 22)),
    ),
    "llama.cpp": frame(
        *deltas({"role": "assistant", "content": None}, {"content": "Fine"}, {"content": "."}),
        {**last(usage(14, 3)), "timings": {"prompt_n": 14, "predicted_ms": 31.2}},
    ),
    "llama.cpp call": frame(
        *deltas(
            {"role": "assistant", "content": None},
            call(0, "Zx81bNn0PqFf3", "read_file", "{"),
            call(0, None, None, '"path":"/etc/hosts"'),
            call(0, None, None, "}"),
            finish="tool_calls",
        )
    ),
    "mistral": frame(
        *deltas({"role": "assistant", "content": ""}, {"content": "Bon"}, finish=None),
        *deltas({"content": "jour"}, finish=None),
        *[{**one, "usage": usage(7, 3)} for one in deltas(finish="stop")],
    ),
    "mistral whole calls": frame(
        *deltas(
            {
                "content": "",
                "tool_calls": [
                    {"id": "D681PevKs", "function": {"name": "a", "arguments": "{}"}, "index": 0},
                    {"id": "x8fTq2LmZ", "function": {"name": "b", "arguments": "{}"}, "index": 1},
                ],
            },
            finish="tool_calls",
        )
    ),
    "deepseek": b": keep-alive\n\n"
    + frame(
        *deltas(
            {"role": "assistant", "content": None, "reasoning_content": ""},
            {"content": None, "reasoning_content": "9.11 < 9.8"},
            {"content": "9.8", "reasoning_content": None},
            usage=None,
        ),
        *deltas(
            {"content": ""},
            finish=None,
            usage=usage(
                18,
                21,
                prompt_tokens_details={"cached_tokens": 16},
                completion_tokens_details={"reasoning_tokens": 12},
                prompt_cache_hit_tokens=16,
                prompt_cache_miss_tokens=2,
            ),
        ),
    ),
    "groq": frame(
        *deltas({"role": "assistant", "content": ""}, finish=None, x_groq={"id": "req_01j"}),
        *deltas({"content": "Fast"}),
        last(usage(20, 2, queue_time=0.01, total_time=0.02)),
    ),
    "crlf": frame(*deltas(*words("a", "b")), last(usage(1, 2)), newline=b"\r\n"),
    "no space after the colon": frame(*deltas(*words("a", "b")), space=b""),
    "event, id and retry": b"retry: 3000\n"
    + b"".join(
        b"event: message\nid: %d\n" % at + frame(one, done=False)
        for at, one in enumerate(deltas(*words("a", "b")))
    )
    + DONE,
    "no done": frame(*deltas(*words("a", "b")), last(usage(1, 2)), done=False),
    "data over several lines": b'data: {"choices":[\ndata: {"index":0,"delta":{"content":"ab"},\n'
    + b'data: "finish_reason":"stop"}]}\n\n'
    + DONE,
    "second choice": frame(
        *deltas(*words("a"), finish=None),
        {"choices": [{"index": 1, "delta": {"content": "other"}, "finish_reason": "length"}]},
        *deltas({"content": "b"}),
    ),
}
