"""`system.issues`: every source is asked as whoever asks, and one that fails spoils no other."""

import asyncio
from collections.abc import AsyncGenerator, Generator
from datetime import UTC, datetime
from typing import Any
from uuid import UUID

import pytest
import pytest_asyncio

from assent.bundled.catalog import issues
from assent.bundled.catalog import plugin as catalog
from assent.bundled.catalog.api import Severity, SystemIssue
from assent.errors import PluginError
from assent.identity.principal import Principal
from assent.plugins import administration
from assent.plugins.api import Plugin
from assent.plugins.load import load_plugins
from assent.testing import Client, Databases, RunningServer, run_server
from tests.turn import sources
from tests.turn.ledger import SECRET
from tests.turn.people import Tenant, add_person, add_workspace, expect, find_tenant, number
from tests.turn.shop import BASE

ISSUES = f"{BASE}/issues"
SYSTEM_READ = "catalog.system.read"
ALL = [SYSTEM_READ, sources.READ, sources.SHUT]
SINCE = datetime(2026, 2, 1, tzinfo=UTC)


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> Generator[None]:
    monkeypatch.setattr(issues, "SOURCE_SECONDS", 1)
    yield
    sources.FOUND.clear()


@pytest_asyncio.fixture(scope="module")
async def server(databases: Databases) -> AsyncGenerator[RunningServer]:
    loaded = load_plugins(
        [administration.plugin], [catalog, sources.plugin], {"radar": {"unit": "blips"}}
    )
    async with (
        databases.copy() as url,
        run_server(url, loaded=loaded, background_work=False) as running,
    ):
        yield running


@pytest_asyncio.fixture(scope="module")
async def tenant(server: RunningServer) -> Tenant:
    return await find_tenant(server)


async def add_system(tenant: Tenant, name: str, workspace_id: UUID | None = None) -> UUID:
    draft = {"workspaceId": str(workspace_id or tenant.workspace_id), "name": f"{name}-{number()}"}
    return UUID(expect(await tenant.admin.client.post(f"{BASE}/systems", json=draft), 201)["id"])


def find(system_id: UUID | None, severity: Severity, title: str) -> None:
    link = "/p/radar/echoes"
    sources.FOUND.append(
        SystemIssue(system_id=system_id, severity=severity, title=title, since=SINCE, link=link)
    )


async def ask(client: Client, system_id: UUID | None = None) -> Any:
    """By the route and by the tool: both say the same."""
    given = {"systemId": str(system_id)} if system_id else {}
    routed = expect(await client.get(ISSUES, params=given), 200)
    called = await client.post("/api/tools/system.issues/call", json={"input": given})
    assert expect(called, 200)["result"] == routed
    return routed


async def test_everything_wrong_by_system(server: RunningServer, tenant: Tenant) -> None:
    mild, bad = await add_system(tenant, "mild"), await add_system(tenant, "bad")
    find(mild, "minor", "one")
    find(bad, "critical", "two")
    report = await ask(tenant.admin.client)
    assert [(one["systemId"], one["severity"]) for one in report["systems"]] == [
        (str(bad), "critical"),
        (str(mild), "minor"),
    ]
    [issue] = report["systems"][0]["issues"]
    assert issue == {
        "source": "echo",
        "systemId": str(bad),
        "severity": "critical",
        "title": "two",
        "since": "2026-02-01T00:00:00Z",
        "until": None,
        "quotes": False,
        "also": [],
        "link": "/p/radar/echoes",
    }
    every = expect(await tenant.admin.client.get(f"{BASE}/systems?limit=200"), 200)["items"]
    assert report["withoutIssues"] == len(every) - 2
    assert [one["title"] for one in report["elsewhere"]] == ["1 blips", "behind the door"]


async def test_what_cannot_be_checked_is_said_and_spoils_nothing(tenant: Tenant) -> None:
    report = await ask(tenant.admin.client)
    assert {one["source"]: one["reason"] for one in report["couldNotCheck"]} == {
        "broken": "It failed.",
        "spoiling": "It failed.",
        "slow": "It gave no answer within 1 seconds.",
        "honest": "The radar is switched off.",
    }
    assert [one["source"] for one in report["checked"]] == ["shut", "echo"]
    assert SECRET not in str(report)


