"""The same call of an older client, made again in the very moment in which its outcome is told."""

import asyncio
from collections import Counter
from collections.abc import AsyncGenerator
from typing import Any
from uuid import UUID

import pytest
import pytest_asyncio

from assent.actions import store
from assent.actions.asking.store import release_call
from assent.actions.proposal import Draft, Proposal
from assent.db.database import Db
from assent.testing import Databases
from tests.bank import MANAGE
from tests.bank.accounts import count_effects
from tests.bank.desk import Desk, add_key, apply, open_desk
from tests.mcp.asking import REFERRING, Asker, find_id, read_referral, read_told
from tests.turn.people import fetch, fetch_value

DEPOSIT = "bank.deposit"
MANY_AT_ONCE = 32
KNOWN = "SELECT id FROM proposals WHERE call_key IS NOT NULL"
MADE = "SELECT id FROM proposals WHERE basis::text LIKE $1"


@pytest_asyncio.fixture(scope="module")
async def desk(databases: Databases) -> AsyncGenerator[Desk]:
    async with open_desk(databases) as opened:
        yield opened


@pytest_asyncio.fixture
async def account(desk: Desk) -> UUID:
    return await desk.open_account(balance=100)


@pytest_asyncio.fixture
async def asker(desk: Desk) -> Asker:
    key = await add_key(desk.tenant.admin, MANAGE)
    return await Asker(desk.server.url, key, REFERRING).begin()


def put(account: UUID) -> dict[str, Any]:
    return {"accountId": str(account), "amount": 5}


async def release(desk: Desk, proposal_id: UUID) -> None:
    async with desk.server.database.connection() as db:
        await release_call(db, desk.tenant.id, proposal_id)


async def list_made(desk: Desk, account: UUID) -> set[str]:
    return {str(row["id"]) for row in await fetch(desk.server, MADE, f"%{account}%")}


async def test_what_is_told_while_the_same_call_is_stored_makes_room_for_it(
    desk: Desk, asker: Asker, account: UUID, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Between finding the place taken and looking who has it, it becomes free: three times."""
    insert, taken = store.insert_proposal, 0

    async def insert_beside(db: Db, draft: Draft, payload: bytes) -> Proposal | None:
        nonlocal taken
        if taken < 3:
            taken += 1
            beside = Asker(asker.url, asker.key, asker.revision, session=asker.session)
            monkeypatch.setattr(store, "insert_proposal", insert)
            url = read_referral(await beside.call(DEPOSIT, put(account)))
            monkeypatch.setattr(store, "insert_proposal", insert_beside)
            stored = await insert(db, draft, payload)
            assert stored is None
            await release(desk, UUID(find_id(url)))
            return stored
        return await insert(db, draft, payload)

    monkeypatch.setattr(store, "insert_proposal", insert_beside)
    url = read_referral(await asker.call(DEPOSIT, put(account)))
    made = await list_made(desk, account)
    assert (taken, len(made), find_id(url) in made) == (3, 4, True)


async def test_calls_that_race_with_the_telling_are_all_answered(
    desk: Desk, asker: Asker, account: UUID
) -> None:
    """Whatever is known is told at once, again and again, while the same call comes in."""
    over = asyncio.Event()

    async def tell_everything() -> None:
        while not over.is_set():
            for row in await fetch(desk.server, KNOWN):
                await release(desk, row["id"])

    telling = [asyncio.create_task(tell_everything()) for _ in range(2)]
    urls: list[str] = []
    for _ in range(8):
        calls = (asker.call(DEPOSIT, put(account)) for _ in range(MANY_AT_ONCE))
        urls += [read_referral(one) for one in await asyncio.gather(*calls)]
    over.set()
    await asyncio.gather(*telling)
    assert len(urls) == 8 * MANY_AT_ONCE
    assert {find_id(one) for one in urls} == await list_made(desk, account)


async def test_whoever_is_told_late_does_not_make_the_next_one_unknown(
    desk: Desk, asker: Asker, account: UUID
) -> None:
    """Many are told the same outcome at once; those who come after it share one new proposal."""
    for _ in range(5):
        url = read_referral(await asker.call(DEPOSIT, put(account)))
        await apply(desk.client, find_id(url))
        answers = await asyncio.gather(
            *(asker.call(DEPOSIT, put(account)) for _ in range(MANY_AT_ONCE))
        )
        told = [read_told(one) for one in answers if "result" in one]
        assert {(one["proposalId"], one["state"]) for one in told} == {(find_id(url), "applied")}
        later = Counter(read_referral(one) for one in answers if "error" in one)
        assert len(later) <= 1
        following = read_referral(await asker.call(DEPOSIT, put(account)))
        assert later.keys() <= {following}
        await apply(desk.client, find_id(following))
        assert read_told(await asker.call(DEPOSIT, put(account)))["state"] == "applied"
    assert await count_effects(desk.server.database, account) == 10
    waiting = "SELECT count(*) FROM proposals WHERE basis::text LIKE $1 AND state = 'proposed'"
    assert await fetch_value(desk.server, waiting, f"%{account}%") == 0
