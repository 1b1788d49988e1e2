"""What a model is asked, and what comes back as it speaks: the same for every provider. Pure.

A provider is one function, `stream`. It takes no decision: retries, spend, tools and what is shown
belong to whoever drives the run. Tools are named by their wire names here.
"""

from collections.abc import AsyncGenerator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, Protocol, TypeAlias

import msgspec

from assent.models.cap import Purpose

ENDLESS = "The model's answer did not come to an end, so it was cut off."

FinishReason: TypeAlias = Literal["stop", "length", "tool_calls", "content_filter", "other"]


@dataclass(frozen=True, slots=True)
class TextPart:
    text: str


@dataclass(frozen=True, slots=True)
class ReasoningPart:
    """What the model thought. `opaque` is the provider's own, given back to it unchanged."""

    text: str
    opaque: Mapping[str, Any] | None = None


@dataclass(frozen=True, slots=True)
class ImagePart:
    media_type: str
    data: bytes


@dataclass(frozen=True, slots=True)
class CallPart:
    """A tool call that the model made; `arguments` is the JSON text as it was written."""

    id: str
    name: str
    arguments: str


@dataclass(frozen=True, slots=True)
class ResultPart:
    """What the tool answered, as text."""

    call_id: str
    name: str
    content: str
    is_error: bool = False


@dataclass(frozen=True, slots=True)
class UserMessage:
    parts: tuple[TextPart | ImagePart, ...]


@dataclass(frozen=True, slots=True)
class AssistantMessage:
    parts: tuple[TextPart | ReasoningPart | CallPart, ...]


@dataclass(frozen=True, slots=True)
class ToolMessage:
    """The results of all calls of the assistant message before it, in their order."""

    results: tuple[ResultPart, ...]


Message: TypeAlias = UserMessage | AssistantMessage | ToolMessage


@dataclass(frozen=True, slots=True)
class OfferedTool:
    name: str
    description: str
    input_schema: Mapping[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelRequest:
    """One call. `max_tokens` bounds the answer, so that its worst case can be reserved.

    `instructions` is the system prompt, its stable sections first. With an `output_schema` the
    answer is one JSON value of that shape, as text. Tools that it may not call any more are there
    all the same: some providers refuse a history of calls without them, and keep them cached.
    """

    purpose: Purpose
    model: str
    instructions: tuple[str, ...]
    messages: tuple[Message, ...]
    max_tokens: int
    tools: tuple[OfferedTool, ...] = ()
    may_call: bool = True
    output_schema: Mapping[str, Any] | None = None

    @property
    def callable_tools(self) -> tuple[OfferedTool, ...]:
        return self.tools if self.may_call else ()


class TextDelta(msgspec.Struct, frozen=True, gc=False):
    text: str


class ReasoningDelta(msgspec.Struct, frozen=True, gc=False):
    text: str


class ReasoningOpaque(msgspec.Struct, frozen=True):
    """The provider's own data for the reasoning that just ended."""

    data: dict[str, Any]


class CallStart(msgspec.Struct, frozen=True, gc=False):
    """A tool call begins. `index` is unique in the answer, `id` too, whatever the provider sent."""

    index: int
    id: str
    name: str


class CallDelta(msgspec.Struct, frozen=True, gc=False):
    """The next piece of the JSON text of a call's arguments."""

    index: int
    arguments: str


class Usage(msgspec.Struct, frozen=True, gc=False, kw_only=True):
    """What the provider says that the call took; `input` includes what came from its cache.

    `cleared_calls` are tool uses that it took out of what was sent, with `cleared_input` tokens.
    """

    input: int
    output: int
    cache_read: int = 0
    cache_write: int = 0
    reasoning: int = 0
    cleared_calls: int = 0
    cleared_input: int = 0


class Finished(msgspec.Struct, frozen=True, gc=False):
    """The last event; what usage there is came just before."""

    reason: FinishReason


ModelEvent: TypeAlias = (
    TextDelta | ReasoningDelta | ReasoningOpaque | CallStart | CallDelta | Usage | Finished
)


class Model(Protocol):
    def stream(self, request: ModelRequest) -> AsyncGenerator[Sequence[ModelEvent]]:
        """Speak: each time all events that came together, at least one.

        Ends with `Finished`, or raises a `ModelError`; closing it closes the socket.
        """
        ...
