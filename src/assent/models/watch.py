"""What is seen of model calls: one span for each request to a provider, tokens, times, endings.

Nothing is done for each event of an answer: only when the first has come, and at the end.
"""

from collections.abc import Awaitable, Generator, Sequence
from contextlib import contextmanager
from time import perf_counter
from typing import TypeVar
from urllib.parse import urlsplit

from opentelemetry.trace import Span, SpanKind

from assent.errors import CreditsExhausted, TooLarge, TooMany
from assent.logs import find_id
from assent.models.integration import Integration, Provider
from assent.models.model import Finished, ModelEvent, ModelRequest, Usage
from assent.telemetry import names
from assent.telemetry.telemetry import Telemetry, fail, name_error
from assent.telemetry.turn import present_turn

DEMO = "demo"
KNOWN_HOSTS = {
    "anthropic.com": "anthropic",
    "cohere.com": "cohere",
    "deepseek.com": "deepseek",
    "generativelanguage.googleapis.com": "gcp.gemini",
    "groq.com": "groq",
    "mistral.ai": "mistral_ai",
    "moonshot.ai": "moonshot_ai",
    "openai.azure.com": "azure.ai.openai",
    "openai.com": "openai",
    "perplexity.ai": "perplexity",
    "x.ai": "x_ai",
}
"""By the names that OpenTelemetry has for them."""

BY_PROVIDER: dict[Provider, str] = {
    "anthropic": "anthropic",
    "google": "gcp.gemini",
    "bedrock": "aws.bedrock",
}

T = TypeVar("T")


def name_provider(integration: Integration) -> str:
    """As its address says, else as the integration does: by its provider, else by its family."""
    host = urlsplit(integration.base_url).hostname or ""
    for known, name in KNOWN_HOSTS.items():
        if host == known or host.endswith(f".{known}"):
            return name
    return BY_PROVIDER.get(integration.provider, integration.family)


class Watch:
    """Sees the calls of one model."""

    def __init__(self, telemetry: Telemetry, provider: str) -> None:
        self._telemetry = telemetry
        self._provider = provider

    @contextmanager
    def call(self, request: ModelRequest, repeats: int) -> "Generator[SeenCall]":
        """One request to the provider, the first or one more."""
        if repeats:
            self._telemetry.metrics.model_retries.labels(self._provider).inc()
        attributes = _describe(request, self._provider, repeats)
        span = self._telemetry.start(f"chat {request.model}", attributes, kind=SpanKind.CLIENT)
        seen = SeenCall(self._telemetry, span, self._provider, request)
        try:
            yield seen
        except BaseException as error:
            seen.outcome = seen.error = name_error(error)
            fail(span, error)
            raise
        finally:
            seen.record()

    async def reserving(self, reservation: Awaitable[T]) -> T:
        """Count what a spend cap or the credits refuse."""
        try:
            return await reservation
        except (TooMany, TooLarge, CreditsExhausted):
            self._telemetry.metrics.spend_refusals.inc()
            raise


class SeenCall:
    def __init__(
        self, telemetry: Telemetry, span: Span, provider: str, request: ModelRequest
    ) -> None:
        self.outcome = "cancelled"
        self.error: str | None = None
        self._telemetry = telemetry
        self._span = span
        self._provider = provider
        self._request = request
        self._common = {
            names.OPERATION: "chat",
            names.PROVIDER: provider,
            names.MODEL: request.model,
        }
        self._began_at = perf_counter()
        self._usage: Usage | None = None

    def begin(self) -> None:
        """The first event is here."""
        now = perf_counter()
        seconds = now - self._began_at
        self._span.set_attribute(names.FIRST_CHUNK, seconds)
        self._telemetry.metrics.first_chunk_seconds.labels(self._provider).observe(seconds)
        self._telemetry.instruments.first_chunk.record(seconds, self._common)
        turn = present_turn.get()
        if turn is not None and turn.first_token_at is None and self._request.purpose != "classify":
            turn.first_token_at = now

    def end(self, last: Sequence[ModelEvent]) -> None:
        """The answer is complete: these are its last two events, usage before the finish."""
        *before, finish = last or (None,)
        self.outcome = finish.reason if isinstance(finish, Finished) else "other"
        self._span.set_attribute(names.FINISH, [self.outcome])
        for one in before:
            if isinstance(one, Usage):
                self._usage = one
                self._tell_usage(one)

    def record(self) -> None:
        metrics, provider = self._telemetry.metrics, self._provider
        seconds = perf_counter() - self._began_at
        metrics.model_calls.labels(provider, self._request.purpose, self.outcome).inc()
        metrics.model_seconds.labels(provider).observe(seconds)
        failed = {names.ERROR: self.error} if self.error else {}
        self._telemetry.instruments.calls.record(seconds, {**self._common, **failed})
        turn = present_turn.get()
        if turn is not None:
            turn.provider, turn.model = provider, self._request.model
            turn.input_tokens += self._usage.input if self._usage else 0
            turn.output_tokens += self._usage.output if self._usage else 0
        self._span.end()

    def _tell_usage(self, usage: Usage) -> None:
        count = self._telemetry.metrics.model_tokens.labels
        for kind, attribute, tokens in (
            ("input", names.INPUT_TOKENS, usage.input),
            ("output", names.OUTPUT_TOKENS, usage.output),
            ("cache_read", names.CACHE_READ_TOKENS, usage.cache_read),
            ("cache_write", names.CACHE_WRITE_TOKENS, usage.cache_write),
            ("reasoning", names.REASONING_TOKENS, usage.reasoning),
        ):
            count(self._provider, kind).inc(tokens)
            self._span.set_attribute(attribute, tokens)
        if usage.cleared_calls:
            count(self._provider, "cleared").inc(usage.cleared_input)
            self._span.set_attribute(names.CLEARED_CALLS, usage.cleared_calls)
            self._span.set_attribute(names.CLEARED_TOKENS, usage.cleared_input)
        for kind, tokens in (("input", usage.input), ("output", usage.output)):
            self._telemetry.instruments.tokens.record(
                tokens, {**self._common, names.TOKEN_KIND: kind}
            )


def _describe(
    request: ModelRequest, provider: str, repeats: int
) -> dict[str, str | bool | int | float]:
    described: dict[str, str | bool | int | float] = {
        names.OPERATION: "chat",
        names.PROVIDER: provider,
        names.MODEL: request.model,
        names.MAX_TOKENS: request.max_tokens,
        names.STREAM: True,
        names.OUTPUT: "text" if request.output_schema is None else "json",
        names.PURPOSE: request.purpose,
    }
    if repeats:
        described[names.RESENT] = repeats
    if (conversation_id := find_id("conversation_id")) is not None:
        described[names.CONVERSATION] = conversation_id
    return described
