"""Handing work in, taking it, fencing it."""

import asyncio
from datetime import UTC, datetime, timedelta
from typing import cast
from uuid import UUID

import asyncpg
import pytest

from assent.db.database import Database, Db, savepoint
from assent.errors import LeaseLost
from assent.ids import new_id
from assent.work import store
from assent.work.link import DATABASE_ERRORS
from assent.work.queue import enqueue, fence, finish, request_cancel
from tests.patience import PATIENCE
from tests.store.work.steps import (
    LEASE,
    add,
    eventually,
    execute,
    expire,
    fetch,
    load,
    state_of,
    take,
    take_one,
)

TENANT, OTHER = new_id(), new_id()


async def taken_ids(database: Database, limit: int = 10) -> list[UUID]:
    return [work.id for work, _ in await take(database, limit=limit)]


async def test_a_row_comes_back_as_it_was_handed_in(database: Database) -> None:
    work_id = await add(database, payload={"n": [1, "ü"]}, tenant_id=TENANT, ordering_key="k")
    [(work, lease)] = await take(database)
    assert (work.id, work.tenant_id, work.kind, work.ordering_key) == (work_id, TENANT, "a", "k")
    assert (work.payload, work.attempt, work.state) == ({"n": [1, "ü"]}, 1, "running")
    assert (lease.work_id, lease.attempt) == (work_id, 1)


async def test_enqueue_rolls_back_with_the_callers_transaction(database: Database) -> None:
    with pytest.raises(RuntimeError):
        async with database.transaction() as db:
            await enqueue(db, kind="a", payload={})
            raise RuntimeError
    assert await take(database) == []


async def test_enqueue_notifies_only_on_commit(database: Database) -> None:
    heard: asyncio.Queue[object] = asyncio.Queue()
    listener = await asyncpg.connect(database.url)

    def hear(_connection: object, _pid: int, _channel: str, payload: object) -> None:
        heard.put_nowait(payload)

    await listener.add_listener(store.CHANNEL, hear)
    async with database.transaction() as db:
        await enqueue(db, kind="a", payload={})
        await asyncio.sleep(0.1)
        assert heard.empty()
    assert await asyncio.wait_for(heard.get(), PATIENCE) == "work a"
    await listener.close()


async def test_the_end_of_work_wakes_those_who_can_do_what_waited_behind_it(
    database: Database,
) -> None:
    heard: list[object] = []
    listener = await asyncpg.connect(database.url)

    def hear(_connection: object, _pid: int, _channel: str, payload: object) -> None:
        heard.append(payload)

    await add(database)
    await add(database, ordering_key="alone")
    await add(database, ordering_key="busy")
    leases = [lease for _, lease in await take(database)]
    await add(database, kind="b", ordering_key="busy")
    await add(database, kind="c", ordering_key="busy")
    await listener.add_listener(store.CHANNEL, hear)
    async with database.transaction() as db:
        for lease in leases:
            await finish(db, lease)
    async with database.connection() as db:
        await store.notify(db, "the last word")

    async def heard_all() -> bool:
        return "the last word" in heard

    await eventually(heard_all)
    assert heard == ["work b", "the last word"]
    await listener.close()


async def test_one_row_is_taken_once_by_many(database: Database) -> None:
    ids = [await add(database) for _ in range(20)]
    batches = await asyncio.gather(*(taken_ids(database, limit=7) for _ in range(6)))
    taken = [work_id for batch in batches for work_id in batch]
    assert sorted(taken) == sorted(ids)


async def test_a_lane_runs_one_at_a_time_and_in_order(database: Database) -> None:
    async with database.transaction() as db:
        ids = [
            await enqueue(db, kind="a", payload={}, tenant_id=TENANT, ordering_key="k")
            for _ in range(5)
        ]
    order: list[UUID] = []
    for _ in ids:
        lease = await take_one(database)
        assert await take(database) == []
        order.append(lease.work_id)
        async with database.transaction() as db:
            await finish(db, lease)
    assert order == ids


async def test_lanes_of_other_tenants_and_of_the_installation_are_apart(
    database: Database,
) -> None:
    ids = [
        await add(database, tenant_id=tenant, ordering_key="k") for tenant in (TENANT, OTHER, None)
    ]
    await add(database, ordering_key="k")
    assert sorted(await taken_ids(database)) == sorted(ids)


async def test_a_lane_keeps_its_order_whatever_the_priority(database: Database) -> None:
    first = await add(database, ordering_key="k")
    await add(database, ordering_key="k", priority=9)
    assert await taken_ids(database) == [first]


async def test_a_row_waiting_for_its_retry_keeps_its_place(database: Database) -> None:
    first = await add(database, ordering_key="k")
    second = await add(database, ordering_key="k")
    lease = await take_one(database)
    async with database.connection() as db:
        state = await store.retry(db, lease, error="E: no", delay=timedelta(hours=1))
    assert state == "queued"
    assert await take(database) == []
    await execute(database, "UPDATE work SET run_after = now() WHERE id = $1", first)
    assert await taken_ids(database) == [first]
    assert await state_of(database, second) == "queued"


