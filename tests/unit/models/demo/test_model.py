"""How it speaks: in pieces, with usage, within its room, and at its pace."""

import asyncio
from collections.abc import AsyncGenerator, Sequence
from typing import Any

import pytest

from assent.models.demo import model as demo
from assent.models.demo.model import DemoModel
from assent.models.model import (
    AssistantMessage,
    CallDelta,
    CallPart,
    CallStart,
    Finished,
    Model,
    ModelEvent,
    ModelRequest,
    ResultPart,
    TextDelta,
    TextPart,
    ToolMessage,
    Usage,
    UserMessage,
)
from tests.unit.models.demo.world import ALL, PROMPT


def ask(text: str, **changes: Any) -> ModelRequest:
    given: dict[str, Any] = {
        "purpose": "turn",
        "model": "demo",
        "instructions": PROMPT,
        "messages": (UserMessage((TextPart(text),)),),
        "max_tokens": 1000,
        "tools": ALL,
    }
    return ModelRequest(**{**given, **changes})


async def collect(stream: AsyncGenerator[Sequence[ModelEvent]]) -> list[ModelEvent]:
    return [event async for events in stream for event in events]


async def test_is_a_model() -> None:
    speaker: Model = DemoModel(pace=0)
    assert await collect(speaker.stream(ask("hello")))


async def test_speaks_word_by_word() -> None:
    events = await collect(DemoModel(pace=0).stream(ask("hello")))
    texts = [event.text for event in events if isinstance(event, TextDelta)]
    assert "".join(texts).startswith("Hello! I am the built-in demo model")
    assert all(len(text.split()) == 1 for text in texts)
    assert isinstance(events[-2], Usage)
    assert events[-1] == Finished("stop")
    assert events[-2].output == -(-len("".join(texts)) // 4)
    assert events[-2].input > 1000


async def test_writes_calls_in_pieces() -> None:
    events = await collect(DemoModel(pace=0).stream(ask("list systems and find pancakes")))
    starts = [event for event in events if isinstance(event, CallStart)]
    assert [start.index for start in starts] == list(range(len(starts)))
    assert len({start.id for start in starts}) == len(starts) > 1
    pieces = [event.arguments for event in events if isinstance(event, CallDelta)]
    assert max(map(len, pieces)) <= 12
    assert events[-1] == Finished("tool_calls")


async def test_ids_of_calls_are_new_in_the_conversation() -> None:
    call = CallPart("demo_2", "catalog_listGroups", "{}")
    messages = (
        UserMessage((TextPart("list groups"),)),
        AssistantMessage((call,)),
        ToolMessage((ResultPart("demo_2", "catalog_listGroups", '{"items": []}'),)),
        UserMessage((TextPart("list groups"),)),
    )
    events = await collect(DemoModel(pace=0).stream(ask("", messages=messages)))
    (start,) = [event for event in events if isinstance(event, CallStart)]
    assert start.id not in ("demo_2", "")


async def test_stops_where_its_room_ends_and_goes_on_from_there() -> None:
    whole = await _say(ask("what can you do?"))
    begun = await _say(ask("what can you do?", max_tokens=20), reason="length")
    assert 0 < len(begun) <= 80
    messages = (UserMessage((TextPart("what can you do?"),)), AssistantMessage((TextPart(begun),)))
    rest = await _say(ask("", messages=messages))
    assert begun + rest == whole


async def test_has_no_room_for_a_call() -> None:
    events = await collect(DemoModel(pace=0).stream(ask("add a system called x", max_tokens=5)))
    assert not [event for event in events if isinstance(event, CallStart)]
    assert events[-1] == Finished("length")


async def _say(request: ModelRequest, reason: str = "stop") -> str:
    events = await collect(DemoModel(pace=0).stream(request))
    assert events[-1] == Finished(reason)  # pyright: ignore
    return "".join(event.text for event in events if isinstance(event, TextDelta))


async def test_keeps_its_pace(monkeypatch: pytest.MonkeyPatch) -> None:
    slept: list[float] = []

    async def sleep(seconds: float) -> None:
        slept.append(seconds)

    monkeypatch.setattr(demo.asyncio, "sleep", sleep)
    events = await collect(DemoModel(pace=0.5).stream(ask("hello")))
    assert slept == [0.5] * (len(events) - 2)
    assert DemoModel()._pace == demo.HUMAN_PACE  # pyright: ignore


async def test_can_be_closed_in_the_middle() -> None:
    stream = DemoModel(pace=60).stream(ask("hello"))
    [first] = await anext(stream)
    assert isinstance(first, TextDelta)
    waiting = asyncio.ensure_future(anext(stream))
    await asyncio.sleep(0)
    waiting.cancel()
    with pytest.raises(asyncio.CancelledError):
        await waiting


async def test_gives_an_answer_the_shape_that_is_asked_for() -> None:
    schema = {
        "type": "object",
        "properties": {"text": {"type": "string"}},
        "required": ["text"],
    }
    said = await _say(ask("thanks", output_schema=schema))
    assert said == '{"text":"You are welcome."}'
