"""Calls that begin and end at once never hold more than the cap, and waste none of it."""

import asyncio
import random
from collections.abc import AsyncGenerator
from datetime import timedelta

import pytest

from assent.db.database import Database, open_database
from assent.errors import TooMany
from assent.models.cap import Cap, Reservation, Spender
from assent.models.spend import release, renew, reserve, settle
from assent.models.sweep import sweep
from tests.patience import PATIENCE
from tests.store.models.steps import Meter, new_spender, pass_time, read_meter

HOUR = timedelta(hours=1)
CAP = Cap(200_000, HOUR)
TURN = 10_000
LOCK = "SELECT FROM spend_reservations WHERE tenant_id = $1 AND id = $2 FOR UPDATE"


@pytest.fixture
async def pools(database: Database) -> AsyncGenerator[list[Database]]:
    """Four pools of four connections on the same database, as four processes have."""
    opened = [await open_database(database.url, pool_size=4) for _ in range(4)]
    yield opened
    for pool in opened:
        await pool.close()


async def try_reserve(
    database: Database, spender: Spender, worst_case: int, estimate: int | None = None
) -> Reservation | None:
    try:
        return await reserve(
            database, spender, CAP, worst_case=worst_case, purpose="turn", estimate=estimate
        )
    except TooMany:
        return None


async def reserve_64(pools: list[Database], spender: Spender) -> list[Reservation]:
    tries = [try_reserve(pools[n % 4], spender, TURN) for n in range(64)]
    return [one for one in await asyncio.gather(*tries) if one is not None]


async def test_64_at_once_fill_the_cap_and_no_more(pools: list[Database]) -> None:
    spender = new_spender()
    assert len(await reserve_64(pools, spender)) == 20
    assert await read_meter(pools[0], spender) == Meter(200_000, 0, 20, 0)


async def test_64_at_once_get_the_room_of_leases_that_ran_out(pools: list[Database]) -> None:
    spender = new_spender()
    for _ in range(20):
        await try_reserve(pools[0], spender, TURN, estimate=TURN // 2)
    await pass_time(pools[0], spender, timedelta(minutes=2))
    assert len(await reserve_64(pools, spender)) == 10
    assert await read_meter(pools[0], spender) == Meter(200_000, 0, 30, 0)


async def test_one_call_settled_by_many_counts_once(pools: list[Database]) -> None:
    spender = new_spender()
    reservations = await reserve_64(pools, spender)
    results = await asyncio.gather(
        *(settle(pool, one, 4_000) for one in reservations for pool in pools)
    )
    assert sum(results) == len(reservations) == 20
    meter = await read_meter(pools[0], spender)
    assert meter is not None
    assert (meter.reserved, meter.spent) == (0, 80_000)


async def test_the_sweep_never_takes_a_row_from_whoever_reserves(pools: list[Database]) -> None:
    spender = new_spender()
    for _ in range(30):
        both = [try_reserve(pool, spender, TURN) for pool in pools[:2]]
        sweeps = [sweep(pool, spender.tenant_id) for pool in pools[2:]]
        first, second, *_ = await asyncio.gather(*both, *sweeps)
        assert first is not None
        assert second is not None
        assert await release(pools[0], first)
        assert await release(pools[1], second)


async def test_room_is_found_without_waiting_for_a_settlement(pools: list[Database]) -> None:
    spender = new_spender()
    closing, _ = [await try_reserve(pools[0], spender, 100_000, estimate=0) for _ in range(2)]
    assert closing is not None
    await pass_time(pools[0], spender, timedelta(minutes=2))
    async with pools[0].transaction() as db, asyncio.timeout(PATIENCE):
        await db.execute(LOCK, spender.tenant_id, closing.id)
        assert await try_reserve(pools[1], spender, 100_000)
        assert await try_reserve(pools[1], spender, 1) is None
    assert await try_reserve(pools[1], spender, 100_000)


@pytest.mark.parametrize("seed", range(3))
async def test_everything_at_once(pools: list[Database], seed: int) -> None:
    await do_everything_at_once(pools, random.Random(seed), rounds=15)


@pytest.mark.deep
@pytest.mark.parametrize("seed", range(10))
async def test_everything_at_once_for_long(pools: list[Database], seed: int) -> None:
    await do_everything_at_once(pools, random.Random(seed), rounds=300)


async def do_everything_at_once(
    pools: list[Database], chance: random.Random, *, rounds: int
) -> None:
    """Reserve, renew, settle and release on all pools while leases run out and sweeps run."""
    spender, spent, stop = new_spender(), list[int](), asyncio.Event()

    async def live(pool: Database) -> None:
        for _ in range(rounds):
            worst_case = chance.randint(1, 60_000)
            reservation = await try_reserve(
                pool, spender, worst_case, chance.choice([None, 0, worst_case // 2])
            )
            meter = await read_meter(pool, spender)
            assert meter is not None
            assert meter.reserved + meter.spent <= CAP.tokens
            if reservation is None:
                continue
            if chance.random() < 0.3:
                await renew(pool, reservation, estimate=worst_case)
            tokens = chance.choice([0, worst_case // 2_000])
            if await settle(pool, reservation, tokens):
                spent.append(tokens)

    async def disturb() -> None:
        while not stop.is_set():
            abandoned = await try_reserve(pools[0], spender, 5_000, estimate=0)
            await pass_reservations(pools[0], spender, abandoned)
            await sweep(pools[1], spender.tenant_id)

    disturbing = asyncio.create_task(disturb())
    await asyncio.gather(*(live(pool) for pool in pools for _ in range(4)))
    stop.set()
    await disturbing
    await release_all(pools[0], spender)
    meter = await read_meter(pools[0], spender)
    assert meter is not None
    assert (meter.reserved, meter.spent) == (0, sum(spent))


async def pass_reservations(
    database: Database, spender: Spender, abandoned: Reservation | None
) -> None:
    """Let the lease of an abandoned reservation run out, and of nothing else."""
    if abandoned is not None:
        async with database.connection() as db:
            await db.execute(
                "UPDATE spend_reservations SET expires_at = now() WHERE tenant_id = $1 AND id = $2",
                spender.tenant_id,
                abandoned.id,
            )


async def release_all(database: Database, spender: Spender) -> None:
    async with database.connection() as db:
        rows = await db.fetch(
            "SELECT id, expires_at FROM spend_reservations WHERE tenant_id = $1", spender.tenant_id
        )
    for row in rows:
        await release(database, Reservation(row["id"], spender.tenant_id, row["expires_at"]))
