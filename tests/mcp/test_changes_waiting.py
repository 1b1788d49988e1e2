"""Waiting for a decision: heard at once, wherever it was taken, and looked for where it is not."""

import asyncio
from collections.abc import AsyncGenerator
from dataclasses import dataclass
from typing import Any
from uuid import UUID

import pytest
import pytest_asyncio

from assent.actions.asking import wait
from assent.mcp_server import changes
from assent.testing import Databases, run_server
from assent.work.hearing import Hearing
from tests.bank import MANAGE, READ
from tests.bank.accounts import count_effects
from tests.bank.desk import MANY, Desk, add_key, apply, decline, load_bank
from tests.mcp.asking import Asker, find_id, read_question, read_told
from tests.patience import PATIENCE, wait_until
from tests.turn.people import fetch_value, find_tenant

DEPOSIT = "bank.deposit"
NEVER = 3600.0
SETTINGS: dict[str, Any] = {
    "background_work": False,
    "tool_calls": MANY,
    "master_key": "11" * 32,
}
DEAFEN = """
SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity
WHERE datname = current_database() AND query LIKE 'LISTEN%'
"""


@pytest.fixture(autouse=True)
def nobody_looks(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever is not told waits for longer than the test does."""
    monkeypatch.setattr(changes, "PATIENCE_SECONDS", NEVER)
    monkeypatch.setattr(wait, "SELDOM_SECONDS", NEVER)
    monkeypatch.setattr(wait, "OFTEN_SECONDS", NEVER)


@dataclass(frozen=True, slots=True)
class Town:
    """People decide at one server, programs ask another one, which has three connections."""

    desk: Desk
    url: str
    hearing: Hearing


@pytest_asyncio.fixture(scope="module")
async def town(databases: Databases) -> AsyncGenerator[Town]:
    async with (
        databases.copy() as url,
        run_server(url, loaded=load_bank(), **SETTINGS) as one,
        run_server(url, loaded=load_bank(), pool_size=3, **SETTINGS) as other,
    ):
        desk = Desk(one, await find_tenant(one))
        hearing = find_hearing(Desk(other, desk.tenant))
        await wait_until(lambda: become(hearing.is_hearing))
        yield Town(desk, other.url, hearing)


@pytest_asyncio.fixture
async def asker(town: Town) -> Asker:
    key = await add_key(town.desk.tenant.admin, READ, MANAGE)
    return Asker(town.url, key)


def find_hearing(desk: Desk) -> Hearing:
    return desk.server.app.state.parts.means.hearing


async def become(value: bool) -> bool:
    return value


async def ask(desk: Desk, asker: Asker) -> tuple[dict[str, Any], str, str]:
    account = await desk.open_account(balance=100)
    given = {"accountId": str(account), "amount": 5}
    return given, *read_question(await asker.call(DEPOSIT, given))


async def wait_for_all(*waiting: asyncio.Task[dict[str, Any]]) -> list[dict[str, Any]]:
    async with asyncio.timeout(PATIENCE):
        return await asyncio.gather(*waiting)


@pytest.mark.parametrize(("decide", "state"), [(apply, "applied"), (decline, "declined")])
async def test_what_is_decided_elsewhere_is_heard(
    town: Town, asker: Asker, decide: Any, state: str
) -> None:
    given, url, carried = await ask(town.desk, asker)
    waiting = asyncio.create_task(asker.again(DEPOSIT, given, carried))
    await asyncio.sleep(0.3)
    assert not waiting.done()
    await decide(town.desk.client, find_id(url))
    [answer] = await wait_for_all(waiting)
    assert read_told(answer)["state"] == state


async def test_many_wait_and_hold_nothing_back(town: Town, asker: Asker) -> None:
    """With three connections, 64 wait, and whoever reads meanwhile is answered."""
    asked = [await ask(town.desk, asker) for _ in range(64)]
    waiting = [asyncio.create_task(asker.again(DEPOSIT, given, state)) for given, _, state in asked]
    await wait_until(lambda: become(town.hearing.size == 64))
    for _ in range(8):
        assert "items" in read_told(await asker.call("bank.listAccounts", {}))
    assert not any(one.done() for one in waiting)
    await asyncio.gather(*(apply(town.desk.client, find_id(url)) for _, url, _ in asked))
    answers = await wait_for_all(*waiting)
    assert [read_told(one)["state"] for one in answers] == ["applied"] * 64
    assert {find_id(url) for _, url, _ in asked} == {
        read_told(one)["proposalId"] for one in answers
    }
    for given, _, _ in asked:
        assert await count_effects(town.desk.server.database, UUID(given["accountId"])) == 1


async def test_what_is_decided_while_nobody_hears_is_looked_for_afterwards(
    town: Town, asker: Asker
) -> None:
    given, url, carried = await ask(town.desk, asker)
    waiting = asyncio.create_task(asker.again(DEPOSIT, given, carried))
    await asyncio.sleep(0.3)
    assert await fetch_value(town.desk.server, DEAFEN) >= 1
    await apply(town.desk.client, find_id(url))
    [answer] = await wait_for_all(waiting)
    assert read_told(answer)["state"] == "applied"


async def test_where_nothing_can_be_heard_one_looks(
    databases: Databases, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(wait, "OFTEN_SECONDS", 0.05)
    async with (
        databases.copy() as url,
        run_server(url, loaded=load_bank(), pooler="transaction", **SETTINGS) as server,
    ):
        desk = Desk(server, await find_tenant(server))
        assert find_hearing(desk).is_hearing is False
        asker = Asker(server.url, await add_key(desk.tenant.admin, MANAGE))
        given, page, carried = await ask(desk, asker)
        waiting = asyncio.create_task(asker.again(DEPOSIT, given, carried))
        await asyncio.sleep(0.3)
        await apply(desk.client, find_id(page))
        [answer] = await wait_for_all(waiting)
        assert read_told(answer)["state"] == "applied"


async def test_nobody_is_kept_waiting_by_a_process_that_leaves(databases: Databases) -> None:
    async with (
        databases.copy() as url,
        run_server(url, loaded=load_bank(), **SETTINGS) as server,
    ):
        desk = Desk(server, await find_tenant(server))
        hearing = find_hearing(desk)
        asker = Asker(server.url, await add_key(desk.tenant.admin, MANAGE))
        given, page, carried = await ask(desk, asker)
        waiting = asyncio.create_task(asker.again(DEPOSIT, given, carried))
        await wait_until(lambda: become(hearing.size == 1))
        server.app.state.leave()
        [answer] = await wait_for_all(waiting)
        again, carried = read_question(answer)
        assert again == page
        [answer] = await wait_for_all(
            asyncio.create_task(asker.again(DEPOSIT, given, carried)),
        )
        assert read_question(answer)[0] == page
        assert hearing.size == 0
