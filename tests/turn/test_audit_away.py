"""The audit log checked and taken away over HTTP."""

import csv
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio

from assent.audit.check import verify_lines
from assent.audit.seal import Sealer
from assent.audit.signing import Signing
from assent.audit.store import append_entry
from assent.testing import RunningServer
from assent.vault.master_key import open_key_source
from tests.turn.people import Tenant, add_tenant, execute, expect, fetch_value
from tests.turn.test_audit_log import make_entry

COUNT = 1100
"""More than a page of the table."""


@pytest_asyncio.fixture(scope="module")
async def log(shared: RunningServer) -> Tenant:
    """A tenant whose log is sealed with the server's own key."""
    tenant = await add_tenant(shared)
    async with shared.database.transaction() as db:
        for number in range(COUNT):
            await append_entry(db, make_entry(tenant.id, number))
    await seal(shared)
    return tenant


async def seal(server: RunningServer) -> None:
    await Sealer(server.database, Signing(open_key_source(server.settings).ring)).seal_all()


async def read_table(tenant: Tenant, **query: str) -> list[dict[str, str]]:
    response = await tenant.admin.client.get("/api/audit/export", params=query)
    assert response.status_code == 200, response.text
    assert response.headers["content-disposition"] == 'attachment; filename="audit.csv"'
    return list(csv.DictReader(response.text.splitlines()))


async def test_a_table_of_all_entries(log: Tenant) -> None:
    rows = await read_table(log, action="shop.")
    assert [row["action"] for row in rows] == [f"shop.order{n}" for n in reversed(range(COUNT))]
    assert len({row["id"] for row in rows}) == COUNT


async def test_the_table_is_narrowed_like_the_list(log: Tenant) -> None:
    assert [row["action"] for row in await read_table(log, status="refused")] == ["shop.order4"]
    assert await read_table(log, action="nothing.like.it") == []


@pytest.mark.parametrize(
    ("path", "query", "at"),
    [
        ("export", {"since": "2026-01-01"}, "since"),
        ("export", {"limit": "3"}, "limit"),
        ("export", {"edge": "nowhere"}, "edge"),
        ("log", {"since": "yesterday"}, "since"),
        ("verify", {"after": "-1"}, "after"),
        ("verify", {"after": "9999999"}, "after"),
    ],
)
async def test_a_request_that_cannot_be(
    log: Tenant, path: str, query: dict[str, str], at: str
) -> None:
    problem = expect(await log.admin.client.get(f"/api/audit/{path}", params=query), 422)
    assert [issue["path"] for issue in problem["issues"]] == [at]


async def test_the_sealed_log_verifies_offline(
    log: Tenant, shared: RunningServer, tmp_path: Path
) -> None:
    async with shared.database.transaction() as db:
        await append_entry(db, make_entry(log.id, 0, action="shop.later"))
    response = await log.admin.client.get("/api/audit/log")
    slug = await fetch_value(shared, "SELECT slug FROM tenants WHERE id = $1", log.id)
    assert f'filename="audit-{slug}.jsonl"' in response.headers["content-disposition"]
    (tmp_path / "log").write_text(response.text)
    with (tmp_path / "log").open() as lines:
        report = verify_lines(lines, (), ())
    assert report.is_sound, list(report.tell())
    [(name, told)] = report.logs
    sealed = await fetch_value(
        shared, "SELECT max(position) FROM audit_heads WHERE tenant_id = $1", log.id
    )
    assert (name, told.through) == (slug, sealed)
    assert "shop.order1099" in response.text
    assert "shop.later" not in response.text


async def test_nothing_sealed_is_an_empty_log(shared: RunningServer) -> None:
    tenant = await add_tenant(shared)
    text = (await tenant.admin.client.get("/api/audit/log")).text
    assert verify_lines(text.splitlines(), (), ()).is_sound


async def verify_all(tenant: Tenant) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = []
    after: int | None = 0
    while after is not None:
        answer = await tenant.admin.client.get("/api/audit/verify", params={"after": after})
        found.append(expect(answer, 200))
        after = found[-1]["nextAfter"]
    return found


async def test_a_sound_log_and_a_changed_one(shared: RunningServer) -> None:
    tenant = await add_tenant(shared)
    async with shared.database.transaction() as db:
        for number in range(3):
            await append_entry(db, make_entry(tenant.id, number))
    await seal(shared)
    [sound] = await verify_all(tenant)
    last = sound["through"]
    assert sound | {"throughAt": ""} == {
        "after": 0,
        "through": last,
        "throughAt": "",
        "heads": 1,
        "findings": [],
        "faults": 0,
        "nextAfter": None,
    }
    assert last >= 3
    await execute(
        shared,
        "UPDATE audit_entries SET action = 'no.thing' WHERE tenant_id = $1 AND position = 2",
        tenant.id,
    )
    [changed] = await verify_all(tenant)
    assert changed["faults"] == 1
    [finding] = changed["findings"]
    assert (finding["fault"], finding["first"], finding["last"]) == ("changed", 2, 2)
    assert "was changed" in finding["message"]
