"""Providers that are reached through pydantic-ai: Google and Bedrock.

The only module that knows that package, which comes with an extra and is loaded when an integration
needs it. Requests and events are translated here; what the package or a provider says of an error
is logged at most, never passed on.
"""

import asyncio
import contextlib
import re
from collections.abc import AsyncGenerator, AsyncIterator, Callable, Iterator, Mapping
from copy import copy
from importlib import import_module
from typing import Any, TypeAlias
from urllib.parse import urlsplit

from pydantic_ai import exceptions as failures
from pydantic_ai import messages as ai
from pydantic_ai.direct import model_request_stream
from pydantic_ai.models import Model as AiModel
from pydantic_ai.models import ModelRequestParameters, StreamedResponse
from pydantic_ai.output import OutputObjectDefinition
from pydantic_ai.settings import ModelSettings
from pydantic_ai.tools import ToolDefinition

from assent.errors import (
    ModelContextTooLong,
    ModelCredentials,
    ModelError,
    ModelQuota,
    ModelRateLimit,
    ModelRefused,
    ModelUnavailable,
)
from assent.models.answer import list_call_ids
from assent.models.anthropic_request import build_digest
from assent.models.http import Timeouts, log_complaint
from assent.models.integration import Integration
from assent.models.model import (
    ENDLESS,
    AssistantMessage,
    CallDelta,
    CallPart,
    CallStart,
    Finished,
    FinishReason,
    ImagePart,
    Message,
    ModelEvent,
    ModelRequest,
    ReasoningDelta,
    ReasoningOpaque,
    ReasoningPart,
    TextDelta,
    TextPart,
    ToolMessage,
    Usage,
    UserMessage,
)
from assent.models.openai_errors import UNKNOWN_MODEL, Complaint, find_failure
from assent.models.openai_stream import LONGEST_ANSWER, MOST_CALLS
from assent.models.openai_wire import new_call_id
from assent.tools.json_value import encode_json
from assent.value import strip_unstorable

Build: TypeAlias = Callable[[str], AiModel]

REASONS: Mapping[str | None, FinishReason] = {
    "stop": "stop",
    "length": "length",
    "content_filter": "content_filter",
    "tool_call": "tool_calls",
}
NO_REGION = (
    "Neither the address nor the machine's settings name a region of Bedrock. "
    "Ask an admin to check the integration."
)
SPARES_RETRIES = frozenset({"google"})
"""Whose clients can be told not to ask again by themselves."""


class AdaptedWire:
    """One provider with one key; `build` makes its model of a name."""

    def __init__(
        self,
        provider: str,
        build: Build,
        key: str | None = None,
        *,
        thinks: bool = False,
        timeouts: Timeouts | None = None,
    ) -> None:
        self._provider = provider
        self._thinks = thinks
        self._build = build
        self._key = key
        self._timeouts = timeouts or Timeouts()
        self._begin_within = self._timeouts.first_byte

    def within(self, seconds: float) -> "AdaptedWire":
        """The same provider; an answer has to begin in that time."""
        hurried = copy(self)
        hurried._begin_within = min(seconds, self._timeouts.first_byte)
        return hurried

    async def list_models(self) -> tuple[str, ...] | None:
        """Nothing: the package has no list."""
        return None

    async def stream(self, request: ModelRequest) -> AsyncGenerator[list[ModelEvent]]:
        translation = _Answer(self._provider, request)
        try:
            model = self._build(request.model)
            async with contextlib.AsyncExitStack() as stack:
                async with asyncio.timeout(self._begin_within):
                    await stack.enter_async_context(model)
                    asking = model_request_stream(
                        model,
                        list(_translate_messages(request, self._provider)),
                        model_settings=self._build_settings(request),
                        model_request_parameters=_build_parameters(request, model),
                    )
                    answer = await stack.enter_async_context(asking)
                async for event in self._pull(answer):
                    if events := translation.take(event):
                        yield events
                yield translation.close(answer)
        except ModelError:
            raise
        except Exception as error:  # noqa: BLE001 - whatever it is, its words stay here
            log_complaint(str(error).encode("utf-8", "replace"), status=0, key=self._key)
            raise translate_failure(error) from None

    def _build_settings(self, request: ModelRequest) -> ModelSettings:
        settings = ModelSettings(max_tokens=request.max_tokens)
        if not request.may_call:
            settings["tool_choice"] = "none"
        if self._provider in SPARES_RETRIES:
            settings["max_retries"] = 0
        if self._thinks and request.purpose == "turn":
            settings["thinking"] = True
        return settings

    async def _pull(self, answer: StreamedResponse) -> AsyncIterator[Any]:
        events, wait = aiter(answer), self._begin_within
        while True:
            async with asyncio.timeout(wait):
                try:
                    event = await anext(events)
                except StopAsyncIteration:
                    return
            wait = self._timeouts.stall
            yield event


