"""Anomalies: what changes of checks leave behind, whatever the order, and who has seen it."""

import asyncio
import random
from collections.abc import AsyncGenerator
from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import UUID, uuid4

import pytest
import pytest_asyncio

from assent.bundled.anomaly import plugin
from assent.bundled.anomaly.follow import forget_old, note_change, note_end
from assent.ids import new_id
from assent.plugins.api import Event, Tick
from assent.testing import Client, Databases, RunningServer, run_server
from tests.patience import wait_until
from tests.turn.people import (
    Tenant,
    add_person,
    add_tenant,
    add_workspace,
    execute,
    expect,
    fetch,
    find_tenant,
    number,
)
from tests.turn.shop import BASE
from tests.turn.watch import CHECKS, add_check

ANOMALIES = "/api/p/anomaly/anomalies"
READ, MANAGE = "anomaly.anomaly.read", "anomaly.anomaly.manage"
START = datetime(2026, 3, 1, tzinfo=UTC)


def changed(check_id: UUID, minutes: int, status: str, workspace_id: UUID, **fields: Any) -> Event:
    payload = {
        "checkId": str(check_id),
        "workspaceId": str(workspace_id),
        "systemIds": [],
        "name": "web answers",
        "from": "up",
        "to": status,
        "reason": "",
        "at": (START + timedelta(minutes=minutes)).isoformat(),
        **fields,
    }
    return Event(id=str(uuid4()), topic="healthcheck.check.changed", payload=payload)


async def hear(server: RunningServer, tenant: Tenant, event: Event) -> None:
    """As the worker hands an event over: in one transaction, as the plugin's service."""
    procedures = server.app.state.parts.means.procedures
    async with server.database.transaction() as db:
        ctx = await procedures.build_service_context(db, tenant_id=tenant.id, plugin=plugin)
        handler = note_end if event.topic.endswith("deleted") else note_change
        await handler(ctx, event)


async def list_of(client: Client, check_id: UUID, **query: Any) -> list[dict[str, Any]]:
    given = {"checkId": str(check_id), **query}
    return expect(await client.get(ANOMALIES, params=given), 200)["items"]


