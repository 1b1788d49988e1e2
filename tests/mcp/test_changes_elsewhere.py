"""Two real server processes behind a proxy that takes turns: each round comes to the other one."""

import asyncio
import signal
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from uuid import UUID

import httpx2
import mcp_types as types
import pytest
import pytest_asyncio
from mcp import Client as Program
from mcp import MCPError
from mcp.client.streamable_http import streamable_http_client

from assent.testing import Databases, run_server
from tests.bank import MANAGE, READ
from tests.bank.accounts import count_effects, find_balance
from tests.bank.desk import Desk, add_key, apply, load_bank
from tests.fault.fleet import Fleet, run_fleet
from tests.fault.ports import find_free_port
from tests.fault.run_process import SETTINGS
from tests.mcp.asking import (
    MODERN,
    OLDEST,
    REFERRING,
    Asker,
    find_id,
    read_question,
    read_referral,
    read_told,
    read_used,
)
from tests.mcp.programs import REVISIONS
from tests.mcp.round_robin import RoundRobin, run_round_robin
from tests.turn.people import fetch_value, find_tenant

DEPOSIT = "bank.deposit"
MANY_AT_ONCE = 64


@dataclass(frozen=True, slots=True)
class Town:
    """People decide at a third server, which answers no program."""

    desk: Desk
    fleet: Fleet
    proxy: RoundRobin
    url: str
    key: str

    async def decide(self, url: str) -> None:
        await apply(self.desk.client, find_id(url))

    async def ask(self, revision: str) -> Asker:
        return await Asker(self.url, self.key, revision).begin()


@pytest_asyncio.fixture(scope="module")
async def town(
    databases: Databases, tmp_path_factory: pytest.TempPathFactory
) -> AsyncGenerator[Town]:
    folder: Path = tmp_path_factory.mktemp("town")
    port = find_free_port()
    public = f"http://127.0.0.1:{port}"
    settings: dict[str, Any] = {**SETTINGS, "background_work": False}
    async with (
        databases.copy() as database_url,
        run_server(database_url, loaded=load_bank(), **settings) as server,
    ):
        desk = Desk(server, await find_tenant(server))
        key = await add_key(desk.tenant.admin, READ, MANAGE)
        with run_fleet(database_url, folder, 2, ASSENT_PUBLIC_URL=public) as fleet:
            async with run_round_robin(port, fleet.ports) as proxy:
                yield Town(desk, fleet, proxy, public, key)


@pytest_asyncio.fixture
async def account(town: Town) -> UUID:
    return await town.desk.open_account(balance=100)


@asynccontextmanager
async def open_restless(town: Town, revision: str, **given: Any) -> AsyncGenerator[Program]:
    """The official client, with a new connection for every request."""
    headers = {"authorization": f"Bearer {town.key}"}
    limits = httpx2.Limits(max_keepalive_connections=0)
    mode = "auto" if revision == MODERN else "legacy"
    async with (
        httpx2.AsyncClient(headers=headers, limits=limits, timeout=60) as http,
        Program(
            streamable_http_client(f"{town.url}/mcp", http_client=http), mode=mode, **given
        ) as program,
    ):
        yield program


def put(account: UUID, amount: int = 5) -> dict[str, Any]:
    return {"accountId": str(account), "amount": amount}


@pytest.mark.parametrize("revision", REVISIONS)
async def test_lists_calls_and_changes_take_turns(town: Town, account: UUID, revision: str) -> None:
    before = town.proxy.answered.copy()
    asker = await town.ask(revision)
    listed = [(await asker.post("tools/list", {})).json()["result"]["tools"] for _ in range(2)]
    assert listed[0] == listed[1]
    for _ in range(2):
        found = read_told(await asker.call("bank.listAccounts", {}))
        assert str(account) in {one["id"] for one in found["items"]}
    answer = await asker.call(DEPOSIT, put(account))
    if revision == MODERN:
        url, state = read_question(answer)
        url, state = read_question(await asker.again(DEPOSIT, put(account), state))
        await town.decide(url)
        told = read_told(await asker.again(DEPOSIT, put(account), state))
    elif revision == REFERRING:
        url = read_referral(answer)
        assert read_referral(await asker.call(DEPOSIT, put(account))) == url
        await town.decide(url)
        told = read_told(await asker.call(DEPOSIT, put(account)))
    else:
        waiting = read_told(answer)
        await town.decide(waiting["url"])
        told = read_told(await asker.call("ai.readProposal", {"proposalId": waiting["proposalId"]}))
    assert (told["state"], told["result"]) == ("applied", {"balance": 105})
    assert await count_effects(town.desk.server.database, account) == 1
    used = town.proxy.answered - before
    assert all(used[port] >= 3 for port in town.fleet.ports)


