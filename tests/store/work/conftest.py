"""`work_database`: a fresh database with the tables of `work/`."""

import tempfile
from collections.abc import AsyncGenerator, Generator
from itertools import count
from pathlib import Path

import asyncpg
import pytest
from tests.store.work.postgres import Server

import assent.work
from assent.db.database import Database, open_database
from assent.db.migrate import Component, migrate

WORK = Component("work", Path(assent.work.__file__).parent / "migrations")


@pytest.fixture(scope="session")
def work_server() -> Generator[Server]:
    with tempfile.TemporaryDirectory() as folder:
        server = Server(Path(folder), durable=False)
        server.start()
        yield server
        server.stop()


@pytest.fixture(scope="session")
async def work_template(work_server: Server) -> str:
    await _create(work_server, "work_template", "template1")
    database = await open_database(work_server.url("work_template"), pool_size=1)
    await migrate(database, [WORK])
    await database.close()
    return "work_template"


@pytest.fixture(scope="session")
def numbers() -> Generator[int]:
    return (number for number in count())


@pytest.fixture
async def work_database(
    work_server: Server, work_template: str, numbers: Generator[int]
) -> AsyncGenerator[Database]:
    name = f"work_{next(numbers)}"
    await _create(work_server, name, work_template)
    database = await open_database(work_server.url(name), pool_size=8)
    yield database
    await database.close()


async def _create(server: Server, name: str, template: str) -> None:
    connection = await asyncpg.connect(server.url("postgres"))
    await connection.execute(f"CREATE DATABASE {name} TEMPLATE {template} STRATEGY file_copy")
    await connection.close()
