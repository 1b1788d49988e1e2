"""Reads a provider's answer to its end: bytes from the socket, events from the format's parser.

What the bytes mean, each wire client's parser knows; here are the deadlines, and what happens when
an answer breaks off.
"""

import time
from collections.abc import AsyncGenerator, Iterable
from typing import Any, Protocol, cast

from assent.errors import ModelError, ModelUnavailable
from assent.models.http import Answer, Deadlines, Timeouts, log_complaint
from assent.models.model import ENDLESS, AssistantMessage, CallPart, ModelEvent, ModelRequest
from assent.models.openai_chunk import parse_document

LONGEST_LIST = 4 * 1024 * 1024


class Parser(Protocol):
    """Feed it what was read, close it at the end. Both raise a `ModelError` after their events."""

    is_done: bool
    complaint: bytes
    """What the server wrote when it failed: for a log, never for a person."""

    @property
    def has_reason(self) -> bool:
        """Whether the answer is whole: only usage and the end may follow."""
        ...

    @property
    def has_spoken(self) -> bool: ...

    def feed(self, data: bytes) -> Iterable[ModelEvent]: ...

    def close(self) -> Iterable[ModelEvent]: ...


async def read_events(
    answer: Answer, parser: Parser, *, timeouts: Timeouts, key: str | None
) -> AsyncGenerator[list[ModelEvent]]:
    """All events that came together, each time; what came before an error is still told."""
    events: list[ModelEvent] = []
    deadlines = Deadlines(timeouts, time.monotonic())
    try:
        while data := await _read(answer, parser, deadlines):
            events += parser.feed(data)
            if events:
                yield events
                events = []
                deadlines.hear(time.monotonic())
        events += parser.close()
    except ModelError:
        if parser.complaint:
            log_complaint(parser.complaint, status=answer.status, key=key)
        if events:
            yield events
        raise
    yield events
    await answer.read_end()


async def _read(answer: Answer, parser: Parser, deadlines: Deadlines) -> bytes:
    """The next bytes; none at the end, and none when a whole answer is not ended properly."""
    if parser.is_done:
        return b""
    if parser.has_reason:
        deadlines.finish(time.monotonic())
    wait = deadlines.find_wait(time.monotonic())
    try:
        if wait <= 0:
            raise ModelUnavailable
        return await answer.read(wait, gather=parser.has_spoken and not parser.has_reason)
    except ModelUnavailable as error:
        if parser.has_reason:
            return b""
        if deadlines.is_over(time.monotonic()):
            raise ModelUnavailable(ENDLESS) from error
        raise


def list_call_ids(request: ModelRequest) -> list[str]:
    """Ids that are taken: one names one call in the whole conversation."""
    return [
        part.id
        for message in request.messages
        if isinstance(message, AssistantMessage)
        for part in message.parts
        if isinstance(part, CallPart)
    ]


async def read_models(answer: Answer, stall: float) -> tuple[str, ...] | None:
    """The ids in a list of models, or `None` for what is none."""
    found = b""
    while len(found) < LONGEST_LIST and (data := await answer.read(stall)):
        found += data
    models = (parse_document(found) or {}).get("data")
    if not isinstance(models, list):
        return None
    entries = [
        cast(dict[str, Any], one) for one in cast(list[Any], models) if isinstance(one, dict)
    ]
    return tuple(one["id"] for one in entries if isinstance(one.get("id"), str))
