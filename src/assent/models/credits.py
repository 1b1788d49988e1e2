"""Credits: what a tenant may spend in a month on integrations that are provided to it. Pure."""

from dataclasses import dataclass
from datetime import UTC, datetime
from decimal import Decimal
from typing import Literal, TypeAlias

from pydantic import Field

from assent.errors import ChatDisabled, CreditsExhausted
from assent.models.price import Amount
from assent.value import Value

State: TypeAlias = Literal["none", "fine", "low", "exhausted"]
LOW_PERCENT = 70
NO_PRICE = (
    "This model has no price in {unit}, in which the credits are counted. "
    "Ask an admin to set one, or choose another model."
)


class Credits(Value):
    """For a calendar month (UTC); the unit is `tokens` or a currency."""

    unit: str = Field(pattern=r"^(tokens|[A-Z]{3})$", description="`tokens`, or such as USD.")
    amount: Amount


class Allowance(Value):
    """What a tenant may use: without credits as much as it likes, and the chat unless it is off."""

    credits: Credits | None = None
    chat_enabled: bool = True
    version: int = 0


class AllowanceChange(Value):
    """Takes the place of what was there."""

    credits: Credits | None
    chat_enabled: bool
    expected_version: int | None = None


@dataclass(frozen=True, slots=True)
class Standing:
    """An allowance, and what this month has used of its unit, with what is held for open calls."""

    allowance: Allowance
    used: Decimal

    @property
    def percent(self) -> int | None:
        """Rounded down, so that a hundred means that all is used."""
        most = self.allowance.credits
        if most is None:
            return None
        return int(self.used * 100 / most.amount) if most.amount else 100

    @property
    def state(self) -> State:
        percent = self.percent
        if percent is None:
            return "none"
        if percent >= 100:
            return "exhausted"
        return "low" if percent >= LOW_PERCENT else "fine"


def check_chat(allowance: Allowance) -> None:
    if not allowance.chat_enabled:
        raise ChatDisabled


def check_credits(standing: Standing, currency: str | None) -> None:
    """Raise unless a provided model with a price in this currency may be asked now."""
    most = standing.allowance.credits
    if most is None:
        return
    if most.unit not in ("tokens", currency):
        raise CreditsExhausted(NO_PRICE.format(unit=most.unit))
    if standing.state == "exhausted":
        raise CreditsExhausted


def find_reset(now: datetime) -> datetime:
    """When the next month begins."""
    first = now.astimezone(UTC).replace(day=1, hour=0, minute=0, second=0, microsecond=0)
    month = first.month % 12 + 1
    return first.replace(year=first.year + (month == 1), month=month)
