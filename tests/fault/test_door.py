"""Decisions about proposals in real processes, on a durable Postgres, while things are killed."""

import asyncio
import functools
import signal
from collections import Counter
from collections.abc import AsyncGenerator, Generator, Sequence
from dataclasses import replace
from itertools import count, cycle
from typing import Literal

import httpx2
import pytest
import pytest_asyncio

from assent.ids import new_id
from assent.testing import Client
from tests.bank.desk import apply, apply_with, ask_token
from tests.fault.door_bench import (
    FEW,
    UNTOUCHED,
    Bench,
    Card,
    Ended,
    Traces,
    Window,
    move_client,
    open_bench,
    open_windows,
    over,
)
from tests.fault.door_process import AtFunction, AtStatement, Fault
from tests.fault.durable_postgres import DurablePostgres, run_durable
from tests.store.work.steps import eventually
from tests.turn.people import Person, add_person, execute, fetch

LET_A_MINUTE_PASS = """
UPDATE tool_budget SET taken = ARRAY(SELECT one - interval '1 minute' FROM unnest(taken) AS one)
WHERE principal_id = $1
"""


@pytest.fixture(scope="module")
def postgres() -> Generator[DurablePostgres]:
    with run_durable() as running:
        yield running


@pytest_asyncio.fixture(scope="module")
async def bench(postgres: DurablePostgres) -> AsyncGenerator[Bench]:
    async with open_bench(postgres) as opened:
        yield opened


APPLYING: dict[str, Fault] = {
    "before the lock": AtFunction("assent.actions.apply:lock", "before"),
    "after the lock": AtFunction("assent.actions.apply:lock"),
    "after the token": AtFunction("assent.actions.apply:check_decision"),
    "after the payload": AtFunction("assent.actions.prepare:open_payload"),
    "after the rehearsal": AtFunction("assent.actions.apply:_rehearse"),
    "in the middle of the change": AtFunction("tests.bank:new_id"),
    "after the change": AtFunction("assent.actions.apply:_execute"),
    "after the state": AtFunction("assent.actions.store:close_proposal"),
    "after the record": AtFunction("assent.actions.ending:record_proposal"),
    "before the commit": AtFunction("assent.actions.apply:end_proposal"),
    "after the commit": AtFunction("assent.actions.apply:wake_subscribers", "before"),
    "before the answer": AtFunction("assent.actions.apply:wake_subscribers"),
}
COMMITTED = {"after the commit", "before the answer"}


@pytest.mark.parametrize("where", APPLYING)
async def test_a_kill_while_applying_leaves_all_of_it_or_nothing(bench: Bench, where: str) -> None:
    card = await bench.new_card()
    ended = await kill(bench, "apply", card, APPLYING[where])
    assert ended.was_killed
    traces = await bench.find_traces(card)
    assert traces == (over("applied") if where in COMMITTED else UNTOUCHED)
    await go_on(bench, card, traces)


async def kill(bench: Bench, kind: Literal["apply", "decline"], card: Card, fault: Fault) -> Ended:
    """Let a process decide that dies at the fault."""
    token = await bench.new_token(card)
    return await bench.run(bench.deed(kind, proposal_id=card.id, token=token), fault)


async def go_on(bench: Bench, card: Card, traces: Traces) -> None:
    """Apply with a fresh token what is still open; what is over stays as it is."""
    if traces == UNTOUCHED:
        assert (await apply(bench.desk.client, str(card.id)))["state"] == "applied"
        assert await bench.find_traces(card) == over("applied")
    else:
        await apply_with(bench.desk.client, str(card.id), "any", 409)
        refused = await bench.find_traces(card)
        assert (refused.state, refused.effects) == (traces.state, traces.effects)


DECLINING: dict[str, Fault] = {
    "after the token": AtFunction("assent.actions.decide:check_decision"),
    "after the state": AtFunction("assent.actions.store:close_proposal"),
    "before the commit": AtFunction("assent.actions.decide:end_proposal"),
    "after the commit": AtFunction("assent.actions.decide:wake_subscribers", "before"),
}


@pytest.mark.parametrize("where", DECLINING)
async def test_a_kill_while_declining_leaves_all_of_it_or_nothing(bench: Bench, where: str) -> None:
    card = await bench.new_card()
    assert (await kill(bench, "decline", card, DECLINING[where])).was_killed
    traces = await bench.find_traces(card)
    assert traces == (over("declined") if where in COMMITTED else UNTOUCHED)
    await go_on(bench, card, traces)


