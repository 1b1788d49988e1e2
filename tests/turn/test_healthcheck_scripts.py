"""Checks by scripts: tried out, proposed as they were tried, and run behind walls."""

import asyncio
import base64
from collections.abc import AsyncGenerator
from typing import Any

import pytest
import pytest_asyncio

from assent.actions.call import Ran, ToolCall, call_tool
from assent.actions.proposal import Place
from assent.bundled.healthcheck.scripts.script import LONGEST_SOURCE
from assent.identity.authenticate import load_person
from assent.ids import new_id
from assent.sandbox.sandbox import AT_ONCE
from assent.testing import Client, Databases, RunningServer, run_server
from tests.bank.desk import add_key, apply
from tests.patience import wait_until
from tests.turn.health import CHECKS, Clinic, Patient, run_patient
from tests.turn.people import (
    Tenant,
    add_person,
    add_tenant,
    execute,
    expect,
    fetch,
    fetch_value,
    find_tenant,
    number,
)

BASE = "/api/p/healthcheck"
TEST = "/api/tools/healthcheck.testScript/call"
MANAGE = "healthcheck.check.manage"
PYTHON, SHELL = "healthcheck-script", "healthcheck-shell"
SECRET = "canary-4b1d-Never/To+Be=Seen"
GET = """
def run(script):
    response = script.http.get(script.config["url"])
    return {"ok": response.status == 200, "value": response.status, "told": response.json()}
"""
ALLOW = """
INSERT INTO egress_allowed (id, tenant_id, origin, tool, note, added_by, added_by_name)
SELECT $1, tenants.id, $2, 'healthcheck.testScript', '', users.id, 'Admin'
FROM tenants JOIN users ON users.tenant_id = tenants.id LIMIT 1
"""
LEAK = """
import base64
def run(script):
    token = script.env["TOKEN"]
    script.http.get(script.config["url"], headers={"authorization": token})
    print(token)
    return {
        "message": token,
        "hidden": base64.b64encode(token.encode()).decode(),
        "url": token.replace("/", "%2F").replace("+", "%2B").replace("=", "%3D"),
        token: [token],
    }
"""


@pytest_asyncio.fixture(scope="module")
async def server(databases: Databases) -> AsyncGenerator[RunningServer]:
    async with (
        databases.copy() as url,
        run_server(url, tool_calls=10_000, sandbox="strict") as running,
    ):
        yield running


@pytest_asyncio.fixture(scope="module")
async def tenant(server: RunningServer) -> Tenant:
    return await find_tenant(server)


@pytest_asyncio.fixture
async def clinic(server: RunningServer, tenant: Tenant) -> Clinic:
    return Clinic(server, tenant.admin.client, str(tenant.workspace_id))


@pytest_asyncio.fixture
async def patient() -> AsyncGenerator[Patient]:
    async with run_patient() as running:
        yield running


def build(clinic: Clinic, source: str, kind: str = "script", **fields: Any) -> dict[str, Any]:
    config = {"source": source, **fields.pop("config", {})}
    return {
        "workspaceId": clinic.workspace_id,
        "name": f"script-{number()}",
        "strategy": {"kind": kind, "config": config},
        "intervalSeconds": 5,
        "timeoutMs": 5000,
        **fields,
    }


async def try_out(client: Client, source: str, status: int = 200, **given: Any) -> Any:
    body = {"input": {"context": PYTHON, "source": source, **given}}
    return expect(await client.post(TEST, json=body), status)


async def propose(clinic: Clinic, body: dict[str, Any], status: int) -> Any:
    given = {"tool": "healthcheck.propose", "input": body}
    return expect(await clinic.client.post("/api/proposals", json=given), status)


async def allow(clinic: Clinic, origin: str) -> None:
    """So that a test that reaches it needs no card."""
    await execute(clinic.server, ALLOW, new_id(), origin)


@pytest.mark.parametrize("context", [PYTHON, SHELL])
async def test_the_starter_passes_its_own_test(clinic: Clinic, context: str) -> None:
    call = "/api/tools/healthcheck.getScriptContext/call"
    told = expect(await clinic.client.post(call, json={"input": {"context": context}}), 200)
    shown = told["result"]
    assert {"module", "helper", "stubs", "packages", "environment", "limits"} <= set(shown)
    outcome = await try_out(
        clinic.client, shown["starter"], context=context, config=shown["sampleConfig"]
    )
    assert outcome["result"]["error"] is None
    assert outcome["result"]["result"]["ok"] is True


