"""Runs as they come about, recorded as the responses that a browser would get."""

import base64
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any
from uuid import UUID

from assent.errors import ModelUnavailable
from assent.models.model import (
    CallDelta,
    CallStart,
    Finished,
    FinishReason,
    ModelEvent,
    ReasoningDelta,
    ReasoningOpaque,
    TextDelta,
    Usage,
)
from assent.runs.events import (
    DONE,
    HEARTBEAT,
    Abort,
    Event,
    File,
    FinishStep,
    MessageMetadata,
    Numbered,
    OutputDenied,
    OutputError,
    OutputReady,
    SourceDocument,
    SourceUrl,
    build_data,
    build_failure,
    build_finish,
    build_start,
    encode_event,
    merge,
)
from assent.runs.frames import encode_prefix
from assent.runs.step import Step
from assent.runs.transcript import Part, Transcript
from tests.unit.runs.samples import TOOLS, speak

RUN = UUID(int=7)
MESSAGE = "message 1"
USAGE = Usage(input=20, output=5)


@dataclass(frozen=True, slots=True)
class Response:
    """The body of one response. One that `breaks` ends without warning."""

    body: bytes
    breaks: bool = False

    def encode(self) -> dict[str, Any]:
        return {"bytes": base64.b64encode(self.body).decode(), "breaks": self.breaks}


@dataclass(slots=True)
class Recording:
    """A run in the making: what it says goes out, what it stores is kept apart."""

    events: list[Event] = field(default_factory=list[Event])
    stored: Transcript = field(default_factory=Transcript)
    steps: int = 0

    def step(self, *answer: ModelEvent, after: Iterable[Event] = ()) -> None:
        said, ended = speak(Step(self.steps, TOOLS), answer)
        self.steps += 1
        self.stored.parts.extend(ended.parts)
        self.events += said
        self.say(*after, FinishStep())

    def say(self, *events: Event) -> None:
        self.events += events
        self.stored.apply_all(events)

    def finish(self, reason: FinishReason = "stop") -> None:
        self.say(build_finish(reason, USAGE))

    @property
    def parts(self) -> list[Part]:
        return self.stored.parts

    @property
    def numbered(self) -> list[Numbered]:
        return [Numbered(seq, event) for seq, event in enumerate(self.events, 1)]


def write_body(events: Sequence[Numbered], *, attempt: int = 1, is_over: bool = True) -> bytes:
    frames = [
        b"%b%d\n" % (encode_prefix(RUN, attempt), seq) + encode_event(event)
        for seq, event in events
    ]
    return HEARTBEAT.join([b"", *frames, DONE if is_over else b""])


def call(index: int, wire_name: str, *pieces: str) -> list[ModelEvent]:
    return [
        CallStart(index, f"call-{index}", wire_name),
        *(CallDelta(index, one) for one in pieces),
    ]


def tell_text(run: Recording) -> None:
    run.step(TextDelta("Grüße, "), TextDelta('"Welt" 😀\r\n\u2028{}'), Finished("stop"))
    run.finish()


def think(run: Recording) -> None:
    run.step(
        TextDelta("First."),
        ReasoningDelta("Hm. "),
        ReasoningDelta("So."),
        ReasoningOpaque({"signature": "secret"}),
        ReasoningDelta("And?"),
        TextDelta("Then."),
        ReasoningOpaque({"signature": "late"}),
        Finished("stop"),
    )
    run.finish()


def think_in_secret(run: Recording) -> None:
    run.step(ReasoningOpaque({"encrypted": "…"}), TextDelta("Done."), Finished("stop"))
    run.finish()


def call_tools(run: Recording) -> None:
    run.step(
        TextDelta("Let me look."),
        *call(0, "catalog_listSystems"),
        *call(1, "catalog_createSystem", '{"name": ', '"billing"}'),
        CallDelta(0, "{}"),
        *call(2, "catalog_createSystem", "{'name': 'shop',}"),
        *call(3, "catalog_createSystem", "billing, please"),
        *call(4, "no_such_tool", '{"a": [1, 2.5, null]}'),
        Finished("tool_calls"),
        after=[
            OutputReady("call-1", {"status": "proposed"}),
            OutputError("call-4", "There is no tool called no_such_tool."),
            OutputReady("call-0", [{"name": "shop", "note": None}]),
            OutputDenied("call-2"),
        ],
    )
    run.step(TextDelta("Done."), Finished("stop"))
    run.finish()


