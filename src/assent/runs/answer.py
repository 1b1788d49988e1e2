"""The answer as it grows: what was said to followers, and the parts that are stored, in step."""

from typing import Any

from assent.conversations.parts import text_of
from assent.models.model import Usage
from assent.runs.events import (
    DataType,
    Event,
    FinishStep,
    OutputError,
    OutputReady,
    build_data,
    encode_event,
)
from assent.runs.journal import LiveRun
from assent.runs.step import Call, StepEnd, add_usage
from assent.runs.transcript import Transcript


class Answer:
    def __init__(self, live: LiveRun) -> None:
        self._live = live
        self._usages: list[Usage] = []
        self.parts: list[dict[str, Any]] = []
        self._transcript = Transcript(self.parts)

    @property
    def text(self) -> str:
        return text_of(self.parts)

    @property
    def usage(self) -> Usage | None:
        return add_usage(self._usages)

    def say(self, *events: Event) -> None:
        self._live.say(*map(encode_event, events))

    def take_step(self, end: StepEnd) -> None:
        """What a model's step came to: the last of its events, and its parts."""
        self.say(*end.events)
        self.parts.extend(end.parts)
        if end.usage is not None:
            self._usages.append(end.usage)

    def end_step(self, end: StepEnd) -> None:
        """Nothing more belongs to the step; one that showed nothing has no end."""
        if end.parts:
            self.say(FinishStep())

    def take_output(self, call: Call, output: Any) -> None:
        self._take(OutputReady(call.id, output))

    def take_error(self, call: Call, text: str) -> None:
        self._take(OutputError(call.id, text))

    def take_data(self, kind: DataType, part_id: str, data: dict[str, Any]) -> None:
        """A part of our own: a card, a question."""
        self._take(build_data(kind, part_id, data))

    def _take(self, event: Event) -> None:
        """Say it, and store what a follower has of it."""
        self.say(event)
        self._transcript.apply(event)
