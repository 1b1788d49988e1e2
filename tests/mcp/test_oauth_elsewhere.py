"""One code, one refresh token, and 64 who come with it at once to two real server processes."""

import asyncio
from collections.abc import AsyncGenerator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import httpx2
import pytest
import pytest_asyncio

from assent.testing import Client, Databases, RunningServer, run_server
from tests.bank.desk import load_bank
from tests.fault.door_bench import move_client
from tests.fault.fleet import Fleet, run_fleet
from tests.fault.ports import find_free_port
from tests.fault.run_process import SETTINGS
from tests.mcp.round_robin import RoundRobin, run_round_robin
from tests.turn.oauth import CONNECT, READ, Lathe, Site, open_site
from tests.turn.people import add_person, execute, expect, fetch_value, find_tenant

AT_ONCE = 64
COUNT_REFUSED = "SELECT count(*) FROM audit_entries WHERE action = $1"
COUNT_TOKENS = "SELECT count(*) FROM oauth_tokens"


@dataclass(frozen=True, slots=True)
class Port:
    """Two processes behind a proxy that takes turns; the test's own server answers no program."""

    server: RunningServer
    fleet: Fleet
    proxy: RoundRobin
    url: str
    site: Site

    @asynccontextmanager
    async def connecting(self) -> AsyncGenerator[tuple[Lathe, Client]]:
        """A program that has a new connection for every request, and a person who allows it."""
        tenant = await find_tenant(self.server)
        person = await add_person(self.server, tenant.id, rules=[READ, CONNECT])
        known = replace(self.server, url=self.url)
        limits = httpx2.Limits(max_keepalive_connections=0)
        async with (
            httpx2.AsyncClient(base_url=self.url, limits=limits, timeout=60) as http,
            move_client(person.client, self.url) as client,
        ):
            yield Lathe(known, self.site.publish(), http, "127.0.0.1"), client

    async def check_over(self, lathe: Lathe, refused: str, *seen: dict[str, Any]) -> None:
        """Whoever came second was seen once, and nothing that was given out is good any more."""
        for tokens in seen:
            for _ in self.fleet.ports:
                assert not await lathe.is_let_in(tokens)
            again = await lathe.refresh(tokens["refresh_token"])
            assert expect(again, 400)["error"] == "invalid_grant"
        assert await fetch_value(self.server, COUNT_REFUSED, refused) == 1
        assert await fetch_value(self.server, COUNT_TOKENS) == 0


@pytest_asyncio.fixture(scope="module")
async def port(
    databases: Databases, tmp_path_factory: pytest.TempPathFactory
) -> AsyncGenerator[Port]:
    folder: Path = tmp_path_factory.mktemp("port")
    number = find_free_port()
    url = f"http://127.0.0.1:{number}"
    settings: dict[str, Any] = {**SETTINGS, "background_work": False}
    async with (
        open_site() as site,
        databases.copy() as database_url,
        run_server(database_url, loaded=load_bank(), **settings) as server,
    ):
        given = {
            "ASSENT_PUBLIC_URL": url,
            "ASSENT_INSIDE_HOSTS": site.opening,
            "ASSENT_OAUTH_ATTEMPTS": "1000",
        }
        with run_fleet(database_url, folder, 2, **given) as fleet:
            async with run_round_robin(number, fleet.ports) as proxy:
                yield Port(server, fleet, proxy, url, site)


def find_one(responses: Sequence[httpx2.Response]) -> dict[str, Any]:
    """The tokens of the only one who got any; all others hear the same."""
    given = [one.json() for one in responses if one.status_code == 200]
    refused = [(one.status_code, one.json()["error"]) for one in responses if one.is_error]
    assert (len(given), refused) == (1, [(400, "invalid_grant")] * (AT_ONCE - 1))
    return given[0]


async def test_64_at_two_processes_with_one_code(port: Port) -> None:
    async with port.connecting() as (lathe, person):
        code = await lathe.get_code(person, [READ])
        before = port.proxy.answered.copy()
        tokens = find_one(await asyncio.gather(*(lathe.redeem(code) for _ in range(AT_ONCE))))
        assert all((port.proxy.answered - before)[one] >= 16 for one in port.fleet.ports)
        await port.check_over(lathe, "identity.refuseUsedCode", tokens)


async def test_64_at_two_processes_with_one_refresh_token(port: Port) -> None:
    async with port.connecting() as (lathe, person):
        first = await lathe.connect(person, READ)
        assert await lathe.is_let_in(first)
        before = port.proxy.answered.copy()
        token = first["refresh_token"]
        tokens = find_one(await asyncio.gather(*(lathe.refresh(token) for _ in range(AT_ONCE))))
        assert all((port.proxy.answered - before)[one] >= 16 for one in port.fleet.ports)
        await port.check_over(lathe, "identity.refuseUsedRefreshToken", first, tokens)


async def test_a_chain_of_refresh_tokens_goes_through_both(port: Port) -> None:
    """As it is meant: each is used once, in whichever process, and the newest is good."""
    async with port.connecting() as (lathe, person):
        tokens = await lathe.connect(person, READ)
        before = port.proxy.answered.copy()
        for _ in range(8):
            tokens = expect(await lathe.refresh(tokens["refresh_token"]), 200)
            assert await lathe.is_let_in(tokens)
        assert all((port.proxy.answered - before)[one] >= 4 for one in port.fleet.ports)
    await execute(port.server, "DELETE FROM oauth_tokens")
