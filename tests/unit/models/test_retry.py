"""When a model is asked again, and when not."""

from collections.abc import AsyncGenerator
from contextlib import aclosing
from dataclasses import dataclass, field

import pytest

from assent.errors import (
    ModelContextTooLong,
    ModelCredentials,
    ModelError,
    ModelQuota,
    ModelRateLimit,
    ModelRefused,
    ModelUnavailable,
)
from assent.models.model import Finished, Model, ModelEvent, ModelRequest, TextDelta
from assent.models.retry import with_retries

REQUEST = ModelRequest(purpose="turn", model="m", instructions=(), messages=(), max_tokens=1)
ANSWER = [TextDelta("Hi"), Finished("stop")]


@dataclass
class Scripted:
    """A model whose attempts are lists of events and errors."""

    attempts: list[list[ModelEvent | ModelError]]
    asked: int = 0
    closed: int = 0
    clock: float = 1000.0
    slowness: float = 0.0
    waited: list[float] = field(default_factory=list[float])
    allowed: list[float] = field(default_factory=list[float])

    def within(self, seconds: float) -> "Scripted":
        self.allowed.append(seconds)
        return self

    async def stream(self, request: ModelRequest) -> AsyncGenerator[list[ModelEvent]]:
        self.asked += 1
        self.clock += self.slowness
        try:
            for one in self.attempts[self.asked - 1]:
                if isinstance(one, ModelError):
                    raise one
                yield [one]
        finally:
            self.closed += 1

    async def sleep(self, seconds: float) -> None:
        self.waited.append(seconds)
        self.clock += seconds

    def now(self) -> float:
        return self.clock


def retrying(model: Scripted) -> Model:
    return with_retries(model, sleep=model.sleep, now=model.now)


async def collect(model: Scripted) -> list[ModelEvent]:
    answer = retrying(model).stream(REQUEST)
    return [event async for events in answer for event in events]


async def test_an_answer_is_passed_on() -> None:
    model = Scripted([list(ANSWER)])
    assert await collect(model) == ANSWER
    assert (model.asked, model.waited) == (1, [])


async def test_asks_twice_more_and_waits_longer_each_time() -> None:
    model = Scripted([[ModelUnavailable()], [ModelRateLimit()], list(ANSWER)])
    assert await collect(model) == ANSWER
    assert model.waited == [0.5, 2.0]
    assert model.closed == 3


async def test_gives_up_with_the_last_error() -> None:
    model = Scripted([[ModelUnavailable()], [ModelUnavailable()], [ModelRateLimit()]])
    with pytest.raises(ModelRateLimit):
        await collect(model)
    assert model.asked == 3


@pytest.mark.parametrize(
    "error", [ModelRateLimit(retry_after=20.0), ModelUnavailable(retry_after=20.0)]
)
async def test_waits_as_long_as_it_is_told(error: ModelError) -> None:
    model = Scripted([[error], list(ANSWER)])
    assert await collect(model) == ANSWER
    assert model.waited == [20.0]


async def test_does_not_wait_for_long() -> None:
    model = Scripted([[ModelRateLimit(retry_after=20.5)]])
    with pytest.raises(ModelRateLimit):
        await collect(model)
    assert model.waited == []


async def test_all_attempts_share_one_deadline() -> None:
    model = Scripted([[ModelUnavailable()], [ModelUnavailable()], list(ANSWER)], slowness=50)
    assert await collect(model) == ANSWER
    assert model.allowed == [120, 69.5, 17.5]


async def test_no_attempt_begins_after_the_deadline() -> None:
    model = Scripted([[ModelUnavailable()], [ModelUnavailable()], list(ANSWER)], slowness=59)
    with pytest.raises(ModelUnavailable):
        await collect(model)
    assert model.allowed == [120, 60.5]


async def test_does_not_wait_beyond_the_deadline() -> None:
    model = Scripted([[ModelRateLimit(retry_after=15)], list(ANSWER)], slowness=110)
    with pytest.raises(ModelRateLimit, match="in 15 seconds"):
        await collect(model)
    assert model.waited == []


async def test_never_after_the_first_event() -> None:
    model = Scripted([[TextDelta("Hi"), ModelUnavailable()], list(ANSWER)])
    stream = retrying(model).stream(REQUEST)
    assert await anext(stream) == [TextDelta("Hi")]
    with pytest.raises(ModelUnavailable):
        await anext(stream)
    assert model.asked == 1


@pytest.mark.parametrize(
    "kind", [ModelCredentials, ModelQuota, ModelContextTooLong, ModelRefused, ModelError]
)
async def test_what_another_attempt_cannot_change(kind: type[ModelError]) -> None:
    model = Scripted([[kind()], list(ANSWER)])
    with pytest.raises(kind):
        await collect(model)
    assert model.asked == 1


async def test_closing_closes_the_model() -> None:
    model = Scripted([list(ANSWER)])
    stream = retrying(model).stream(REQUEST)
    async with aclosing(stream) as events:
        await anext(events)
        assert model.closed == 0
    assert model.closed == 1
