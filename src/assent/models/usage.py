"""Usage as it is read: sums over the ledger, and single calls. Pure."""

import csv
import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from decimal import Decimal
from io import StringIO
from typing import Annotated, Any, Literal, TypeAlias
from uuid import UUID

from pydantic import AfterValidator, BeforeValidator, Field

from assent.errors import Invalid
from assent.value import PageQuery, Value, tame_cell

Group: TypeAlias = Literal["day", "person", "agent", "model", "integration", "purpose"]
LONGEST_DAYS = 400
USUAL_DAYS = 30
DAY = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")


def _plain(amount: Decimal) -> Decimal:
    """Without zeros at the end, and never as a power of ten."""
    return Decimal(f"{amount.normalize():f}")


@dataclass(frozen=True, slots=True)
class Days:
    """Whole days in UTC, both included."""

    since: date
    until: date

    @property
    def begin(self) -> datetime:
        return datetime.combine(self.since, time(), UTC)

    @property
    def end(self) -> datetime:
        return datetime.combine(self.until, time(), UTC) + timedelta(days=1)


class Cost(Value):
    currency: str
    amount: Annotated[Decimal, AfterValidator(_plain)]


class Sums(Value):
    """`input` includes what was read from a cache or written to one, `output` the reasoning."""

    calls: int = 0
    estimated_calls: int = Field(0, description="Calls of which the provider gave no figures.")
    input_tokens: int = 0
    output_tokens: int = 0
    cache_read_tokens: int = 0
    cache_write_tokens: int = 0
    reasoning_tokens: int = 0
    cleared_tool_uses: int = 0
    cleared_tokens: int = 0
    costs: list[Cost] = Field([], description="Of calls that had a price, by currency.")


class UsageLine(Sums):
    """Of one person, agent, model, …; of one day of it when that was asked for."""

    key: str | None
    name: str | None
    day: date | None


class Usage(Value):
    since: date
    until: date
    items: list[UsageLine]
    total: Sums


def _check_day(given: Any) -> Any:
    """A number is no day, though it could be read as one."""
    if isinstance(given, str) and not DAY.fullmatch(given):
        raise ValueError("Write it as 2026-07-01.")
    return given


Day = Annotated[date, BeforeValidator(_check_day)]


class UsageQuery(Value):
    """Whole days, in UTC; both are included."""

    since: Day | None = Field(None, alias="from", description="30 days before the last one.")
    until: Day | None = Field(None, alias="to", description="Today.")
    group_by: Group = "day"
    daily: bool = Field(False, description="One line for each day of each group.")


class CallQuery(PageQuery):
    since: Day | None = Field(None, alias="from", description="30 days before the last one.")
    until: Day | None = Field(None, alias="to", description="Today.")
    person_id: UUID | None = None
    run_id: UUID | None = None


class ModelCall(Value):
    """One line of the ledger. No word of what was said."""

    id: UUID
    started_at: datetime
    ended_at: datetime | None
    integration_id: UUID | None
    integration_name: str | None
    provider: str
    model: str
    purpose: str
    principal_id: UUID
    principal_name: str | None
    agent: str | None
    conversation_id: UUID | None
    run_id: UUID | None
    input_tokens: int
    output_tokens: int
    cache_read_tokens: int
    cache_write_tokens: int
    reasoning_tokens: int
    cleared_tool_uses: int
    cleared_tokens: int
    cost: Annotated[
        Decimal | None, AfterValidator(lambda cost: cost if cost is None else _plain(cost))
    ]
    currency: str | None
    outcome: Literal["open", "finished", "cancelled", "failed", "lost"]
    estimated: bool


def find_days(query: UsageQuery | CallQuery, today: date) -> Days:
    """Those that were asked for, or the last thirty."""
    until = query.until or today
    since = query.since or until - timedelta(days=USUAL_DAYS - 1)
    if until < since:
        raise Invalid.at("to", "This is before the first day.")
    if (until - since).days > LONGEST_DAYS:
        raise Invalid.at("to", f"Ask for {LONGEST_DAYS} days at the most.")
    return Days(since, until)


COUNTED = (
    "calls",
    "estimated_calls",
    "input_tokens",
    "output_tokens",
    "cache_read_tokens",
    "cache_write_tokens",
    "reasoning_tokens",
    "cleared_tool_uses",
    "cleared_tokens",
)


def add_up(lines: Sequence[Sums]) -> Sums:
    costs: dict[str, Decimal] = {}
    for line in lines:
        for cost in line.costs:
            costs[cost.currency] = costs.get(cost.currency, Decimal(0)) + cost.amount
    return Sums(
        **{name: sum(getattr(line, name) for line in lines) for name in COUNTED},
        costs=[Cost(currency=one, amount=costs[one]) for one in sorted(costs)],
    )


def merge_currencies(rows: Sequence[UsageLine]) -> list[UsageLine]:
    """One line for each key and day: rows come one for each currency besides."""
    found: dict[tuple[str | None, date | None], list[UsageLine]] = {}
    for row in rows:
        found.setdefault((row.key, row.day), []).append(row)
    return [
        UsageLine(key=key, day=day, name=same[0].name, **dict(add_up(same)))
        for (key, day), same in found.items()
    ]


def write_csv(usage: Usage) -> str:
    """One line for each currency of a line; what a spreadsheet would take for a formula is told
    apart."""
    out = StringIO()
    writer = csv.writer(out)
    writer.writerow(["day", "key", "name", *COUNTED, "currency", "cost"])
    for line in usage.items:
        figures = [getattr(line, name) for name in COUNTED]
        costs = [(one.currency, one.amount) for one in line.costs] or [("", "")]
        for number, (currency, amount) in enumerate(costs):
            counted = figures if number == 0 else [0] * len(figures)
            named = [line.day or "", tame_cell(line.key), tame_cell(line.name)]
            writer.writerow([*named, *counted, currency, amount])
    return out.getvalue()