@pytest.mark.parametrize("context", [PYTHON, SHELL])
async def test_the_starter_probes_what_is_configured(
    clinic: Clinic, patient: Patient, context: str
) -> None:
    shown = expect(await clinic.client.get(f"{BASE}/scripts/context?context={context}"), 200)
    body = {
        "context": context,
        "source": shown["starter"],
        "config": {"url": f"{patient.url}/status"},
        "reach": [patient.url],
    }
    outcome = expect(await clinic.client.post(f"{BASE}/scripts/test", json=body), 201)
    assert (outcome["error"], outcome["result"]["ok"]) == (None, True)
    assert len(patient.asked) == 1


async def test_a_test_says_all_of_it(clinic: Clinic) -> None:
    source = (
        "import sys\ndef run(script):\n    print('out')\n    print('err', file=sys.stderr)\n"
        "    return [script.config, script.context['day'], script.env]\n"
    )
    given = {"config": {"a": 1}, "sample": {"day": "monday"}, "env": {"KEY": "__SECRET_KEY__"}}
    told = (await try_out(clinic.client, source, **given))["result"]
    assert told.pop("durationMs") > 0
    assert told == {
        "result": [{"a": 1}, "monday", {"KEY": "__SECRET_KEY__"}],
        "stdout": "out\n",
        "stderr": "err\n",
        "exitCode": 0,
        "timedOut": False,
        "error": None,
        "sandboxDowngraded": False,
    }


async def test_what_goes_wrong_is_told(clinic: Clinic) -> None:
    raised = (await try_out(clinic.client, "def run():\n    raise ValueError('no')\n"))["result"]
    assert (raised["error"], raised["exitCode"], raised["result"]) == ("ValueError: no", 1, None)
    late = (await try_out(clinic.client, "while True: pass\n", timeoutMs=300))["result"]
    assert (late["timedOut"], late["exitCode"]) == (True, None)
    assert late["error"] == "It took too long and was ended."
    shell = await try_out(clinic.client, "echo no >&2; exit 3", context=SHELL)
    assert (shell["result"]["error"], shell["result"]["exitCode"]) == ("no", 3)


@pytest.mark.parametrize(
    ("given", "path"),
    [
        ({"source": "#" * (LONGEST_SOURCE + 1)}, "source"),
        ({"source": ""}, "source"),
        ({"source": "x", "timeoutMs": 99}, "timeoutMs"),
        ({"source": "x", "timeoutMs": 30_001}, "timeoutMs"),
        ({"source": "x", "context": "automation-action-script"}, "context"),
        ({"source": "x", "reach": ["somewhere"]}, "reach.0"),
        ({"source": "x", "reach": ["http://a.example:1", "http://b.example:0"]}, "reach.1"),
    ],
)
async def test_what_makes_no_sense_is_told(
    clinic: Clinic, given: dict[str, Any], path: str
) -> None:
    body = {"context": PYTHON, **given}
    route = expect(await clinic.client.post(f"{BASE}/scripts/test", json=body), 422)
    assert [one["path"] for one in route["issues"]] == [path]
    if not path.startswith("reach"):
        tool = expect(await clinic.client.post(TEST, json={"input": body}), 422)
        assert [one["path"] for one in tool["issues"]] == [path]


async def test_variables_have_names(clinic: Clinic) -> None:
    body = {"context": PYTHON, "source": "x", "env": {"a b": "c"}}
    expect(await clinic.client.post(f"{BASE}/scripts/test", json=body), 422)
    expect(await clinic.client.post(TEST, json={"input": body}), 422)


async def test_the_longest_source_is_taken(clinic: Clinic) -> None:
    source = "def run():\n    return 1\n"
    told = await try_out(clinic.client, source + "#" * (LONGEST_SOURCE - len(source)))
    assert told["result"]["result"] == 1


async def test_what_was_not_named_is_not_reached(clinic: Clinic, patient: Patient) -> None:
    told = await try_out(clinic.client, GET, config={"url": f"{patient.url}/status"})
    assert "none of the places that were declared" in told["result"]["error"]
    assert patient.asked == []