async def test_the_official_client_gets_its_outcome_from_either(town: Town, account: UUID) -> None:
    async def decide(_ctx: Any, params: Any) -> types.ElicitResult:
        await town.decide(params.url)
        return types.ElicitResult(action="accept")

    before = town.proxy.answered.copy()
    async with open_restless(town, MODERN, elicitation_callback=decide) as program:
        assert program.protocol_version == MODERN
        for amount in (1, 2, 3):
            result = await program.call_tool(DEPOSIT, put(account, amount))
            assert result.structured_content["state"] == "applied"
    assert await find_balance(town.desk.server.database, account) == 106
    assert all((town.proxy.answered - before)[port] >= 3 for port in town.fleet.ports)


async def test_the_official_older_client_is_known_to_either(town: Town, account: UUID) -> None:
    async def accept(_ctx: Any, _params: Any) -> types.ElicitResult:
        return types.ElicitResult(action="accept")

    async with open_restless(town, REFERRING, elicitation_callback=accept) as program:
        urls: set[str] = set()
        for _ in range(3):
            with pytest.raises(MCPError) as refused:
                await program.call_tool(DEPOSIT, put(account))
            urls.add(read_referral({"error": refused.value.error.model_dump(by_alias=True)}))
        [url] = urls
        await town.decide(url)
        result = await program.call_tool(DEPOSIT, put(account))
    assert result.structured_content["result"] == {"balance": 105}


async def test_of_many_with_one_state_at_both_one_is_answered(town: Town, account: UUID) -> None:
    asker = await town.ask(MODERN)
    url, state = read_question(await asker.call(DEPOSIT, put(account)))
    await town.decide(url)
    before = town.proxy.answered.copy()
    answers = await asyncio.gather(
        *(asker.again(DEPOSIT, put(account), state) for _ in range(MANY_AT_ONCE))
    )
    assert [read_told(one)["state"] for one in answers if "result" in one] == ["applied"]
    used = [read_used(one) for one in answers if "error" in one]
    assert used == [find_id(url)] * (MANY_AT_ONCE - 1)
    assert all((town.proxy.answered - before)[port] >= 16 for port in town.fleet.ports)
    assert await count_effects(town.desk.server.database, account) == 1


async def test_one_call_at_both_proposes_once(town: Town, account: UUID) -> None:
    asker = await town.ask(REFERRING)
    answers = await asyncio.gather(*(asker.call(DEPOSIT, put(account)) for _ in range(32)))
    [url] = {read_referral(one) for one in answers}
    made = await fetch_value(
        town.desk.server,
        "SELECT count(*) FROM proposals WHERE basis::text LIKE $1",
        f"%{account}%",
    )
    assert made == 1
    await town.decide(url)
    assert read_told(await asker.call(DEPOSIT, put(account)))["state"] == "applied"


@pytest.mark.parametrize("revision", [MODERN, REFERRING, OLDEST])
async def test_what_a_killed_process_began_another_one_ends(
    town: Town, account: UUID, revision: str
) -> None:
    """All of them go, so that whoever answers has never seen the call."""
    asker = await town.ask(revision)
    answer = await asker.call(DEPOSIT, put(account))
    await asyncio.to_thread(town.fleet.end, signal.SIGKILL)
    for port in town.fleet.ports:
        town.fleet.start(port)
    await asyncio.to_thread(town.fleet.wait_ready)
    if revision == MODERN:
        url, state = read_question(answer)
        await town.decide(url)
        told = read_told(await asker.again(DEPOSIT, put(account), state))
    elif revision == REFERRING:
        await town.decide(read_referral(answer))
        told = read_told(await asker.call(DEPOSIT, put(account)))
    else:
        waiting = read_told(answer)
        await town.decide(waiting["url"])
        told = read_told(await asker.call("ai.readProposal", {"proposalId": waiting["proposalId"]}))
    assert told["state"] == "applied"
    assert await count_effects(town.desk.server.database, account) == 1
