"""The answer as it grows: what was said to followers, and the parts that are stored, in step."""

from collections.abc import Iterable
from typing import Any
from uuid import UUID

from assent.conversations.parts import text_of
from assent.models.model import Usage
from assent.runs.events import Event, FinishStep, build_start, encode_event
from assent.runs.left import NOTHING, Left
from assent.runs.live import LiveRun
from assent.runs.retell import retell
from assent.runs.step import StepEnd, add_usage
from assent.runs.transcript import Transcript, has_source


class Answer:
    """`left` is what earlier attempts made of it: it is told again when the answer begins."""

    def __init__(self, live: LiveRun, left: Left = NOTHING) -> None:
        self._live = live
        self._left = left
        self._begun = False
        self._usages = [left.usage] if left.usage else []
        self.parts: list[dict[str, Any]] = [dict(part) for part in left.parts]
        self._transcript = Transcript(self.parts)

    @property
    def text(self) -> str:
        return text_of(self.parts)

    @property
    def usage(self) -> Usage | None:
        return add_usage(self._usages)

    def begin(self, message_id: UUID) -> None:
        """Say what comes before anything else, once."""
        if self._begun:
            return
        self._begun = True
        self.say(build_start(str(message_id), str(self._live.run_id)), *retell(self.parts))
        if self.parts and not self._left.open_calls:
            self.say(FinishStep())

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

    def take(self, event: Event) -> None:
        """Say it, and keep what a follower has of it. A source is named once in an answer."""
        if has_source(self.parts, event):
            return
        self.say(event)
        self._transcript.apply(event)

    def foresee(self, events: Iterable[Event]) -> list[dict[str, Any]]:
        """The parts as they will be when that is taken too."""
        ahead = Transcript([dict(part) for part in self.parts])
        for event in events:
            if not has_source(ahead.parts, event):
                ahead.apply(event)
        return ahead.parts
