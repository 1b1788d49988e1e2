"""Our wire client next to the official SDK: the same answers, read the same way."""

from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from assent.models.http import open_session
from assent.models.model import ModelRequest, Usage
from assent.models.openai_wire import OpenAiWire
from assent.testing.provider import Scripted, run_provider
from tests.unit.models.openai_answer import Whole, collect
from tests.unit.models.openai_streams import STREAMS

KEY = "for tests only"
REQUEST = ModelRequest(purpose="turn", model="m-1", instructions=(), messages=(), max_tokens=9)


@pytest.mark.parametrize("name", STREAMS)
@given(cuts=st.lists(st.integers(1, 4000), max_size=6))
@settings(max_examples=4, deadline=None, suppress_health_check=list(HealthCheck))
async def test_reads_what_the_official_sdk_reads(name: str, cuts: list[int]) -> None:
    data = STREAMS[name]
    places = sorted({cut for cut in cuts if cut < len(data)})
    pieces = tuple(data[a:b] for a, b in zip([0, *places], [*places, len(data)], strict=True))
    async with run_provider() as provider, open_session() as session:
        provider.script(*[Scripted(pieces)] * 2)
        theirs = await read_with_sdk(provider.url)
        answer = OpenAiWire(provider.url, KEY, session).stream(REQUEST)
        ours = [event async for events in answer for event in events]
    assert theirs.text or theirs.calls
    assert theirs.reason is not None
    assert collect(ours) == theirs


async def read_with_sdk(url: str) -> Whole:
    """What the official SDK makes of an answer, put together as its documentation says."""
    import openai  # Slow to load, and needed by one worker only.

    whole = Whole()
    calls: dict[int, list[str]] = {}
    async with openai.AsyncOpenAI(base_url=url, api_key=KEY, max_retries=0) as client:
        answer = await client.chat.completions.create(
            model="m-1", messages=[{"role": "user", "content": "Hello"}], stream=True
        )
        async for chunk in answer:
            if chunk.usage is not None:
                whole.usage = _translate_usage(chunk.usage)
            for choice in chunk.choices:
                if choice.index != 0:
                    continue
                extra = choice.delta.model_extra or {}
                whole.text += choice.delta.content or ""
                whole.reasoning += extra.get("reasoning_content") or extra.get("reasoning") or ""
                for piece in choice.delta.tool_calls or []:
                    known = calls.setdefault(piece.index, ["", "", ""])
                    known[0] += piece.id or ""
                    known[1] += (piece.function and piece.function.name) or ""
                    known[2] += (piece.function and piece.function.arguments) or ""
                whole.reason = choice.finish_reason or whole.reason
    whole.calls = {index: (one[0], one[1], one[2]) for index, one in calls.items()}
    if whole.reason == "function_call":
        whole.reason = "tool_calls"
    return whole


def _translate_usage(usage: Any) -> Usage:
    given, written = usage.prompt_tokens_details, usage.completion_tokens_details
    return Usage(
        input=usage.prompt_tokens,
        output=usage.completion_tokens,
        cache_read=(given and given.cached_tokens) or 0,
        reasoning=(written and written.reasoning_tokens) or 0,
    )