async def test_reaching_out_needs_a_card_unless_it_is_allowed(
    clinic: Clinic, patient: Patient
) -> None:
    given = {"config": {"url": f"{patient.url}/status"}, "reach": [f"{patient.url}/status"]}
    body = {"input": {"context": PYTHON, "source": GET, **given}}
    card = expect(await clinic.client.post(TEST, json=body), 202)
    assert card["summary"] == f"Try out a python script that reaches {patient.url}/status"
    assert patient.asked == []
    await allow(clinic, patient.url)
    told = await try_out(clinic.client, GET, **given)
    assert told["result"]["result"]["told"] == {"checks": [{"status": "ok"}]}
    elsewhere = {"config": {"url": f"{patient.url}/other"}, "reach": [f"{patient.url}/status"]}
    refused = await try_out(clinic.client, GET, **elsewhere)
    assert "none of the places that were declared" in refused["result"]["error"]
    assert len(patient.asked) == 1


async def test_only_what_reached_out_is_suspicious(
    clinic: Clinic, tenant: Tenant, patient: Patient
) -> None:
    await allow(clinic, patient.url)
    async with clinic.server.database.reading() as db:
        person = await load_person(
            db,
            tenant_id=tenant.id,
            user_id=tenant.admin.id,
            name="admin",
            session_id=new_id(),
        )
    tainted: list[bool] = []
    for reach in ([], [patient.url]):
        call = ToolCall(
            name="healthcheck.testScript",
            arguments={"context": PYTHON, "source": "def run(): return 1\n", "reach": reach},
            principal=person,
            place=Place(edge="rest"),
        )
        answer = await call_tool(clinic.server.app.state.parts.means, call)
        assert isinstance(answer, Ran)
        tainted.append(answer.taint.is_tainted)
    assert tainted == [False, True]


async def test_a_tried_script_is_proposed_applied_and_runs(
    clinic: Clinic, patient: Patient
) -> None:
    source = f"{GET}# {number()}\n"
    body = build(
        clinic,
        source,
        config={"config": {"url": f"{patient.url}/status"}},
        egress=[f"{patient.url}/status"],
        collectors=[
            {"id": "told", "kind": "scriptValue", "config": {"path": "told.checks[0].status"}}
        ],
        assertions=[
            {"field": "ok", "operator": "equals", "value": True},
            {"field": "told.value", "operator": "equals", "value": "ok"},
        ],
    )
    problem = await propose(clinic, body, 422)
    assert [one["path"] for one in problem["issues"]] == ["strategy.config.source"]
    assert "healthcheck.testScript" in problem["issues"][0]["message"]

    await allow(clinic, patient.url)
    await try_out(
        clinic.client, source, config={"url": f"{patient.url}/status"}, reach=[patient.url]
    )
    changed = build(clinic, f"{source} ", egress=[patient.url])
    await propose(clinic, changed, 422)
    other_language = build(clinic, source, kind="shell", egress=[patient.url])
    await propose(clinic, other_language, 422)

    card = await propose(clinic, body, 201)
    shown = card["creates"]
    assert shown["strategy"]["config"]["source"] == source
    assert shown["destinations"] == [f"{patient.url}/status"]
    assert shown["test"]["error"] is None
    assert shown["test"]["result"]["told"] == {"checks": [{"status": "ok"}]}
    check_id = (await apply(clinic.client, card["id"]))["result"]["id"]
    await clinic.wait_for_status(check_id, "up")
    (run, *_) = await clinic.list_runs(check_id)
    assert run["result"]["value"] == 200
    assert run["result"]["collected"]["told"]["value"] == "ok"


async def test_nobody_proposes_what_another_has_tried(clinic: Clinic, tenant: Tenant) -> None:
    source = f"def run():\n    return {number()}\n"
    other = await add_person(clinic.server, tenant.id, rules=[MANAGE])
    await try_out(other.client, source)
    await propose(clinic, build(clinic, source), 422)
    await try_out(clinic.client, source)
    card = await propose(clinic, build(clinic, source), 201)
    assert card["creates"]["destinations"] == ["nothing outside"]


