"""Integrations: configured model providers, and which of them a turn uses (SPEC M1-M3). Pure."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import Annotated, Literal, TypeAlias
from uuid import UUID

from pydantic import Field

from assent.models.cap import Cap
from assent.models.price import ModelPrice, Prices
from assent.value import Name, Named, Value

Family: TypeAlias = Literal["openai", "anthropic", "generic"]
Provider: TypeAlias = Literal["openai", "anthropic", "google", "bedrock"]
"""Whose API it speaks: declared, never found from an address. `openai` is any that is like it."""
WINDOW = 128_000
DEMO_MODEL = "demo"
LOCAL_ID = UUID(int=1)
"""What was found in the environment has no row; it is the same for every tenant."""


ModelName = Annotated[str, Field(min_length=1, max_length=200)]
Address = Annotated[str, Field(max_length=500, pattern=r"^https?://[^\s]+$")]


def guess_images(provider: Provider, family: Family) -> bool:
    """The models of the large providers take images; of any other server nobody knows."""
    return provider != "openai" or family != "generic"


class SpendCap(Value):
    """At most so many tokens of one principal in any such time."""

    tokens: int = Field(ge=1, le=10**15)
    seconds: int = Field(ge=1, le=366 * 86_400)


class Integration(Named):
    """As admins see it. The key itself never leaves the server.

    With `classifier` its model also judges whether a request is what the assistant is for; with
    `thinking` it may think before it answers, where its provider offers that. Without `images` it
    is told the names of pictures instead of being shown them.
    """

    provider: Provider = "openai"
    base_url: str
    has_key: bool
    default_model: str
    allowed_models: list[str]
    family: Family
    context_window: int | None
    cap: SpendCap | None
    enabled: bool
    classifier: bool = True
    thinking: bool = False
    images: bool = True
    version: int
    prices: list[ModelPrice] = []
    provided: bool = False
    """By whoever runs Assent: what it takes counts against the tenant's credits."""

    @property
    def models(self) -> tuple[str, ...]:
        """What may be chosen: the default first, then the allowed ones, each once."""
        return tuple(dict.fromkeys((self.default_model, *self.allowed_models)))

    @property
    def limit(self) -> Cap | None:
        return Cap(self.cap.tokens, timedelta(seconds=self.cap.seconds)) if self.cap else None


class IntegrationChoice(Value):
    """As everybody who chats sees it."""

    id: UUID
    name: str
    default_model: str
    models: list[str]
    provided: bool


class IntegrationDraft(Value):
    name: Name
    provider: Provider = "openai"
    base_url: Address
    key: str | None = Field(None, max_length=1000)
    default_model: ModelName
    allowed_models: list[ModelName] = Field([], max_length=200)
    family: Family = "generic"
    context_window: int | None = Field(None, ge=1_000, le=100_000_000)
    cap: SpendCap | None = None
    enabled: bool = True
    classifier: bool = True
    thinking: bool = False
    images: bool | None = None
    prices: Prices = []
    provided: bool = False

    @property
    def takes_images(self) -> bool:
        """What nobody said follows from what was declared."""
        return guess_images(self.provider, self.family) if self.images is None else self.images


class IntegrationChange(Value):
    """What is left out stays as it is; a window or a cap that is null is taken away."""

    integration_id: UUID
    expected_version: int | None = None
    name: Name | None = None
    provider: Provider | None = None
    base_url: Address | None = None
    key: str | None = Field(None, max_length=1000)
    default_model: ModelName | None = None
    allowed_models: list[ModelName] | None = Field(None, max_length=200)
    family: Family | None = None
    context_window: int | None = Field(None, ge=1_000, le=100_000_000)
    cap: SpendCap | None = None
    enabled: bool | None = None
    classifier: bool | None = None
    thinking: bool | None = None
    images: bool | None = None
    prices: Prices | None = None
    provided: bool | None = None


@dataclass(frozen=True, slots=True)
class Chosen:
    """Which model answers; without an integration it is the demo model."""

    integration: Integration | None
    model: str

    @property
    def window(self) -> int:
        return (self.integration.context_window if self.integration else None) or WINDOW


@dataclass(frozen=True, slots=True)
class Wish:
    """What a conversation or an agent asks for."""

    integration_id: UUID | None
    model: str | None


def choose_model(wishes: Sequence[Wish], integrations: Sequence[Integration]) -> Chosen:
    """The first wish whose integration is there and enabled, then the first enabled, then demo.

    A model that is not allowed there, any longer or ever, becomes the integration's default.
    """
    usable = {one.id: one for one in integrations if one.enabled}
    for wish in wishes:
        integration = usable.get(wish.integration_id) if wish.integration_id else None
        if integration is not None:
            return Chosen(integration, _allow(integration, wish.model))
    first = next(iter(usable.values()), None)
    if first is None:
        return Chosen(None, DEMO_MODEL)
    model = next((wish.model for wish in wishes if wish.integration_id is None), None)
    return Chosen(first, _allow(first, model))


def _allow(integration: Integration, model: str | None) -> str:
    return model if model in integration.models else integration.default_model
