"""The message as somebody sees it who follows its run: stream events applied to parts. Pure.

It does what the client does, in the form in which parts are stored. So a run that keeps its own
message in this way stores what its followers have seen, and a reload shows the same.
"""

from collections.abc import Iterable
from typing import Any, TypeAlias

import msgspec
from msgspec import UNSET

from assent.runs.events import (
    OWN,
    Data,
    Event,
    File,
    Finish,
    FinishStep,
    InputError,
    InputPiece,
    InputReady,
    InputStart,
    MessageMetadata,
    OutputDenied,
    OutputError,
    OutputReady,
    ReasoningEnd,
    ReasoningPiece,
    ReasoningStart,
    SourceDocument,
    SourceUrl,
    Start,
    StartStep,
    TextEnd,
    TextPiece,
    TextStart,
    drop_forbidden,
)

Part: TypeAlias = dict[str, Any]
_Answer: TypeAlias = InputReady | InputError | OutputReady | OutputError | OutputDenied
_CallEvent: TypeAlias = InputStart | _Answer


class Transcript:
    """`parts` may be those of a message that is stored already; they are changed in place.

    An event for a part that never began raises `KeyError`; it would end the stream of a client.
    """

    def __init__(self, parts: list[Part] | None = None) -> None:
        self.parts: list[Part] = [] if parts is None else parts
        self.message_id: str | None = None
        self.metadata: dict[str, Any] = {}
        self._open: dict[tuple[str, str], Part] = {}

    def apply(self, event: Event) -> None:
        if isinstance(event, TextPiece | ReasoningPiece):
            kind = "text" if isinstance(event, TextPiece) else "reasoning"
            self._open[kind, event.id]["text"] += event.delta
        elif isinstance(event, InputPiece):
            self._find_call(event.id)
        elif isinstance(event, _CallEvent):
            self._apply_call(event)
        elif isinstance(event, TextStart | TextEnd | ReasoningStart | ReasoningEnd):
            self._apply_prose(event)
        elif isinstance(event, Data):
            self._apply_data(event)
        else:
            self._apply_rest(event)

    def apply_all(self, events: Iterable[Event]) -> None:
        for event in events:
            self.apply(event)

    def _apply_prose(self, event: TextStart | TextEnd | ReasoningStart | ReasoningEnd) -> None:
        kind = "text" if isinstance(event, TextStart | TextEnd) else "reasoning"
        if isinstance(event, TextStart | ReasoningStart):
            part: Part = {"type": kind, "text": ""}
            self.parts.append(part)
            self._open[kind, event.id] = part
            return
        part = self._open.pop((kind, event.id))
        if isinstance(event, ReasoningEnd) and event.provider_metadata is not UNSET:
            part |= event.provider_metadata.get(OWN, {})

    def _apply_call(self, event: _CallEvent) -> None:
        if isinstance(event, InputStart):
            self._open_call(event)
            return
        part = self._find_call(event.id)
        if not isinstance(event, OutputDenied):
            part.pop("output", None)
            part.pop("errorText", None)
        part |= _describe(event)

    def _open_call(self, event: InputStart) -> None:
        part: Part = {
            "type": "dynamic-tool",
            "toolName": event.tool_name,
            "toolCallId": event.id,
            "state": "input-streaming",
        }
        if event.title is not UNSET:
            part["title"] = event.title
        self.parts.append(part)

    def _find_call(self, call_id: str) -> Part:
        """The newest of that id: one that is there again was made in a later step."""
        for part in reversed(self.parts):
            if part["type"] == "dynamic-tool" and part["toolCallId"] == call_id:
                return part
        raise KeyError(call_id)

    def _apply_data(self, event: Data) -> None:
        if event.transient is True:
            return
        data = drop_forbidden(event.data)
        for part in self.parts:
            if part["type"] == event.type and part["id"] == event.id:
                part["data"] = data
                return
        self.parts.append({"type": event.type, "id": event.id, "data": data})

    def _apply_rest(self, event: Event) -> None:
        match event:
            case Start():
                self.parts.clear()
                self._open.clear()
                self.message_id = event.message_id
                self.metadata = dict(event.message_metadata)
            case StartStep():
                self.parts.append({"type": "step-start"})
            case FinishStep():
                self._open.clear()
            case SourceUrl() | SourceDocument() | File():
                self.parts.append(_build_part(event))
            case Finish() | MessageMetadata() if event.message_metadata is not UNSET:
                self.metadata |= event.message_metadata
            case _:
                pass


def has_source(parts: Iterable[Part], event: Event) -> bool:
    """Whether it is a source that is among the parts already."""
    if not isinstance(event, SourceUrl | SourceDocument):
        return False
    return any(part.get("sourceId") == event.source_id for part in parts)


def build_shown_parts(parts: Iterable[Part]) -> list[Part]:
    """Stored parts as the client holds them: nothing that is only for the server."""
    return [_show(part) for part in parts]


def _show(part: Part) -> Part:
    shown = {key: value for key, value in part.items() if not key.startswith("_")}
    if "durationMs" in shown:
        shown["providerMetadata"] = {OWN: {"durationMs": shown.pop("durationMs")}}
    return shown


def _describe(event: _Answer) -> Part:
    """What a part says of its call from now on."""
    match event:
        case InputReady():
            return {"state": "input-available", "input": drop_forbidden(event.input)}
        case InputError():
            return {
                "state": "output-error",
                "input": drop_forbidden(event.input),
                "errorText": event.error_text,
            }
        case OutputReady():
            return {"state": "output-available", "output": drop_forbidden(event.output)}
        case OutputError():
            return {"state": "output-error", "errorText": event.error_text}
        case OutputDenied():
            return {"state": "output-denied"}


def _build_part(event: SourceUrl | SourceDocument | File) -> Part:
    return msgspec.to_builtins(event)
