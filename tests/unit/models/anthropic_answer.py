"""The Anthropic parser run over bytes, and what it gave back for the model alone."""

from collections.abc import Iterable
from itertools import count
from typing import Any

from assent.errors import ModelError
from assent.models.anthropic_stream import AnswerParser
from assent.models.model import ModelEvent, ReasoningOpaque
from tests.unit.models.openai_answer import Whole, collect

MODEL = "m-1"


def build_parser(used_ids: Iterable[str] = (), *, shaped: bool = False) -> AnswerParser:
    numbers = count(1)
    return AnswerParser(MODEL, lambda: f"made{next(numbers)}", used_ids, shaped=shaped)


def run(
    *reads: bytes, used_ids: Iterable[str] = (), shaped: bool = False
) -> tuple[list[ModelEvent], ModelError | None]:
    """All events, and the error that came after them."""
    parser = build_parser(used_ids, shaped=shaped)
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


def put_together(events: Iterable[ModelEvent]) -> tuple[Whole, list[dict[str, Any]]]:
    """The answer, and the opaque data of its thoughts in their order."""
    events = list(events)
    opaque = [one.data for one in events if isinstance(one, ReasoningOpaque)]
    return collect(one for one in events if not isinstance(one, ReasoningOpaque)), opaque


def read(*reads: bytes, used_ids: Iterable[str] = (), shaped: bool = False) -> Whole:
    events, error = run(*reads, used_ids=used_ids, shaped=shaped)
    assert error is None, error
    return put_together(events)[0]