async def test_a_change_of_the_script_is_tried_too(clinic: Clinic) -> None:
    source = f"def run():\n    return {number()}\n"
    check = expect(await clinic.client.post(CHECKS, json=build(clinic, source)), 201)
    update = {"tool": "healthcheck.update", "input": {"checkId": check["id"]}}

    async def change(status: int, **fields: Any) -> Any:
        body = {**update, "input": {**update["input"], **fields}}
        return expect(await clinic.client.post("/api/proposals", json=body), status)

    slower = await change(201, intervalSeconds=60)
    assert all(one["path"][0] != "test" for one in slower["diff"])
    new = f"{source}# changed\n"
    strategy = {"kind": "script", "config": {"source": new}}
    problem = await change(422, strategy=strategy)
    assert problem["issues"][0]["path"] == "strategy.config.source"
    await try_out(clinic.client, new)
    card = await change(201, strategy=strategy)
    assert any("test" in str(one["path"]) for one in card["diff"])
    applied = await apply(clinic.client, card["id"])
    assert applied["state"] == "applied"
    assert (await clinic.get(check["id"]))["strategy"]["config"]["source"] == new


async def test_undo_goes_back_to_a_script_that_nobody_tried(clinic: Clinic) -> None:
    """It ran, and that is more than a test; another check has not run it."""
    old, new = (f"def run():\n    return {number()}\n" for _ in range(2))
    check = expect(await clinic.client.post(CHECKS, json=build(clinic, old)), 201)
    other = expect(await clinic.client.post(CHECKS, json=build(clinic, new)), 201)
    await try_out(clinic.client, new)
    given = {"checkId": check["id"], "strategy": {"kind": "script", "config": {"source": new}}}
    body = {"tool": "healthcheck.update", "input": given}
    changed = expect(await clinic.client.post("/api/proposals", json=body), 201)
    await apply(clinic.client, changed["id"])
    await execute(clinic.server, "DELETE FROM evidence")
    undo = expect(await clinic.client.post(f"/api/proposals/{changed['id']}/undo"), 201)
    assert "ranHereUntil" in str(undo["diff"])
    await apply(clinic.client, undo["id"])
    assert (await clinic.get(check["id"]))["strategy"] == check["strategy"]

    again = expect(await clinic.client.post(f"/api/proposals/{undo['id']}/undo"), 201)
    await apply(clinic.client, again["id"])
    assert (await clinic.get(check["id"]))["strategy"]["config"]["source"] == new
    foreign = {"checkId": other["id"], "strategy": {"kind": "script", "config": {"source": old}}}
    body = {"tool": "healthcheck.update", "input": foreign}
    problem = expect(await clinic.client.post("/api/proposals", json=body), 422)
    assert problem["issues"][0]["path"] == "strategy.config.source"


async def test_a_script_that_fails_means_down(clinic: Clinic) -> None:
    cases = [
        (
            "def run():\n    raise RuntimeError('the queue is stuck')\n",
            "script",
            "the queue is stuck",
        ),
        ("def run():\n    return {'ok': False, 'message': 'not well'}\n", "script", "ok"),
        ("echo broken >&2; exit 2\n", "shell", "broken"),
        ("echo false\n", "shell", "ok"),
    ]
    for source, kind, reason in cases:
        body = build(clinic, source, kind)
        check = expect(await clinic.client.post(CHECKS, json=body), 201)
        down = await clinic.wait_for_status(check["id"], "down")
        assert reason in down["reason"]


async def test_a_script_that_does_not_end_means_down(clinic: Clinic) -> None:
    body = build(clinic, "while true; do :; done\n", "shell", timeoutMs=300)
    check = expect(await clinic.client.post(CHECKS, json=body), 201)
    assert "too long" in (await clinic.wait_for_status(check["id"], "down"))["reason"]


async def test_where_no_script_runs_nothing_is_known(databases: Databases) -> None:
    async with databases.copy() as url, run_server(url, sandbox="off") as server:
        tenant = await find_tenant(server)
        clinic = Clinic(server, tenant.admin.client, str(tenant.workspace_id))
        problem = await try_out(clinic.client, "def run(): return 1\n", 503)
        assert problem["code"] == "sandbox_unavailable"
        body = {"context": PYTHON, "source": "x"}
        route = expect(await clinic.client.post(f"{BASE}/scripts/test", json=body), 503)
        assert route["code"] == "sandbox_unavailable"
        check = expect(await clinic.client.post(CHECKS, json=build(clinic, "x")), 201)

        async def looked() -> dict[str, Any] | None:
            found = await clinic.get(check["id"])
            return found if found["lastRunAt"] else None

        unknown = await wait_until(looked)
        assert unknown["status"] == "unknown"
        assert unknown["reason"] == "Scripts cannot run here: it is switched off."