async def test_a_row_that_commits_late_waits_for_the_one_that_overtook_it(
    database: Database,
) -> None:
    async with database.transaction() as db:
        late = await enqueue(db, kind="a", payload={}, ordering_key="k")
        await add(database, ordering_key="k")
        overtaker = await take_one(database)
    assert await take(database) == []
    async with database.transaction() as db:
        await finish(db, overtaker)
    assert await taken_ids(database) == [late]


async def test_the_database_itself_refuses_a_second_running_row_in_a_lane(
    database: Database,
) -> None:
    """What a claim does whose sight of the lane was too old."""
    await add(database, ordering_key="k")
    second = await add(database, ordering_key="k")
    await take_one(database)
    async with database.connection() as connection:
        with pytest.raises(asyncpg.UniqueViolationError):
            await connection.execute(
                "UPDATE work SET state = 'running', owner = $2, lease_until = now() WHERE id = $1",
                second,
                new_id(),
            )


async def test_priority_first_then_the_order_of_arrival(database: Database) -> None:
    ids = [await add(database, priority=priority) for priority in (0, 5, 0, 5)]
    order = [(await taken_ids(database, limit=1))[0] for _ in ids]
    assert order == [ids[1], ids[3], ids[0], ids[2]]


async def test_work_for_later_is_left(database: Database) -> None:
    await add(database, run_after=datetime.now(UTC) + timedelta(hours=1))
    assert await take(database) == []


async def test_unknown_kinds_are_untouched(database: Database) -> None:
    work_id = await add(database, "unknown")
    assert await take(database) == []
    row = await load(database, work_id)
    assert (row["state"], row["attempt"], row["owner"]) == ("queued", 0, None)


async def test_the_owner_passes_the_fence_even_when_its_time_is_over(
    database: Database,
) -> None:
    await add(database)
    lease = await take_one(database)
    await execute(database, "UPDATE work SET lease_until = now() - interval '1 h'")
    async with database.transaction() as db:
        await fence(db, lease)


async def test_the_fence_refuses_after_a_takeover(database: Database) -> None:
    await add(database)
    old = await take_one(database)
    await expire(database)
    new = await take_one(database)
    assert (new.work_id, new.attempt) == (old.work_id, 2)
    for refused in (fence, finish):
        with pytest.raises(LeaseLost):
            async with database.transaction() as db:
                await refused(db, old)
    async with database.transaction() as db:
        await fence(db, new)


async def test_the_same_owner_is_fenced_by_the_attempt(database: Database) -> None:
    owner = new_id()
    await add(database)
    old = await take_one(database, owner=owner)
    await expire(database)
    await take_one(database, owner=owner)
    with pytest.raises(LeaseLost):
        async with database.transaction() as db:
            await fence(db, old)


async def test_nobody_takes_over_while_the_fence_is_held(database: Database) -> None:
    await add(database)
    lease = await take_one(database)
    await execute(database, "UPDATE work SET lease_until = now() - interval '1 h'")
    async with database.transaction() as db:
        await fence(db, lease)
        async with database.connection() as other:
            await other.execute("SET lock_timeout = '10s'")
            assert await store.sweep(other) == []
            held = await store.renew(
                other, owner=lease.owner, work_ids=[lease.work_id], lease=LEASE
            )
            await other.execute("RESET lock_timeout")
        assert held == {lease: False}
        await finish(db, lease)
    assert await expire(database) == []


async def test_postgres_ends_a_fenced_transaction_that_falls_silent(
    database: Database,
) -> None:
    await add(database)
    lease = await take_one(database, lease=timedelta(milliseconds=100))
    with pytest.raises(DATABASE_ERRORS):
        async with database.transaction() as db:
            await fence(db, lease)
            pid = await db.fetchval("SELECT pg_backend_pid()")

            async def is_ended() -> bool:
                query = "SELECT 1 FROM pg_stat_activity WHERE pid = $1"
                return not await fetch(database, query, pid)

            await eventually(is_ended)
            await finish(db, lease)
    assert [work.id for work in await expire(database)] == [lease.work_id]


async def test_an_effect_and_the_end_of_the_work_commit_together(database: Database) -> None:
    work_id = await add(database)
    lease = await take_one(database)
    with pytest.raises(RuntimeError):
        async with database.transaction() as db:
            await finish(db, lease)
            raise RuntimeError
    assert await state_of(database, work_id) == "running"


async def test_renewing_tells_lost_leases_by_leaving_them_out(database: Database) -> None:
    owner = new_id()
    kept = await add(database)
    lost = await add(database)
    leases = [lease for _, lease in await take(database, owner=owner)]
    await execute(database, "UPDATE work SET owner = $2 WHERE id = $1", lost, new_id())
    before = (await load(database, kept))["lease_until"]
    async with database.connection() as db:
        held = await store.renew(
            db, owner=owner, work_ids=[lease.work_id for lease in leases], lease=2 * LEASE
        )
    assert [lease.work_id for lease in held] == [kept]
    assert (await load(database, kept))["lease_until"] > before


