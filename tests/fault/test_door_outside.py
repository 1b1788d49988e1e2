"""Changes outside, made by worker processes that are killed and frozen while they make them."""

import asyncio
import os
import random
import signal
from collections import Counter
from collections.abc import AsyncGenerator, Generator, Sequence
from dataclasses import dataclass, replace
from datetime import timedelta
from multiprocessing.process import BaseProcess
from typing import Any
from uuid import UUID

import psutil
import pytest
import pytest_asyncio

from tests.bank.accounts import touch_account
from tests.bank.desk import add_key, apply_with, ask_token
from tests.bank.outside import OtherBank, open_other_bank
from tests.fault.door_bench import Bench, open_bench
from tests.fault.door_process import LEASE_SECONDS, AtFunction, Fault, work
from tests.fault.durable_postgres import DurablePostgres, run_durable
from tests.patience import PATIENCE
from tests.store.work.steps import eventually
from tests.turn.people import expect, fetch

NOT_BEGUN = AtFunction("assent.actions.store:start", "before")
BEGUN = AtFunction("assent.actions.outside:_execute", "before")
MADE = AtFunction("assent.actions.outside:project", "before")
TOLD = AtFunction("assent.actions.outside:end_proposal")
"""Where a worker dies: before it says that it begins, before it calls, after the call, and with the
outcome written and not committed."""


@dataclass(frozen=True, slots=True)
class Office:
    """A bench whose workers reach another bank."""

    bench: Bench
    other_bank: OtherBank

    async def start_worker(self, fault: Fault | None = None) -> BaseProcess:
        processes = self.bench.processes
        process, pipe = processes.start(work, self.bench.url, self.other_bank.url, fault)
        assert await processes.first_word(process, pipe) == "ready"
        return process

    async def propose(self, tool: str, account_id: UUID) -> str:
        given = {"accountId": str(account_id), "amount": 3}
        return (await self.bench.desk.propose(tool, given))["id"]

    async def apply(self, card_id: str) -> None:
        """Decide, and do not wait for the outcome."""
        token = await ask_token(self.bench.desk.client, card_id)
        answer = await apply_with(self.bench.desk.client, card_id, token, 202)
        assert answer["state"] == "applying"

    async def find_state(self, card_id: str) -> str:
        shown = await self.bench.desk.client.get(f"/api/proposals/{card_id}")
        return expect(shown, 200)["state"]

    async def until_over(self, card_ids: Sequence[str], *, open_states: Sequence[str]) -> None:
        """Until none of them is in one of these states any more."""

        async def is_over() -> bool:
            states = {await self.find_state(card_id) for card_id in card_ids}
            return not states & set(open_states)

        await eventually(is_over)

    async def list_ends(self, card_ids: Sequence[str]) -> Counter[tuple[str, int]]:
        """In which state each is, and how often it reached the other bank."""
        return Counter(
            [(await self.find_state(one), self.other_bank.transfers[one]) for one in card_ids]
        )

    async def resolve(self, card_id: str, *, outcome: str, client: Any = None) -> Any:
        url = f"/api/proposals/{card_id}/resolve"
        return await (client or self.bench.desk.client).post(url, json={"outcome": outcome})


@pytest.fixture(scope="module")
def postgres() -> Generator[DurablePostgres]:
    with run_durable() as running:
        yield running


@pytest_asyncio.fixture
async def office(
    postgres: DurablePostgres, monkeypatch: pytest.MonkeyPatch
) -> AsyncGenerator[Office]:
    monkeypatch.setattr("assent.actions.outside.PATIENCE", timedelta())
    async with open_other_bank() as other_bank, open_bench(postgres) as bench:
        yield Office(bench, other_bank)


async def die_one_by_one(office: Office, tool: str, faults: Sequence[Fault]) -> list[str]:
    """As many cards as workers, each of which dies with one of them."""
    account_id = await office.bench.desk.open_account(balance=100)
    card_ids = [await office.propose(tool, account_id) for _ in faults]
    doomed = await asyncio.gather(*(office.start_worker(fault) for fault in faults))
    for card_id in card_ids:
        await office.apply(card_id)
    for process in doomed:
        await asyncio.to_thread(process.join, PATIENCE)
        assert process.exitcode == -signal.SIGKILL
    assert {await office.find_state(card_id) for card_id in card_ids} == {"applying"}
    await touch_account(office.bench.desk.server.database, account_id)
    await office.start_worker()
    return card_ids


async def test_what_can_be_asked_about_is_found_out(office: Office) -> None:
    card_ids = await die_one_by_one(office, "bank.wire", (NOT_BEGUN, BEGUN, MADE, TOLD))
    await office.until_over(card_ids, open_states=("applying", "outcome_unknown"))
    assert await office.list_ends(card_ids) == {("applied", 1): 3, ("failed", 0): 1}
    statuses = Counter([tuple(await office.bench.desk.list_statuses(one)) for one in card_ids])
    assert statuses == {
        ("proposed", "applying", "applied"): 1,
        ("proposed", "applying", "outcome_unknown", "applied"): 2,
        ("proposed", "applying", "outcome_unknown", "failed"): 1,
    }


