"""What monitoring asks: alive, ready, measured; and what people get while the database is away."""

import re
from collections.abc import AsyncGenerator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import asyncpg
import pytest
import pytest_asyncio

from assent import __version__
from assent.db.embedded import EmbeddedPostgres
from assent.main import find_database_url
from assent.testing import Client, Databases, RunningServer, run_server
from assent.work.outbox import publish
from assent.work.queue import enqueue
from tests.turn.people import expect, fetch_value, find_tenant


@pytest_asyncio.fixture(scope="module")
async def server(databases: Databases) -> AsyncGenerator[RunningServer]:
    token = "for the metrics only"
    async with (
        databases.copy() as url,
        run_server(url, background_work=False, metrics_token=token) as running,
    ):
        yield running


async def test_alive_and_ready(server: RunningServer) -> None:
    client = await server.open_client()
    for path in ("/healthz", "/readyz"):
        assert expect(await client.get(path), 200) == {"status": "ok", "version": __version__}


@pytest.mark.parametrize(
    ("given", "status"),
    [
        (None, 401),
        ("", 401),
        ("Bearer", 401),
        ("Bearer wrong", 401),
        ("Bearer for the metrics onl", 401),
        ("Bearer for the metrics only", 200),
    ],
)
async def test_metrics_ask_for_their_token(
    server: RunningServer, given: str | None, status: int
) -> None:
    client = await server.open_client()
    headers = {"authorization": given} if given is not None else {}
    answer = await client.get("/metrics", headers=headers)
    assert answer.status_code == status
    assert ("assent_info" in answer.text) is (status == 200)


async def test_metrics_count_by_route_and_not_by_address(server: RunningServer) -> None:
    admin = await server.open_admin()
    for number in range(3):
        await admin.get(f"/api/p/catalog/systems/00000000-0000-0000-0000-00000000000{number}")
        await admin.get(f"/nowhere/{number}")
        await admin.get(f"/api/nowhere/{number}")
    headers = {"authorization": "Bearer for the metrics only"}
    text = (await admin.get("/metrics", headers=headers)).text
    route = 'method="GET",route="/api/p/catalog/systems/{systemId}",status="404"'
    assert f"assent_http_requests_total{{{route}}} 3.0" in text
    assert "nowhere" not in text
    assert "0000-0000" not in text
    assert "assent_database_up 1.0" in text


async def test_an_unusual_method_is_not_measured_by_itself(server: RunningServer) -> None:
    client = await server.open_client()
    for method in ("PROPFIND", "MKCOL", "SUBSCRIBE"):
        expect(await client.request(method, "/healthz"), 405)
    headers = {"authorization": "Bearer for the metrics only"}
    text = (await client.get("/metrics", headers=headers)).text
    assert 'assent_http_requests_total{method="_OTHER",route="/healthz",status="405"} 3.0' in text
    assert "MKCOL" not in text


async def test_a_database_that_goes_away_and_comes_back(tmp_path: Path) -> None:
    postgres = EmbeddedPostgres(tmp_path / "postgres", durable=False)
    url = postgres.start().url
    try:
        async with run_server(url, background_work=False, pool_size=4) as server:
            tenant = await find_tenant(server)
            admin = tenant.admin.client
            key = await make_key(admin)
            robot = await server.open_client(key=key)
            expect(await robot.get("/api/p/catalog/systems"), 200)

            postgres.stop()
            await wait_for(admin, "/readyz", 503)
            for _ in range(2):
                assert expect(await admin.get("/readyz"), 503)["status"] == "no database"
                expect(await admin.get("/healthz"), 200)
                for client, path in (
                    (admin, "/api/me"),
                    (robot, "/api/p/catalog/systems"),
                ):
                    answer = await client.get(path)
                    assert expect(answer, 503)["code"] == "unavailable", path
                    assert answer.headers["retry-after"]
                measured = await admin.get("/metrics")
                assert measured.status_code == 200
                assert "assent_database_up 0.0" in measured.text
                assert "assent_work_waiting" not in measured.text
                login = {"email": "a@example.com", "password": "x"}
                expect(await admin.post("/api/auth/login", json=login), 503)

            assert postgres.start().url == url
            expect(await admin.get("/readyz"), 200)
            expect(await admin.get("/api/me"), 200)
            expect(await robot.get("/api/p/catalog/systems"), 200)
    finally:
        postgres.stop()


async def make_key(admin: Client) -> str:
    draft = {"name": "robot", "rules": ["*"]}
    application = expect(await admin.post("/api/applications", json=draft), 201)
    return expect(await admin.post(f"/api/applications/{application['id']}/keys"), 201)["key"]


async def test_connections_cut_off_are_replaced(server: RunningServer) -> None:
    """As after a failover: every connection of the pool is dead at once."""
    admin = await server.open_admin()
    pid = await fetch_value(server, "SELECT pg_backend_pid()")
    for _ in range(3):
        outside = await asyncpg.connect(find_database_url(server.settings))
        await outside.execute(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity "
            "WHERE datname = current_database() AND pid <> pg_backend_pid()"
        )
        await outside.close()
        statuses = [(await admin.get("/api/me")).status_code for _ in range(20)]
        assert set(statuses) <= {200, 503}
        assert statuses[-1] == 200
    assert await fetch_value(server, "SELECT pg_backend_pid()") != pid


async def wait_for(client: Client, path: str, status: int) -> None:
    """The first requests may still meet connections whose end has not been noticed."""
    for _ in range(20):
        if (await client.get(path)).status_code == status:
            return
    raise AssertionError(f"{path} never answered {status}.")


async def test_what_waits_is_read_from_the_database(databases: Databases) -> None:
    async with databases.copy() as url, run_server(url, background_work=False) as server:
        tenant = await find_tenant(server)
        admin = tenant.admin.client
        draft = {"workspaceId": str(tenant.workspace_id), "name": "checkout"}
        system = expect(await admin.post("/api/p/catalog/systems", json=draft), 201)
        body = {"tool": "catalog.deleteSystem", "input": {"systemId": system["id"]}}
        expect(await admin.post("/api/proposals", json=body), 201)
        later = datetime.now(UTC) + timedelta(hours=1)
        async with server.database.transaction() as db:
            for due in (None, None, later):
                await enqueue(db, kind="a", payload={}, run_after=due)
            for topic in ("proposal.decided", "nobody.listens"):
                await publish(db, tenant_id=tenant.id, topic=topic, payload={})
        text = (await admin.get("/metrics")).text
        assert 'assent_work_waiting{kind="a"} 2.0' in text
        assert 'assent_work_oldest_seconds{kind="a"}' in text
        assert "assent_outbox_waiting 1.0" in text
        assert "assent_proposals_waiting 1.0" in text
        unsealed = re.search(r"^assent_audit_waiting (\S+)$", text, re.MULTILINE)
        assert unsealed
        assert float(unsealed[1]) >= 2
