"""Runs and hours are kept as long as the settings say, and figures come from what is there."""

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
import pytest_asyncio

from assent.bundled.healthcheck.declaration import plugin
from assent.bundled.healthcheck.keep import remove_old
from assent.bundled.healthcheck.latency import ERROR, find_bucket
from assent.bundled.healthcheck.outcome import Outcome
from assent.bundled.healthcheck.store import runs as store
from assent.bundled.healthcheck.store.runs import Timing
from assent.bundled.healthcheck.values import Status
from assent.plugins.api import Context, Tick
from assent.testing import Databases, RunningServer, run_server
from tests.turn.health import CHECKS, Clinic
from tests.turn.people import expect, fetch_value, find_tenant

TICK = Tick(id="one", due_at="now")
SETTINGS = {"healthcheck": {"keep_days": 3, "keep_hours_days": 30}}
NOW = datetime.now(UTC).replace(minute=30, second=0, microsecond=0)


@pytest_asyncio.fixture(scope="module")
async def server(databases: Databases) -> AsyncGenerator[RunningServer]:
    async with (
        databases.copy() as url,
        run_server(url, background_work=False, plugin=SETTINGS) as running,
    ):
        yield running


@pytest_asyncio.fixture
async def clinic(server: RunningServer) -> Clinic:
    tenant = await find_tenant(server)
    return Clinic(server, tenant.admin.client, str(tenant.workspace_id))


@asynccontextmanager
async def open_context(server: RunningServer) -> AsyncGenerator[Context]:
    async with server.database.transaction() as db:
        tenant_id = await db.fetchval("SELECT id FROM tenants")
        yield await server.app.state.parts.procedures.build_service_context(
            db, tenant_id=tenant_id, plugin=plugin
        )


async def add_runs(clinic: Clinic, check: Any, runs: list[tuple[timedelta, Status, float]]) -> None:
    async with open_context(clinic.server) as ctx:
        for ago, status, took in runs:
            at, answered = NOW - ago, status in ("up", "degraded")
            outcome = Outcome(status, "", answered=answered)
            where = ctx.db, ctx.tenant_id, check["id"]
            assert await store.insert_run(*where, Timing(at, at, took), outcome)
            bucket = find_bucket(took) if answered else None
            await store.count_run(*where, due_at=at, status=status, bucket=bucket)


async def count(clinic: Clinic, table: str, check: Any) -> int:
    query = f"SELECT count(*) FROM healthcheck.{table} WHERE check_id = $1::uuid"
    return await fetch_value(clinic.server, query, check["id"])


async def get_stats(clinic: Clinic, check: Any, hours: int) -> Any:
    path = f"{CHECKS}/{check['id']}/stats"
    return expect(await clinic.client.get(path, params={"hours": hours}), 200)


async def test_what_is_old_goes(clinic: Clinic) -> None:
    check = await clinic.add("https://shop.example.com")
    days = [timedelta(days=one) for one in (0.1, 1, 2, 2.9, 3.2, 10, 29, 31, 200)]
    await add_runs(clinic, check, [(ago, "up", 10.0) for ago in days])
    async with open_context(clinic.server) as ctx:
        await remove_old(ctx, TICK)
    assert await count(clinic, "runs", check) == 4
    assert await count(clinic, "hours", check) == 7
    async with open_context(clinic.server) as ctx:
        await remove_old(ctx, TICK)
    assert await count(clinic, "hours", check) == 7


async def test_one_due_time_has_one_run(clinic: Clinic) -> None:
    check = await clinic.add("https://shop.example.com")
    await add_runs(clinic, check, [(timedelta(hours=1), "up", 1.0)])
    async with open_context(clinic.server) as ctx:
        timing = Timing(NOW - timedelta(hours=1), NOW, 2.0)
        again = await store.insert_run(
            ctx.db, ctx.tenant_id, check["id"], timing, Outcome("down", "", answered=False)
        )
    assert not again
    (run,) = await clinic.list_runs(check["id"])
    assert run["status"] == "up"


async def test_figures_from_runs_and_from_hours(clinic: Clinic) -> None:
    check = await clinic.add("https://shop.example.com")
    took = [float(one) for one in range(10, 110)]
    ups: list[tuple[timedelta, Status, float]] = [
        (timedelta(hours=2, seconds=at), "up", one) for at, one in enumerate(took)
    ]
    others: list[tuple[timedelta, Status, float]] = [
        (timedelta(hours=5), "down", 5000.0),
        (timedelta(hours=5, seconds=1), "degraded", 60.0),
        (timedelta(hours=5, seconds=2), "unknown", 1.0),
    ]
    await add_runs(clinic, check, [*ups, *others])
    exact = await get_stats(clinic, check, 24)
    assert exact["source"] == "runs"
    assert exact["counts"] == {"runs": 103, "up": 100, "degraded": 1, "down": 1, "unknown": 1}
    assert exact["availability"] == pytest.approx(101 / 102, abs=1e-6)
    assert exact["percentiles"] == {"p50": 60.0, "p95": 104.0, "p99": 108.0}
    rough = await get_stats(clinic, check, 24 * 10)
    assert rough["source"] == "hours"
    assert rough["counts"] == exact["counts"]
    for name, value in exact["percentiles"].items():
        assert rough["percentiles"][name] == pytest.approx(value, rel=ERROR)
    assert [point["counts"]["runs"] for point in exact["points"]] == [3, 100]
    assert sum(point["counts"]["runs"] for point in rough["points"]) == 103
    assert len(rough["points"]) <= 2, "a point for each day"


async def test_nothing_yet(clinic: Clinic) -> None:
    check = await clinic.add("https://shop.example.com")
    stats = await get_stats(clinic, check, 1)
    assert (stats["availability"], stats["points"]) == (None, [])
    assert stats["percentiles"] == {"p50": None, "p95": None, "p99": None}
