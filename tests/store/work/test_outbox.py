"""Events become work once, in the transaction that marks them."""

import asyncio
from collections import Counter

import pytest

from assent.db.database import Database
from assent.ids import new_id
from assent.work import store
from assent.work.outbox import BATCH, Subscriptions, dispatch, publish
from tests.store.work.steps import execute, fetch

TENANT = new_id()
SUBSCRIPTIONS: Subscriptions = {"made": ["tell", "index"], "gone": []}


async def publish_one(database: Database, topic: str = "made", n: int = 0) -> str:
    async with database.transaction() as db:
        return str(await publish(db, tenant_id=TENANT, topic=topic, payload={"n": n}))


async def dispatch_once(database: Database) -> int:
    async with database.transaction() as db:
        return await dispatch(db, SUBSCRIPTIONS)


async def dispatch_all(database: Database) -> int:
    total = 0
    while count := await dispatch_once(database):
        total += count
    return total


async def test_each_subscriber_gets_work_of_its_own(database: Database) -> None:
    event_id = await publish_one(database, n=7)
    assert await dispatch_once(database) == 1
    rows = await fetch(database, "SELECT kind, tenant_id, payload FROM work ORDER BY position")
    assert [row["kind"] for row in rows] == ["tell", "index"]
    for row in rows:
        assert row["tenant_id"] == TENANT
        assert row["payload"] == {"eventId": event_id, "topic": "made", "payload": {"n": 7}}
    assert await dispatch_once(database) == 0


async def test_an_event_is_published_with_the_callers_transaction(database: Database) -> None:
    with pytest.raises(RuntimeError):
        async with database.transaction() as db:
            await publish(db, tenant_id=TENANT, topic="made", payload={})
            raise RuntimeError
    assert await dispatch_once(database) == 0


async def test_a_dispatch_that_fails_leaves_events_and_no_work(database: Database) -> None:
    await publish_one(database)
    with pytest.raises(RuntimeError):
        async with database.transaction() as db:
            assert await dispatch(db, SUBSCRIPTIONS) == 1
            raise RuntimeError
    assert await fetch(database, "SELECT FROM work") == []
    assert await dispatch_once(database) == 1


async def test_three_dispatchers_deliver_each_event_once(database: Database) -> None:
    count = 2 * BATCH + 50
    ids = [await publish_one(database, n=n) for n in range(count)]
    totals = await asyncio.gather(*(dispatch_all(database) for _ in range(3)))
    assert sum(totals) == count
    rows = await fetch(database, "SELECT kind, payload->>'eventId' AS event FROM work")
    assert Counter((row["kind"], row["event"]) for row in rows) == Counter(
        (kind, event_id) for kind in ("tell", "index") for event_id in ids
    )


async def test_a_topic_that_nobody_here_knows_waits_for_somebody_who_does(
    database: Database,
) -> None:
    await publish_one(database, "new")
    await publish_one(database, "gone")
    assert await dispatch_once(database) == 1
    waiting = await fetch(database, "SELECT topic FROM outbox WHERE dispatched_at IS NULL")
    assert [row["topic"] for row in waiting] == ["new"]


async def test_retention_removes_old_events(database: Database) -> None:
    for topic, dispatched, created in (
        ("delivered", "2 days", "2 days"),
        ("delivered today", "1 hour", "29 days"),
        ("waiting", None, "29 days"),
        ("never wanted", None, "31 days"),
    ):
        await publish_one(database, topic)
        await execute(
            database,
            "UPDATE outbox SET dispatched_at = now() - $2::text::interval,"
            " created_at = now() - $3::text::interval WHERE topic = $1",
            topic,
            dispatched,
            created,
        )
    async with database.transaction() as db:
        await store.delete_old(db)
    left = {row["topic"] for row in await fetch(database, "SELECT topic FROM outbox")}
    assert left == {"delivered today", "waiting"}