def repeat_an_id(run: Recording) -> None:
    for output in (1, 2):
        run.step(
            *call(0, "catalog_listSystems"),
            Finished("tool_calls"),
            after=[OutputReady("call-0", output)],
        )
    run.finish()


def return_odd_results(run: Recording) -> None:
    odd = {"__proto__": {"a": 1}, "constructor": {"prototype": 1}, "b": [{"__proto__": 1}]}
    run.step(
        *call(0, "catalog_listSystems"),
        *call(1, "catalog_listSystems"),
        *call(2, "catalog_listSystems", '{"__proto__": 1}'),
        Finished("tool_calls"),
        after=[
            OutputReady("call-0", odd),
            OutputReady("call-1", None),
            build_data("data-applied", "p", odd),
        ],
    )
    run.finish()


def show_cards(run: Recording) -> None:
    run.say(build_data("data-phase", "phase", {"phase": "build"}))
    run.step(
        *call(0, "catalog_createSystem", '{"name": "billing"}'),
        Finished("tool_calls"),
        after=[
            build_data("data-progress", "call-0", {"done": 1, "of": 2}),
            OutputReady("call-0", {"status": "proposed"}),
            build_data("data-proposal", "proposal 1", {"summary": "Create billing."}),
            build_data("data-question", "question 1", {"questions": []}),
            build_data("data-proposal", "proposal 1", {"summary": "Create Billing."}),
            build_data("data-applied", "proposal 2", {"summary": "Created.", "result": None}),
        ],
    )
    run.say(build_data("data-title", "title", {"title": "Billing"}))
    run.finish("tool_calls")


def cite(run: Recording) -> None:
    run.step(
        TextDelta("See there."),
        Finished("stop"),
        after=[
            SourceUrl("s1", "https://example.org/", "Example"),
            SourceUrl("s2", "https://example.org/2"),
            SourceDocument("s3", "text/markdown", "Runbook", "runbook.md"),
            File("/api/files/1", "image/png"),
            MessageMetadata({"model": "small"}),
        ],
    )
    run.finish()


def reach_the_length(run: Recording) -> None:
    run.step(TextDelta("On and on"), *call(0, "catalog_createSystem", '{"na'), Finished("length"))
    run.finish("length")


def be_stopped(run: Recording) -> None:
    run.step(ReasoningDelta("Hm"), TextDelta("I was say"), *call(0, "catalog_listSystems", "{"))
    run.say(Abort("Stopped."))


def fail(run: Recording) -> None:
    run.step(TextDelta("I was say"))
    run.say(build_failure(ModelUnavailable()))


def fail_at_once(run: Recording) -> None:
    run.say(build_failure(ModelUnavailable()))


RUNS: tuple[Callable[[Recording], None], ...] = (
    tell_text,
    think,
    think_in_secret,
    call_tools,
    repeat_an_id,
    return_odd_results,
    show_cards,
    cite,
    reach_the_length,
    be_stopped,
    fail,
    fail_at_once,
)
FAILING = (fail, fail_at_once)


def record(play: Callable[[Recording], None]) -> Recording:
    run = Recording()
    run.say(build_start(MESSAGE, str(RUN)))
    play(run)
    return run


def break_after(run: Recording, seen: int) -> list[Response]:
    """The connection breaks; the client asks again and gets everything from the beginning."""
    first = write_body(run.numbered[:seen], is_over=False)
    return [Response(first, breaks=True), Response(write_body(run.numbered))]


def go_on_after(run: Recording, seen: int) -> list[Response]:
    """The transport asks for what is missing, inside one stream, and gets it merged."""
    first = write_body(run.numbered[:seen], is_over=False)
    return [Response(first + write_body(merge(run.numbered[seen:])))]
