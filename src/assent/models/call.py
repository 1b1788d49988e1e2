"""A call of a model as the ledger knows it: who asked, for what, and what it took. Pure."""

from dataclasses import dataclass
from datetime import timedelta
from decimal import Decimal
from typing import Literal, TypeAlias
from uuid import UUID

from assent.models.cap import Purpose

Outcome: TypeAlias = Literal["finished", "cancelled", "failed"]
"""Besides, a call is `open` until then, and `lost` when nobody says how it ended."""


@dataclass(frozen=True, slots=True)
class Occasion:
    """What a model is asked for, as far as there is such a thing."""

    agent: str | None = None
    conversation_id: UUID | None = None
    run_id: UUID | None = None


@dataclass(frozen=True, slots=True)
class Figures:
    """Tokens, and what the provider took out of the context by itself."""

    input: int = 0
    output: int = 0
    cache_read: int = 0
    cache_write: int = 0
    reasoning: int = 0
    cleared_tool_uses: int = 0
    cleared_tokens: int = 0

    @property
    def tokens(self) -> int:
        return self.input + self.output


@dataclass(frozen=True, slots=True)
class Bill:
    cost: Decimal
    currency: str


@dataclass(frozen=True, slots=True, kw_only=True)
class NewCall:
    """A call that is about to be made, with the most that it can take."""

    id: UUID
    tenant_id: UUID
    principal_id: UUID
    integration_id: UUID | None
    provider: str
    model: str
    purpose: Purpose
    occasion: Occasion
    worst: Figures
    bill: Bill | None
    provided: bool
    lease: timedelta


@dataclass(frozen=True, slots=True, kw_only=True)
class Ended:
    """How it ended; `estimated` unless the provider gave the figures."""

    outcome: Outcome
    figures: Figures
    bill: Bill | None
    estimated: bool
