"""Whether an integration works: asked by the Test button, before anybody relies on it."""

from contextlib import aclosing
from dataclasses import dataclass
from typing import Protocol

from assent.errors import ModelError
from assent.models.model import Model, ModelRequest, TextPart, UserMessage
from assent.models.retry import Bounded

MAX_TOKENS = 16
"""Reasoning models refuse one; the answer is not read beyond its first token anyway."""


class Wire(Model, Bounded, Protocol):
    """A provider's client."""

    async def list_models(self) -> tuple[str, ...] | None:
        """The ids of its models, or `None` where the server has no list."""
        ...


@dataclass(frozen=True, slots=True)
class Checked:
    """The model answered. `models` is what the server lists, or `None` if it has no list."""

    model: str
    models: tuple[str, ...] | None


async def check(wire: Wire, model: str, asked: Model) -> Checked:
    """Have the model begin an answer; raise the `ModelError` that says why it does not.

    `asked` is the way to the model on which the call is counted.
    """
    request = ModelRequest(
        purpose="turn",
        model=model,
        instructions=(),
        messages=(UserMessage((TextPart("Say yes."),)),),
        max_tokens=MAX_TOKENS,
    )
    async with aclosing(asked.stream(request)) as events:
        async for _ in events:
            break
    try:
        models = await wire.list_models()
    except ModelError:
        models = None
    return Checked(model, models)
