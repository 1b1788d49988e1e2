"""Calls that their client no longer wants: given up in any process, recorded, nothing left."""

import asyncio
from collections.abc import AsyncGenerator
from dataclasses import dataclass
from typing import Any

import httpx2
import pytest
import pytest_asyncio

from assent.context import declared as context
from assent.plugins import administration
from assent.plugins.load import load_plugins
from assent.testing import Databases, RunningServer, run_server
from assent.work.hearing import Hearing
from tests.mcp.programs import REVISIONS, make_key, open_program
from tests.mcp.wire import MODERN, Wire
from tests.mcp.workshop import RULE, Patience, plugin
from tests.patience import wait_until
from tests.turn.people import fetch, fetch_value

OLDER = REVISIONS[1:]
CANCELLED = -32800
SLEEPING = """
SELECT count(*) FROM pg_stat_activity
WHERE datname = current_database() AND state = 'active' AND query LIKE 'SELECT pg_sleep%'
"""
HELD_UP = """
SELECT count(*) FROM pg_stat_activity
WHERE datname = current_database() AND wait_event_type = 'Lock' AND query LIKE '%audit_entries%'
"""
ENTRIES = "SELECT edge, effect, status FROM audit_entries WHERE action = $1 AND principal_id = $2"
WHO = "SELECT id FROM applications ORDER BY created_at DESC LIMIT 1"


@dataclass(frozen=True, slots=True)
class Yard:
    """Two servers on one database, as two processes are."""

    one: RunningServer
    other: RunningServer
    key: str
    robot: Any

    async def open(self, server: RunningServer) -> Wire:
        return Wire(await server.open_client(key=self.key))

    async def list_entries(self, tool: str) -> list[tuple[str, str, str]]:
        rows = await fetch(self.one, ENTRIES, tool, self.robot)
        return [(row["edge"], row["effect"], row["status"]) for row in rows]

    async def is_clean(self) -> bool:
        """Nobody is at work, no statement runs, and nothing waits to be given up."""
        attended = [find_hearing(server).size for server in (self.one, self.other)]
        asleep = await fetch_value(self.one, SLEEPING)
        return (Patience.at_work, asleep, attended) == (0, 0, [0, 0])


@pytest_asyncio.fixture(scope="module")
async def servers(databases: Databases) -> AsyncGenerator[tuple[RunningServer, RunningServer]]:
    loaded = load_plugins([administration.plugin, context.plugin], [plugin], {})
    given: dict[str, Any] = {
        "background_work": False,
        "tool_calls": 10_000,
        "master_key": "01" * 32,
        "loaded": loaded,
    }
    async with (
        databases.copy() as url,
        run_server(url, **given) as one,
        run_server(url, public_url=one.url, **given) as other,
    ):
        for server in (one, other):
            await wait_until(lambda server=server: become(find_hearing(server).is_hearing))
        yield one, other


@pytest_asyncio.fixture
async def yard(servers: tuple[RunningServer, RunningServer]) -> AsyncGenerator[Yard]:
    one, other = servers
    key = await make_key(await one.open_admin(), RULE)
    opened = Yard(one, other, key, await fetch_value(one, WHO))
    yield opened
    await wait_until(opened.is_clean)


def find_hearing(server: RunningServer) -> Hearing:
    return server.app.state.parts.means.hearing


async def become(value: bool) -> bool:
    return value


async def begin(wire: Wire, version: str = OLDER[0]) -> str:
    return (await wire.introduce(version)).headers["mcp-session-id"]


async def call(wire: Wire, session: str, number: int | str, tool: str) -> httpx2.Response:
    message: dict[str, Any] = {
        "jsonrpc": "2.0",
        "id": number,
        "method": "tools/call",
        "params": {"name": tool, "arguments": {}},
    }
    return await wire.post(message, **{"mcp-session-id": session})


async def cancel(wire: Wire, session: str | None, number: Any, **more: str) -> None:
    told = {"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": number}}
    headers = {"mcp-session-id": session} if session else {}
    assert (await wire.post(told, **headers, **more)).status_code == 202


@pytest.mark.parametrize("version", OLDER)
@pytest.mark.parametrize("elsewhere", [False, True])
async def test_a_cancelled_call_is_given_up(yard: Yard, version: str, elsewhere: bool) -> None:
    wire = await yard.open(yard.one)
    teller = await yard.open(yard.other) if elsewhere else wire
    session, before = await begin(wire, version), Patience.given_up
    calling = asyncio.create_task(call(wire, session, 41, "workshop.wait"))
    await wait_until(lambda: become(Patience.at_work == 1))
    await cancel(teller, session, 41)
    answer = (await calling).json()
    assert (answer["id"], answer["error"]["code"]) == (41, CANCELLED)
    assert Patience.given_up == before + 1
    assert await yard.list_entries("workshop.wait") == [("mcp", "read", "failed")]


