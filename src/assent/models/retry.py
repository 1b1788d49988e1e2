"""Asks a model again when it did not even begin to answer.

Never after the first event: what was said cannot be taken back. Each time of asking is seen.
"""

import asyncio
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import aclosing
from dataclasses import dataclass
from typing import cast

from assent.errors import ModelRateLimit, ModelUnavailable
from assent.models.model import Model, ModelEvent, ModelRequest
from assent.models.watch import Watch
from assent.telemetry.telemetry import Telemetry

WAITS = (0.5, 2.0)
LONGEST_WAIT = 20.0


@dataclass(frozen=True, slots=True)
class Retrying:
    """A model that is asked once more after each of the `waits`."""

    model: Model
    waits: tuple[float, ...]
    sleep: Callable[[float], Awaitable[None]]
    watch: Watch

    async def stream(self, request: ModelRequest) -> AsyncGenerator[ModelEvent]:
        for repeats, wait in enumerate((*self.waits, None)):
            before = last = None
            answer = cast(AsyncGenerator[ModelEvent], self.model.stream(request))
            try:
                with self.watch.call(request, repeats) as seen:
                    async with aclosing(answer):
                        async for event in answer:
                            if last is None:
                                seen.begin()
                            before, last = last, event
                            yield event
                    seen.end(before, last)
                return
            except (ModelRateLimit, ModelUnavailable) as error:
                asked = error.retry_after
                if last is not None or wait is None or (asked is not None and asked > LONGEST_WAIT):
                    raise
            await self.sleep(wait if asked is None else asked)


def with_retries(
    model: Model,
    *,
    waits: tuple[float, ...] = WAITS,
    sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
    watch: Watch | None = None,
) -> Model:
    """Ask again for a rate limit or no answer, waiting as long as the provider says.

    Whoever is told to wait longer than `LONGEST_WAIT` gets the error at once instead.
    """
    return Retrying(model, waits, sleep, watch or Watch(Telemetry(), "other"))
