"""What one answer of the model came to, as far as the loop has to know. Pure."""

from collections.abc import Sequence

from assent.models.model import CallStart, Finished, FinishReason, ModelEvent, TextDelta, Usage


class Said:
    """What one answer of the model came to."""

    def __init__(self) -> None:
        self._pieces: list[str] = []
        self.has_calls = False
        self.usage: Usage | None = None
        self.reason: FinishReason | None = None

    @property
    def text(self) -> str:
        return "".join(self._pieces)

    def take(self, events: Sequence[ModelEvent]) -> None:
        for event in events:
            if isinstance(event, TextDelta):
                self._pieces.append(event.text)
            elif isinstance(event, CallStart):
                self.has_calls = True
            elif isinstance(event, Usage):
                self.usage = event
            elif isinstance(event, Finished):
                self.reason = event.reason
