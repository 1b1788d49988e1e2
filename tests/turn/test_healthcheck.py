"""Health checks that run: from the form to the first result, through changes, to the end."""

import asyncio
from collections.abc import AsyncGenerator
from typing import Any

import pytest_asyncio

from assent.testing import Databases, RunningServer, run_server
from tests.patience import wait_until
from tests.turn.health import CHECKS, Clinic, Patient, build_check, run_patient
from tests.turn.people import add_person, expect, fetch, fetch_value, find_tenant, number

CHANGED = """
SELECT payload FROM outbox WHERE topic = 'healthcheck.check.changed'
  AND payload ->> 'checkId' = $1 ORDER BY id
"""
SYSTEMS = "/api/p/catalog/systems"


@pytest_asyncio.fixture(scope="module")
async def server(databases: Databases) -> AsyncGenerator[RunningServer]:
    async with databases.copy() as url, run_server(url, tool_calls=10_000) as running:
        yield running


@pytest_asyncio.fixture
async def clinic(server: RunningServer) -> Clinic:
    tenant = await find_tenant(server)
    return Clinic(server, tenant.admin.client, str(tenant.workspace_id))


@pytest_asyncio.fixture
async def patient() -> AsyncGenerator[Patient]:
    async with run_patient() as running:
        yield running


async def list_changes(clinic: Clinic, check_id: str) -> list[tuple[str, str]]:
    rows = await fetch(clinic.server, CHANGED, check_id)
    return [(row["payload"]["from"], row["payload"]["to"]) for row in rows]


async def test_it_runs_at_once_and_says_what_it_saw(clinic: Clinic, patient: Patient) -> None:
    check = await clinic.add(
        patient.url,
        collectors=[
            {"id": "state", "kind": "json", "config": {"path": "checks[0].status"}},
            {"id": "type", "kind": "header", "config": {"name": "Content-Type"}},
            {"id": "ok", "kind": "text", "config": {"pattern": '"status": "(.*?)"'}},
        ],
        assertions=[
            {"field": "statusCode", "operator": "equals", "value": 200},
            {"field": "state.value", "operator": "equals", "value": "ok"},
            {"field": "type.value", "operator": "startsWith", "value": "application/json"},
            {"field": "ok.match", "operator": "equals", "value": "ok"},
        ],
    )
    assert check["status"] == "unknown"
    assert check["reaches"] == [patient.url]
    up = await clinic.wait_for_status(check["id"], "up")
    assert up["statusSince"]
    (run, *_) = await clinic.list_runs(check["id"])
    assert run["status"] == "up"
    assert run["result"]["statusCode"] == 200
    assert run["result"]["collected"]["state"] == {"found": True, "value": "ok", "size": None}
    assert "body" not in run["result"]
    assert run["durationMs"] > 0
    assert patient.asked[0].startswith("GET /status HTTP/1.1")


async def test_states_change_and_events_tell(clinic: Clinic, patient: Patient) -> None:
    check = await clinic.add(
        patient.url,
        assertions=[
            {"field": "statusCode", "operator": "equals", "value": 200},
            {
                "field": "contentType",
                "operator": "contains",
                "value": "json",
                "severity": "degraded",
            },
        ],
    )
    await clinic.wait_for_status(check["id"], "up")
    patient.headers = {"Content-Type": "text/plain"}
    degraded = await clinic.wait_for_status(check["id"], "degraded")
    assert degraded["reason"] == "contentType is 'text/plain'; expected: contains 'json'."
    patient.status = 500
    await clinic.wait_for_status(check["id"], "down")
    (run, *_) = await clinic.list_runs(check["id"])
    assert [one["severity"] for one in run["failed"]] == ["down", "degraded"]
    assert await list_changes(clinic, check["id"]) == [
        ("unknown", "up"),
        ("up", "degraded"),
        ("degraded", "down"),
    ]
    stats = expect(await clinic.client.get(f"{CHECKS}/{check['id']}/stats"), 200)
    assert stats["source"] == "runs"
    assert stats["counts"]["runs"] == len(await clinic.list_runs(check["id"]))
    assert 0 < stats["availability"] < 1
    assert stats["percentiles"]["p50"] > 0
    assert sum(point["counts"]["runs"] for point in stats["points"]) == stats["counts"]["runs"]


async def test_without_assertions_the_strategy_knows(clinic: Clinic, patient: Patient) -> None:
    patient.status = 404
    check = await clinic.add(patient.url)
    down = await clinic.wait_for_status(check["id"], "down")
    assert down["reason"] == "statusCode is 404; expected: is less than 400."


