"""Sums over the ledger, and the table that is made of them."""

import csv
from datetime import date
from decimal import Decimal
from io import StringIO

from assent.models.usage import Cost, Usage, UsageLine, add_up, merge_currencies, write_csv

DAY = date(2026, 2, 3)


def line(key: str | None, currency: str | None = None, amount: str = "0", calls: int = 1):
    costs = [Cost(currency=currency, amount=Decimal(amount))] if currency else []
    return UsageLine(key=key, name=None, day=DAY, calls=calls, input_tokens=10 * calls, costs=costs)


def test_currencies_of_a_line_stand_side_by_side() -> None:
    merged = merge_currencies(
        [line("a", "EUR", "1.50"), line("a", "USD", "2"), line("a"), line("b", "USD", "1")]
    )
    assert [(one.key, one.calls, one.input_tokens) for one in merged] == [
        ("a", 3, 30),
        ("b", 1, 10),
    ]
    assert merged[0].costs == [
        Cost(currency="EUR", amount=Decimal("1.5")),
        Cost(currency="USD", amount=Decimal(2)),
    ]
    total = add_up(merged)
    assert [str(one.amount) for one in total.costs] == ["1.5", "3"]


def test_a_table_has_its_sums_once_and_no_formulas() -> None:
    items = merge_currencies([line("=1+1", "EUR", "1"), line("=1+1", "USD", "2"), line(None)])
    table = write_csv(Usage(since=DAY, until=DAY, items=items, total=add_up(items)))
    rows = list(csv.DictReader(StringIO(table)))
    assert [(one["key"], one["currency"], one["cost"]) for one in rows] == [
        ("'=1+1", "EUR", "1"),
        ("'=1+1", "USD", "2"),
        ("", "", ""),
    ]
    assert sum(int(one["calls"]) for one in rows) == 3
