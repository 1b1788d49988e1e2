"""Running a check before its time, and what checks say is wrong."""

from assent.testing import RunningServer
from tests.turn.people import Tenant, add_person, expect, fetch_value, number
from tests.turn.shop import BASE
from tests.turn.watch import CHECKS, add_check

DUE = "SELECT next_run_at <= now() FROM healthcheck.checks WHERE id = $1::text::uuid"
LATER = """
UPDATE healthcheck.checks SET next_run_at = now() + interval '1 day' WHERE id = $1::text::uuid
RETURNING 1
"""
PAGE = "/p/healthcheck/checks"
SETTLE = """
UPDATE healthcheck.checks SET status = $2, reason = 'why', status_since = now()
WHERE id = $1::text::uuid RETURNING 1
"""


async def test_it_is_due_at_once_and_stays_what_it_is(
    shared: RunningServer, tenant: Tenant
) -> None:
    client = tenant.admin.client
    made = await add_check(client, tenant.workspace_id)
    async with shared.database.transaction() as db:
        await db.fetchval(LATER, made["id"])
    assert await fetch_value(shared, DUE, made["id"]) is False
    run = expect(await client.post(f"{CHECKS}/{made['id']}/run"), 201)
    assert await fetch_value(shared, DUE, made["id"]) is True
    assert (run["version"], run["updatedAt"]) == (made["version"], made["updatedAt"])


async def test_not_while_it_is_off_and_not_by_everybody(
    shared: RunningServer, tenant: Tenant
) -> None:
    off = await add_check(tenant.admin.client, tenant.workspace_id, enabled=False)
    expect(await tenant.admin.client.post(f"{CHECKS}/{off['id']}/run"), 409)
    on = await add_check(tenant.admin.client, tenant.workspace_id)
    reader = await add_person(shared, tenant.id, rules=["healthcheck.check.read"])
    expect(await reader.client.post(f"{CHECKS}/{on['id']}/run"), 403)
    stranger = await add_person(shared, tenant.id, rules=["catalog.system.manage"])
    expect(await stranger.client.post(f"{CHECKS}/{on['id']}/run"), 403)


async def test_what_is_down_is_wrong(shared: RunningServer, tenant: Tenant) -> None:
    client = tenant.admin.client
    draft = {"workspaceId": str(tenant.workspace_id), "name": f"s-{number()}"}
    system = expect(await client.post(f"{BASE}/systems", json=draft), 201)["id"]
    checks = {
        status: await add_check(client, tenant.workspace_id, systemIds=[system])
        for status in ("down", "degraded", "up", "unknown")
    }
    async with shared.database.transaction() as db:
        for status, check in checks.items():
            await db.fetchval(SETTLE, check["id"], status)
    report = expect(await client.get(f"{BASE}/issues", params={"systemId": system}), 200)
    [found] = report["systems"]
    assert [(one["severity"], one["title"], one["link"]) for one in found["issues"]] == [
        (severity, f"Health check {check['name']} is {status}: why", f"{PAGE}/{check['id']}")
        for severity, status in (("major", "down"), ("minor", "degraded"))
        for check in [checks[status]]
    ]
