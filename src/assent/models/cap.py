"""The values of the spend cap, and how long a spender has to wait. Pure.

What is held and spent, and whether there is room, is decided in the database alone (`store.py`).
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Literal, TypeAlias
from uuid import UUID

from assent.errors import ConfigurationError, TooLarge

Purpose: TypeAlias = Literal["turn", "title", "classify", "summarize", "structured"]

UNITS = ((86_400, "day"), (3_600, "hour"), (60, "minute"), (1, "second"))


@dataclass(frozen=True, slots=True)
class Cap:
    """At most so many tokens in any such time."""

    tokens: int
    window: timedelta

    def __post_init__(self) -> None:
        if self.tokens <= 0 or self.window < timedelta(seconds=1):
            raise ConfigurationError("A spend cap needs tokens and a window of a second or more.")

    @property
    def seconds(self) -> int:
        return math.ceil(self.window.total_seconds())

    def __str__(self) -> str:
        size, unit = next(one for one in UNITS if self.seconds % one[0] == 0)
        count = self.seconds // size
        return f"{self.tokens:,} tokens in {count} {unit}{'' if count == 1 else 's'}"


@dataclass(frozen=True, slots=True)
class Spender:
    """Whose spend counts together: a principal on an integration."""

    tenant_id: UUID
    integration_id: UUID
    principal_id: UUID


@dataclass(frozen=True, slots=True)
class Reservation:
    """Room for one model call. Its lease has to be renewed before `expires_at`."""

    id: UUID
    tenant_id: UUID
    expires_at: datetime


@dataclass(frozen=True, slots=True)
class Held:
    """Tokens that take up room, and in how many seconds they may be gone."""

    tokens: int
    gone_in: float


def check_fits(cap: Cap, worst_case: int) -> None:
    """Raise for a call that could never be let through, however long one waits."""
    if worst_case > cap.tokens:
        raise TooLarge(
            f"This model call could take {worst_case:,} tokens; the spend cap is {cap}. "
            "Shorten the conversation, or ask an admin for a higher cap."
        )


def find_wait(cap: Cap, worst_case: int, held: Sequence[Held]) -> int:
    """Seconds until there may be room: at least one."""
    excess = sum(one.tokens for one in held) + worst_case - cap.tokens
    waits = [0.0]
    for one in sorted(held, key=lambda one: one.gone_in):
        if excess <= 0:
            break
        excess -= one.tokens
        waits.append(one.gone_in)
    return max(1, math.ceil(waits[-1]))