async def test_what_is_written_under_a_lease_keeps_a_takeover_out_but_no_heartbeat(
    database: Database,
) -> None:
    work_id = await add(database)
    lease = await take_one(database)
    await execute(database, "UPDATE work SET lease_until = now() - interval '1 h'")
    async with database.transaction() as writing:
        await writing.execute("SELECT FROM work WHERE id = $1 FOR KEY SHARE", work_id)
        async with database.transaction() as other:
            await other.execute("SET LOCAL lock_timeout = '1s'")
            assert await store.sweep(other) == []
            assert await store.release(other, lease.owner) == 0
            with pytest.raises(asyncpg.LockNotAvailableError):
                async with savepoint(other):
                    await store.retry(other, lease, error="", delay=timedelta())
            await store.renew(other, owner=lease.owner, work_ids=[work_id], lease=LEASE)
    assert (await load(database, work_id))["lease_until"] > datetime.now(UTC)


async def test_an_expired_lease_is_retried_until_the_attempts_are_used_up(
    database: Database,
) -> None:
    work_id = await add(database)
    states: list[str] = []
    for attempt in range(1, 6):
        assert (await take_one(database)).attempt == attempt
        states += [work.state for work in await expire(database)]
    assert states == ["queued"] * 4 + ["failed"]
    row = await load(database, work_id)
    assert (row["state"], row["error"]) == ("failed", "The lease ran out.")
    assert row["finished_at"] is not None


async def test_releasing_does_not_count_the_attempt_and_keeps_the_fence(
    database: Database,
) -> None:
    await add(database)
    for _ in range(7):
        lease = await take_one(database)
        async with database.connection() as db:
            assert await store.release(db, lease.owner) == 1
        with pytest.raises(LeaseLost):
            async with database.transaction() as db:
                await fence(db, lease)
    for _ in range(4):
        await take_one(database)
        [work] = await expire(database)
        assert work.state == "queued"


async def test_cancelling_what_waits_ends_it_and_lets_the_lane_go_on(
    database: Database,
) -> None:
    first = await add(database, tenant_id=TENANT, ordering_key="k")
    second = await add(database, tenant_id=TENANT, ordering_key="k")
    async with database.transaction() as db:
        assert await request_cancel(db, TENANT, first)
        assert not await request_cancel(db, TENANT, first)
    assert await state_of(database, first) == "cancelled"
    assert await taken_ids(database) == [second]


@pytest.mark.parametrize("stranger", [OTHER, None])
async def test_another_tenant_cannot_cancel(database: Database, stranger: UUID | None) -> None:
    work_id = await add(database, tenant_id=TENANT)
    async with database.transaction() as db:
        assert not await request_cancel(db, stranger, work_id)
    assert await state_of(database, work_id) == "queued"


async def test_cancelling_what_runs_is_told_to_the_owner_and_survives_it(
    database: Database,
) -> None:
    work_id = await add(database)
    lease = await take_one(database)
    async with database.transaction() as db:
        assert await request_cancel(db, None, work_id)
    async with database.connection() as db:
        held = await store.renew(db, owner=lease.owner, work_ids=[work_id], lease=LEASE)
    assert held == {lease: True}
    [work] = await expire(database)
    assert work.state == "cancelled"


async def test_retention_removes_what_is_over_and_nothing_else(database: Database) -> None:
    ages = {
        "done": ("done", "2 days"),
        "cancelled": ("cancelled", "2 days"),
        "failed": ("failed", "31 days"),
        "done today": ("done", "23 hours"),
        "failed lately": ("failed", "29 days"),
    }
    for name, (state, age) in ages.items():
        work_id = await add(database, name)
        await execute(
            database,
            "UPDATE work SET state = $2, finished_at = now() - $3::text::interval WHERE id = $1",
            work_id,
            state,
            age,
        )
    await add(database, "old but queued")
    await execute(database, "UPDATE work SET created_at = now() - interval '90 days'")
    async with database.transaction() as db:
        await store.delete_old(db)
    left = {row["kind"] for row in await fetch(database, "SELECT kind FROM work")}
    assert left == {"done today", "failed lately", "old but queued"}


async def test_counting_by_state(database: Database) -> None:
    for _ in range(3):
        await add(database)
    await take(database, limit=1)
    async with database.transaction() as db:
        assert await store.count_work(db) == {"queued": 2, "running": 1}


async def test_postgres_ends_one_that_falls_silent_between_two_messages(
    database: Database,
) -> None:
    """The driver has a statement described before it runs it: there it counts as active."""
    await add(database)
    lease = await take_one(database, lease=timedelta(milliseconds=100))
    frozen = await asyncpg.connect(database.url)
    await frozen.execute("BEGIN")
    await fence(cast(Db, frozen), lease)
    await frozen.prepare("SELECT 42")
    async with database.transaction() as db:
        row = await db.fetchrow("SELECT state FROM work WHERE id = $1 FOR UPDATE", lease.work_id)
    assert row is not None
    frozen.terminate()