class _Answer:
    """From the package's events to ours."""

    def __init__(self, provider: str, request: ModelRequest) -> None:
        self._provider = provider
        self._model = request.model
        self._used = set(list_call_ids(request))
        self._calls: dict[int, int] = {}
        self._said = 0

    def take(self, event: Any) -> list[ModelEvent]:
        events = list(self._translate(event))
        if self._said > LONGEST_ANSWER or len(self._calls) > MOST_CALLS:
            raise ModelUnavailable(ENDLESS)
        return events

    def close(self, answer: StreamedResponse) -> list[ModelEvent]:
        if answer.finish_reason == "error":
            raise ModelUnavailable
        used = answer.usage
        events: list[ModelEvent] = []
        if used.input_tokens or used.output_tokens:
            usage = Usage(
                input=used.input_tokens,
                output=used.output_tokens,
                cache_read=used.cache_read_tokens,
                cache_write=used.cache_write_tokens,
                reasoning=used.output_reasoning_tokens,
            )
            events.append(usage)
        return [*events, Finished(self._decide_reason(answer.finish_reason))]

    def _decide_reason(self, given: str | None) -> FinishReason:
        reason = REASONS.get(given, "stop" if self._said else "other")
        if self._calls and reason in ("stop", "other"):
            return "tool_calls"
        return "stop" if reason == "tool_calls" and not self._calls else reason

    def _translate(self, event: Any) -> Iterator[ModelEvent]:
        match event:
            case ai.PartStartEvent(part=ai.TextPart(content=text)):
                yield from self._say(TextDelta, text)
            case ai.PartDeltaEvent(delta=ai.TextPartDelta(content_delta=text)):
                yield from self._say(TextDelta, text)
            case ai.PartStartEvent(part=ai.ThinkingPart(content=text)):
                yield from self._say(ReasoningDelta, text)
            case ai.PartDeltaEvent(delta=ai.ThinkingPartDelta(content_delta=text)):
                yield from self._say(ReasoningDelta, text)
            case ai.PartStartEvent(part=ai.ToolCallPart() as part):
                yield from self._open_call(event.index, part)
            case ai.PartEndEvent(part=ai.ToolCallPart() as part):
                yield from self._open_call(event.index, part)
                arguments = strip_unstorable(_encode_arguments(part.args))
                self._said += len(arguments)
                yield CallDelta(self._calls[event.index], arguments)
            case ai.PartEndEvent(part=ai.ThinkingPart() as part):
                yield from self._keep_opaque(part)
            case _:
                pass

    def _say(
        self, kind: type[TextDelta] | type[ReasoningDelta], text: str | None
    ) -> Iterator[ModelEvent]:
        if text:
            self._said += len(text)
            yield kind(strip_unstorable(text))

    def _open_call(self, index: int, part: ai.ToolCallPart) -> Iterator[ModelEvent]:
        if index in self._calls:
            return
        self._calls[index] = len(self._calls)
        sent = strip_unstorable(part.tool_call_id)
        unique = sent if sent and sent not in self._used else new_call_id()
        self._used.add(unique)
        yield CallStart(self._calls[index], unique, strip_unstorable(part.tool_name))

    def _keep_opaque(self, part: ai.ThinkingPart) -> Iterator[ModelEvent]:
        if not (part.signature or part.provider_details):
            return
        data: dict[str, Any] = {
            "provider": self._provider,
            "model": self._model,
            "digest": build_digest(part.content),
            "name": part.provider_name,
            "id": part.id,
            "signature": part.signature,
            "details": part.provider_details,
        }
        yield ReasoningOpaque({key: value for key, value in data.items() if value is not None})


def _encode_arguments(arguments: str | Mapping[str, Any] | None) -> str:
    if isinstance(arguments, str):
        return arguments or "{}"
    return encode_json(dict(arguments or {}))


def _translate_messages(request: ModelRequest, provider: str) -> Iterator[ai.ModelMessage]:
    system: list[ai.ModelRequestPart] = [
        ai.SystemPromptPart(text) for text in ("\n\n".join(request.instructions),) if text
    ]
    for message in request.messages:
        if isinstance(message, AssistantMessage):
            parts = list(_translate_answer(message, request.model, provider))
            if parts:
                yield ai.ModelResponse(parts=parts, provider_name=provider)
        else:
            yield ai.ModelRequest(parts=[*system, *_translate_request(message)])
            system = []


