"""Room is reserved, settled, renewed and given back, by the database's clock."""

from datetime import timedelta
from typing import Any
from uuid import UUID

import pytest

from assent.db.database import Database
from assent.errors import LeaseLost, TooLarge, TooMany
from assent.ids import new_id
from assent.models.cap import Cap, Reservation, Spender
from assent.models.spend import LEASE, release, renew, reserve, settle
from assent.models.sweep import build_handler, sweep
from assent.work.lease import Job, Lease, Work
from tests.store.models.steps import Meter, new_spender, pass_time, read_meter

HOUR = timedelta(hours=1)
MINUTE = timedelta(minutes=1)
CAP = Cap(1_000, HOUR)


@pytest.fixture
def spender() -> Spender:
    return new_spender()


async def take(
    database: Database, spender: Spender, worst_case: int, cap: Cap = CAP, **more: Any
) -> Reservation:
    return await reserve(database, spender, cap, worst_case=worst_case, purpose="turn", **more)


async def find_wait(database: Database, spender: Spender, worst_case: int) -> int:
    """Be refused, and return the seconds to wait."""
    with pytest.raises(TooMany) as refused:
        await take(database, spender, worst_case)
    return refused.value.retry_after


async def test_as_much_is_reserved_as_the_cap_allows(database: Database, spender: Spender) -> None:
    for _ in range(4):
        await take(database, spender, 250)
    with pytest.raises(TooMany, match="The spend cap of 1,000 tokens in 1 hour is reached"):
        await take(database, spender, 1)
    assert await read_meter(database, spender) == Meter(1_000, 0, 4, 0)


async def test_a_reservation_is_held_for_its_lease(database: Database, spender: Spender) -> None:
    reservation = await take(database, spender, 600, lease=timedelta(seconds=90))
    async with database.connection() as db:
        left = await db.fetchval("SELECT $1 - now()", reservation.expires_at)
    assert timedelta(seconds=80) < left <= timedelta(seconds=90)


async def test_settling_gives_back_what_was_not_used(database: Database, spender: Spender) -> None:
    reservation = await take(database, spender, 900)
    assert await settle(database, reservation, 300)
    assert await read_meter(database, spender) == Meter(0, 300, 0, 1)
    await take(database, spender, 700)
    await find_wait(database, spender, 1)


async def test_settling_twice_counts_once(database: Database, spender: Spender) -> None:
    reservation = await take(database, spender, 900)
    assert await settle(database, reservation, 300)
    assert not await settle(database, reservation, 300)
    assert not await release(database, reservation)
    assert await read_meter(database, spender) == Meter(0, 300, 0, 1)


async def test_a_call_that_took_more_counts_in_full(database: Database, spender: Spender) -> None:
    first, second = await take(database, spender, 500), await take(database, spender, 500)
    await settle(database, first, 1_200)
    await settle(database, second, 0)
    assert await read_meter(database, spender) == Meter(0, 1_200, 0, 1)
    assert await find_wait(database, spender, 1) > 3_500


async def test_less_than_nothing_is_refused(database: Database, spender: Spender) -> None:
    reservation = await take(database, spender, 500)
    with pytest.raises(ValueError, match="no fewer than 0"):
        await settle(database, reservation, -1)


async def test_a_call_that_never_began_costs_nothing(database: Database, spender: Spender) -> None:
    assert await release(database, await take(database, spender, 1_000))
    assert await read_meter(database, spender) == Meter(0, 0, 0, 0)
    await take(database, spender, 1_000)


async def test_a_call_larger_than_the_cap_is_told_so(database: Database, spender: Spender) -> None:
    with pytest.raises(TooLarge):
        await take(database, spender, 1_001)
    assert await read_meter(database, spender) is None


@pytest.mark.parametrize("other", ["tenant_id", "integration_id", "principal_id"])
async def test_each_spender_has_a_cap_of_its_own(
    database: Database, spender: Spender, other: str
) -> None:
    ids = {
        "tenant_id": spender.tenant_id,
        "integration_id": spender.integration_id,
        "principal_id": spender.principal_id,
    }
    await take(database, spender, 1_000)
    await take(database, Spender(**ids | {other: new_id()}), 1_000)


