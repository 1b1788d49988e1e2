"""Answers of a model, as they could come, and what a run makes of them."""

import json
from collections.abc import Sequence
from typing import Any, NamedTuple

from hypothesis import strategies as st

from assent.models.model import (
    CallDelta,
    CallStart,
    Finished,
    ModelEvent,
    ReasoningDelta,
    ReasoningOpaque,
    TextDelta,
    Usage,
)
from assent.runs.events import (
    Data,
    Event,
    FinishStep,
    OutputDenied,
    OutputError,
    OutputReady,
    SourceUrl,
    build_data,
    build_finish,
    build_start,
)
from assent.runs.step import Call, Step, StepEnd
from assent.runs.transcript import Part, Transcript
from tests.unit.tools.samples import json_texts, json_values


class Label(NamedTuple):
    name: str
    title: str


TOOLS = {
    "catalog_listSystems": Label("catalog.listSystems", "List systems"),
    "catalog_createSystem": Label("catalog.createSystem", "Create a system"),
}
WIRE_NAMES = (*TOOLS, "no_such_tool")

texts = st.text(st.characters(codec="utf-8"), max_size=8) | st.sampled_from(["", "\0", "a\ud800b"])
arguments = (
    st.dictionaries(json_texts, json_values, max_size=2).map(json.dumps)
    | st.sampled_from(["", "{", '{"a": 1,}', "{'a': 'b'}", '{"__proto__": 1}', "nonsense"])
    | json_texts
)


@st.composite
def answers(draw: st.DrawFn) -> list[ModelEvent]:
    """What one request may give, its calls in pieces and their pieces mixed with all else."""
    events: list[ModelEvent] = []
    waiting: dict[int, list[str]] = {}
    for _ in range(draw(st.integers(0, 12))):
        kind = draw(st.sampled_from(["text", "text", "reasoning", "opaque", "call", "piece"]))
        if kind == "text":
            events.append(TextDelta(draw(texts)))
        elif kind == "reasoning":
            events.append(ReasoningDelta(draw(texts)))
        elif kind == "opaque":
            events.append(ReasoningOpaque({"signature": draw(json_texts)}))
        elif kind == "call":
            index = len(waiting)
            waiting[index] = cut(draw(arguments), draw(st.integers(1, 5)))
            name = draw(st.sampled_from(WIRE_NAMES))
            events.append(CallStart(index, f"call {index}", name))
        elif any(waiting.values()):
            index = draw(st.sampled_from([one for one, pieces in waiting.items() if pieces]))
            events.append(CallDelta(index, waiting[index].pop(0)))
    rest = [CallDelta(index, piece) for index, pieces in waiting.items() for piece in pieces]
    reason = draw(st.sampled_from(["stop", "tool_calls", "length", "other", None]))
    if reason is None:
        return [*events, *rest[: draw(st.integers(0, len(rest)))]]
    return [*events, *rest, Usage(input=3, output=5), Finished(reason)]


def cut(text: str, size: int) -> list[str]:
    return [text[start : start + size] for start in range(0, len(text), size)]


def speak(step: Step, answer: Sequence[ModelEvent]) -> tuple[list[Event], StepEnd]:
    """All that one step says, a tenth of a second after the other."""
    said: list[Event] = []
    for number, event in enumerate(answer):
        said += step.take(event, number / 10)
    ended = step.end(len(answer) / 10)
    return [*said, *ended.events], ended


class Played(NamedTuple):
    """A whole run: what it said, and what it stored."""

    events: list[Event]
    parts: list[Part]


outcomes: st.SearchStrategy[Any] = st.tuples(
    st.sampled_from(["ready", "error", "denied", "card", "none"]), json_values
)


@st.composite
def runs(draw: st.DrawFn) -> Played:
    """Up to three steps with their calls' results, cards and all."""
    said: list[Event] = [build_start("message 1", "run 1")]
    stored = Transcript()
    for index in range(draw(st.integers(1, 3))):
        shown, ended = speak(Step(index, TOOLS), draw(answers()))
        stored.parts.extend(ended.parts)
        after: list[Event] = []
        for call in ended.calls:
            if call.error is None:
                after += show_outcome(call, *draw(outcomes))
        if ended.parts:
            after.append(FinishStep())
        stored.apply_all(after)
        said += [*shown, *after]
    said.append(build_finish("stop", Usage(input=1, output=2)))
    return Played(said, stored.parts)


def show_outcome(call: Call, kind: str, value: Any) -> list[Event]:
    if kind == "ready":
        return [build_progress(call, value), OutputReady(call.id, value)]
    if kind == "error":
        return [OutputError(call.id, "The tool failed.")]
    if kind == "denied":
        return [OutputDenied(call.id)]
    if kind == "card":
        card = build_data("data-proposal", f"proposal of {call.id}", {"summary": "It changes."})
        again = build_data("data-proposal", f"proposal of {call.id}", {"preview": value})
        return [OutputReady(call.id, {"status": "proposed"}), card, again, SourceUrl("s1", "/docs")]
    return []


def build_progress(call: Call, value: Any) -> Data:
    return build_data("data-progress", call.id, {"value": value})


def drop_server_only(parts: Sequence[Part]) -> list[Part]:
    return [
        {key: value for key, value in part.items() if not key.startswith("_")} for part in parts
    ]