async def test_a_few_run_at_once_and_the_others_wait(clinic: Clinic, patient: Patient) -> None:
    """What waits for its turn is not late."""
    patient.held = asyncio.Event()
    body = {
        "context": PYTHON,
        "source": GET,
        "config": {"url": patient.url},
        "reach": [patient.url],
        "timeoutMs": 30_000,
    }
    url = f"{BASE}/scripts/test"
    trying = [asyncio.create_task(clinic.client.post(url, json=body)) for _ in range(AT_ONCE + 2)]

    async def enough() -> bool:
        return len(patient.asked) == AT_ONCE

    await wait_until(enough)
    assert not any(one.done() for one in trying)
    assert len(patient.asked) == AT_ONCE
    patient.held.set()
    for one in trying:
        assert expect(await one, 201)["error"] is None
    assert len(patient.asked) == AT_ONCE + 2


async def test_who_may_use_the_editors_route(clinic: Clinic, tenant: Tenant) -> None:
    url, body = f"{BASE}/scripts/test", {"context": PYTHON, "source": "def run(): return 1\n"}
    reader = await add_person(clinic.server, tenant.id, rules=["healthcheck.check.read"])
    assert expect(await reader.client.post(url, json=body), 403)["rule"] == MANAGE
    assert expect(await reader.client.post(TEST, json={"input": body}), 403)["rule"] == MANAGE
    robot = await clinic.server.open_client(key=await add_key(tenant.admin, MANAGE))
    assert expect(await robot.post(url, json=body), 403)["code"] == "needs_proposal"
    assert (await try_out(robot, body["source"]))["result"]["result"] == 1
    assert expect(await clinic.client.post(url, json=body), 201)["result"] == 1
    rows = await fetch(
        clinic.server,
        "SELECT status, principal_id FROM audit_entries WHERE action = 'healthcheck.testScript' "
        "AND edge = 'form' AND principal_id = ANY ($1)",
        [reader.id, tenant.admin.id],
    )
    found = {(row["principal_id"], row["status"]) for row in rows}
    assert {(reader.id, "refused"), (tenant.admin.id, "executed")} <= found


async def keep(clinic: Clinic, name: str, value: str, status: int = 201) -> Any:
    body = {"workspaceId": clinic.workspace_id, "name": name, "value": value}
    return expect(await clinic.client.post(f"{BASE}/secrets", json=body), status)


async def test_a_secret_reaches_the_place_and_nobody_else(clinic: Clinic, patient: Patient) -> None:
    await keep(clinic, "SHOP_TOKEN", SECRET)
    listed = await clinic.client.get(f"{BASE}/secrets?workspaceId={clinic.workspace_id}")
    assert [one["name"] for one in expect(listed, 200)["items"]] == ["SHOP_TOKEN"]
    assert SECRET not in listed.text
    env = {"TOKEN": "Bearer __SECRET_SHOP_TOKEN__"}
    await allow(clinic, patient.url)
    given = {"config": {"url": patient.url}, "env": env}
    tried = await try_out(clinic.client, LEAK, reach=[patient.url], **given)
    assert tried["result"]["stdout"] == "Bearer __SECRET_SHOP_TOKEN__\n"
    assert "authorization: Bearer __SECRET_SHOP_TOKEN__" in patient.asked[0]

    card = await propose(clinic, build(clinic, LEAK, config=given, egress=[patient.url]), 201)
    check_id = (await apply(clinic.client, card["id"]))["result"]["id"]
    await clinic.wait_for_status(check_id, "up")
    assert f"authorization: Bearer {SECRET}" in patient.asked[1]
    (run, *_) = await clinic.list_runs(check_id)
    assert run["result"]["message"] == "Bearer __SECRET_SHOP_TOKEN__"

    encoded = base64.b64encode(f"Bearer {SECRET}".encode()).decode()
    for canary in (SECRET, encoded[12:40], SECRET.replace("/", "%2F")):
        for table in ("healthcheck.runs", "healthcheck.checks", "evidence", "proposals"):
            held = f"SELECT count(*) FROM {table} AS one WHERE one::text LIKE '%' || $1 || '%'"
            assert await fetch_value(clinic.server, held, canary) == 0


