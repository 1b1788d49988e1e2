"""A server with the demo's data, and programs that come to it with a key."""

from collections.abc import AsyncGenerator

import pytest_asyncio

from assent.testing import Client, Databases, RunningServer, run_server


@pytest_asyncio.fixture(scope="module")
async def shop(databases: Databases) -> AsyncGenerator[RunningServer]:
    async with (
        databases.copy() as url,
        run_server(url, demo=True, background_work=False, tool_calls=10_000) as server,
    ):
        yield server


@pytest_asyncio.fixture
async def admin(shop: RunningServer) -> Client:
    return await shop.open_admin()
