"""Checks and their runs for tests of what is made of them: written as workers would write them."""

from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import UUID

from assent.testing import Client, RunningServer
from tests.turn.people import Tenant, execute, expect, number

CHECKS = "/api/p/healthcheck/checks"
HOURS = """
INSERT INTO healthcheck.hours (tenant_id, check_id, hour, up, down)
VALUES ($1, $2, date_trunc('hour', $3::timestamptz, 'UTC'), $4, $5)
ON CONFLICT (check_id, hour) DO UPDATE SET up = excluded.up, down = excluded.down
"""


async def add_check(client: Client, workspace_id: UUID | str, **fields: Any) -> dict[str, Any]:
    draft = {
        "workspaceId": str(workspace_id),
        "name": f"check-{number()}",
        "strategy": {"kind": "http", "config": {"url": "http://127.0.0.1:9/up"}},
        **fields,
    }
    return expect(await client.post(CHECKS, json=draft), 201)


async def count_runs(
    server: RunningServer, tenant: Tenant, check: str, *, ago: timedelta, up: int, down: int
) -> None:
    """Say how the runs of an hour ended."""
    at = datetime.now(UTC) - ago
    await execute(server, HOURS, tenant.id, UUID(check), at, up, down)
