"""A plugin inside a running server: its procedures, events, schedule, settings, secrets, pages."""

from collections import Counter
from collections.abc import AsyncGenerator
from typing import Any
from uuid import UUID

import pytest_asyncio

from assent.bundled.catalog import plugin as catalog
from assent.plugins import administration
from assent.plugins.load import Loaded, load_plugins
from assent.testing import Databases, RunningServer, run_server
from tests.patience import wait_until
from tests.turn.ledger import MANAGE, READ, SECRET
from tests.turn.ledger import plugin as ledger
from tests.turn.people import (
    Tenant,
    add_person,
    add_tenant,
    expect,
    fetch,
    fetch_value,
    find_tenant,
    number,
)
from tests.turn.shop import BASE

LEDGER = "/api/p/ledger"
LIST_NOTES = "SELECT tenant_id, text FROM ledger.notes WHERE source = $1 ORDER BY id"
COUNT_SNEAKY = "SELECT count(*) FROM ledger.notes WHERE text = 'should never be there'"


def load(**settings: Any) -> Loaded:
    return load_plugins([administration.plugin], [ledger, catalog], {"ledger": settings})


@pytest_asyncio.fixture(scope="module")
async def server(databases: Databases) -> AsyncGenerator[RunningServer]:
    loaded = load(greeting="good day", fails=1)
    assert [plugin.name for plugin in loaded.plugins] == ["identity", "catalog", "ledger"]
    async with (
        databases.copy() as url,
        run_server(url, loaded=loaded, demo=True, background_work=True) as running,
    ):
        yield running


@pytest_asyncio.fixture(scope="module")
async def tenant(server: RunningServer) -> Tenant:
    return await find_tenant(server)


async def test_demo_data_is_there(server: RunningServer, tenant: Tenant) -> None:
    notes = expect(await tenant.admin.client.get(f"{LEDGER}/notes"), 200)["items"]
    assert notes[0]["text"] == f"demo in {tenant.workspace_id}"
    systems = expect(await tenant.admin.client.get(f"{BASE}/systems"), 200)["items"]
    assert {"checkout", "postgres"} <= {system["name"] for system in systems}


async def test_reading_cannot_write(server: RunningServer, tenant: Tenant) -> None:
    before = await fetch_value(server, "SELECT count(*) FROM outbox")
    for path in ("sneaky", "insistent", "indirect"):
        expect(await tenant.admin.client.get(f"{LEDGER}/{path}"), 500)
    assert await fetch_value(server, COUNT_SNEAKY) == 0
    assert await fetch_value(server, "SELECT count(*) FROM outbox") == before
    expect(await tenant.admin.client.get(f"{LEDGER}/notes"), 200)


async def test_surroundings_of_a_procedure(tenant: Tenant) -> None:
    """Settings from the file, and a connection with which nobody can commit."""
    told = expect(await tenant.admin.client.get(f"{LEDGER}/surroundings"), 200)["text"]
    assert told == "good day execute fetch fetchrow fetchval savepoint"


async def test_what_breaks_tells_nothing(tenant: Tenant) -> None:
    answer = await tenant.admin.client.get(f"{LEDGER}/broken")
    problem = expect(answer, 500)
    assert problem["code"] == "internal"
    assert problem["requestId"] == answer.headers["x-request-id"]
    for hidden in (SECRET, "RuntimeError", "ledger", "Traceback"):
        assert hidden not in answer.text


async def test_a_nested_call_checks_the_rules_again(server: RunningServer, tenant: Tenant) -> None:
    person = await add_person(server, tenant.id, rules=[MANAGE])
    draft = {"workspaceId": str(tenant.workspace_id), "name": f"n-{number()}", "text": "alone"}
    problem = expect(await person.client.post(f"{LEDGER}/nested", json=draft), 403)
    assert problem["rule"] == "catalog.system.manage"
    alone = "SELECT count(*) FROM ledger.notes WHERE text = $1"
    assert await fetch_value(server, alone, "alone") == 0

    forgiven = {**draft, "forgive": True, "text": "forgiven"}
    assert expect(await person.client.post(f"{LEDGER}/nested", json=forgiven), 201) == {
        "text": "missing_rule"
    }
    assert await fetch_value(server, alone, "forgiven") == 1
    both = await add_person(server, tenant.id, rules=[MANAGE, "catalog.system.manage"])
    assert expect(await both.client.post(f"{LEDGER}/nested", json=draft), 201)["text"] == "created"
    taken = {**draft, "forgive": True, "text": "savepoint"}
    assert expect(await both.client.post(f"{LEDGER}/nested", json=taken), 201)["text"] == "conflict"
    assert await fetch_value(server, alone, "savepoint") == 1


async def test_what_happened_is_in_the_audit_log(server: RunningServer, tenant: Tenant) -> None:
    person = await add_person(server, tenant.id, rules=[READ])
    text = f"a private note {number()}"
    expect(await person.client.post(f"{LEDGER}/notes", json={"text": text}), 403)
    expect(await tenant.admin.client.post(f"{LEDGER}/notes", json={"text": text}), 201)
    expect(await person.client.get(f"{LEDGER}/notes"), 200)
    rows = await fetch(
        server,
        """
        SELECT action, edge, effect, status, principal_kind, arguments_hash, audit_entries::text
        FROM audit_entries WHERE principal_id = ANY ($1) AND action LIKE 'ledger.%'
        ORDER BY id DESC LIMIT 2
        """,
        [person.id, tenant.admin.id],
    )
    assert [(row["action"], row["edge"], row["effect"], row["status"]) for row in rows] == [
        ("ledger.addNote", "form", "mutate", "executed"),
        ("ledger.addNote", "form", "mutate", "refused"),
    ]
    assert rows[0]["arguments_hash"] == rows[1]["arguments_hash"]
    assert all(text not in row["audit_entries"] for row in rows)


