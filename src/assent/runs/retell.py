"""Stored parts as the events that lead to them: what a follower of a later attempt is told. Pure.

The last step stays open, because its calls may still be made.
"""

from collections.abc import Iterable, Iterator
from typing import Any, cast

import msgspec
from msgspec import UNSET

from assent.runs.events import (
    OWN,
    DataType,
    Event,
    File,
    FinishStep,
    InputError,
    InputReady,
    InputStart,
    OutputDenied,
    OutputError,
    OutputReady,
    ReasoningEnd,
    ReasoningPiece,
    ReasoningStart,
    SourceDocument,
    SourceUrl,
    StartStep,
    TextEnd,
    TextPiece,
    TextStart,
    build_data,
)
from assent.runs.transcript import Part


def retell(parts: Iterable[Part]) -> Iterator[Event]:
    steps = 0
    for number, part in enumerate(parts):
        kind = part["type"]
        if kind == "step-start":
            if steps:
                yield FinishStep()
            yield StartStep()
            steps += 1
        elif kind in ("text", "reasoning"):
            yield from _retell_prose(part, f"{steps - 1}.{number}")
        elif kind == "dynamic-tool":
            yield from _retell_call(part)
        elif kind.startswith("data-"):
            yield build_data(cast(DataType, kind), part["id"], part["data"])
        else:
            yield msgspec.convert(part, SourceUrl | SourceDocument | File)


def _retell_prose(part: Part, part_id: str) -> list[Event]:
    if part["type"] == "text":
        return [TextStart(part_id), TextPiece(part_id, part["text"]), TextEnd(part_id)]
    metadata = {OWN: {"durationMs": part["durationMs"]}} if "durationMs" in part else UNSET
    said = [ReasoningPiece(part_id, part["text"])] if part["text"] else []
    return [ReasoningStart(part_id), *said, ReasoningEnd(part_id, metadata)]


def _retell_call(part: Part) -> Iterator[Event]:
    call_id, name, given = part["toolCallId"], part["toolName"], part.get("input")
    title: Any = part.get("title", UNSET)
    yield InputStart(call_id, name, title)
    if not isinstance(given, dict):
        yield InputError(call_id, name, given, part.get("errorText", ""), title)
        return
    yield InputReady(call_id, name, given, title)
    match part["state"]:
        case "output-available":
            yield OutputReady(call_id, part["output"])
        case "output-error":
            yield OutputError(call_id, part["errorText"])
        case "output-denied":
            yield OutputDenied(call_id)
        case _:
            pass
