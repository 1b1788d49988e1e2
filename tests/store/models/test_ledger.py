"""The ledger and the credits on real rows: calls at once, databases that go away, late ends."""

import asyncio
from collections.abc import AsyncGenerator
from contextlib import aclosing
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any, cast

import pytest

from assent.db.database import Database, open_database
from assent.errors import CreditsExhausted, ModelRefused, Unavailable
from assent.models.call import Occasion
from assent.models.cap import Spender
from assent.models.credits import AllowanceChange, Credits
from assent.models.ledger import Ledger
from assent.models.meter import Account, Metered
from assent.models.model import Finished, ModelEvent, ModelRequest, TextDelta, Usage
from assent.models.price import ModelPrice
from assent.models.store import ledger as store
from assent.models.store.credits import load_standing, set_allowance
from assent.models.sweep import sweep
from assent.models.watch import Watch
from assent.telemetry.telemetry import Telemetry
from tests.patience import wait_until
from tests.store.models.steps import new_spender

REQUEST = ModelRequest(purpose="turn", model="m", instructions=(), messages=(), max_tokens=996)
WORST = 1_000
PRICE = ModelPrice(model="m", currency="EUR", input=Decimal(2), output=Decimal(10))
TOTALS = """
SELECT count(*) AS calls, sum(input_tokens + output_tokens) AS tokens, sum(cost) AS cost,
       array_agg(DISTINCT outcome ORDER BY outcome) AS outcomes
FROM model_calls WHERE tenant_id = $1
"""


@dataclass
class Speaking:
    """A model that says one word, when it is let."""

    usage: Usage | None = None
    error: Exception | None = None
    go_on: asyncio.Event = field(default_factory=asyncio.Event)

    def within(self, seconds: float) -> "Speaking":
        return self

    async def stream(self, request: ModelRequest) -> AsyncGenerator[list[ModelEvent]]:
        yield [TextDelta("Word")]
        await self.go_on.wait()
        if self.error is not None:
            raise self.error
        yield [*([self.usage] if self.usage else []), Finished("stop")]


@dataclass
class Away:
    """A database that cannot be reached while `gone`."""

    real: Database
    gone: bool = False

    def connection(self) -> Any:
        if self.gone:
            raise Unavailable
        return self.real.connection()


def metered(database: Any, model: Speaking, spender: Spender, **more: Any) -> Metered:
    account = Account(spender=spender, provider="p", occasion=Occasion(), prices=[PRICE], **more)
    return Metered(model, Ledger(database), account, Watch(Telemetry(), "p"))


async def ask(one: Metered) -> None:
    async with aclosing(one.within(1).stream(REQUEST)) as answer:
        async for _ in answer:
            pass


async def read(database: Database, spender: Spender) -> dict[str, Any]:
    async with database.connection() as db:
        row = await db.fetchrow(TOTALS, spender.tenant_id)
    assert row is not None
    return dict(row)


async def give(database: Database, spender: Spender, unit: str, amount: int | str) -> None:
    change = AllowanceChange(credits=Credits(unit=unit, amount=Decimal(amount)), chat_enabled=True)
    async with database.connection() as db:
        await set_allowance(db, spender.tenant_id, change)


async def read_used(database: Database, spender: Spender) -> Decimal:
    async with database.connection() as db:
        return (await load_standing(db, spender.tenant_id)).used


@pytest.mark.parametrize(("unit", "amount"), [("tokens", 10 * WORST), ("EUR", "0.09968")])
async def test_64_calls_at_once_over_four_pools_take_the_credits_and_no_more(
    database: Database, unit: str, amount: int | str
) -> None:
    pools = [await open_database(database.url, pool_size=4) for _ in range(4)]
    spender = new_spender()
    await give(database, spender, unit, amount)
    model = Speaking(Usage(input=100, output=100))
    calls = [metered(pools[n % 4], model, spender, provided=True) for n in range(64)]
    asked = [asyncio.create_task(ask(one)) for one in calls]

    async def are_refused() -> bool:
        return sum(one.done() for one in asked) >= 54

    await wait_until(are_refused)
    held = await read(database, spender)
    assert (held["calls"], held["tokens"], held["outcomes"]) == (10, 10 * WORST, ["open"])
    model.go_on.set()
    results = await asyncio.gather(*asked, return_exceptions=True)
    assert sum(isinstance(one, CreditsExhausted) for one in results) == 54
    assert sum(one is None for one in results) == 10
    spent = await read(database, spender)
    assert (spent["tokens"], spent["outcomes"]) == (2_000, ["finished"])
    in_unit = {"tokens": spent["tokens"], "EUR": spent["cost"]}[unit]
    assert await read_used(database, spender) == in_unit
    for pool in pools:
        await pool.close()