async def test_what_nobody_can_ask_about_stays_unknown_until_a_person_says(
    office: Office,
) -> None:
    """What had begun is neither tried again nor shown as a fresh card, whatever has changed."""
    card_ids = await die_one_by_one(office, "bank.post", (NOT_BEGUN, BEGUN, MADE, TOLD))
    await office.until_over(card_ids, open_states=("applying",))
    states = {card_id: await office.find_state(card_id) for card_id in card_ids}
    assert Counter(states.values()) == {"superseded": 1, "outcome_unknown": 3}
    fresh = await fetch(office.bench.desk.server, "SELECT id FROM proposals WHERE state='proposed'")
    assert len(fresh) == 1

    lost = [card_id for card_id, state in states.items() if state == "outcome_unknown"]
    robot = await office.bench.desk.server.open_client(
        key=await add_key(office.bench.desk.tenant.admin, "*")
    )
    for card_id, outcome in zip(lost, ("applied", "failed", "applied"), strict=True):
        expect(await office.resolve(card_id, outcome=outcome, client=robot), 403)
        assert await office.find_state(card_id) == "outcome_unknown"
        resolved = expect(await office.resolve(card_id, outcome=outcome), 200)
        assert resolved["state"] == outcome
        expect(await office.resolve(card_id, outcome="failed"), 409)
        assert await office.find_state(card_id) == outcome


@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGSTOP], ids=["killed", "frozen"])
async def test_an_owner_lost_in_the_middle_of_the_call(office: Office, how: signal.Signals) -> None:
    """The transfer has arrived and nobody has heard so. Whoever returns writes nothing."""
    office.other_bank.answering.clear()
    owner = await office.start_worker()
    [card_id] = [await office.propose("bank.wire", await office.bench.desk.open_account())]
    await office.apply(card_id)

    async def has_arrived() -> bool:
        return office.other_bank.transfers[card_id] == 1

    await eventually(has_arrived)
    assert await office.find_state(card_id) == "applying"
    assert owner.pid is not None
    os.kill(owner.pid, how)
    await office.start_worker()
    await office.until_over([card_id], open_states=("applying", "outcome_unknown"))
    office.other_bank.answering.set()
    if how == signal.SIGSTOP:
        os.kill(owner.pid, signal.SIGCONT)
        await asyncio.sleep(LEASE_SECONDS)
        assert owner.is_alive()
    assert await office.list_ends([card_id]) == {("applied", 1): 1}
    statuses = await office.bench.desk.list_statuses(card_id)
    assert statuses == ["proposed", "applying", "outcome_unknown", "applied"]


async def test_owners_that_froze_and_return_change_nothing(office: Office) -> None:
    """When they wake up, another has made the change or found out what became of it."""
    faults = [replace(one, how=signal.SIGSTOP) for one in (NOT_BEGUN, BEGUN, MADE)]
    account_id = await office.bench.desk.open_account()
    card_ids = [await office.propose("bank.wire", account_id) for _ in faults]
    owners = await asyncio.gather(*(office.start_worker(fault) for fault in faults))
    for card_id in card_ids:
        await office.apply(card_id)

    async def are_frozen() -> bool:
        states = {psutil.Process(owner.pid).status() for owner in owners}
        return states == {psutil.STATUS_STOPPED}

    await eventually(are_frozen)
    await office.start_worker()
    await office.until_over(card_ids, open_states=("applying", "outcome_unknown"))
    ends = {("applied", 1): 2, ("failed", 0): 1}
    assert await office.list_ends(card_ids) == ends
    statuses = [await office.bench.desk.list_statuses(card_id) for card_id in card_ids]
    for owner in owners:
        psutil.Process(owner.pid).resume()
    await asyncio.sleep(LEASE_SECONDS)
    assert await office.list_ends(card_ids) == ends
    assert [await office.bench.desk.list_statuses(card_id) for card_id in card_ids] == statuses


@pytest.mark.deep
@pytest.mark.parametrize("seed", range(3))
async def test_many_transfers_while_workers_die(office: Office, seed: int) -> None:
    chance = random.Random(seed)
    account_id = await office.bench.desk.open_account()
    card_ids = [await office.propose("bank.wire", account_id) for _ in range(60)]
    workers = [await office.start_worker() for _ in range(3)]
    for nth, card_id in enumerate(card_ids):
        await office.apply(card_id)
        if nth % 4 == 0:
            await asyncio.sleep(chance.random() / 5)
            workers.pop(chance.randrange(3)).kill()
            workers.append(await office.start_worker())
    await office.until_over(card_ids, open_states=("applying", "outcome_unknown"))
    ends = await office.list_ends(card_ids)
    assert set(ends) <= {("applied", 1), ("failed", 0)}
    assert ends["applied", 1] > 30
