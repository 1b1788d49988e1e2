"""A plugin's work: asked for in a transaction, done outside of any, and kept only by its owner."""

import asyncio
from collections.abc import AsyncGenerator

import pytest
import pytest_asyncio

from assent.db.database import Database
from assent.errors import LeaseLost, PluginError
from tests.patience import wait_until
from tests.store.plugins.workshop import Shed, open_shed
from tests.store.work.steps import expire, fetch, until_state


@pytest_asyncio.fixture
async def shed(database: Database) -> AsyncGenerator[Shed]:
    yield await open_shed(database)


async def test_it_is_done_and_ends_with_what_it_wrote(shed: Shed) -> None:
    asked = await shed.ask(shed.workshop.make, noteId="n1")
    async with shed.working():
        work = await shed.workshop.began.get()
        assert (work.id, work.attempt, work.tenant_id) == (asked, 1, shed.tenant_id)
        assert work.payload == {"noteId": "n1"}
        assert work.http.is_open
        assert await shed.list_made() == [(1, "began")]
        shed.workshop.may_end.set()
        await until_state(shed.database, asked, "done")
    assert await shed.list_made() == [(1, "began"), (1, "made")]


async def test_returning_ends_it_too(shed: Shed) -> None:
    asked = await shed.ask(shed.workshop.make_without_end)
    async with shed.working():
        await until_state(shed.database, asked, "done")


async def test_it_is_asked_for_only_if_the_transaction_commits(shed: Shed) -> None:
    with pytest.raises(OSError, match="changed my mind"):
        async with shed.database.transaction() as db:
            ctx = await shed.procedures.build_service_context(
                db, tenant_id=shed.tenant_id, plugin=shed.plugin
            )
            await ctx.enqueue(shed.workshop.make, {})
            raise OSError("changed my mind")
    assert await fetch(shed.database, "SELECT FROM work WHERE kind LIKE 'work:shed:%'") == []


async def test_only_what_is_declared_is_asked_for(shed: Shed) -> None:
    async def undeclared(_work: object) -> None: ...

    with pytest.raises(PluginError, match=r"@plugin\.work"):
        await shed.ask(undeclared)


async def test_who_lost_the_lease_writes_nothing_more(shed: Shed) -> None:
    asked = await shed.ask(shed.workshop.make)
    async with shed.working():
        first = await shed.workshop.began.get()
        await expire(shed.database)
        second = await shed.workshop.began.get()
        assert (first.id, first.attempt, second.attempt) == (asked, 1, 2)
        with pytest.raises(LeaseLost):
            async with first.transaction() as ctx:
                await ctx.db.execute("INSERT INTO made (what) VALUES ('too late')")
        with pytest.raises(LeaseLost):
            async with first.finishing() as ctx:
                await ctx.db.execute("INSERT INTO made (what) VALUES ('too late')")
        shed.workshop.may_end.set()
        await until_state(shed.database, asked, "done")
    assert await shed.list_made() == [(1, "began"), (2, "began"), (2, "made")]


async def test_after_its_end_nothing_more_is_kept(shed: Shed) -> None:
    asked = await shed.ask(shed.workshop.make)
    shed.workshop.may_end.set()
    async with shed.working():
        work = await shed.workshop.began.get()
        await until_state(shed.database, asked, "done")
        with pytest.raises(LeaseLost):
            async with work.finishing():
                pass


async def test_a_worker_that_stops_in_the_middle_leaves_it_to_the_next(shed: Shed) -> None:
    asked = await shed.ask(shed.workshop.make)
    async with shed.working():
        await shed.workshop.began.get()
    shed.workshop.may_end.set()
    async with shed.working():
        await until_state(shed.database, asked, "done")
    made = await shed.list_made()
    assert [attempt for attempt, what in made if what == "made"] == [2]
    assert shed.workshop.ended == ["made"]


async def test_what_raises_is_tried_again(shed: Shed) -> None:
    shed.workshop.fails = 1
    shed.workshop.may_end.set()
    asked = await shed.ask(shed.workshop.make)
    async with shed.working():
        await until_state(shed.database, asked, "done")
    assert await shed.list_made() == [(1, "began"), (2, "began"), (2, "made")]


async def test_one_key_is_one_at_a_time(shed: Shed) -> None:
    first = await shed.ask(shed.workshop.make, key="check:1")
    second = await shed.ask(shed.workshop.make, key="check:1")
    other = await shed.ask(shed.workshop.make, key="check:2")
    async with shed.working():
        begun = {(await shed.workshop.began.get()).id for _ in range(2)}
        assert begun == {first, other}
        assert shed.workshop.began.empty()
        shed.workshop.may_end.set()
        assert (await shed.workshop.began.get()).id == second

        async def all_ended() -> bool:
            return len(shed.workshop.ended) == 3

        await wait_until(all_ended)


async def test_many_at_once_are_each_done_once(shed: Shed) -> None:
    shed.workshop.may_end.set()
    asked = await asyncio.gather(*(shed.ask(shed.workshop.make, key=str(n)) for n in range(30)))
    async with shed.working(), shed.working():
        for one in asked:
            await until_state(shed.database, one, "done")
    rows = await fetch(
        shed.database, "SELECT count(*) AS n FROM made WHERE what = 'made' GROUP BY work_id"
    )
    assert [row["n"] for row in rows] == [1] * 30
