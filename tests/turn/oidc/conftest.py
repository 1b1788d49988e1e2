"""A provider and a server that trusts it, one pair for each file."""

from collections.abc import AsyncGenerator

import pytest
import pytest_asyncio

from assent.testing import Client, Databases, RunningServer, run_server
from assent.testing.oidc_provider import Faults, LocalProvider, run_oidc_provider
from tests.turn.people import Tenant, find_tenant
from tests.turn.sign_on import forget_metadata, settings


@pytest_asyncio.fixture(scope="module")
async def provider() -> AsyncGenerator[LocalProvider]:
    async with run_oidc_provider() as running:
        yield running


@pytest_asyncio.fixture(scope="module")
async def server(databases: Databases, provider: LocalProvider) -> AsyncGenerator[RunningServer]:
    async with databases.copy() as url, run_server(url, **settings(provider)) as running:
        yield running


@pytest_asyncio.fixture(scope="module")
async def tenant(server: RunningServer) -> Tenant:
    return await find_tenant(server)


@pytest.fixture(autouse=True)
def everything_right(provider: LocalProvider, server: RunningServer) -> None:
    provider.faults = Faults()
    provider.person = {}
    forget_metadata(server)


@pytest.fixture
async def client(server: RunningServer) -> Client:
    return await server.open_client()
