"""Running a check before its time."""

from assent.testing import RunningServer
from tests.turn.people import Tenant, add_person, expect, fetch_value
from tests.turn.watch import CHECKS, add_check

DUE = "SELECT next_run_at <= now() FROM healthcheck.checks WHERE id = $1::text::uuid"
LATER = """
UPDATE healthcheck.checks SET next_run_at = now() + interval '1 day' WHERE id = $1::text::uuid
RETURNING 1
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