CALLING: dict[str, Fault] = {
    "after the budget": AtFunction("assent.actions.call:take_budget"),
    "after the dry run": AtFunction("assent.actions.propose:preview_call"),
    "after the row": AtFunction("assent.actions.store:insert_proposal"),
    "in the middle of the record": AtFunction("assent.actions.record:append_entry"),
    "before the card's commit": AtFunction("assent.actions.propose:record_proposal"),
    "after the card's commit": AtFunction("assent.actions.call:propose"),
}
AT_ONCE = CALLING | {
    "in the middle of the change": APPLYING["in the middle of the change"],
    "after the state": APPLYING["after the state"],
    "before the commit": APPLYING["before the commit"],
    "after the commit": APPLYING["after the commit"],
}


@pytest.mark.parametrize("where", CALLING)
async def test_a_kill_while_proposing_leaves_no_half_card(bench: Bench, where: str) -> None:
    assert await call_twice(bench, "propose", CALLING[where])


@pytest.mark.parametrize("where", AT_ONCE)
async def test_a_kill_while_changing_at_once_is_made_good_by_the_same_call(
    bench: Bench, where: str
) -> None:
    assert await call_twice(bench, "auto", AT_ONCE[where])


async def call_twice(bench: Bench, kind: Literal["propose", "auto"], fault: Fault) -> bool:
    """The same call of the same run ends with one card; whether the first one was killed."""
    end = UNTOUCHED if kind == "propose" else over("applied")
    account_id, run_id = await bench.desk.open_account(), new_id()
    deed = bench.deed(kind, run_id=run_id, account_id=account_id)
    killed = (await bench.run(deed, fault)).was_killed
    for card in await bench.find_cards(run_id, account_id):
        assert await bench.find_traces(card) in (UNTOUCHED, end)
    assert await bench.act(deed) == end.state
    [card] = await bench.find_cards(run_id, account_id)
    assert await bench.find_traces(card) == end
    return killed


async def test_the_same_call_in_six_processes_happens_once(bench: Bench) -> None:
    account_id, run_id = await bench.desk.open_account(), new_id()
    deed = bench.deed("auto", run_id=run_id, account_id=account_id)
    ends = await asyncio.gather(*(bench.run(deed) for _ in range(6)))
    said = Counter(end.said for end in ends)
    assert set(said) <= {"applied", "conflict"}
    [card] = await bench.find_cards(run_id, account_id)
    assert await bench.find_traces(card) == over("applied")


@pytest.mark.parametrize("when", ["before", "sent"])
@pytest.mark.parametrize("kind", ["apply", "decline"])
async def test_a_kill_at_each_statement_of_a_decision(
    bench: Bench, kind: Literal["apply", "decline"], when: Literal["before", "sent"]
) -> None:
    """Nothing until the commit, everything from then on; in between Postgres knows."""
    end = over({"apply": "applied", "decline": "declined"}[kind])
    seen: list[Traces] = []
    for nth in count(1):
        card = await bench.new_card()
        ended = await kill(bench, kind, card, AtStatement(nth, when))
        traces = await bench.find_traces(card)
        assert traces in (UNTOUCHED, end), (nth, ended)
        await go_on(bench, card, traces)
        if not ended.was_killed:
            assert ended == Ended(0, end.state)
            break
        seen.append(traces)
    turn = seen.index(end) if end in seen else len(seen)
    assert seen == [UNTOUCHED] * turn + [end] * (len(seen) - turn)
    assert turn >= {"apply": 14, "decline": 6}[kind]


@pytest.mark.parametrize("when", ["before", "sent"])
@pytest.mark.parametrize("kind", ["propose", "auto"])
async def test_a_kill_at_each_statement_of_a_call(
    bench: Bench, kind: Literal["propose", "auto"], when: Literal["before", "sent"]
) -> None:
    nth = 1
    while await call_twice(bench, kind, AtStatement(nth, when)):
        nth += 1
    assert nth > {"propose": 8, "auto": 14}[kind]


@pytest_asyncio.fixture(scope="module")
async def windows(bench: Bench) -> AsyncGenerator[list[Window]]:
    async with open_windows(bench, 4) as opened:
        yield opened


def sized(small: int, deep: int) -> pytest.MarkDecorator:
    """The same with more rounds when there is time."""
    return pytest.mark.parametrize("rounds", [small, pytest.param(deep, marks=pytest.mark.deep)])


async def ask_tokens(windows: Sequence[Window], card: Card) -> list[str]:
    return [await ask_token(one.client, str(card.id)) for one in windows]


async def decide(client: Client, card: Card, kind: str, token: str) -> int:
    body = {"token": token}
    return (await client.post(f"/api/proposals/{card.id}/{kind}", json=body)).status_code


@sized(6, 200)
async def test_64_appliers_on_four_servers_change_it_once(
    bench: Bench, windows: list[Window], rounds: int
) -> None:
    for _ in range(rounds):
        card = await bench.new_card()
        pairs = list(zip(windows, await ask_tokens(windows, card), strict=True))
        answers = await asyncio.gather(
            *(decide(window.client, card, "apply", token) for window, token in pairs * 16)
        )
        assert Counter(answers) == {200: 1, 409: 63}
        traces = await bench.find_traces(card)
        assert (traces.state, traces.effects, traces.decided) == ("applied", 1, ("applied",))
        assert Counter(traces.statuses) == {"proposed": 1, "applied": 1, "refused": 63}


