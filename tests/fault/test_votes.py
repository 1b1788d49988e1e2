"""Votes of several people in real processes, on a durable Postgres, while processes are killed."""

import asyncio
from collections import Counter
from collections.abc import AsyncGenerator, Generator, Sequence
from dataclasses import dataclass, replace
from itertools import count
from typing import Literal

import pytest
import pytest_asyncio

from assent.testing import Client
from tests.bank.desk import apply, ask_token
from tests.fault.door_bench import (
    Bench,
    Card,
    Ended,
    Traces,
    Window,
    move_client,
    open_bench,
    open_windows,
)
from tests.fault.door_process import AtFunction, AtStatement, Fault
from tests.fault.durable_postgres import DurablePostgres, run_durable
from tests.turn.approving import Panel, add_rule, clear, give_role, seat
from tests.turn.people import Person, expect, fetch

NEEDED = 3
VOTERS = 6


@pytest.fixture(scope="module")
def postgres() -> Generator[DurablePostgres]:
    with run_durable() as running:
        yield running


@pytest_asyncio.fixture(scope="module")
async def bench(postgres: DurablePostgres) -> AsyncGenerator[Bench]:
    async with open_bench(postgres) as opened:
        yield opened


@pytest_asyncio.fixture(scope="module")
async def windows(bench: Bench) -> AsyncGenerator[list[Window]]:
    async with open_windows(bench, 3) as opened:
        yield opened


@pytest_asyncio.fixture
async def panel(bench: Bench) -> AsyncGenerator[Panel]:
    """Two rules: so many of a role, and one of two of them who are named."""
    made = await seat(bench.desk, VOTERS)
    await add_rule(bench.desk, needed=NEEDED, roleIds=[str(made.role_id)], notProposer=True)
    named = [str(person.id) for person in made.people[:2]]
    await add_rule(bench.desk, title="One of two", tool="bank.*", userIds=named)
    yield made
    await clear(bench.desk)


@dataclass(frozen=True, slots=True)
class Said:
    status: int
    state: str | None


async def vote(client: Client, card: Card, kind: str, token: str) -> Said:
    answer = await client.post(f"/api/proposals/{card.id}/{kind}", json={"token": token})
    body = answer.json()
    return Said(answer.status_code, body.get("state") if answer.status_code == 200 else None)


async def count_valid(bench: Bench, card: Card, panel: Panel) -> tuple[int, int]:
    """How many votes count for each of the two rules."""
    rows = await fetch(
        bench.desk.server,
        "SELECT person_id FROM decisions WHERE proposal_id = $1 AND kind = 'apply'",
        card.id,
    )
    given = {row["person_id"] for row in rows}
    people = [person.id for person in panel.people]
    return len(given.intersection(people)), len(given.intersection(people[:2]))


def sized(small: int, deep: int) -> pytest.MarkDecorator:
    return pytest.mark.parametrize("rounds", [small, pytest.param(deep, marks=pytest.mark.deep)])


@sized(6, 300)
async def test_votes_at_once_on_three_servers_change_it_once(
    bench: Bench, windows: list[Window], panel: Panel, rounds: int
) -> None:
    urls = [str(one.client.base_url) for one in windows]
    clients = [
        move_client(person.client, urls[nth % len(urls)]) for nth, person in enumerate(panel.people)
    ]
    for _ in range(rounds):
        card = await bench.new_card()
        tokens = [await ask_token(client, str(card.id)) for client in clients]
        pairs = list(zip(clients, tokens, strict=True))
        said = await asyncio.gather(*(vote(one, card, "apply", token) for one, token in pairs * 2))
        answers = Counter(said)
        traces = await bench.find_traces(card)
        assert answers[Said(200, "applied")] == 1
        assert (traces.state, traces.effects, traces.decided) == ("applied", 1, ("applied",))
        by_role, by_name = await count_valid(bench, card, panel)
        assert by_role >= NEEDED
        assert by_name >= 1
        assert answers[Said(200, "proposed")] == traces.statuses.count("approved") == by_role - 1
        assert answers[Said(409, None)] == len(said) - by_role
    for client in clients:
        await client.aclose()


@sized(8, 300)
async def test_votes_against_a_decline(
    bench: Bench, windows: list[Window], panel: Panel, rounds: int
) -> None:
    """Either it is declined and nothing changed, or the last vote was there before."""
    ends = Counter[str]()
    for nth in range(rounds):
        card = await bench.new_card()
        clients = [person.client for person in panel.people[:NEEDED]]
        for one in clients[: NEEDED - 1]:
            await apply(one, str(card.id))
        against = panel.people[-1].client
        tokens = [await ask_token(one, str(card.id)) for one in (clients[-1], against)]
        votes = [
            vote(clients[-1], card, "apply", tokens[0]),
            vote(against, card, "decline", tokens[1]),
        ]
        said = await asyncio.gather(*(votes if nth % 2 else reversed(votes)))
        assert sorted(one.status for one in said) == [200, 409]
        traces = await bench.find_traces(card)
        assert traces.effects == int(traces.state == "applied")
        assert traces.decided == (traces.state,)
        ends[traces.state] += 1
    assert set(ends) <= {"applied", "declined"}


