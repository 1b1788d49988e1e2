"""Health checks as tools: proposed, shown with their destinations, applied, changed, deleted."""

from collections.abc import AsyncGenerator
from dataclasses import dataclass
from typing import Any

import pytest_asyncio

from assent.testing import Databases, RunningServer, run_server
from tests.turn.health import CHECKS, Clinic, Patient, build_check, run_patient
from tests.turn.people import add_person, expect, find_tenant, number

PROPOSALS = "/api/proposals"
SYSTEMS = "/api/p/catalog/systems"


@dataclass(frozen=True, slots=True)
class Door(Clinic):
    async def propose(self, tool: str, given: dict[str, Any], status: int = 201) -> Any:
        body = {"tool": f"healthcheck.{tool}", "input": given}
        return expect(await self.client.post(PROPOSALS, json=body), status)

    async def apply(self, card: dict[str, Any], status: int = 200) -> Any:
        token = expect(await self.client.post(f"{PROPOSALS}/{card['id']}/token"), 200)
        given = {"token": token["token"]}
        answer = await self.client.post(f"{PROPOSALS}/{card['id']}/apply", json=given)
        return expect(answer, status)

    async def read(self, tool: str, given: dict[str, Any]) -> Any:
        path = f"/api/tools/healthcheck.{tool}/call"
        return expect(await self.client.post(path, json={"input": given}), 200)["result"]


@pytest_asyncio.fixture(scope="module")
async def server(databases: Databases) -> AsyncGenerator[RunningServer]:
    async with databases.copy() as url, run_server(url, tool_calls=10_000) as running:
        yield running


@pytest_asyncio.fixture
async def door(server: RunningServer) -> Door:
    tenant = await find_tenant(server)
    return Door(server, tenant.admin.client, str(tenant.workspace_id))


@pytest_asyncio.fixture
async def patient() -> AsyncGenerator[Patient]:
    async with run_patient() as running:
        yield running


async def test_from_a_proposal_to_its_end(door: Door, patient: Patient) -> None:
    name = f"orders-{number()}"
    place = {"workspaceId": door.workspace_id, "name": name}
    system = expect(await door.client.post(SYSTEMS, json=place), 201)
    given = build_check(door.workspace_id, patient.url, systemIds=[system["id"]])
    card = await door.propose("propose", {**given, "egress": ["tcp://127.0.0.1:9"]})
    assert card["state"] == "proposed"
    assert card["creates"]["systems"] == [name]
    assert card["creates"]["destinations"] == [patient.url, "tcp://127.0.0.1:9"]
    assert card["creates"]["strategy"]["config"] == {"url": f"{patient.url}/status"}
    assert patient.asked == []
    applied = await door.apply(card)
    assert applied["state"] == "applied"
    check_id = applied["result"]["id"]
    await door.wait_for_status(check_id, "up")

    listed = await door.read("status", {"systemId": system["id"]})
    assert [(one["id"], one["status"]) for one in listed["items"]] == [(check_id, "up")]
    history = await door.read("runHistory", {"checkId": check_id})
    assert history["items"][0]["status"] == "up"
    assert (await door.read("runStats", {"checkId": check_id}))["availability"] == 1

    change = {
        "checkId": check_id,
        "intervalSeconds": 30,
        "strategy": {"config": {"method": "HEAD"}},
    }
    card = await door.propose("update", change)
    assert sorted(one["path"] for one in card["diff"]) == [
        "intervalSeconds",
        "strategy.config.method",
    ]
    await door.apply(card)
    changed = await door.get(check_id)
    assert changed["strategy"]["config"] == {"url": f"{patient.url}/status", "method": "HEAD"}

    card = await door.propose("delete", {"checkId": check_id})
    assert given["name"] in card["removes"][0]
    await door.apply(card)
    expect(await door.client.get(f"{CHECKS}/{check_id}"), 404)