@sized(20, 1_000)
async def test_apply_against_decline_on_two_servers(
    bench: Bench, windows: list[Window], rounds: int
) -> None:
    """Each wins sometimes, and never both."""
    winners = Counter[str]()
    for nth in range(rounds):
        card = await bench.new_card()
        one, other = windows[nth % 4], windows[(nth + 1) % 4]
        tokens = await ask_tokens([one, other], card)
        kinds = ("apply", "decline") if nth % 2 else ("decline", "apply")
        answers = await asyncio.gather(
            decide(one.client, card, kinds[0], tokens[0]),
            decide(other.client, card, kinds[1], tokens[1]),
        )
        assert sorted(answers) == [200, 409]
        traces = await bench.find_traces(card)
        won = kinds[answers.index(200)]
        end = over({"apply": "applied", "decline": "declined"}[won])
        assert traces == replace(end, statuses=(*end.statuses, "refused"))
        winners[won] += 1
    assert min(winners["apply"], winners["decline"]) > 0


@pytest.mark.parametrize("what", ["a read", "a proposal"])
async def test_64_calls_with_room_for_ten(bench: Bench, windows: list[Window], what: str) -> None:
    """Exactly ten pass on four servers, and ten more when the minute is over."""
    person = await add_person(bench.desk.server, bench.desk.tenant.id, role="admin")
    clients = [move_client(person.client, str(one.client.base_url)) for one in windows]
    account_id = await bench.desk.open_account()
    if what == "a read":
        passes, path, body = 200, "/api/tools/bank.listAccounts/call", {}
    else:
        given = {"accountId": str(account_id), "amount": 5}
        passes, path, body = 201, "/api/proposals", {"tool": "bank.deposit", "input": given}
    for minute in (1, 2):
        answers = await asyncio.gather(
            *(client.post(path, json=body) for client in clients for _ in range(16))
        )
        assert Counter(one.status_code for one in answers) == {passes: FEW, 429: 64 - FEW}
        waits = [int(one.headers["retry-after"]) for one in answers if one.status_code == 429]
        assert all(1 <= wait <= 60 for wait in waits)
        statuses = Counter(await list_call_statuses(bench, person))
        assert statuses["refused"] == (64 - FEW) * minute
        assert statuses["executed" if what == "a read" else "proposed"] == FEW * minute
        await execute(bench.desk.server, LET_A_MINUTE_PASS, person.id)
    for client in clients:
        await client.aclose()


async def list_call_statuses(bench: Bench, person: Person) -> list[str]:
    query = "SELECT status FROM audit_entries WHERE principal_id = $1 AND edge = 'rest'"
    return [row["status"] for row in await fetch(bench.desk.server, query, person.id)]


@sized(60, 600)
async def test_postgres_crashes_under_load(
    postgres: DurablePostgres, bench: Bench, windows: list[Window], rounds: int
) -> None:
    """What was answered stays, what was not is found out by trying again; and all of it once."""
    cards = [await bench.new_card() for _ in range(rounds)]
    waiting = [(card, await bench.new_token(card)) for card in cards]
    answered: list[Card] = []
    clients = [move_client(bench.desk.client, str(one.client.base_url)) for one in windows]

    async def apply_until_none_is_left() -> None:
        while waiting:
            card, token = waiting.pop()
            if await apply_until_answered(clients, card, token) == 200:
                answered.append(card)

    async with asyncio.TaskGroup() as group:
        for _ in range(12):
            group.create_task(apply_until_none_is_left())
        for left in range(rounds - 20, 0, -30):
            await eventually(functools.partial(is_down_to, waiting, left), seconds=120)
            postgres.stop(signal.SIGQUIT)
            postgres.start()
    assert len(answered) > rounds // 2
    for card in cards:
        traces = await bench.find_traces(card)
        assert (traces.state, traces.effects, traces.decided) == ("applied", 1, ("applied",))
        assert traces.statuses.count("applied") == 1
    for client in clients:
        await client.aclose()


async def is_down_to(waiting: Sequence[object], left: int) -> bool:
    return len(waiting) <= left


async def apply_until_answered(clients: Sequence[Client], card: Card, token: str) -> int:
    """Try at one server after the other: 200, or 409 when the first answer was lost."""
    for client in cycle(clients):
        try:
            answer = await decide(client, card, "apply", token)
        except httpx2.TransportError:
            answer = 503
        if answer in (200, 409):
            return answer
        assert answer == 503
        await asyncio.sleep(0.05)
    raise AssertionError