async def count_kept(clinic: Clinic, name: str) -> int:
    held = "SELECT count(*) FROM secrets WHERE name = $1"
    return await fetch_value(clinic.server, held, f"healthcheck {name}")


async def test_what_is_forgotten_is_gone_from_the_vault_too(clinic: Clinic) -> None:
    for value in ("the first value", "another value", "a third value"):
        kept = await keep(clinic, "PASSING", value)
        assert await count_kept(clinic, "PASSING") == 1
    source = "def run(script):\n    return {'ok': False, 'message': script.env['T']}\n"
    body = build(clinic, source, config={"env": {"T": "__SECRET_PASSING__"}})
    check = expect(await clinic.client.post(CHECKS, json=body), 201)
    await clinic.wait_for_status(check["id"], "down")
    expect(await clinic.client.delete(f"{BASE}/secrets/{kept['id']}"), 204)
    assert await count_kept(clinic, "PASSING") == 0
    expect(await clinic.client.post(f"{CHECKS}/{check['id']}/run"), 201)
    await clinic.wait_for_runs(check["id"], 2)


async def test_one_secret_is_kept_and_forgotten_by_many_at_once(clinic: Clinic) -> None:
    values = [f"the value of number {one}" for one in range(8)]
    kept = await asyncio.gather(*(keep(clinic, "BUSY", value) for value in values))
    assert len({one["id"] for one in kept}) == 1
    assert await count_kept(clinic, "BUSY") == 1
    url = f"{BASE}/secrets/{kept[0]['id']}"
    gone = await asyncio.gather(*(clinic.client.delete(url) for _ in values))
    assert sorted(one.status_code for one in gone) == [204] + [404] * 7
    assert await count_kept(clinic, "BUSY") == 0


async def test_an_error_with_a_secret_in_it_hides_it(clinic: Clinic) -> None:
    await keep(clinic, "OTHER_TOKEN", f"{SECRET}-2")
    source = "def run(script):\n    raise ValueError(script.env['T'])\n"
    body = build(clinic, source, config={"env": {"T": "__SECRET_OTHER_TOKEN__"}})
    check = expect(await clinic.client.post(CHECKS, json=body), 201)
    down = await clinic.wait_for_status(check["id"], "down")
    assert down["reason"] == "ValueError: __SECRET_OTHER_TOKEN__"


async def test_secrets_that_are_not_there(clinic: Clinic, tenant: Tenant) -> None:
    body = build(clinic, "x", config={"env": {"T": "__SECRET_NOWHERE__"}})
    problem = expect(await clinic.client.post(CHECKS, json=body), 409)
    told = "There is no secret NOWHERE in this workspace."
    assert problem["issues"] == [{"path": "strategy.config.env", "message": told}]
    kept = await keep(clinic, "NOWHERE", "now there it is")
    assert (await keep(clinic, "NOWHERE", "and another"))["id"] == kept["id"]
    expect(await clinic.client.post(CHECKS, json=body), 201)
    gone = f"{BASE}/secrets/{kept['id']}"
    expect(await clinic.client.delete(gone), 204)
    expect(await clinic.client.delete(gone), 404)
    for name, value in (("lower", "long enough"), ("A__B", "long enough"), ("A", "short")):
        await keep(clinic, name, value, 422)
    reader = await add_person(clinic.server, tenant.id, rules=["healthcheck.check.read"])
    mine = await keep(clinic, "MINE", "only for us")
    expect(await reader.client.delete(f"{BASE}/secrets/{mine['id']}"), 403)
    foreign = await add_tenant(clinic.server)
    expect(await foreign.admin.client.delete(f"{BASE}/secrets/{mine['id']}"), 404)
    listed = f"{BASE}/secrets?workspaceId={clinic.workspace_id}"
    assert expect(await reader.client.get(listed), 403)["rule"] == MANAGE
