"""An answer put together from events, and the parser run over bytes."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from itertools import count

from assent.errors import ModelError
from assent.models.model import (
    CallDelta,
    CallStart,
    Finished,
    ModelEvent,
    ReasoningDelta,
    TextDelta,
    Usage,
)
from assent.models.openai_stream import AnswerParser


@dataclass(slots=True)
class Whole:
    """`calls` by index: id, name, arguments."""

    text: str = ""
    reasoning: str = ""
    calls: dict[int, tuple[str, str, str]] = field(default_factory=dict[int, tuple[str, str, str]])
    usage: Usage | None = None
    reason: str | None = None


def collect(events: Iterable[ModelEvent]) -> Whole:
    whole = Whole()
    for event in events:
        assert whole.reason is None, "nothing follows the finish"
        match event:
            case TextDelta(text):
                whole.text += text
            case ReasoningDelta(text):
                whole.reasoning += text
            case CallStart(index, call_id, name):
                assert index not in whole.calls
                whole.calls[index] = (call_id, name, "")
            case CallDelta(index, arguments):
                call_id, name, known = whole.calls[index]
                whole.calls[index] = (call_id, name, known + arguments)
            case Usage():
                assert whole.usage is None
                whole.usage = event
            case Finished(reason):
                whole.reason = reason
            case _:
                raise AssertionError(event)
    return whole


def build_parser(used_ids: Iterable[str] = ()) -> AnswerParser:
    numbers = count(1)
    return AnswerParser(lambda: f"made{next(numbers)}", used_ids)


def run(*reads: bytes, used_ids: Iterable[str] = ()) -> tuple[list[ModelEvent], ModelError | None]:
    """All events, and the error that came after them."""
    parser = build_parser(used_ids)
    events: list[ModelEvent] = []
    try:
        for data in reads:
            for event in parser.feed(data):
                events.append(event)
            if parser.is_done:
                break
        for event in parser.close():
            events.append(event)
    except ModelError as error:
        return events, error
    return events, None


def read(*reads: bytes, used_ids: Iterable[str] = ()) -> Whole:
    events, error = run(*reads, used_ids=used_ids)
    assert error is None, error
    return collect(events)
