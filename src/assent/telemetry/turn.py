"""What is seen of a turn while it goes on.

A turn's model calls happen far below whoever drives it and report to it here: the present turn goes
along with the present trace.
"""

from contextvars import ContextVar
from dataclasses import dataclass, field
from time import perf_counter


@dataclass(slots=True)
class Turn:
    """`waited` is how many seconds it was queued. Times are those of `perf_counter`."""

    waited: float
    began_at: float = field(default_factory=perf_counter)
    first_token_at: float | None = None
    provider: str | None = None
    model: str | None = None
    input_tokens: int = 0
    output_tokens: int = 0
    outcome: str | None = None
    error: str | None = None
    steps: int = 0

    @property
    def first_token_seconds(self) -> float | None:
        """From the message to the first words, as whoever wrote it feels it."""
        if self.first_token_at is None:
            return None
        return self.waited + self.first_token_at - self.began_at

    def end(self, outcome: str, steps: int, error: str | None) -> None:
        self.outcome, self.steps, self.error = outcome, steps, error


present_turn: ContextVar[Turn | None] = ContextVar("turn", default=None)
