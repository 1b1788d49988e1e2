"""Asks a model again when it did not even begin to answer.

Never after the first event: what was said cannot be taken back.
"""

import asyncio
from collections.abc import AsyncGenerator, Awaitable, Callable, Sequence
from contextlib import aclosing
from dataclasses import dataclass

from assent.errors import ModelRateLimit, ModelUnavailable
from assent.models.model import Model, ModelEvent, ModelRequest

WAITS = (0.5, 2.0)
LONGEST_WAIT = 20.0


@dataclass(frozen=True, slots=True)
class Retrying:
    """A model that is asked once more after each of the `waits`."""

    model: Model
    waits: tuple[float, ...]
    sleep: Callable[[float], Awaitable[None]]

    async def stream(self, request: ModelRequest) -> AsyncGenerator[Sequence[ModelEvent]]:
        for wait in (*self.waits, None):
            has_begun = False
            try:
                async with aclosing(self.model.stream(request)) as answer:
                    async for events in answer:
                        has_begun = True
                        yield events
                return
            except (ModelRateLimit, ModelUnavailable) as error:
                asked = error.retry_after
                if has_begun or wait is None or (asked is not None and asked > LONGEST_WAIT):
                    raise
            await self.sleep(wait if asked is None else asked)


def with_retries(
    model: Model,
    *,
    waits: tuple[float, ...] = WAITS,
    sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
) -> Model:
    """Ask again for a rate limit or no answer, waiting as long as the provider says.

    Whoever is told to wait longer than `LONGEST_WAIT` gets the error at once instead.
    """
    return Retrying(model, waits, sleep)
