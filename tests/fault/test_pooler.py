"""Behind a real PgBouncer in transaction mode everything works: with a direct connection for
wake-ups, and without one.
"""

import asyncio
import signal
from collections.abc import AsyncGenerator
from dataclasses import dataclass
from typing import Any

import pytest
import pytest_asyncio

from assent.db.database import open_database
from assent.doctor import Finding, examine
from assent.settings import Settings
from assent.testing import Databases
from tests.bank.accounts import count_effects
from tests.bank.desk import apply
from tests.fault.pooler import SERVERS, run_pooler
from tests.fault.ports import find_free_port
from tests.fault.stage import Stage, follow, open_stage, wait_until_over
from tests.turn.people import expect, fetch

CLIENTS = 8
LISTENING = "SELECT array_agg(channel) FROM pg_listening_channels() AS channel"


@dataclass(frozen=True, slots=True)
class Ways:
    """Two addresses of one database."""

    direct: str
    pooled: str


@pytest_asyncio.fixture
async def ways(databases: Databases) -> AsyncGenerator[Ways]:
    async with databases.copy() as url:
        with run_pooler(url) as pooled:
            yield Ways(url, pooled)


def choose_listening(ways: Ways, how: str) -> dict[str, Any]:
    nobody = f"postgresql://postgres@127.0.0.1:{find_free_port()}/nothing"
    return {
        "direct": {"listen_url": ways.direct},
        "polling": {},
        "out of reach": {"listen_url": nobody},
    }[how]


async def test_a_pooler_is_noticed(ways: Ways) -> None:
    for url, is_pooled in ((ways.direct, False), (ways.pooled, True)):
        database = await open_database(url, pool_size=2)
        assert database.is_pooled is is_pooled
        assert database.listen_url == (None if is_pooled else url)
        await database.close()


async def test_clients_that_share_servers_get_their_own_answers(ways: Ways) -> None:
    database = await open_database(ways.pooled, pool_size=CLIENTS)

    async def ask(client: int) -> None:
        for number in range(50):
            query = f"SELECT $1::integer * {CLIENTS} + {client}, pg_backend_pid()"
            async with database.connection() as db:
                assert await db.fetchval(query, number) == number * CLIENTS + client
            async with database.transaction() as db:
                first = await db.fetchrow(query, number)
                second = await db.fetchrow(query, number)
                assert first == second

    async with asyncio.TaskGroup() as group:
        for client in range(CLIENTS):
            group.create_task(ask(client))
    await database.close()


@pytest.mark.parametrize("how", ["direct", "polling", "out of reach"])
async def test_a_turn_is_taken_over(ways: Ways, how: str) -> None:
    async with open_stage(ways.pooled, **choose_listening(ways, how)) as stage:
        for _ in range(2):
            await stage.add_driver()
        turns = [await stage.start_turn() for _ in range(3)]
        async with asyncio.TaskGroup() as group:
            seen = [group.create_task(follow(one, lambda: stage.desk.server.url)) for one in turns]
            owner = await stage.wait_for_owner()
            await asyncio.sleep(0.5)
            owner.signal(signal.SIGKILL)
            stage.remove(owner)
        await wait_until_over(stage)
        for one, parts in zip(turns, seen, strict=True):
            await one.check(parts.result())
        assert await list_channels(ways) == []


@pytest.mark.parametrize("how", ["direct", "polling"])
async def test_a_card_is_applied_and_a_turn_is_stopped(ways: Ways, how: str) -> None:
    async with open_stage(ways.pooled, **choose_listening(ways, how)) as stage:
        await stage.add_driver()
        account_id = await stage.desk.open_account(balance=1)
        card = await stage.desk.propose_deposit(account_id)
        await apply(stage.desk.client, card["id"])
        assert await count_effects(stage.desk.server.database, account_id) == 1
        assert await stop_a_turn(stage) == "cancelled"


async def stop_a_turn(stage: Stage) -> str:
    turn = await stage.start_turn(pause=1)
    await stage.wait_for_owner()
    url = f"/api/conversations/{turn.conversation}/cancel"
    expect(await stage.desk.client.post(url), 202)
    await wait_until_over(stage)
    [row] = await fetch(stage.desk.server, "SELECT status FROM runs WHERE id = $1", turn.run_id)
    return row["status"]


async def list_channels(ways: Ways) -> list[str]:
    """What the pooler's servers listen to: nobody would hear it there."""
    database = await open_database(ways.pooled, pool_size=1)
    found: list[str] = []
    async with database.connection() as db:
        for _ in range(2 * SERVERS):
            found += await db.fetchval(LISTENING) or []
    await database.close()
    return found


@pytest.mark.parametrize(
    ("how", "verdict", "said"),
    [
        ("direct", "ok", "Wake-ups: direct."),
        ("polling", "note", "ASSENT_LISTEN_URL"),
        ("out of reach", "problem", "no notification arrives at ASSENT_LISTEN_URL"),
    ],
)
async def test_the_doctor_says_how_wake_ups_come(
    ways: Ways, how: str, verdict: str, said: str
) -> None:
    given = {"database_url": ways.pooled, "master_key": "11" * 32, **choose_listening(ways, how)}
    found = await diagnose(given)
    assert any("through a transaction pooler" in one.what for one in found)
    [wakeups] = [one for one in found if "Wake-ups" in one.what]
    assert wakeups.verdict == verdict
    assert said in wakeups.what


async def test_the_doctor_hears_a_database_without_a_pooler(ways: Ways) -> None:
    found = await diagnose({"database_url": ways.direct, "master_key": "11" * 32})
    assert Finding("ok", "Wake-ups: direct.") in found


async def diagnose(given: dict[str, Any]) -> list[Finding]:
    settings = Settings.model_validate(given)
    return [one async for one in examine(settings, {}, embedded=False)]