@pytest.mark.parametrize("elsewhere", [False, True])
async def test_what_the_database_does_for_it_is_stopped(yard: Yard, elsewhere: bool) -> None:
    wire = await yard.open(yard.one)
    teller = await yard.open(yard.other) if elsewhere else wire
    session = await begin(wire)
    calls = [
        asyncio.create_task(call(wire, session, number, "workshop.sleep")) for number in range(4)
    ]
    await wait_until(lambda: is_asleep(yard, 4))
    for number in range(4):
        await cancel(teller, session, number)
    answers = await asyncio.gather(*calls)
    assert [one.json()["error"]["code"] for one in answers] == [CANCELLED] * 4
    assert await fetch_value(yard.one, SLEEPING) == 0
    assert await yard.list_entries("workshop.sleep") == [("mcp", "read", "failed")] * 4


async def test_only_what_is_meant_is_given_up(yard: Yard) -> None:
    """Another number, another kind of number, another session, no session, another program."""
    wire = await yard.open(yard.one)
    session, other = await begin(wire), await begin(wire)
    stranger = Wire(
        await yard.one.open_client(key=await make_key(await yard.one.open_admin(), RULE))
    )
    calling = asyncio.create_task(call(wire, session, 7, "workshop.wait"))
    await wait_until(lambda: become(Patience.at_work == 1))
    for number in (8, "7", None, True, {"a": 1}):
        await cancel(wire, session, number)
    await cancel(wire, other, 7)
    await cancel(wire, None, 7)
    await cancel(wire, None, 7, **{"mcp-protocol-version": MODERN})
    await cancel(stranger, await begin(stranger), 7)
    told = {"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 7}}
    assert (await stranger.post(told, **{"mcp-session-id": session})).status_code == 404
    await asyncio.sleep(0.3)
    assert (calling.done(), Patience.at_work) == (False, 1)
    await cancel(wire, session, 7)
    assert (await calling).json()["error"]["code"] == CANCELLED


async def test_what_is_over_is_not_cancelled(yard: Yard) -> None:
    wire = await yard.open(yard.one)
    session = await begin(wire)
    for number in range(20):
        answer, _ = await asyncio.gather(
            call(wire, session, number, "workshop.count"), cancel(wire, session, number)
        )
        told = answer.json()
        assert told["id"] == number
        assert "result" in told or told["error"]["code"] == CANCELLED
        await cancel(wire, session, number)
    assert (await call(wire, session, 0, "workshop.count")).json()["result"]["isError"] is False


@pytest.mark.parametrize("blocked", [0.5, 0.0])
async def test_what_was_read_is_recorded_whoever_goes(yard: Yard, blocked: float) -> None:
    """The log is held up, so that the client gives up while the call is being recorded."""
    wire = await yard.open(yard.one)
    session = await begin(wire)
    async with yard.other.database.transaction() as db:
        await db.execute("LOCK TABLE audit_entries IN SHARE MODE")
        calls = [
            asyncio.create_task(call(wire, session, number, "workshop.count"))
            for number in range(4)
        ]
        await wait_until(lambda: is_held_up(yard, 4))
        for number in range(4):
            await cancel(wire, session, number)
        await asyncio.sleep(blocked)
    answers = await asyncio.gather(*calls)
    assert [one.json()["error"]["code"] for one in answers] == [CANCELLED] * 4
    assert await yard.list_entries("workshop.count") == [("mcp", "read", "executed")] * 4


@pytest.mark.parametrize("revision", REVISIONS)
async def test_the_official_client_gives_up(yard: Yard, revision: str) -> None:
    """By closing the response in the newest revision, with a notification in those before it."""
    before = Patience.given_up
    async with open_program(yard.one.url, yard.key, revision) as program:
        calling = asyncio.create_task(program.call_tool("workshop.wait", {}))
        await wait_until(lambda: become(Patience.at_work == 1))
        calling.cancel()
        await asyncio.gather(calling, return_exceptions=True)
        await wait_until(lambda: become(Patience.given_up == before + 1))
        result = await program.call_tool("workshop.count", {"steps": 2})
    assert result.structured_content == {"counted": 2}
    await wait_until(lambda: is_recorded(yard, "workshop.wait", ("mcp", "read", "failed")))


async def test_whoever_closes_the_connection_leaves_nothing(yard: Yard) -> None:
    """Eight at once, with a statement each: all of them are stopped and recorded."""
    client = await yard.one.open_client(key=yard.key)
    calls = [asyncio.create_task(Wire(client).call("workshop.sleep")) for _ in range(8)]
    await wait_until(lambda: is_asleep(yard, 8))
    for one in calls:
        one.cancel()
    await asyncio.gather(*calls, return_exceptions=True)
    await wait_until(lambda: is_asleep(yard, 0))
    entries = [("mcp", "read", "failed")] * 8
    await wait_until(lambda: is_recorded(yard, "workshop.sleep", *entries))
    answer = await Wire(client).call("workshop.count", steps=1)
    assert answer.json()["result"]["structuredContent"] == {"counted": 1}


async def is_held_up(yard: Yard, number: int) -> bool:
    return await fetch_value(yard.one, HELD_UP) == number


async def is_asleep(yard: Yard, number: int) -> bool:
    return await fetch_value(yard.one, SLEEPING) == number


async def is_recorded(yard: Yard, tool: str, *entries: tuple[str, str, str]) -> bool:
    return await yard.list_entries(tool) == list(entries)
