"""Real processes on a durable Postgres, and a desk in the test's own process to look at them."""

import asyncio
import random
from collections.abc import AsyncGenerator
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from typing import Any
from uuid import UUID

import httpx2

from assent.actions.means import Means
from assent.db.database import open_database
from assent.testing import Client, run_server
from tests.bank.accounts import count_effects
from tests.bank.desk import MANY, Desk, ask_token, load_bank
from tests.fault.door_process import MASTER_KEY, Deed, Fault, act, do_deed, load_decider, serve
from tests.fault.durable_postgres import DurablePostgres
from tests.fault.processes import Processes
from tests.patience import PATIENCE
from tests.store.work.steps import eventually
from tests.turn.people import Person, add_person, fetch, find_tenant

FEW = 10
"""Tool calls a minute at the server processes."""

DOOMED = "application_name=doomed"
SETTINGS: dict[str, Any] = {
    "background_work": False,
    "tool_calls": MANY,
    "master_key": MASTER_KEY,
}
COUNT_DOOMED = """
SELECT count(*) AS n FROM pg_stat_activity
WHERE application_name = 'doomed' AND datname = current_database()
"""
LIST_DECIDED = """
SELECT payload->>'state' AS state FROM outbox
WHERE topic = 'proposal.decided' AND payload->>'proposalId' = $1 ORDER BY id
"""
LIST_PROPOSED = """
SELECT found.id, EXISTS (SELECT FROM proposals WHERE proposals.id = found.id) AS exists
FROM (
    SELECT id FROM proposals WHERE run_id = $1
    UNION
    SELECT proposal_id FROM audit_entries WHERE run_id = $1 AND proposal_id IS NOT NULL
    UNION
    SELECT (payload->>'proposalId')::uuid FROM outbox
    WHERE payload->>'runId' = $1::text AND payload->>'proposalId' IS NOT NULL
) AS found
"""


async def run_deed(processes: Processes, url: str, deed: Deed, fault: Fault | None) -> "Ended":
    process, pipe = processes.start(do_deed, f"{url}&{DOOMED}", deed, fault)
    said = await processes.first_word(process, pipe)
    await asyncio.to_thread(process.join, PATIENCE)
    return Ended(process.exitcode, said)


@dataclass(frozen=True, slots=True)
class Ended:
    """How a process ended, and what it said before."""

    exit_code: int | None
    said: str | None

    @property
    def was_killed(self) -> bool:
        return self.exit_code == -9 and self.said is None


@dataclass(frozen=True, slots=True)
class Card:
    """A proposal, and the account that it would change."""

    id: UUID
    account_id: UUID


@dataclass(frozen=True, slots=True)
class Traces:
    """All that is left of a proposal."""

    state: str
    effects: int
    statuses: tuple[str, ...]
    decided: tuple[str, ...]


UNTOUCHED = Traces("proposed", 0, ("proposed",), ())


def over(state: str) -> Traces:
    return Traces(state, int(state == "applied"), ("proposed", state), (state,))


@dataclass(frozen=True, slots=True)
class Bench:
    desk: Desk
    processes: Processes

    @property
    def url(self) -> str:
        return self.desk.server.database.url

    @property
    def means(self) -> Means:
        return self.desk.server.app.state.parts.means

    async def run(self, deed: Deed, fault: Fault | None = None) -> Ended:
        """Let a process of its own do it, and wait until Postgres has seen the end of it too."""
        ended = await run_deed(self.processes, self.url, deed, fault)
        await eventually(self._nobody_is_left)
        return ended

    async def act(self, deed: Deed) -> str:
        """Do it here, where nothing dies."""
        person = await load_decider(self.desk.server.database, deed.tenant_id, deed.person_id)
        return await act(self.means, person, deed)

    async def _nobody_is_left(self) -> bool:
        [row] = await fetch(self.desk.server, COUNT_DOOMED)
        return row["n"] == 0

    def deed(self, kind: Any, **more: Any) -> Deed:
        admin = self.desk.tenant.admin
        return Deed(kind=kind, tenant_id=admin.tenant_id, person_id=admin.id, **more)

    async def new_card(self) -> Card:
        """A proposal with an account of its own, so that its effects can be counted."""
        account_id = await self.desk.open_account(balance=100)
        made = await self.desk.propose_deposit(account_id)
        return Card(UUID(made["id"]), account_id)

    async def new_token(self, card: Card) -> str:
        return await ask_token(self.desk.client, str(card.id))

    async def find_traces(self, card: Card) -> Traces:
        server = self.desk.server
        states = await fetch(server, "SELECT state FROM proposals WHERE id = $1", card.id)
        decided = await fetch(server, LIST_DECIDED, str(card.id))
        return Traces(
            state=states[0]["state"],
            effects=await count_effects(server.database, card.account_id),
            statuses=tuple(await self.desk.list_statuses(str(card.id))),
            decided=tuple(one["state"] for one in decided),
        )

    async def find_cards(self, run_id: UUID, account_id: UUID) -> list[Card]:
        """What a run has proposed; nothing speaks of a proposal that is not there."""
        rows = await fetch(self.desk.server, LIST_PROPOSED, run_id)
        assert all(row["exists"] for row in rows), rows
        return [Card(row["id"], account_id) for row in rows]


@dataclass(frozen=True, slots=True)
class Window:
    """A server process, and somebody who is signed in there."""

    person: Person
    client: Client


@asynccontextmanager
async def open_bench(postgres: DurablePostgres, **settings: Any) -> AsyncGenerator[Bench]:
    name = f"door_{random.randrange(10**9)}"
    admin = await open_database(postgres.url("postgres"), pool_size=1)
    async with admin.connection() as connection:
        await connection.execute(f"CREATE DATABASE {name}")
    await admin.close()
    given = {**SETTINGS, **settings}
    with Processes() as processes:
        async with run_server(postgres.url(name), loaded=load_bank(), **given) as running:
            yield Bench(Desk(running, await find_tenant(running)), processes)


@asynccontextmanager
async def open_windows(bench: Bench, count: int) -> AsyncGenerator[list[Window]]:
    """Server processes, each with a person who is signed in there and may decide everything."""
    given = {**SETTINGS, "tool_calls": FEW}
    started = [bench.processes.start(serve, bench.url, given) for _ in range(count)]
    async with AsyncExitStack() as stack:
        windows: list[Window] = []
        for one in started:
            url = await bench.processes.first_word(*one)
            person = await add_person(bench.desk.server, bench.desk.tenant.id, role="admin")
            client = move_client(person.client, url)
            windows.append(Window(person, await stack.enter_async_context(client)))
        yield windows


def move_client(client: Client, url: str) -> Client:
    """The same person at another server: servers share their sessions."""
    return Client(url, cookies=dict(client.cookies), limits=httpx2.Limits(keepalive_expiry=60))
