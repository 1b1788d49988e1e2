"""A model whose calls count: its worst case is reserved before, and settled by what it took."""

from collections.abc import AsyncGenerator, Sequence
from contextlib import aclosing
from dataclasses import dataclass
from datetime import timedelta

from assent.db.database import Database
from assent.models.cap import Cap, Reservation, Spender
from assent.models.estimate import BYTES_PER_TOKEN, estimate_request
from assent.models.model import (
    CallDelta,
    Model,
    ModelEvent,
    ModelRequest,
    ReasoningDelta,
    TextDelta,
    Usage,
)
from assent.models.spend import reserve, settle
from assent.models.watch import Watch

LONGEST_CALL = timedelta(minutes=10)


@dataclass(frozen=True, slots=True)
class Metered:
    """Counts for a spender against their cap."""

    model: Model
    database: Database
    spender: Spender
    cap: Cap
    watch: Watch

    async def stream(self, request: ModelRequest) -> AsyncGenerator[Sequence[ModelEvent]]:
        asked = estimate_request(request)
        reservation = await self.watch.reserving(
            reserve(
                self.database,
                self.spender,
                self.cap,
                worst_case=asked + request.max_tokens,
                purpose=request.purpose,
                lease=LONGEST_CALL,
            )
        )
        taken = _Taken(asked)
        try:
            async with aclosing(self.model.stream(request)) as answer:
                async for events in answer:
                    for event in events:
                        taken.count(event)
                    yield events
        finally:
            await self._settle(reservation, taken)

    async def _settle(self, reservation: Reservation, taken: "_Taken") -> None:
        await settle(self.database, reservation, taken.tokens)


class _Taken:
    """What a call took: as the provider says, or as far as can be told."""

    def __init__(self, asked: int) -> None:
        self._asked = asked
        self._said = 0
        self._usage: Usage | None = None

    def count(self, event: ModelEvent) -> None:
        if isinstance(event, Usage):
            self._usage = event
        elif isinstance(event, TextDelta | ReasoningDelta):
            self._said += len(event.text)
        elif isinstance(event, CallDelta):
            self._said += len(event.arguments)

    @property
    def tokens(self) -> int:
        if self._usage is not None:
            return self._usage.input + self._usage.output
        return self._asked + self._said // BYTES_PER_TOKEN