async def test_another_tenant_cannot_touch_a_reservation(
    database: Database, spender: Spender
) -> None:
    reservation = await take(database, spender, 1_000)
    theirs = Reservation(reservation.id, new_id(), reservation.expires_at)
    assert not await settle(database, theirs, 1)
    with pytest.raises(LeaseLost):
        await renew(database, theirs)
    assert await read_meter(database, spender) == Meter(1_000, 0, 1, 0)


async def test_spends_fall_out_of_the_window_one_after_the_other(
    database: Database, spender: Spender
) -> None:
    for tokens in (400, 600):
        await settle(database, await take(database, spender, tokens), tokens)
        await pass_time(database, spender, 20 * MINUTE)
    wait = await find_wait(database, spender, 300)
    assert 20 * 60 - 10 < wait <= 21 * 60
    assert 40 * 60 - 10 < await find_wait(database, spender, 500) <= 41 * 60

    await pass_time(database, spender, 19 * MINUTE)
    await find_wait(database, spender, 300)
    await pass_time(database, spender, 2 * MINUTE)
    await take(database, spender, 400)
    await find_wait(database, spender, 1)


async def test_a_lease_that_ran_out_counts_as_the_worst_case(
    database: Database, spender: Spender
) -> None:
    await take(database, spender, 1_000)
    assert await find_wait(database, spender, 1) <= LEASE.total_seconds()
    await pass_time(database, spender, LEASE)
    assert await find_wait(database, spender, 1) > HOUR.total_seconds() - 60
    await pass_time(database, spender, HOUR - MINUTE)
    await find_wait(database, spender, 1)
    await pass_time(database, spender, MINUTE)
    await take(database, spender, 1_000)
    assert await read_meter(database, spender) == Meter(1_000, 0, 1, 0)


async def test_a_lease_that_ran_out_counts_as_its_estimate(
    database: Database, spender: Spender
) -> None:
    await take(database, spender, 1_000, estimate=100)
    await find_wait(database, spender, 1)
    await pass_time(database, spender, LEASE)
    await take(database, spender, 900)
    assert await read_meter(database, spender) == Meter(1_000, 0, 2, 0)


async def test_a_renewal_holds_the_room_and_says_what_was_spent(
    database: Database, spender: Spender
) -> None:
    reservation = await take(database, spender, 1_000, estimate=0)
    await pass_time(database, spender, LEASE - timedelta(seconds=10))
    renewed = await renew(database, reservation, estimate=700)
    assert renewed.expires_at > reservation.expires_at - LEASE + timedelta(seconds=10)
    await pass_time(database, spender, LEASE - timedelta(seconds=10))
    await find_wait(database, spender, 1)
    await pass_time(database, spender, LEASE)
    await take(database, spender, 300)
    await find_wait(database, spender, 1)


async def test_a_renewal_without_an_estimate_keeps_it(database: Database, spender: Spender) -> None:
    reservation = await take(database, spender, 1_000, estimate=400)
    await renew(database, reservation)
    await pass_time(database, spender, LEASE)
    await take(database, spender, 600)


async def test_a_shorter_lease_takes_nothing_away(database: Database, spender: Spender) -> None:
    reservation = await take(database, spender, 1_000, lease=HOUR)
    assert (await renew(database, reservation, lease=MINUTE)).expires_at == reservation.expires_at


async def test_room_that_was_given_away_cannot_be_renewed(
    database: Database, spender: Spender
) -> None:
    late = await take(database, spender, 1_000, estimate=100)
    await pass_time(database, spender, LEASE)
    await take(database, spender, 900)
    with pytest.raises(LeaseLost):
        await renew(database, late)


async def test_an_owner_who_is_late_renews_what_nobody_took(
    database: Database, spender: Spender
) -> None:
    unclaimed = await take(database, spender, 500, estimate=100)
    strict = await take(database, spender, 500)
    await pass_time(database, spender, LEASE)
    await renew(database, unclaimed)
    await find_wait(database, spender, 1)
    await renew(database, strict)
    assert await read_meter(database, spender) == Meter(1_000, 0, 2, 0)


@pytest.mark.parametrize("estimate", [None, 0, 100])
async def test_a_late_settlement_still_tells_the_truth(
    database: Database, spender: Spender, estimate: int | None
) -> None:
    late = await take(database, spender, 800, estimate=estimate)
    await pass_time(database, spender, 10 * LEASE)
    await sweep(database, spender.tenant_id)
    assert await settle(database, late, 450)
    assert not await settle(database, late, 450)
    assert await read_meter(database, spender) == Meter(0, 450, 0, 1)


