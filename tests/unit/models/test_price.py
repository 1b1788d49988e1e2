"""What a call costs."""

from decimal import Decimal

import pytest
from pydantic import ValidationError

from assent.models.call import Figures
from assent.models.integration import IntegrationDraft
from assent.models.price import ModelPrice

PRICE = ModelPrice(
    model="m",
    input=Decimal(3),
    output=Decimal(15),
    cache_read=Decimal("0.3"),
    cache_write=Decimal("3.75"),
)
FLAT = ModelPrice(model="m", input=Decimal(3), output=Decimal(15))


@pytest.mark.parametrize(
    ("price", "figures", "cost"),
    [
        (PRICE, Figures(), "0"),
        (PRICE, Figures(1_000_000, 0), "3"),
        (PRICE, Figures(0, 1_000_000), "15"),
        (PRICE, Figures(1_000, 10, cache_read=600, cache_write=100), "0.001605"),
        (FLAT, Figures(1_000, 10, cache_read=600, cache_write=100), "0.00315"),
        (PRICE, Figures(1_000, 100, reasoning=90), "0.0045"),
        (PRICE, Figures(10, 0, cache_read=20), "0.000006"),
    ],
)
def test_cost(price: ModelPrice, figures: Figures, cost: str) -> None:
    assert price.cost(figures) == Decimal(cost)


@pytest.mark.parametrize(
    "prices",
    [
        [{"model": "m", "input": "-1", "output": "1"}],
        [{"model": "m", "input": "1"}],
        [{"model": "m", "input": "1", "output": "1", "currency": "usd"}],
        [{"model": "m", "input": "NaN", "output": "1"}],
        [{"model": "m", "input": "1", "output": "1"}] * 2,
    ],
)
def test_prices_that_cannot_be(prices: list[dict[str, str]]) -> None:
    given = {"name": "N", "baseUrl": "http://h", "defaultModel": "m", "prices": prices}
    with pytest.raises(ValidationError):
        IntegrationDraft.model_validate(given)
