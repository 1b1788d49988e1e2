"""One server for the tests of a file that do not disturb each other."""

from collections.abc import AsyncGenerator

import pytest
import pytest_asyncio
from argon2 import PasswordHasher

from assent.identity import passwords
from assent.testing import Databases, RunningServer, run_server
from tests.turn.people import Tenant, find_tenant


@pytest.fixture(autouse=True)
def quick_passwords(monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest) -> None:
    """Argon2id with the smallest parameters, unless a test is about them."""
    if "strong_passwords" not in request.fixturenames:
        quick = PasswordHasher(time_cost=1, memory_cost=8, parallelism=1)
        monkeypatch.setattr(passwords, "_hasher", quick)


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
