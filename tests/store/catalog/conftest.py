"""A catalog for each test, or one for the tests of a file that leave it as it is."""

from collections.abc import AsyncGenerator

import pytest_asyncio

from assent.db.database import Database
from assent.plugins.load import Loaded
from assent.testing import Databases
from tests.store.catalog.stage import Stage, open_stage


@pytest_asyncio.fixture
async def stage(database: Database, loaded: Loaded) -> Stage:
    return await open_stage(database, loaded)


@pytest_asyncio.fixture(scope="module")
async def still(databases: Databases, loaded: Loaded) -> AsyncGenerator[Stage]:
    """Nothing in it changes; people come along."""
    async with databases.open_copy() as database:
        yield await open_stage(database, loaded)
