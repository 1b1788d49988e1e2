"""The answer as it grows: what was said to followers, and the parts that are stored, in step."""

from typing import Any

from assent.conversations.parts import text_of, upsert_part
from assent.models.model import Usage
from assent.runs.events import DataType, Event, OutputError, OutputReady, build_data, encode_event
from assent.runs.journal import LiveRun
from assent.runs.step import Call, StepEnd, add_usage


class Answer:
    def __init__(self, live: LiveRun, parts: list[dict[str, Any]] | None = None) -> None:
        self._live = live
        self.parts: list[dict[str, Any]] = list(parts or [])
        self.usages: list[Usage] = []

    @property
    def text(self) -> str:
        return text_of(self.parts)

    @property
    def usage(self) -> Usage | None:
        return add_usage(self.usages)

    def say(self, event: Event) -> None:
        self._live.say(encode_event(event))

    def take_step(self, end: StepEnd) -> None:
        """What a model's step came to: the last of its events, and its parts."""
        for event in end.events:
            self.say(event)
        self.parts += end.parts
        if end.usage is not None:
            self.usages.append(end.usage)

    def take_output(self, call: Call, output: Any) -> None:
        self.say(OutputReady(call.id, output))
        self._update(call, {"state": "output-available", "output": output})

    def take_error(self, call: Call, text: str) -> None:
        self.say(OutputError(call.id, text))
        self._update(call, {"state": "output-error", "errorText": text})

    def take_data(self, kind: DataType, part_id: str, data: dict[str, Any]) -> None:
        """A part of our own: a card, a question."""
        self.say(build_data(kind, part_id, data))
        self.parts = upsert_part(self.parts, {"type": kind, "id": part_id, "data": data})

    def _update(self, call: Call, change: dict[str, Any]) -> None:
        self.parts = [
            {**part, **change} if part.get("toolCallId") == call.id else part for part in self.parts
        ]
