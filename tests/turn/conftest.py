"""One server for the tests of a file that do not disturb each other."""

from collections.abc import AsyncGenerator

import pytest
import pytest_asyncio

from assent.identity import passwords
from assent.testing import Databases, RunningServer, run_server
from tests.turn.hashing import QUICK, CountingHasher
from tests.turn.people import Pair, Tenant, find_tenant


@pytest.fixture(autouse=True)
def quick_passwords(monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest) -> None:
    """Cheap hashes, unless a test is about their cost; also of the password that nobody has."""
    if "strong_passwords" not in request.fixturenames:
        monkeypatch.setattr(passwords, "_hasher", QUICK)
    passwords._dummy_hash.cache_clear()  # pyright: ignore[reportPrivateUsage]


@pytest.fixture
def hasher(quick_passwords: None, monkeypatch: pytest.MonkeyPatch) -> CountingHasher:
    counting = CountingHasher()
    monkeypatch.setattr(passwords, "_hasher", counting)
    return counting


@pytest.fixture
def strong_passwords() -> None:
    """Leaves the parameters of passwords as they are."""


@pytest_asyncio.fixture(scope="module")
async def shared(databases: Databases) -> AsyncGenerator[RunningServer]:
    async with databases.copy() as url, run_server(url, background_work=False) as running:
        yield running


@pytest_asyncio.fixture(scope="module")
async def tenant(shared: RunningServer) -> Tenant:
    return await find_tenant(shared)


@pytest_asyncio.fixture(scope="module")
async def pair(databases: Databases) -> AsyncGenerator[Pair]:
    settings = {"background_work": False, "master_key": "11" * 32}
    async with (
        databases.copy() as url,
        run_server(url, **settings) as one,
        run_server(url, **settings) as other,
    ):
        yield Pair(one, other)
