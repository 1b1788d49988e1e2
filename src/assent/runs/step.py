"""One step of a model: its events become stream events, and at the end parts to store. Pure.

A step shows nothing of itself before the model says something, so that one which failed or stayed
empty leaves no trace. Running the calls, and the `FinishStep` after them, belong to the loop.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import groupby
from typing import Any, Literal, Protocol, TypeAlias, cast

from msgspec import UNSET

from assent.models.model import (
    CallDelta,
    CallStart,
    FinishReason,
    ModelEvent,
    ReasoningDelta,
    ReasoningOpaque,
    TextDelta,
    Usage,
)
from assent.runs.events import (
    OWN,
    Event,
    InputError,
    InputPiece,
    InputReady,
    InputStart,
    ReasoningEnd,
    ReasoningPiece,
    ReasoningStart,
    StartStep,
    TextEnd,
    TextPiece,
    TextStart,
)
from assent.runs.repair import parse_arguments
from assent.runs.transcript import Part
from assent.tools.json_value import encode_json
from assent.value import UNSTORABLE
from assent.vault.scrub.scrubber import Scrubber
from assent.vault.scrub.stream import StreamScrubber

NOT_JSON = "The arguments of this call are not a JSON object."
NOT_COMPLETE = "The answer ended before this call was complete, so it was not made."
WHOLE: frozenset[FinishReason] = frozenset({"stop", "tool_calls"})
"""Reasons with which the model itself came to the end of what it wrote."""

Kind: TypeAlias = Literal["text", "reasoning"]


class Titled(Protocol):
    """What is shown of a tool."""

    @property
    def name(self) -> str: ...
    @property
    def title(self) -> str: ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Call:
    """A tool call. Without an `input` it cannot be made, and `error` says why.

    The name of a tool that was not offered is the one that the model wrote.
    """

    id: str
    name: str
    is_known: bool
    arguments: str
    input: dict[str, Any] | None = None
    error: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class StepEnd:
    """What a step came to. Without a `reason` it was cut off, and none of its calls is made."""

    events: Sequence[Event]
    parts: list[Part]
    calls: Sequence[Call]
    usage: Usage | None
    reason: FinishReason | None


@dataclass(slots=True)
class _Prose:
    """Text or reasoning as it grows."""

    kind: Kind
    id: str
    began_at: float
    scrubbing: StreamScrubber | None
    pieces: list[str] = field(default_factory=list[str])
    duration: int | None = None
    opaque: dict[str, Any] | None = None

    def build_part(self) -> Part:
        part: Part = {"type": self.kind, "text": "".join(self.pieces)}
        if self.duration is not None:
            part["durationMs"] = self.duration
        if self.opaque is not None:
            part["_opaque"] = self.opaque
        return part


@dataclass(slots=True)
class _OpenCall:
    id: str
    wire_name: str
    tool: Titled | None
    scrubber: Scrubber | None
    pieces: list[str] = field(default_factory=list[str])
    held: StreamScrubber | None = None

    @property
    def name(self) -> str:
        return self.wire_name if self.tool is None else self.tool.name

    def close(self, reason: FinishReason | None) -> Call:
        arguments = "".join(self.pieces)
        parsed = parse_arguments(arguments, is_cut=reason not in WHOLE) if reason else None
        if self.scrubber is not None:
            arguments, parsed = _hide_arguments(self.scrubber, arguments, parsed)
        error = None
        if parsed is None:
            error = NOT_JSON if reason in WHOLE else NOT_COMPLETE
        return Call(
            id=self.id,
            name=self.name,
            is_known=self.tool is not None,
            arguments=arguments,
            input=parsed,
            error=error,
        )


class Step:
    """`tools` are those that were offered, by wire name; `at` is a clock's time in seconds.

    Answers that go on after one another, the first cut by length, may be taken by one step: the
    text goes on where it was. Without a `scrubber` all is shown as it comes.
    """

    def __init__(
        self, index: int, tools: Mapping[str, Titled], scrubber: Scrubber | None = None
    ) -> None:
        self._index = index
        self._scrubber = scrubber
        self._tools = tools
        self._all: list[_Prose | _OpenCall] = []
        self._open: _Prose | None = None
        self._by_index: dict[int, _OpenCall] = {}
        self._usages: list[Usage] = []
        self._usage: Usage | None = None
        self._reason: FinishReason | None = None

    @property
    def is_empty(self) -> bool:
        """Whether nothing of it has been shown."""
        return not self._all

    def take_all(self, events: Sequence[ModelEvent], at: float) -> list[Event]:
        """What to say about events of the model that came together: words as one event."""
        told: list[Event] = []
        for event in _join(events):
            told += self.take(event, at)
        return told

    def take(self, event: ModelEvent, at: float) -> list[Event]:
        """What to say about one event of the model."""
        self._reason = None
        if isinstance(event, TextDelta):
            return self._take_prose("text", event.text, at)
        if isinstance(event, ReasoningDelta):
            return self._take_prose("reasoning", event.text, at)
        if isinstance(event, CallDelta):
            return self._take_arguments(event)
        if isinstance(event, CallStart):
            return self._open_call(event, at)
        if isinstance(event, ReasoningOpaque):
            return self._take_opaque(event.data, at)
        if isinstance(event, Usage):
            self._usage = event
        else:
            self._reason = event.reason
            self._count_usage()
        return []

    def end(self, at: float) -> StepEnd:
        """Close whatever is open. A stream that was cut off ends in the same way."""
        events = self._close_prose(at)
        self._count_usage()
        parts: list[Part] = [] if self.is_empty else [{"type": "step-start"}]
        calls: list[Call] = []
        for one in self._all:
            if isinstance(one, _Prose):
                parts.append(one.build_part())
            else:
                call = one.close(self._reason)
                calls.append(call)
                events.append(_show_call(call, one.tool))
                parts.append(_build_call_part(call, one))
        return StepEnd(
            events=events,
            parts=parts,
            calls=calls,
            usage=add_usage(self._usages),
            reason=self._reason,
        )

    def _take_prose(self, kind: Kind, text: str, at: float) -> list[Event]:
        text = _clean(text)
        if not text:
            return []
        prose = self._open
        events: list[Event] = []
        if prose is None or prose.kind != kind:
            events, prose = self._open_prose(kind, at)
        if prose.scrubbing is not None:
            text = prose.scrubbing.feed(text)
        return [*events, *_show_prose(prose, text)]

    def _open_prose(self, kind: Kind, at: float) -> tuple[list[Event], _Prose]:
        events = [*self._begin(), *self._close_prose(at)]
        scrubbing = StreamScrubber(self._scrubber) if self._scrubber else None
        prose = _Prose(kind, f"{self._index}.{len(self._all)}", at, scrubbing)
        self._all.append(prose)
        self._open = prose
        events.append(TextStart(prose.id) if kind == "text" else ReasoningStart(prose.id))
        return events, prose

    def _close_prose(self, at: float) -> list[Event]:
        prose, self._open = self._open, None
        if prose is None:
            return []
        rest = _show_prose(prose, prose.scrubbing.flush()) if prose.scrubbing else []
        if prose.kind == "text":
            return [*rest, TextEnd(prose.id)]
        if not prose.pieces:
            return [ReasoningEnd(prose.id)]
        prose.duration = max(round((at - prose.began_at) * 1000), 0)
        return [*rest, ReasoningEnd(prose.id, {OWN: {"durationMs": prose.duration}})]

    def _take_opaque(self, data: dict[str, Any], at: float) -> list[Event]:
        """For the last reasoning that has none; a provider may also hide all of its reasoning."""
        events: list[Event] = []
        prose = next((one for one in reversed(self._all) if _is_reasoning(one)), None)
        if not isinstance(prose, _Prose) or prose.opaque is not None:
            events, prose = self._open_prose("reasoning", at)
        prose.opaque = data
        if self._open is prose:
            events += self._close_prose(at)
        return events

    def _open_call(self, event: CallStart, at: float) -> list[Event]:
        events = [*self._begin(), *self._close_prose(at)]
        wire_name = _clean(event.name)
        call = _OpenCall(_clean(event.id), wire_name, self._tools.get(wire_name), self._scrubber)
        if self._scrubber is not None:
            call.held = StreamScrubber(self._scrubber)
        self._all.append(call)
        self._by_index[event.index] = call
        events.append(InputStart(call.id, call.name, _find_title(call.tool)))
        return events

    def _take_arguments(self, event: CallDelta) -> list[Event]:
        text = _clean(event.arguments)
        if not text:
            return []
        call = self._by_index[event.index]
        call.pieces.append(text)
        shown = text if call.held is None else call.held.feed(text)
        return [InputPiece(call.id, shown)] if shown else []

    def _begin(self) -> list[Event]:
        return [StartStep()] if self.is_empty else []

    def _count_usage(self) -> None:
        if self._usage is not None:
            self._usages.append(self._usage)
            self._usage = None


def _show_prose(prose: _Prose, text: str) -> list[Event]:
    if not text:
        return []
    prose.pieces.append(text)
    return [TextPiece(prose.id, text) if prose.kind == "text" else ReasoningPiece(prose.id, text)]


def _hide_arguments(
    scrubber: Scrubber, arguments: str, parsed: dict[str, Any] | None
) -> tuple[str, dict[str, Any] | None]:
    """What is called is what is shown: a secret that a tool needs is typed by a person."""
    if parsed is None:
        return scrubber.scrub_text(arguments), None
    hidden = scrubber.scrub(parsed)
    return (arguments, parsed) if hidden == parsed else (encode_json(hidden), hidden)


def _join(events: Sequence[ModelEvent]) -> Iterator[ModelEvent]:
    """Pieces of the same text or call that follow one another, as one piece."""
    for (kind, index), group in groupby(events, _find_target):
        if kind is TextDelta or kind is ReasoningDelta:
            texts = cast("Iterator[TextDelta | ReasoningDelta]", group)
            yield kind("".join(event.text for event in texts))
        elif kind is CallDelta:
            pieces = cast("Iterator[CallDelta]", group)
            yield CallDelta(index, "".join(event.arguments for event in pieces))
        else:
            yield from group


def _find_target(event: ModelEvent) -> tuple[type[ModelEvent], int]:
    return type(event), event.index if isinstance(event, CallDelta) else 0


def add_usage(usages: Sequence[Usage]) -> Usage | None:
    """What several answers took together, if anything is known."""
    if not usages:
        return None
    return Usage(
        input=sum(one.input for one in usages),
        output=sum(one.output for one in usages),
        cache_read=sum(one.cache_read for one in usages),
        cache_write=sum(one.cache_write for one in usages),
        reasoning=sum(one.reasoning for one in usages),
        cleared_calls=sum(one.cleared_calls for one in usages),
        cleared_input=sum(one.cleared_input for one in usages),
    )


def _show_call(call: Call, tool: Titled | None) -> Event:
    title = _find_title(tool)
    if call.error is None:
        return InputReady(call.id, call.name, call.input, title)
    return InputError(call.id, call.name, call.arguments, call.error, title)


def _build_call_part(call: Call, opened: _OpenCall) -> Part:
    part: Part = {"type": "dynamic-tool", "toolName": call.name, "toolCallId": call.id}
    if opened.tool is not None:
        part["title"] = opened.tool.title
    if call.error is None:
        part |= {"state": "input-available", "input": call.input}
    else:
        part |= {"state": "output-error", "input": call.arguments, "errorText": call.error}
    part["_wire"] = {"name": opened.wire_name, "arguments": call.arguments}
    return part


def _find_title(tool: Titled | None) -> Any:
    return UNSET if tool is None else tool.title


def _is_reasoning(one: _Prose | _OpenCall) -> bool:
    return isinstance(one, _Prose) and one.kind == "reasoning"


def _clean(text: str) -> str:
    """Nearly all of it is plain text, and this is asked for every piece."""
    if text.isascii() and "\0" not in text:
        return text
    return UNSTORABLE.sub("", text)
