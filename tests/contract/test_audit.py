"""Every change through HTTP, refused ones too, leaves one audit entry and no arguments."""

from collections.abc import AsyncGenerator, Sequence

import pytest_asyncio

from assent.db.database import Database, Row
from assent.plugins.load import Loaded
from assent.testing import Client, Databases, RunningServer, run_server
from tests.contract.routes import find_code
from tests.contract.story import MARK, STORY, Teller, add_stranger, digest, make_star_key

LIST_ENTRIES = """
SELECT edge, action, effect, status, principal_kind, principal_id::text, arguments_hash
FROM audit_entries ORDER BY id OFFSET $1
"""
LIST_TEXTS = "SELECT audit_entries::text AS entry FROM audit_entries"


@pytest_asyncio.fixture
async def server(databases: Databases) -> AsyncGenerator[RunningServer]:
    """One that runs scripts: trying one out is part of the story."""
    async with (
        databases.copy() as url,
        run_server(url, background_work=False, sandbox="strict") as running,
    ):
        yield running


class Log:
    """Reads what the audit log has got since the last time."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._seen = 0

    async def read(self) -> Sequence[Row]:
        async with self._database.transaction(read_only=True) as db:
            rows = await db.fetch(LIST_ENTRIES, self._seen)
        self._seen += len(rows)
        return rows


def list_changing(loaded: Loaded) -> dict[str, str]:
    """The action of every procedure that changes something, with its effect."""
    return {
        procedure.action: procedure.access.effect
        for plugin in loaded.plugins
        for procedure in plugin.procedures
        if procedure.access.effect != "read"
    }


def test_the_story_tells_everything(loaded: Loaded) -> None:
    assert {step.action for step in STORY} == set(list_changing(loaded))


async def test_every_change_leaves_one_entry(
    server: RunningServer, admin: Client, loaded: Loaded
) -> None:
    log, teller, effects = Log(server.database), Teller(), list_changing(loaded)
    admin_id = (await admin.get("/api/me")).json()["id"]
    await log.read()
    hashes: list[tuple[str, bytes]] = []
    for step in STORY:
        await teller.plant(step, server.database)
        response = await teller.send(step, admin)
        assert response.is_success, (step, response.text)
        (entry,) = await log.read()
        hashes.append((step.action, entry["arguments_hash"]))
        assert {key: value for key, value in entry.items() if key != "arguments_hash"} == {
            "edge": "form",
            "action": step.action,
            "effect": effects[step.action],
            "status": "executed",
            "principal_kind": "user",
            "principal_id": admin_id,
        }
    assert len(set(hashes)) == len(STORY)
    await check_no_arguments(server.database)


async def test_what_is_refused_leaves_an_entry_and_nothing_else(
    server: RunningServer, admin: Client
) -> None:
    log, teller = Log(server.database), Teller()
    key = await server.open_client(key=await make_star_key(admin))
    stranger = await add_stranger(admin, await server.open_client())
    for step in STORY:
        await teller.plant(step, server.database)
        await log.read()
        before = await digest(server.database)
        codes = [find_code(await teller.send(step, client)) for client in (key, stranger)]
        assert codes == ["needs_proposal", "missing_rule"], step
        entries = await log.read()
        assert [(one["action"], one["status"], one["principal_kind"]) for one in entries] == [
            (step.action, "refused", "application"),
            (step.action, "refused", "user"),
        ]
        assert await digest(server.database) == before, step
        assert (await teller.send(step, admin)).is_success
    await check_no_arguments(server.database)


async def test_reading_leaves_no_entry(server: RunningServer, admin: Client) -> None:
    log = Log(server.database)
    await log.read()
    for path in ("/api/users", "/api/roles", "/api/p/catalog/systems"):
        assert (await admin.get(path)).status_code == 200
    assert await log.read() == []


async def check_no_arguments(database: Database) -> None:
    async with database.transaction(read_only=True) as db:
        texts = [row["entry"] for row in await db.fetch(LIST_TEXTS)]
    assert len(texts) >= len(STORY)
    assert [text for text in texts if MARK in text] == []