async def test_in_one_transaction_too(server: RunningServer, tenant: Tenant) -> None:
    """Behind a pooler all reads of a call are one transaction."""
    means = server.app.state.parts.means
    someone = Principal(
        kind="user",
        id=tenant.admin.id,
        tenant_id=tenant.id,
        name="Ann",
        rules=frozenset(["*"]),
        session_id=tenant.admin.id,
    )
    async with server.database.transaction(read_only=True) as db:
        ctx = await means.procedures.build_context(db, someone, plugin="catalog", rule=SYSTEM_READ)
        report = await issues.list_issues.handler(ctx, issues.IssueQuery())
        assert await db.fetchval("SELECT 1") == 1
    assert {one.source for one in report.could_not_check} == {
        "broken",
        "spoiling",
        "slow",
        "honest",
    }
    assert [one.source for one in report.checked] == ["shut", "echo"]


async def test_a_missing_rule_is_named_and_nothing_shown(
    server: RunningServer, tenant: Tenant
) -> None:
    person = await add_person(server, tenant.id, rules=[SYSTEM_READ, sources.READ])
    report = await ask(person.client)
    assert report["notAccessible"] == [{"source": "shut", "title": "Shut", "rule": sources.SHUT}]
    assert "behind the door" not in str(report)
    blind = await add_person(server, tenant.id, rules=[SYSTEM_READ])
    report = await ask(blind.client)
    assert len(report["notAccessible"]) == 6
    assert report["checked"] == report["couldNotCheck"] == report["elsewhere"] == []


async def test_names_of_hidden_systems_stay_hidden(server: RunningServer, tenant: Tenant) -> None:
    other = await add_workspace(server, tenant.id)
    hidden, own = await add_system(tenant, "hidden", other), await add_system(tenant, "own")
    person = await add_person(
        server, tenant.id, rules=[SYSTEM_READ, sources.READ], workspace_id=tenant.workspace_id
    )
    find(hidden, "major", "found by a source that may say so")
    find(own, "minor", "own")
    report = await ask(person.client)
    assert [one["systemId"] for one in report["systems"]] == [str(own)]
    assert "hidden-" not in str(report)
    assert report["elsewhere"][0]["systemId"] == str(hidden)


async def test_one_system_only(server: RunningServer, tenant: Tenant) -> None:
    one, other = await add_system(tenant, "one"), await add_system(tenant, "other")
    find(one, "major", "mine")
    find(other, "major", "not mine")
    report = await ask(tenant.admin.client, one)
    assert [issue["title"] for issue in report["systems"][0]["issues"]] == ["mine"]
    assert report["elsewhere"] == []
    assert report["withoutIssues"] == 0
    well = await add_system(tenant, "well")
    report = await ask(tenant.admin.client, well)
    assert (report["systems"], report["withoutIssues"]) == ([], 1)
    stranger = await add_person(server, tenant.id, rules=[sources.READ])
    expect(await stranger.client.get(ISSUES), 403)
    nobody = {"systemId": str(tenant.id)}
    expect(await tenant.admin.client.get(ISSUES, params=nobody), 404)


async def test_many_may_ask_at_once(tenant: Tenant) -> None:
    """A source that was given up leaves no connection behind that others would stumble over."""
    reports = await asyncio.gather(*(ask(tenant.admin.client) for _ in range(8)))
    assert {len(report["couldNotCheck"]) for report in reports} == {4}


class Silent:
    title = "Silent"
    rule = "faulty.thing.read"


class Untitled:
    rule = "faulty.thing.read"


class Greedy:
    title = "Greedy"
    rule = "faulty.thing.manage"

    async def find(self, ctx: Any) -> list[SystemIssue]:
        return []


@pytest.mark.parametrize(
    ("source", "message"),
    [
        (Silent, "async def find"),
        (Untitled, "`title`"),
        (Greedy, "must end in .read"),
        (Greedy().find, "`title`"),
    ],
)
def test_a_source_that_cannot_work_stops_the_start(source: Any, message: str) -> None:
    faulty = Plugin("faulty", title="Faulty", rules=["faulty.thing.read"], requires=["catalog"])
    faulty.contribute("system.issues", "faulty")(source)
    with pytest.raises(PluginError, match=message):
        load_plugins([administration.plugin], [catalog, faulty], {})