async def test_nobody_there_is_down(clinic: Clinic) -> None:
    listener = await asyncio.start_server(lambda *_: None, "127.0.0.1", 0)
    url = f"http://127.0.0.1:{listener.sockets[0].getsockname()[1]}"
    listener.close()
    await listener.wait_closed()
    check = await clinic.add(url)
    down = await clinic.wait_for_status(check["id"], "down")
    assert down["reason"]
    stats = expect(await clinic.client.get(f"{CHECKS}/{check['id']}/stats"), 200)
    assert stats["percentiles"]["p50"] is None
    assert stats["availability"] == 0


async def test_no_answer_in_time_is_down(clinic: Clinic, patient: Patient) -> None:
    patient.held = asyncio.Event()
    check = await clinic.add(patient.url, timeoutMs=200)
    down = await clinic.wait_for_status(check["id"], "down")
    assert down["reason"]
    patient.held.set()


async def test_nobody_waits_for_a_target_that_does_not_answer(databases: Databases) -> None:
    async with (
        databases.copy() as url,
        run_server(url, plugin_concurrency=4) as server,
        run_patient() as slow,
        run_patient() as quick,
    ):
        tenant = await find_tenant(server)
        clinic = Clinic(server, tenant.admin.client, str(tenant.workspace_id))
        slow.held = asyncio.Event()
        hanging = [
            await clinic.add(slow.url, intervalSeconds=60, timeoutMs=60_000) for _ in range(3)
        ]

        async def all_hang() -> bool:
            return len(slow.asked) == len(hanging)

        await wait_until(all_hang)
        others = [await clinic.add(quick.url) for _ in range(3)]
        for one in others:
            await clinic.wait_for_runs(one["id"], 2)
        assert [await clinic.list_runs(one["id"]) for one in hanging] == [[], [], []]
        slow.held.set()
        for one in hanging:
            await clinic.wait_for_status(one["id"], "up")


async def test_a_place_that_never_may_be_reached_is_not_looked_at(clinic: Clinic) -> None:
    check = await clinic.add("http://169.254.169.254")

    async def look() -> dict[str, Any] | None:
        found = await clinic.get(check["id"])
        return found if found["lastRunAt"] else None

    found = await wait_until(look)
    assert found["status"] == "unknown"
    assert "169.254.169.254" in found["reason"]


async def test_a_body_that_is_no_json_is_down(clinic: Clinic, patient: Patient) -> None:
    patient.body = b"<html>"
    collectors = [{"id": "state", "kind": "json", "config": {"path": "a"}}]
    check = await clinic.add(patient.url, collectors=collectors)
    down = await clinic.wait_for_status(check["id"], "down")
    assert down["reason"] == "The body is not JSON."


async def test_a_change_runs_at_once_and_a_run_of_before_is_dropped(
    clinic: Clinic, patient: Patient
) -> None:
    patient.held = asyncio.Event()
    check = await clinic.add(patient.url, intervalSeconds=3600, timeoutMs=30_000)

    async def asked() -> bool:
        return bool(patient.asked)

    await wait_until(asked)
    config = {"url": f"{patient.url}/other"}
    changed = await clinic.change(check["id"], strategy={"config": config})
    assert changed["version"] == 2
    patient.held.set()
    up = await clinic.wait_for_status(check["id"], "up")
    assert up["version"] == 2
    runs = await clinic.list_runs(check["id"])
    assert len(runs) == 1
    assert [head.split()[1] for head in patient.asked] == ["/status", "/other"]


async def test_deleted_while_it_runs(clinic: Clinic, patient: Patient) -> None:
    patient.held = asyncio.Event()
    check = await clinic.add(patient.url, intervalSeconds=3600, timeoutMs=30_000)

    async def asked() -> bool:
        return bool(patient.asked)

    await wait_until(asked)
    expect(await clinic.client.delete(f"{CHECKS}/{check['id']}"), 204)
    patient.held.set()

    async def over() -> bool:
        states = await fetch(
            clinic.server,
            "SELECT state FROM work WHERE kind = 'work:healthcheck:run_check' "
            "AND payload ->> 'checkId' = $1",
            check["id"],
        )
        return all(row["state"] == "done" for row in states)

    await wait_until(over)
    count = "SELECT count(*) FROM healthcheck.runs WHERE check_id = $1::uuid"
    assert await fetch_value(clinic.server, count, check["id"]) == 0
    expect(await clinic.client.get(f"{CHECKS}/{check['id']}"), 404)


