"""A slot of a schedule becomes work once, by the database's clock."""

import asyncio
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from uuid import UUID

import pytest

from assent.db.database import Database, Db
from assent.errors import ConfigurationError
from assent.ids import new_id
from assent.work import store
from assent.work.ticks import Schedule, create_due_ticks
from tests.store.work.steps import execute, fetch

TENANTS = [new_id(), new_id()]
DAILY = Schedule("daily", timedelta(days=1), "report")
WEEKLY = Schedule("weekly", timedelta(weeks=1), "review", per_tenant=True)


async def list_tenants(_db: Db) -> Sequence[UUID]:
    return TENANTS


async def create(database: Database, *schedules: Schedule) -> int:
    async with database.transaction() as db:
        return await create_due_ticks(db, schedules, list_tenants)


async def test_a_tick_is_work_with_its_schedule_and_time(database: Database) -> None:
    assert await create(database, DAILY) == 1
    [row] = await fetch(database, "SELECT kind, tenant_id, payload FROM work")
    assert (row["kind"], row["tenant_id"]) == ("report", None)
    due_at = datetime.fromisoformat(row["payload"]["dueAt"])
    assert row["payload"]["schedule"] == "daily"
    assert due_at.timestamp() % timedelta(days=1).total_seconds() == 0
    assert timedelta() <= datetime.now(UTC) - due_at < timedelta(days=1, minutes=1)


async def test_each_tenant_gets_work_of_its_own(database: Database) -> None:
    await create(database, WEEKLY)
    rows = await fetch(database, "SELECT tenant_id FROM work")
    assert sorted(row["tenant_id"] for row in rows) == sorted(TENANTS)


async def test_a_slot_is_created_once(database: Database) -> None:
    assert await create(database, DAILY, WEEKLY) == 2
    assert await create(database, WEEKLY, DAILY) == 0
    assert len(await fetch(database, "SELECT FROM work")) == 3


async def test_three_creators_create_each_slot_once(database: Database) -> None:
    schedules = [Schedule(f"s{n}", timedelta(days=n + 1), "a") for n in range(20)]
    counts = await asyncio.gather(
        *(create(database, *order) for order in (schedules, schedules[::-1], schedules))
    )
    assert sum(counts) == 20
    assert len(await fetch(database, "SELECT FROM work")) == 20


async def test_a_tick_that_rolls_back_is_due_again(database: Database) -> None:
    with pytest.raises(RuntimeError):
        async with database.transaction() as db:
            assert await create_due_ticks(db, [DAILY], list_tenants) == 1
            raise RuntimeError
    assert await create(database, DAILY) == 1


async def test_missed_slots_collapse_into_one(database: Database) -> None:
    await execute(
        database,
        "INSERT INTO ticks (schedule, due_at)"
        " VALUES ('daily', date_bin('1 day', now(), 'epoch') - interval '10 days')",
    )
    assert await create(database, DAILY) == 1
    assert len(await fetch(database, "SELECT FROM work")) == 1


async def test_retention_keeps_the_newest_tick_of_each_schedule(database: Database) -> None:
    monthly = Schedule("monthly", timedelta(days=30), "a")
    await create(database, DAILY, monthly)
    await execute(
        database,
        "INSERT INTO ticks (schedule, due_at)"
        " SELECT schedule, due_at - interval '60 days' FROM ticks",
    )
    async with database.transaction() as db:
        await store.delete_old(db)
    assert len(await fetch(database, "SELECT FROM ticks")) == 2
    assert await create(database, DAILY, monthly) == 0


def test_a_schedule_needs_a_positive_interval() -> None:
    with pytest.raises(ConfigurationError):
        Schedule("never", timedelta(), "a")
