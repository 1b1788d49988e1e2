"""Shared by all tests: one fast Postgres for the run, a fresh database or server for each test."""

import gc
from collections.abc import AsyncGenerator, Generator
from pathlib import Path
from typing import Any
from uuid import UUID

import pytest
import pytest_asyncio
from hypothesis import HealthCheck, settings
from xdist.scheduler import LoadFileScheduling

from assent.db.database import Database
from assent.main import load_all_plugins
from assent.plugins.load import Loaded
from assent.settings import Settings
from assent.testing import Client, Databases, RunningServer, run_server
from tests.bank.desk import Desk, open_desk
from tests.turn.approving import clear
from tests.turn.oauth import Lathe, Site, open_lathe, open_site
from tests.turn.people import Tenant, find_tenant

# How long an example takes says something about the machine, and nothing about the code.
settings.register_profile("patient", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("patient")

ORDER = ("unit", "contract", "fault", "browser")
"""What takes a moment fails first; then the longest, so that no worker is left with it in the end.
Everything else follows."""


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    items.sort(key=find_place)


def pytest_collection_finish() -> None:
    """What was collected stays until the end: nothing of it is garbage, so nobody has to look."""
    gc.collect()
    gc.freeze()


class SpreadScheduling(LoadFileScheduling):
    """Files stay together, for what they share is made once; pages share nothing but a browser."""

    def _split_scope(self, nodeid: str) -> str:
        return nodeid if nodeid.startswith("tests/browser/") else super()._split_scope(nodeid)


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> SpreadScheduling | None:
    return SpreadScheduling(config, log) if config.getvalue("dist") == "loadfile" else None


def find_place(item: pytest.Item) -> int:
    folder = item.path.relative_to(Path(__file__).parent).parts[0]
    return ORDER.index(folder) if folder in ORDER else len(ORDER)


@pytest.fixture(scope="session")
def loaded() -> Loaded:
    return load_all_plugins(Settings())


@pytest.fixture(scope="session")
def postgres() -> Generator[Databases]:
    databases = Databases()
    databases.start()
    yield databases
    databases.stop()


@pytest_asyncio.fixture(scope="session")
async def databases(postgres: Databases, loaded: Loaded) -> Databases:
    await postgres.make_template(loaded)
    return postgres


@pytest_asyncio.fixture
async def database(databases: Databases) -> AsyncGenerator[Database]:
    async with databases.open_copy() as opened:
        yield opened


@pytest_asyncio.fixture
async def server(databases: Databases) -> AsyncGenerator[RunningServer]:
    async with databases.copy() as url, run_server(url, background_work=False) as running:
        yield running


@pytest_asyncio.fixture
async def admin(server: RunningServer) -> Client:
    return await server.open_admin()


@pytest_asyncio.fixture(scope="module")
async def opened_desk(databases: Databases) -> AsyncGenerator[Desk]:
    async with open_desk(databases) as opened:
        yield opened


@pytest_asyncio.fixture
async def desk(opened_desk: Desk) -> AsyncGenerator[Desk]:
    """Where changes to accounts wait; what a test asks of approvals is gone after it."""
    yield opened_desk
    await clear(opened_desk)


@pytest_asyncio.fixture
async def account(desk: Desk) -> UUID:
    return await desk.open_account(balance=100)


@pytest_asyncio.fixture(scope="module")
async def documents() -> AsyncGenerator[Site]:
    """Where programs say who they are."""
    async with open_site() as opened:
        yield opened


@pytest_asyncio.fixture(scope="module")
async def workshop(databases: Databases, documents: Site) -> AsyncGenerator[RunningServer]:
    """A server that reads those documents."""
    given: dict[str, Any] = {"inside_hosts": [documents.opening], "oauth_attempts": 1000}
    async with (
        databases.copy() as url,
        run_server(url, background_work=False, **given) as running,
    ):
        yield running


@pytest_asyncio.fixture(scope="module")
async def guild(workshop: RunningServer) -> Tenant:
    return await find_tenant(workshop)


@pytest_asyncio.fixture
async def lathe(workshop: RunningServer, documents: Site) -> AsyncGenerator[Lathe]:
    """A program that nobody has connected yet."""
    async with open_lathe(workshop, documents.publish()) as opened:
        yield opened
