"""What models cost: prices per million tokens, and the cost of a call. Pure."""

import re
from collections.abc import Sequence
from decimal import Decimal
from typing import Annotated, Any

from pydantic import AfterValidator, BeforeValidator, Field, WithJsonSchema

from assent.models.call import Figures
from assent.value import Value

MILLION = Decimal(1_000_000)
WRITTEN = re.compile(r"[0-9]{1,15}(\.[0-9]{1,9})?")


def _read_amount(given: Any) -> Decimal:
    """In JSON an amount is a text: a number would be rounded by whoever reads it."""
    if isinstance(given, Decimal):
        return given
    if isinstance(given, str) and WRITTEN.fullmatch(given):
        return Decimal(given)
    raise ValueError('Write it as a text with digits and a point, such as "0.25".')


Amount = Annotated[
    Decimal,
    BeforeValidator(_read_amount),
    WithJsonSchema({"type": "string", "pattern": f"^{WRITTEN.pattern}$"}),
]
Price = Annotated[Amount, Field(le=1_000_000)]
Currency = Annotated[str, Field(pattern=r"^[A-Z]{3}$", description="Such as USD.")]


class ModelPrice(Value):
    """For a million tokens. What is cached costs as much as other input unless told."""

    model: str = Field(min_length=1, max_length=200)
    currency: Currency = "USD"
    input: Price
    output: Price
    cache_read: Price | None = None
    cache_write: Price | None = None

    def cost(self, figures: Figures) -> Decimal:
        """`input` of the figures includes what was read from a cache or written to one."""
        cached = figures.cache_read + figures.cache_write
        read = self.input if self.cache_read is None else self.cache_read
        write = self.input if self.cache_write is None else self.cache_write
        return (
            max(figures.input - cached, 0) * self.input
            + figures.cache_read * read
            + figures.cache_write * write
            + figures.output * self.output
        ) / MILLION


def _check_once(prices: list[ModelPrice]) -> list[ModelPrice]:
    if len({one.model for one in prices}) < len(prices):
        raise ValueError("Give one price for each model.")
    return prices


Prices = Annotated[list[ModelPrice], Field(max_length=200), AfterValidator(_check_once)]


def find_price(prices: Sequence[ModelPrice], model: str) -> ModelPrice | None:
    return next((one for one in prices if one.model == model), None)