async def test_a_role_that_is_taken_away_between_votes(bench: Bench, panel: Panel) -> None:
    card = await bench.new_card()
    first, *others = panel.people
    await apply(first.client, str(card.id))
    await give_role(bench.desk.server, first)
    tokens = [await ask_token(one.client, str(card.id)) for one in others[:2]]
    said = await asyncio.gather(
        *(
            vote(one.client, card, "apply", token)
            for one, token in zip(others[:2], tokens, strict=True)
        )
    )
    assert Counter(said) == {Said(200, "proposed"): 2}
    assert (await bench.find_traces(card)).effects == 0
    assert (await apply(others[2].client, str(card.id)))["state"] == "applied"
    await give_role(bench.desk.server, first, panel.role_id)


VOTING: dict[str, Fault] = {
    "after the lock": AtFunction("assent.actions.apply:lock"),
    "after the token": AtFunction("assent.actions.apply:check_decision"),
    "before the vote": AtFunction("assent.actions.apply:insert_vote", "before"),
    "after the vote": AtFunction("assent.actions.apply:insert_vote"),
    "after the rehearsal": AtFunction("assent.actions.apply:_rehearse"),
    "after the commit": AtFunction("assent.actions.apply:wake_subscribers", "before"),
}
FIRST = VOTING | {"after the record": AtFunction("assent.actions.apply:record_proposal")}
LAST = VOTING | {
    "in the middle of the change": AtFunction("tests.bank:new_id"),
    "after the state": AtFunction("assent.actions.store:close_proposal"),
    "before the commit": AtFunction("assent.actions.apply:end_proposal"),
}


async def kill_while_voting(bench: Bench, card: Card, person: Person, fault: Fault) -> Ended:
    token = await ask_token(person.client, str(card.id))
    deed = bench.deed("apply", proposal_id=card.id, token=token)
    return await bench.run(replace(deed, person_id=person.id), fault)


def expect_traces(votes: int) -> Traces:
    """What so many votes leave, of three that are needed."""
    approved = ("approved",) * min(votes, NEEDED - 1)
    if votes < NEEDED:
        return Traces("proposed", 0, ("proposed", *approved), ())
    return Traces("applied", 1, ("proposed", *approved, "applied"), ("applied",))


async def go_on(bench: Bench, card: Card, people: Sequence[Person]) -> None:
    """Whoever has not voted does, until it is done; and it was done once."""
    for person in people:
        shown = expect(await person.client.get(f"/api/proposals/{card.id}"), 200)
        if shown["mayDecide"]:
            await apply(person.client, str(card.id))
    assert await bench.find_traces(card) == expect_traces(NEEDED)


@pytest.mark.parametrize("where", FIRST)
async def test_a_kill_in_a_vote_leaves_it_or_nothing(
    bench: Bench, panel: Panel, where: str
) -> None:
    card = await bench.new_card()
    assert (await kill_while_voting(bench, card, panel.people[0], FIRST[where])).was_killed
    votes = int(where == "after the commit")
    assert await bench.find_traces(card) == expect_traces(votes)
    assert await count_valid(bench, card, panel) == (votes, votes)
    await go_on(bench, card, panel.people[:NEEDED])


@pytest.mark.parametrize("where", LAST)
async def test_a_kill_in_the_last_vote_leaves_all_of_it_or_nothing(
    bench: Bench, panel: Panel, where: str
) -> None:
    card = await bench.new_card()
    for person in panel.people[: NEEDED - 1]:
        await apply(person.client, str(card.id))
    last = panel.people[NEEDED - 1]
    assert (await kill_while_voting(bench, card, last, LAST[where])).was_killed
    votes = NEEDED - int(where != "after the commit")
    assert await bench.find_traces(card) == expect_traces(votes)
    assert (await count_valid(bench, card, panel))[0] == votes
    await go_on(bench, card, panel.people[:NEEDED])


@pytest.mark.deep
@pytest.mark.parametrize("when", ["before", "sent"])
@pytest.mark.parametrize("before", [0, NEEDED - 1])
async def test_a_kill_at_each_statement_of_a_vote(
    bench: Bench, panel: Panel, before: int, when: Literal["before", "sent"]
) -> None:
    for nth in count(1):
        card = await bench.new_card()
        for person in panel.people[:before]:
            await apply(person.client, str(card.id))
        ended = await kill_while_voting(bench, card, panel.people[before], AtStatement(nth, when))
        votes = (await count_valid(bench, card, panel))[0]
        assert votes in (before, before + 1)
        assert await bench.find_traces(card) == expect_traces(votes)
        if not ended.was_killed:
            break
        await go_on(bench, card, panel.people[:NEEDED])