async def test_nothing_is_settled_a_window_after_the_lease(
    database: Database, spender: Spender
) -> None:
    late = await take(database, spender, 800)
    await pass_time(database, spender, LEASE + HOUR)
    await sweep(database, spender.tenant_id)
    assert not await settle(database, late, 450)


async def test_the_row_does_not_grow_with_the_calls(database: Database, spender: Spender) -> None:
    cap = Cap(10**12, HOUR)
    for _ in range(150):
        await settle(database, await take(database, spender, 10, cap), 10)
        await settle(database, await take(database, spender, 10, cap), 10)
        await pass_time(database, spender, MINUTE)
    meter = await read_meter(database, spender)
    assert meter is not None
    assert meter.buckets <= 62
    assert 59 * 20 <= meter.spent <= 62 * 20


async def test_another_window_holds_from_the_next_call_on(
    database: Database, spender: Spender
) -> None:
    await settle(database, await take(database, spender, 600), 600)
    await take(database, spender, 300, lease=MINUTE)
    await pass_time(database, spender, 30 * MINUTE)
    await find_wait(database, spender, 500)
    shorter = Cap(1_000, 20 * MINUTE)
    await take(database, spender, 1_000, shorter)


async def test_a_longer_window_remembers_what_the_shorter_one_had_seen(
    database: Database, spender: Spender
) -> None:
    await settle(database, await take(database, spender, 600), 600)
    await pass_time(database, spender, 90 * MINUTE)
    longer = Cap(1_000, 2 * HOUR)
    await settle(database, await take(database, spender, 300, longer), 300)
    with pytest.raises(TooMany):
        await take(database, spender, 200, longer)


async def test_an_estimate_is_at_most_the_worst_case(database: Database, spender: Spender) -> None:
    reservation = await take(database, spender, 400, estimate=700)
    await renew(database, reservation, estimate=900)
    await pass_time(database, spender, LEASE)
    await take(database, spender, 600)
    await find_wait(database, spender, 1)


async def test_a_lower_cap_lets_nothing_through_until_enough_is_gone(
    database: Database, spender: Spender
) -> None:
    await settle(database, await take(database, spender, 900), 900)
    with pytest.raises(TooMany):
        await take(database, spender, 10, Cap(500, HOUR))
    await pass_time(database, spender, HOUR + MINUTE)
    await take(database, spender, 500, Cap(500, HOUR))


async def test_the_sweep_removes_what_no_longer_counts(database: Database) -> None:
    tenant_id = new_id()
    settled, abandoned, lapsed, recent = (new_spender(tenant_id) for _ in range(4))
    await settle(database, await take(database, settled, 100), 100)
    await take(database, abandoned, 100)
    await take(database, lapsed, 100, estimate=0)
    for spender in (settled, abandoned, lapsed):
        await pass_time(database, spender, LEASE)
    await sweep(database, tenant_id)
    assert await read_meter(database, lapsed) == Meter(0, 0, 1, 0)
    for spender in (settled, abandoned, lapsed):
        await pass_time(database, spender, HOUR + MINUTE)
    await take(database, recent, 100)
    elsewhere = new_spender()
    await settle(database, await take(database, elsewhere, 100), 100)
    await pass_time(database, elsewhere, HOUR + MINUTE)
    await run_sweep(database, tenant_id)
    for spender in (settled, abandoned, lapsed):
        assert await read_meter(database, spender) is None
    assert await read_meter(database, recent) == Meter(100, 0, 1, 0)
    assert await read_meter(database, elsewhere) == Meter(0, 100, 0, 1)


async def test_the_sweep_is_for_a_tenant(database: Database) -> None:
    with pytest.raises(ValueError, match="belongs to a tenant"):
        await run_sweep(database, None)


async def run_sweep(database: Database, tenant_id: UUID | None) -> None:
    """Run it as the worker does."""
    async with database.connection() as db:
        now = await db.fetchval("SELECT now()")
    work = Work(new_id(), tenant_id, "", None, {}, "running", 1, now)
    await build_handler(database)(Job(work, Lease(work.id, new_id(), 1)))
