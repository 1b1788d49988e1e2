"""How a tenant's credits stand."""

from datetime import UTC, datetime
from decimal import Decimal

import pytest

from assent.errors import CreditsExhausted
from assent.models.credits import Allowance, Credits, Standing, check_credits, find_reset


def stand(used: str, amount: str, unit: str = "tokens") -> Standing:
    return Standing(Allowance(credits=Credits(unit=unit, amount=Decimal(amount))), Decimal(used))


@pytest.mark.parametrize(
    ("used", "amount", "state", "percent"),
    [
        ("0", "100", "fine", 0),
        ("69.9", "100", "fine", 69),
        ("70", "100", "low", 70),
        ("99.99", "100", "low", 99),
        ("100", "100", "exhausted", 100),
        ("250", "100", "exhausted", 250),
        ("0", "0", "exhausted", 100),
    ],
)
def test_state(used: str, amount: str, state: str, percent: int) -> None:
    standing = stand(used, amount)
    assert (standing.state, standing.percent) == (state, percent)


def test_without_credits_nothing_runs_out() -> None:
    standing = Standing(Allowance(), Decimal(10**9))
    assert (standing.state, standing.percent) == ("none", None)
    check_credits(standing, None)


@pytest.mark.parametrize(
    ("standing", "currency", "complaint"),
    [
        (stand("99", "100"), None, None),
        (stand("100", "100"), None, "used up"),
        (stand("1", "100", "EUR"), "EUR", None),
        (stand("1", "100", "EUR"), "USD", "no price in EUR"),
        (stand("1", "100", "EUR"), None, "no price in EUR"),
    ],
)
def test_check(standing: Standing, currency: str | None, complaint: str | None) -> None:
    if complaint is None:
        check_credits(standing, currency)
    else:
        with pytest.raises(CreditsExhausted, match=complaint):
            check_credits(standing, currency)


@pytest.mark.parametrize(
    ("now", "reset"),
    [
        (datetime(2026, 1, 31, 23, tzinfo=UTC), datetime(2026, 2, 1, tzinfo=UTC)),
        (datetime(2026, 12, 1, tzinfo=UTC), datetime(2027, 1, 1, tzinfo=UTC)),
    ],
)
def test_reset(now: datetime, reset: datetime) -> None:
    assert find_reset(now) == reset