async def test_what_is_given_back_can_be_used_again(database: Database) -> None:
    spender = new_spender()
    await give(database, spender, "tokens", WORST)
    model = Speaking(Usage(input=0, output=0))
    model.go_on.set()
    for _ in range(3):
        await ask(metered(database, model, spender, provided=True))
    assert await read_used(database, spender) == 0


async def test_the_error_of_the_model_wins_and_the_row_is_caught_up_with(
    database: Database,
) -> None:
    away, spender = Away(database), new_spender()
    one = metered(cast(Database, away), Speaking(error=ModelRefused()), spender)
    answer = one.within(1).stream(REQUEST)
    await anext(answer)
    away.gone = True
    cast(Speaking, one.model).go_on.set()
    with pytest.raises(ModelRefused):
        await anext(answer)
    assert (await read(database, spender))["outcomes"] == ["open"]
    with pytest.raises(Unavailable):
        await one.ledger.catch_up()
    away.gone = False
    await one.ledger.catch_up()
    assert (await read(database, spender))["outcomes"] == ["failed"]


async def test_an_answer_is_whole_though_the_database_went(database: Database) -> None:
    away, spender = Away(database), new_spender()
    model = Speaking(Usage(input=7, output=3))
    model.go_on.set()
    one = metered(cast(Database, away), model, spender)
    answer = one.within(1).stream(REQUEST)
    await anext(answer)
    away.gone = True
    assert [len(events) async for events in answer] == [2]
    away.gone = False
    await ask(one)
    assert (await read(database, spender))["tokens"] == 20


async def test_nothing_is_asked_of_a_model_without_a_row(database: Database) -> None:
    away = Away(database, gone=True)
    one = metered(cast(Database, away), Speaking(), new_spender())
    with pytest.raises(Unavailable):
        await ask(one)


async def test_whoever_comes_back_after_the_sweep_still_tells_the_truth(
    database: Database,
) -> None:
    spender = new_spender()
    await give(database, spender, "tokens", 10 * WORST)
    model = Speaking(Usage(input=100, output=50))
    one = metered(database, model, spender, provided=True)
    answer = one.within(1).stream(REQUEST)
    await anext(answer)
    async with database.connection() as db:
        await db.execute("UPDATE model_calls SET expires_at = now()")
    await sweep(database, spender.tenant_id)
    lost = await read(database, spender)
    assert (lost["tokens"], lost["outcomes"]) == (WORST, ["lost"])
    assert await read_used(database, spender) == WORST
    model.go_on.set()
    async for _ in answer:
        pass
    found = await read(database, spender)
    assert (found["tokens"], found["outcomes"]) == (150, ["finished"])
    assert await read_used(database, spender) == 150


async def test_closing_twice_counts_once(database: Database) -> None:
    spender = new_spender()
    await give(database, spender, "tokens", 10 * WORST)
    one = metered(database, Speaking(Usage(input=1, output=1)), spender, provided=True)
    seen: list[tuple[Any, Any]] = []

    async def close_twice(opened: Any, ended: Any) -> None:
        seen.append((opened, ended))
        async with database.connection() as db:
            await store.close_call(db, opened.call, ended)
            await store.close_call(db, opened.call, ended)

    one.ledger.close = close_twice  # pyright: ignore[reportAttributeAccessIssue]
    cast(Speaking, one.model).go_on.set()
    await ask(one)
    assert len(seen) == 1
    assert await read_used(database, spender) == 2


async def test_another_tenant_has_credits_of_its_own(database: Database) -> None:
    poor, other = new_spender(), new_spender()
    await give(database, poor, "tokens", 1)
    model = Speaking(Usage(input=1, output=1))
    model.go_on.set()
    with pytest.raises(CreditsExhausted):
        await ask(metered(database, model, poor, provided=True))
    await ask(metered(database, model, other, provided=True))
    await ask(metered(database, model, poor))
    assert (await read(database, poor))["calls"] == 1