async def test_a_handler_runs_once_for_each_event(server: RunningServer, tenant: Tenant) -> None:
    made = [
        expect(
            await tenant.admin.client.post(
                f"{BASE}/systems",
                json={"workspaceId": str(tenant.workspace_id), "name": f"e-{number()}"},
            ),
            201,
        )["id"]
        for _ in range(10)
    ]

    async def all_noted() -> bool:
        noted = {row["text"] for row in await fetch(server, LIST_NOTES, "event")}
        return noted.issuperset(made)

    await wait_until(all_noted)
    await wait_until(lambda: idle(server, "event:ledger:note_system"))
    counts = Counter(row["text"] for row in await fetch(server, LIST_NOTES, "event"))
    assert {counts[one] for one in made} == {1}
    assert {row["tenant_id"] for row in await fetch(server, LIST_NOTES, "event")} == {tenant.id}


async def idle(server: RunningServer, kind: str) -> bool:
    query = "SELECT count(*) = 0 FROM work WHERE kind = $1 AND state IN ('queued', 'running')"
    return await fetch_value(server, query, kind)


async def test_a_failing_handler_is_tried_again_without_its_first_effect(
    server: RunningServer, tenant: Tenant
) -> None:
    await fetch_value_written(server, "SELECT setval('ledger.tries', 1, false)")
    made = expect(await tenant.admin.client.post(f"{LEDGER}/notes", json={"text": "x"}), 201)
    query = """
    SELECT attempt, state, error FROM work
    WHERE kind = 'event:ledger:fail_at_first' AND payload->'payload'->>'noteId' = $1
      AND state = 'done'
    """
    [work] = await wait_until(lambda: fetch(server, query, made["id"]))
    assert work["attempt"] == 2
    noted = [row["text"] for row in await fetch(server, LIST_NOTES, "fragile")]
    assert noted.count(made["id"]) == 1


async def fetch_value_written(server: RunningServer, query: str) -> Any:
    async with server.database.transaction() as db:
        return await db.fetchval(query)


async def test_background_work_has_the_plugins_rules_only(
    server: RunningServer, tenant: Tenant
) -> None:
    draft = {"workspaceId": str(tenant.workspace_id), "name": f"g-{number()}"}
    expect(await tenant.admin.client.post(f"{BASE}/groups", json=draft), 201)
    notes = await wait_until(lambda: fetch(server, LIST_NOTES, "overreach"))
    assert {note["text"] for note in notes} == {"service missing_rule"}


async def test_a_schedule_runs_for_each_tenant_once(server: RunningServer, tenant: Tenant) -> None:
    other = await add_tenant(server)

    async def both_ticked() -> bool:
        ticks = await fetch(server, LIST_NOTES, "tick")
        return Counter(row["tenant_id"] for row in ticks)[other.id] >= 2

    await wait_until(both_ticked)
    ticks = await fetch(server, LIST_NOTES, "tick")
    by_slot = Counter((row["tenant_id"], row["text"]) for row in ticks)
    assert set(by_slot.values()) == {1}
    assert {tenant_id for tenant_id, _ in by_slot} == {tenant.id, other.id}
    assert all(text.startswith("schedule:ledger:tick@") for _, text in by_slot)


async def test_secrets_of_a_plugin_are_sealed_and_stay_with_the_tenant(
    server: RunningServer, tenant: Tenant
) -> None:
    made = expect(await tenant.admin.client.post(f"{LEDGER}/secrets", json={"text": SECRET}), 201)
    secret_id = made["text"]
    [row] = await fetch(server, "SELECT * FROM secrets WHERE id = $1", UUID(secret_id))
    assert SECRET.encode() not in row["ciphertext"]
    assert row["tenant_id"] == tenant.id
    url = f"{LEDGER}/secrets/{secret_id}"
    assert expect(await tenant.admin.client.get(url), 200)["text"] == SECRET
    other = await add_tenant(server)
    expect(await other.admin.client.get(url), 404)


async def test_a_page_of_a_plugin(server: RunningServer, tenant: Tenant) -> None:
    pages = expect(await tenant.admin.client.get("/api/pages"), 200)["items"]
    [page] = [page for page in pages if page["plugin"] == "ledger"]
    module = await tenant.admin.client.get(page["module"])
    assert module.status_code == 200
    assert "javascript" in module.headers["content-type"]
    assert module.headers["x-content-type-options"] == "nosniff"
    expect(await (await server.open_client()).get(page["module"]), 401)
    stranger = await add_person(server, tenant.id)
    seen = expect(await stranger.client.get("/api/pages"), 200)["items"]
    assert seen == []
    for path in (
        "../__init__.py",
        "..%2f__init__.py",
        "%2e%2e/__init__.py",
        "ledger.js/..",
        "",
        "/etc/passwd",
        "%2fetc%2fpasswd",
        "x" * 5000,
        "%00",
    ):
        answer = await tenant.admin.client.get(f"{LEDGER}/pages/{path}")
        assert answer.status_code == 404, path