async def test_switched_off_it_rests(clinic: Clinic, patient: Patient) -> None:
    check = await clinic.add(patient.url)
    await clinic.wait_for_status(check["id"], "up")
    rested = await clinic.change(check["id"], enabled=False)
    assert rested["status"] == "unknown"
    changes = await list_changes(clinic, check["id"])
    assert changes == [("unknown", "up"), ("up", "unknown")]
    asked = len(patient.asked)
    other = await clinic.add(patient.url, name=f"other-{number()}")
    await clinic.wait_for_runs(other["id"], 2)
    heads = await clinic.list_runs(check["id"])
    assert len(patient.asked) - asked == len(await clinic.list_runs(other["id"]))
    back = await clinic.change(check["id"], enabled=True)
    assert back["enabled"]
    await clinic.wait_for_runs(check["id"], len(heads) + 1)


async def test_history_comes_in_pages(clinic: Clinic, patient: Patient) -> None:
    check = await clinic.add(patient.url)
    await clinic.wait_for_runs(check["id"], 2)
    page = expect(await clinic.client.get(f"{CHECKS}/{check['id']}/runs?limit=1"), 200)
    assert page["nextCursor"]
    query = {"limit": 1, "cursor": page["nextCursor"]}
    (older,) = await clinic.list_runs(check["id"], **query)
    assert older["dueAt"] < page["items"][0]["dueAt"]
    assert await clinic.list_runs(check["id"], status="down") == []


async def test_a_check_forgets_a_system_that_is_gone(clinic: Clinic, patient: Patient) -> None:
    body = {"workspaceId": clinic.workspace_id, "name": f"system-{number()}"}
    system = expect(await clinic.client.post(SYSTEMS, json=body), 201)
    check = await clinic.add(patient.url, systemIds=[system["id"]])
    listed = expect(await clinic.client.get(CHECKS, params={"systemId": system["id"]}), 200)
    assert [one["id"] for one in listed["items"]] == [check["id"]]
    expect(await clinic.client.delete(f"{SYSTEMS}/{system['id']}"), 204)

    async def forgotten() -> bool:
        return (await clinic.get(check["id"]))["systemIds"] == []

    await wait_until(forgotten)


async def test_versions_guard_against_overwriting(clinic: Clinic, patient: Patient) -> None:
    check = await clinic.add(patient.url)
    await clinic.change(check["id"], description="one", expectedVersion=1)
    problem = await clinic.change(check["id"], 412, description="two", expectedVersion=1)
    assert problem["code"] == "changed"


async def test_two_changes_at_once_both_hold(clinic: Clinic, patient: Patient) -> None:
    check = await clinic.add(patient.url)
    await asyncio.gather(
        clinic.change(check["id"], description="told"),
        clinic.change(check["id"], intervalSeconds=7),
    )
    now = await clinic.get(check["id"])
    assert (now["description"], now["intervalSeconds"], now["version"]) == ("told", 7, 3)


async def test_names_are_taken_once(clinic: Clinic, patient: Patient) -> None:
    check = await clinic.add(patient.url)
    body = build_check(clinic.workspace_id, patient.url, name=check["name"].upper())
    problem = expect(await clinic.client.post(CHECKS, json=body), 409)
    assert problem["issues"] == [
        {"path": "name", "message": "Another check in this workspace has this name."}
    ]


async def test_who_may_what(clinic: Clinic, patient: Patient) -> None:
    tenant = await find_tenant(clinic.server)
    check = await clinic.add(patient.url)
    at = f"{CHECKS}/{check['id']}"
    nobody = (await add_person(clinic.server, tenant.id, rules=[])).client
    assert expect(await nobody.get(CHECKS), 403)["rule"] == "healthcheck.check.read"
    reader = await add_person(clinic.server, tenant.id, rules=["healthcheck.check.read"])
    assert expect(await reader.client.get(at), 200)["id"] == check["id"]
    problem = expect(await reader.client.patch(at, json={"description": "x"}), 403)
    assert problem["rule"] == "healthcheck.check.manage"
    guest = await add_person(clinic.server, tenant.id, rules=[])
    grant = {
        "resourceKind": "healthcheck.check",
        "resourceId": check["id"],
        "subject": {"kind": "user", "id": str(guest.id)},
        "level": "manage",
    }
    expect(await clinic.client.put("/api/grants", json=grant), 200)
    listed = expect(await guest.client.get(CHECKS), 200)["items"]
    assert [one["id"] for one in listed] == [check["id"]]
    expect(await guest.client.patch(at, json={"description": "mine"}), 200)
    other = await clinic.add(patient.url)
    expect(await guest.client.get(f"{CHECKS}/{other['id']}/runs"), 404)
    expect(await guest.client.get(f"{CHECKS}/{other['id']}/stats"), 404)
