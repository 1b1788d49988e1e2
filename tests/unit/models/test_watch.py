"""What is seen of a model call: its provider, its ending, its tokens."""

from collections.abc import AsyncGenerator
from contextlib import aclosing

import pytest

from assent.errors import ModelRateLimit, ModelUnavailable, TooLarge, TooMany
from assent.models.integration import Family, Integration, Provider
from assent.models.model import Finished, ModelEvent, ModelRequest, TextDelta, Usage
from assent.models.open import LOCAL_ID
from assent.models.retry import with_retries
from assent.models.watch import Watch, name_provider
from assent.telemetry.telemetry import Telemetry
from assent.telemetry.turn import Turn, present_turn

REQUEST = ModelRequest(purpose="turn", model="m", instructions=(), messages=(), max_tokens=1)
USAGE = Usage(input=10, output=4, cache_read=3, reasoning=2, cleared_calls=2, cleared_input=50)
ANSWER: list[ModelEvent | Exception] = [TextDelta("Hi"), TextDelta("!"), USAGE, Finished("stop")]


def build_integration(base_url: str, family: Family = "generic") -> Integration:
    return Integration(
        id=LOCAL_ID,
        name="One",
        base_url=base_url,
        has_key=True,
        default_model="m",
        allowed_models=[],
        family=family,
        context_window=None,
        cap=None,
        enabled=True,
        version=1,
    )


@pytest.mark.parametrize(
    ("base_url", "family", "name"),
    [
        ("https://api.openai.com/v1", "generic", "openai"),
        ("https://api.anthropic.com", "anthropic", "anthropic"),
        ("https://me.openai.azure.com/openai/v1", "openai", "azure.ai.openai"),
        ("https://api.mistral.ai/v1", "generic", "mistral_ai"),
        ("http://user:secret@gateway.internal/v1", "openai", "openai"),
        ("http://127.0.0.1:11434/v1", "generic", "generic"),
        ("https://notopenai.com/v1", "generic", "generic"),
        ("https://openai.com.evil.example/v1", "generic", "generic"),
    ],
)
def test_name_provider(base_url: str, family: Family, name: str) -> None:
    assert name_provider(build_integration(base_url, family)) == name


@pytest.mark.parametrize(
    ("provider", "name"),
    [
        ("openai", "generic"),
        ("anthropic", "anthropic"),
        ("google", "gcp.gemini"),
        ("bedrock", "aws.bedrock"),
    ],
)
def test_name_provider_behind_an_address_of_ones_own(provider: Provider, name: str) -> None:
    integration = build_integration("https://gateway.internal")
    assert name_provider(integration.model_copy(update={"provider": provider})) == name


class Scripted:
    def __init__(self, *answers: list[ModelEvent | Exception]) -> None:
        self._answers = list(answers)

    def within(self, seconds: float) -> "Scripted":
        return self

    async def stream(self, request: ModelRequest) -> AsyncGenerator[list[ModelEvent]]:
        for one in self._answers.pop(0):
            if isinstance(one, Exception):
                raise one
            yield [one]


async def ask(
    telemetry: Telemetry, *answers: list[ModelEvent | Exception], stop_after: int = 100
) -> None:
    async def no_wait(_seconds: float) -> None:
        pass

    model = with_retries(Scripted(*answers), sleep=no_wait, watch=Watch(telemetry, "p"))
    async with aclosing(model.stream(REQUEST)) as answer:
        async for _ in answer:
            stop_after -= 1
            if not stop_after:
                break


def read(telemetry: Telemetry, name: str) -> dict[tuple[str, ...], float]:
    """Samples by the values of their labels, the provider's aside."""
    found: dict[tuple[str, ...], float] = {}
    for family in telemetry.metrics.registry.collect():
        for one in family.samples:
            if one.name == name:
                rest = (value for label, value in one.labels.items() if label != "provider")
                found[tuple(rest)] = one.value
    return found


async def test_an_answer() -> None:
    telemetry = Telemetry()
    await ask(telemetry, ANSWER)
    assert read(telemetry, "assent_model_calls_total") == {("turn", "stop"): 1}
    assert read(telemetry, "assent_model_first_chunk_seconds_count") == {(): 1}
    assert read(telemetry, "assent_model_tokens_total") == {
        ("input",): 10,
        ("output",): 4,
        ("cache_read",): 3,
        ("cache_write",): 0,
        ("reasoning",): 2,
        ("cleared",): 50,
    }


async def test_each_try_is_seen() -> None:
    telemetry = Telemetry()
    await ask(telemetry, [ModelUnavailable()], [ModelRateLimit()], ANSWER)
    assert read(telemetry, "assent_model_calls_total") == {
        ("turn", "model_unavailable"): 1,
        ("turn", "model_rate_limit"): 1,
        ("turn", "stop"): 1,
    }
    assert read(telemetry, "assent_model_retries_total") == {(): 2}


async def test_whoever_stops_listening_cancels() -> None:
    telemetry = Telemetry()
    await ask(telemetry, ANSWER, stop_after=1)
    assert read(telemetry, "assent_model_calls_total") == {("turn", "cancelled"): 1}
    assert read(telemetry, "assent_model_tokens_total") == {}


async def test_an_answer_that_breaks_off() -> None:
    telemetry = Telemetry()
    with pytest.raises(ModelUnavailable):
        await ask(telemetry, [TextDelta("Hi"), ModelUnavailable()])
    assert read(telemetry, "assent_model_calls_total") == {("turn", "model_unavailable"): 1}
    assert read(telemetry, "assent_model_call_duration_seconds_count") == {(): 1}


async def test_the_turn_is_told() -> None:
    turn = Turn(waited=2)
    token = present_turn.set(turn)
    try:
        await ask(Telemetry(), ANSWER)
        first = turn.first_token_at
        await ask(Telemetry(), ANSWER)
    finally:
        present_turn.reset(token)
    assert (turn.provider, turn.model) == ("p", "m")
    assert (turn.input_tokens, turn.output_tokens) == (20, 8)
    assert turn.first_token_at == first
    assert turn.first_token_seconds is not None
    assert turn.first_token_seconds >= 2


@pytest.mark.parametrize(("error", "count"), [(TooMany(3), 1), (TooLarge(), 1), (ValueError(), 0)])
async def test_what_a_cap_refuses_is_counted(error: Exception, count: int) -> None:
    async def refuse() -> None:
        raise error

    telemetry = Telemetry()
    with pytest.raises(type(error)):
        await Watch(telemetry, "p").reserving(refuse())
    assert read(telemetry, "assent_spend_refusals_total") == {(): count}
