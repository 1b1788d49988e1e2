"""The stage on which runs speak."""

from collections.abc import AsyncGenerator

import pytest_asyncio

from assent.db.database import Database
from tests.store.runs.stage import Stage, open_stage


@pytest_asyncio.fixture
async def stage(database: Database) -> AsyncGenerator[Stage]:
    async with open_stage(database) as opened:
        yield opened