async def test_another_destination_is_in_the_difference(door: Door, patient: Patient) -> None:
    check = await door.add(patient.url)
    config = {"url": "https://elsewhere.example.com/status"}
    card = await door.propose("update", {"checkId": check["id"], "strategy": {"config": config}})
    shown = {one["path"]: one for one in card["diff"]}
    assert "destinations.0" in shown
    assert "https://elsewhere.example.com:443" in str(shown)


async def test_who_asks_nobody_in_particular_is_told_whom(door: Door) -> None:
    lookup = {"kind": "dns", "config": {"name": "example.com"}}
    card = await door.propose("propose", build_check(door.workspace_id, "", strategy=lookup))
    assert card["creates"]["destinations"] == ["the name servers of this machine"]
    asked = {"kind": "dns", "config": {"name": "example.com", "server": "127.0.0.1:5353"}}
    card = await door.propose("propose", build_check(door.workspace_id, "", strategy=asked))
    assert card["creates"]["destinations"] == ["dns://127.0.0.1:5353"]


async def test_who_switches_it_on_is_told_where_it_goes(door: Door, patient: Patient) -> None:
    check = await door.add(patient.url, enabled=False)
    card = await door.propose("update", {"checkId": check["id"], "enabled": True})
    said = f"Change health check {check['name']}, which reaches {patient.url}"
    assert card["summary"] == said


async def test_a_card_is_out_of_date_after_a_change(door: Door, patient: Patient) -> None:
    check = await door.add(patient.url)
    card = await door.propose("update", {"checkId": check["id"], "description": "card"})
    await door.change(check["id"], description="form")
    assert (await door.apply(card, 412))["code"] == "changed"


async def test_runs_do_not_put_a_card_out_of_date(door: Door, patient: Patient) -> None:
    check = await door.add(patient.url)
    card = await door.propose("update", {"checkId": check["id"], "description": "card"})
    await door.wait_for_runs(check["id"], 2)
    await door.apply(card)


async def test_undo_brings_back_what_was(door: Door, patient: Patient) -> None:
    check = await door.add(patient.url)
    config = {"method": "HEAD"}
    change = {"checkId": check["id"], "timeoutMs": 900, "strategy": {"config": config}}
    applied = await door.apply(await door.propose("update", change))
    undo = expect(await door.client.post(f"{PROPOSALS}/{applied['id']}/undo"), 201)
    await door.apply(undo)
    now = await door.get(check["id"])
    assert (now["timeoutMs"], now["strategy"]) == (check["timeoutMs"], check["strategy"])


async def test_what_changes_nothing_is_no_card(door: Door, patient: Patient) -> None:
    check = await door.add(patient.url)
    same = {"checkId": check["id"], "name": check["name"]}
    problem = await door.propose("update", same, 422)
    assert problem["issues"] == [{"path": "checkId", "message": "Nothing would change."}]


async def test_capabilities_and_their_schemas(door: Door) -> None:
    listed = await door.read("listCapabilities", {})
    assert [one["kind"] for one in listed["strategies"]][:4] == ["dns", "http", "tcp", "tls"]
    assert {one["kind"] for one in listed["collectors"]} >= {"json", "header", "text"}
    http = await door.read("getCapabilitySchema", {"kind": "http"})
    assert http["configSchema"]["required"] == ["url"]
    assert "json" in http["collectors"]
    fields = {one["name"]: one["operators"] for one in http["fields"]}
    assert "matches" in fields["contentType"]
    assert "matches" not in fields["statusCode"]
    assert "body" not in fields
    path = "/api/tools/healthcheck.getCapabilitySchema/call"
    problem = expect(await door.client.post(path, json={"input": {"kind": "smtp"}}), 404)
    assert "http" in problem["detail"]


async def test_who_may_not_manage_proposes_nothing(door: Door, patient: Patient) -> None:
    tenant = await find_tenant(door.server)
    rules = ["healthcheck.check.read"]
    reader = (await add_person(door.server, tenant.id, rules=rules)).client
    given = {"tool": "healthcheck.propose", "input": build_check(door.workspace_id, patient.url)}
    problem = expect(await reader.post(PROPOSALS, json=given), 403)
    assert problem["rule"] == "healthcheck.check.manage"