def _translate_request(message: Message) -> Iterator[ai.ModelRequestPart]:
    match message:
        case UserMessage(parts):
            content = [
                ai.BinaryContent(part.data, media_type=part.media_type)
                if isinstance(part, ImagePart)
                else part.text
                for part in parts
            ]
            yield ai.UserPromptPart(content)
        case ToolMessage(results):
            for one in results:
                yield ai.ToolReturnPart(
                    tool_name=one.name,
                    content=one.content,
                    tool_call_id=one.call_id,
                    outcome="failed" if one.is_error else "success",
                )
        case AssistantMessage():
            return


def _translate_answer(
    message: AssistantMessage, model: str, provider: str
) -> Iterator[ai.ModelResponsePart]:
    for part in message.parts:
        match part:
            case TextPart(text):
                yield ai.TextPart(text)
            case CallPart(call_id, name, arguments):
                yield ai.ToolCallPart(tool_name=name, args=arguments, tool_call_id=call_id)
            case ReasoningPart(text, opaque):
                known = opaque or {}
                is_own = (known.get("provider"), known.get("model")) == (provider, model)
                if is_own and known.get("digest") == build_digest(text):
                    yield ai.ThinkingPart(
                        text,
                        id=known.get("id"),
                        signature=known.get("signature"),
                        provider_name=known.get("name"),
                        provider_details=known.get("details"),
                    )


def _build_parameters(request: ModelRequest, model: AiModel) -> ModelRequestParameters:
    tools = [
        ToolDefinition(
            name=tool.name,
            description=tool.description,
            parameters_json_schema=dict(tool.input_schema),
        )
        for tool in request.tools
    ]
    if request.output_schema is None:
        return ModelRequestParameters(function_tools=tools)
    return ModelRequestParameters(
        function_tools=tools,
        output_mode="native" if model.profile.get("supports_json_schema_output") else "prompted",
        output_object=OutputObjectDefinition(json_schema=dict(request.output_schema)),
    )


FAILURES: tuple[tuple[type[Exception], Callable[[], ModelError]], ...] = (
    (failures.ModelAuthenticationError, ModelCredentials),
    (failures.ModelQuotaExceededError, ModelQuota),
    (failures.ModelContextWindowExceededError, ModelContextTooLong),
    (failures.ModelNotFoundError, lambda: ModelRefused(UNKNOWN_MODEL)),
    (failures.ModelRequestRejectedError, ModelRefused),
    (failures.ContentFilterError, ModelRefused),
    (failures.UserError, ModelRefused),
)


def translate_failure(error: Exception) -> ModelError:
    """Which of our errors it is; nothing of its words."""
    for kind, build in FAILURES:
        if isinstance(error, kind):
            return build()
    retry_after: float | None = getattr(error, "retry_after", None)
    if isinstance(error, failures.ModelRateLimitError):
        return ModelRateLimit(retry_after=retry_after)
    if isinstance(error, failures.ModelHTTPError):
        return find_failure(Complaint(status=error.status_code), retry_after)
    return ModelUnavailable(retry_after=retry_after)


def open_wire(integration: Integration, key: str | None) -> AdaptedWire:
    build = {"google": _build_google, "bedrock": _build_bedrock}[integration.provider]
    return AdaptedWire(
        integration.provider,
        build(integration.base_url, key),
        key,
        thinks=integration.thinking,
    )


def _build_google(base_url: str, key: str | None) -> Build:
    if not key:
        raise ModelCredentials
    models, providers = _load("google")
    address = base_url.rstrip("/")

    def build(name: str) -> AiModel:
        provider = providers.GoogleProvider(api_key=key, base_url=address)
        return models.GoogleModel(name, provider=provider)

    return build


def _build_bedrock(base_url: str, key: str | None) -> Build:
    """Without a key or a region in the address the machine's own, as Amazon's tools find them."""
    models, providers = _load("bedrock")
    host = re.fullmatch(r"bedrock-runtime[^.]*\.([^.]+)\..+", urlsplit(base_url).hostname or "")
    given = {"base_url": base_url.rstrip("/"), "region_name": host[1] if host else None}
    if key:
        given["api_key"] = key

    def build(name: str) -> AiModel:
        try:
            provider = providers.BedrockProvider(**given)
        except failures.UserError as error:
            raise ModelError(NO_REGION) from error
        return models.BedrockConverseModel(name, provider=provider)

    return build


def _load(name: str) -> tuple[Any, Any]:
    """Each of them brings packages of its own that take long to load."""
    return (
        import_module(f"pydantic_ai.models.{name}"),
        import_module(f"pydantic_ai.providers.{name}"),
    )
