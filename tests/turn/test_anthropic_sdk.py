"""Our client for Anthropic's API next to the official SDK: the same answers, read the same way."""

import json
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from assent.models.anthropic_wire import AnthropicWire
from assent.models.http import open_session
from assent.models.model import ModelRequest, TextPart, Usage, UserMessage
from assent.testing.provider import Scripted, run_provider
from tests.unit.models.anthropic_answer import put_together
from tests.unit.models.anthropic_streams import STREAMS
from tests.unit.models.openai_answer import Whole

KEY = "for tests only"
MODEL = "m-1"
REQUEST = ModelRequest(
    purpose="turn",
    model=MODEL,
    instructions=("You help.",),
    messages=(UserMessage((TextPart("Hello"),)),),
    max_tokens=9,
)
FINISH = {
    "end_turn": "stop",
    "stop_sequence": "stop",
    "max_tokens": "length",
    "model_context_window_exceeded": "length",
    "tool_use": "tool_calls",
    "refusal": "content_filter",
}


@pytest.mark.parametrize("name", STREAMS)
@given(cuts=st.lists(st.integers(1, 4000), max_size=6))
@settings(max_examples=4, deadline=None, suppress_health_check=list(HealthCheck))
async def test_reads_what_the_official_sdk_reads(name: str, cuts: list[int]) -> None:
    data = STREAMS[name]
    places = sorted({cut for cut in cuts if cut < len(data)})
    pieces = tuple(data[a:b] for a, b in zip([0, *places], [*places, len(data)], strict=True))
    async with run_provider() as provider, open_session() as session:
        provider.script(*[Scripted(pieces)] * 2)
        theirs, signed = await read_with_sdk(provider.url.removesuffix("/v1"))
        answer = AnthropicWire(provider.url, KEY, session).stream(REQUEST)
        ours, opaque = put_together([event async for events in answer for event in events])
    assert theirs.text or theirs.calls
    assert theirs.reason is not None
    for calls in (ours.calls, theirs.calls):
        for index, (call_id, made, arguments) in calls.items():
            calls[index] = (call_id, made, json.dumps(json.loads(arguments), sort_keys=True))
    if ours.calls:
        theirs.reason = "tool_calls"
    assert ours == theirs
    assert [one.get("signature") or one.get("redacted") for one in opaque] == signed


async def read_with_sdk(url: str) -> tuple[Whole, list[str]]:
    """What the official SDK makes of an answer, and what its thoughts are signed with."""
    import anthropic  # Slow to load, and needed by one worker only.

    async with anthropic.AsyncAnthropic(base_url=url, api_key=KEY, max_retries=0) as client:
        async with client.beta.messages.stream(
            model=MODEL, max_tokens=9, messages=[{"role": "user", "content": "Hello"}]
        ) as answer:
            message = await answer.get_final_message()
    whole = Whole(reason=FINISH[str(message.stop_reason)])
    signed: list[str] = []
    for block in message.content:
        if block.type == "text":
            whole.text += block.text
        elif block.type == "thinking":
            whole.reasoning += block.thinking
            signed.append(block.signature)
        elif block.type == "redacted_thinking":
            signed.append(block.data)
        elif block.type == "tool_use":
            made = json.dumps(block.input)
            whole.calls[len(whole.calls)] = (block.id, block.name, made)
    whole.usage = _translate_usage(message)
    return whole, signed


def _translate_usage(message: Any) -> Usage:
    usage = message.usage
    read, written = usage.cache_read_input_tokens or 0, usage.cache_creation_input_tokens or 0
    details = usage.output_tokens_details
    edits = message.context_management.applied_edits if message.context_management else []
    return Usage(
        input=usage.input_tokens + read + written,
        output=usage.output_tokens,
        cache_read=read,
        cache_write=written,
        reasoning=details.thinking_tokens if details else 0,
        cleared_calls=sum(one.cleared_tool_uses for one in edits),
        cleared_input=sum(one.cleared_input_tokens for one in edits),
    )
