"""Asks a model again when it did not even begin to answer.

Never after the first event: what was said cannot be taken back. All attempts and the waits between
them share one deadline for the first byte of an answer. Each time of asking is seen.
"""

import asyncio
import time
from collections.abc import AsyncGenerator, Awaitable, Callable, Sequence
from contextlib import aclosing
from dataclasses import dataclass
from typing import Protocol

from assent.errors import ModelRateLimit, ModelUnavailable
from assent.models.model import Model, ModelEvent, ModelRequest
from assent.models.watch import Watch
from assent.telemetry.telemetry import Telemetry

WAITS = (0.5, 2.0)
LONGEST_WAIT = 20.0
BEGIN_WITHIN = 120.0
"""Seconds from the first attempt to the first byte of an answer."""


class Bounded(Protocol):
    """A model that can be hurried."""

    def within(self, seconds: float) -> Model:
        """The same model; its answer has to begin in that time."""
        ...


@dataclass(frozen=True, slots=True)
class Retrying:
    """A model that is asked once more after each of the `waits`, while there is time."""

    model: Bounded
    waits: tuple[float, ...]
    sleep: Callable[[float], Awaitable[None]]
    now: Callable[[], float]
    watch: Watch

    async def stream(self, request: ModelRequest) -> AsyncGenerator[Sequence[ModelEvent]]:
        begin_by = self.now() + BEGIN_WITHIN
        for repeats, wait in enumerate((*self.waits, None)):
            last: Sequence[ModelEvent] = ()
            model = self.model.within(begin_by - self.now())
            try:
                with self.watch.call(request, repeats) as seen:
                    async with aclosing(model.stream(request)) as answer:
                        async for events in answer:
                            if not last:
                                seen.begin()
                            last = (*last, *events)[-2:]
                            yield events
                    seen.end(last)
                return
            except (ModelRateLimit, ModelUnavailable) as error:
                pause = wait if error.retry_after is None else error.retry_after
                if last or wait is None or pause is None or pause > LONGEST_WAIT:
                    raise
                if self.now() + pause >= begin_by:
                    raise
            await self.sleep(pause)


def with_retries(
    model: Bounded,
    *,
    waits: tuple[float, ...] = WAITS,
    sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
    now: Callable[[], float] = time.monotonic,
    watch: Watch | None = None,
) -> Model:
    """Ask again for a rate limit or no answer, waiting as long as the provider says.

    Whoever is told to wait longer than `LONGEST_WAIT`, or than is left of `BEGIN_WITHIN`, gets the
    error at once instead; it says when to come back.
    """
    return Retrying(model, waits, sleep, now, watch or Watch(Telemetry(), "other"))