def shown(anomalies: list[dict[str, Any]]) -> list[tuple[int, int | None, str]]:
    def minutes(text: str) -> int:
        return int((datetime.fromisoformat(text) - START).total_seconds() // 60)

    return [
        (
            minutes(one["openedAt"]),
            minutes(one["closedAt"]) if one["closedAt"] else None,
            one["worst"],
        )
        for one in anomalies
    ]


async def test_opened_made_worse_and_closed(shared: RunningServer, tenant: Tenant) -> None:
    check, place = new_id(), tenant.workspace_id
    await hear(shared, tenant, changed(check, 1, "degraded", place))
    [opened] = await list_of(tenant.admin.client, check)
    assert (opened["checkName"], opened["acknowledged"]) == ("web answers", None)
    await hear(shared, tenant, changed(check, 2, "down", place))
    assert shown(await list_of(tenant.admin.client, check)) == [(1, None, "down")]
    await hear(shared, tenant, changed(check, 5, "up", place))
    [closed] = await list_of(tenant.admin.client, check)
    assert (closed["id"], shown([closed])) == (opened["id"], [(1, 5, "down")])
    await hear(shared, tenant, changed(check, 8, "down", place))
    assert shown(await list_of(tenant.admin.client, check)) == [(8, None, "down"), (1, 5, "down")]
    assert shown(await list_of(tenant.admin.client, check, open=True)) == [(8, None, "down")]
    assert shown(await list_of(tenant.admin.client, check, open=False)) == [(1, 5, "down")]
    later = {"since": (START + timedelta(minutes=6)).isoformat()}
    assert shown(await list_of(tenant.admin.client, check, **later)) == [(8, None, "down")]


async def test_an_event_counts_once(shared: RunningServer, tenant: Tenant) -> None:
    check = new_id()
    event = changed(check, 1, "down", tenant.workspace_id)
    await asyncio.gather(*(hear(shared, tenant, event) for _ in range(6)))
    [one] = await list_of(tenant.admin.client, check)
    assert one["version"] == 1


@pytest.mark.parametrize("seed", range(4))
async def test_order_and_haste_do_not_matter(
    shared: RunningServer, tenant: Tenant, seed: int
) -> None:
    check, place = new_id(), tenant.workspace_id
    told = ["down", "up", "degraded", "down", "up", "unknown", "down"]
    events = [changed(check, at, status, place) for at, status in enumerate(told)]
    random.Random(seed).shuffle(events)
    await asyncio.gather(*(hear(shared, tenant, one) for one in [*events, *events[:3]]))
    assert shown(await list_of(tenant.admin.client, check)) == [
        (6, None, "down"),
        (2, 4, "down"),
        (0, 1, "down"),
    ]


async def test_a_check_that_is_deleted_leaves_nothing_open(
    shared: RunningServer, tenant: Tenant
) -> None:
    check = new_id()
    await hear(shared, tenant, changed(check, 1, "down", tenant.workspace_id))
    gone = Event(
        id=str(uuid4()), topic="healthcheck.check.deleted", payload={"checkId": str(check)}
    )
    await hear(shared, tenant, gone)
    [one] = await list_of(tenant.admin.client, check)
    assert one["closedAt"] is not None
    await hear(shared, tenant, changed(new_id(), 1, "down", new_id()))


async def test_who_may_see_and_acknowledge(shared: RunningServer, tenant: Tenant) -> None:
    check = new_id()
    await hear(shared, tenant, changed(check, 1, "down", tenant.workspace_id))
    [one] = await list_of(tenant.admin.client, check)
    url = f"{ANOMALIES}/{one['id']}"
    elsewhere = await add_workspace(shared, tenant.id)
    reader = await add_person(shared, tenant.id, rules=[READ])
    far = await add_person(shared, tenant.id, rules=[MANAGE], workspace_id=elsewhere)
    near = await add_person(shared, tenant.id, rules=[MANAGE], workspace_id=tenant.workspace_id)
    stranger = (await add_tenant(shared)).admin
    assert expect(await reader.client.get(url), 200) == one
    expect(await reader.client.post(f"{url}/acknowledge", json={}), 403)
    for outsider in (far, stranger):
        expect(await outsider.client.get(url), 404)
        expect(await outsider.client.post(f"{url}/acknowledge", json={}), 404)
        assert await list_of(outsider.client, check) == []
    stale = {"expectedVersion": 7}
    expect(await near.client.post(f"{url}/acknowledge", json=stale), 412)
    done = expect(await near.client.post(f"{url}/acknowledge", json={"note": "On it."}), 201)
    assert done["acknowledged"]["note"] == "On it."
    assert done["version"] == 2
    expect(await tenant.admin.client.post(f"{url}/acknowledge", json={}), 409)


async def test_of_many_one_acknowledges(shared: RunningServer, tenant: Tenant) -> None:
    check = new_id()
    await hear(shared, tenant, changed(check, 1, "down", tenant.workspace_id))
    [one] = await list_of(tenant.admin.client, check)
    url = f"{ANOMALIES}/{one['id']}/acknowledge"
    answers = await asyncio.gather(
        *(tenant.admin.client.post(url, json={"note": str(who)}) for who in range(6))
    )
    assert sorted(answer.status_code for answer in answers) == [201, 409, 409, 409, 409, 409]


async def test_the_tool_asks_first(shared: RunningServer, tenant: Tenant) -> None:
    client, check = tenant.admin.client, new_id()
    await hear(shared, tenant, changed(check, 1, "down", tenant.workspace_id))
    [one] = await list_of(client, check)
    given = {"anomalyId": one["id"], "note": "Looking."}
    called = await client.post("/api/tools/anomaly.acknowledge/call", json={"input": given})
    card = expect(called, 202)
    assert card["summary"] == "Acknowledge that web answers is down"
    assert (await list_of(client, check))[0]["acknowledged"] is None
    at = f"/api/proposals/{card['id']}"
    token = expect(await client.post(f"{at}/token"), 200)["token"]
    assert expect(await client.post(f"{at}/apply", json={"token": token}), 200)["state"] == (
        "applied"
    )
    assert (await list_of(client, check))[0]["acknowledged"]["note"] == "Looking."
    expect(await client.post("/api/tools/anomaly.acknowledge/call", json={"input": given}), 422)
    nobody = {"input": {"anomalyId": str(new_id())}}
    expect(await client.post("/api/tools/anomaly.acknowledge/call", json=nobody), 422)


async def test_what_nobody_looks_after_is_an_issue(shared: RunningServer, tenant: Tenant) -> None:
    client = tenant.admin.client
    draft = {"workspaceId": str(tenant.workspace_id), "name": f"s-{number()}"}
    system = expect(await client.post(f"{BASE}/systems", json=draft), 201)["id"]
    check = new_id()
    told = changed(check, 1, "down", tenant.workspace_id, systemIds=[system], name="pages load")
    await hear(shared, tenant, told)

    async def titles() -> list[str]:
        report = expect(await client.get(f"{BASE}/issues", params={"systemId": system}), 200)
        return [one["title"] for each in report["systems"] for one in each["issues"]]

    assert await titles() == ["Nobody has acknowledged that pages load is down"]
    [one] = await list_of(client, check)
    expect(await client.post(f"{ANOMALIES}/{one['id']}/acknowledge", json={}), 201)
    assert await titles() == []


async def test_pages_of_the_list_hold_each_one_once(shared: RunningServer, tenant: Tenant) -> None:
    workspace = await add_workspace(shared, tenant.id)
    for minute in range(5):
        await hear(shared, tenant, changed(new_id(), minute // 2, "down", workspace))
    seen: list[str] = []
    cursor: dict[str, str] = {}
    while True:
        query = {"workspaceId": str(workspace), "limit": "2", **cursor}
        page = expect(await tenant.admin.client.get(ANOMALIES, params=query), 200)
        seen += [one["id"] for one in page["items"]]
        if page["nextCursor"] is None:
            break
        cursor = {"cursor": page["nextCursor"]}
    assert len(seen) == len(set(seen)) == 5


async def test_old_ones_go_and_open_ones_stay(shared: RunningServer, tenant: Tenant) -> None:
    place = tenant.workspace_id
    lasting, over, fresh = new_id(), new_id(), new_id()
    await hear(shared, tenant, changed(lasting, 1, "down", place))
    for minute, status in ((1, "down"), (2, "up")):
        await hear(shared, tenant, changed(over, minute, status, place))
        now = (datetime.now(UTC) - timedelta(minutes=9 - minute)).isoformat()
        await hear(shared, tenant, changed(fresh, 0, status, place, at=now))
    aged = "UPDATE anomaly.{} SET {} = {} - interval '400 days' WHERE check_id = ANY ($1)"
    for table, column in (
        ("anomalies", "opened_at"),
        ("anomalies", "closed_at"),
        ("changes", "at"),
    ):
        await execute(shared, aged.format(table, column, column), [lasting, over])
    procedures = shared.app.state.parts.means.procedures
    async with shared.database.transaction() as db:
        ctx = await procedures.build_service_context(db, tenant_id=tenant.id, plugin=plugin)
        await forget_old(ctx, Tick(id="x", due_at="x"))
    assert await list_of(tenant.admin.client, over) == []
    assert len(await list_of(tenant.admin.client, fresh)) == 1
    await hear(shared, tenant, changed(lasting, 9, "up", place))
    [ended] = await list_of(tenant.admin.client, lasting)
    assert ended["closedAt"] is not None
    left = await fetch(shared, "SELECT 1 FROM anomaly.changes WHERE check_id = $1", over)
    assert left == []


@pytest_asyncio.fixture
async def working(databases: Databases) -> AsyncGenerator[RunningServer]:
    async with databases.copy() as url, run_server(url, background_work=True) as running:
        yield running


async def test_from_a_real_check_to_an_anomaly_and_back(working: RunningServer) -> None:
    """Nothing listens at the port, so the check goes down; switched off it is nobody's business."""
    tenant = await find_tenant(working)
    client = tenant.admin.client
    made = await add_check(client, tenant.workspace_id, intervalSeconds=5, timeoutMs=2000)
    check = UUID(made["id"])

    async def find_open() -> list[dict[str, Any]]:
        return await list_of(client, check, open=True)

    [one] = await wait_until(find_open)
    assert (one["checkName"], one["worst"]) == (made["name"], "down")
    expect(await client.patch(f"{CHECKS}/{check}", json={"enabled": False}), 200)

    async def is_over() -> bool:
        return await find_open() == []

    await wait_until(is_over)
