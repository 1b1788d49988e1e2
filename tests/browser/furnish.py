"""A workspace in which people have worked: something on every page, for tests and for pictures."""

from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import UUID

from assent.identity.oauth.program import Program
from assent.identity.oauth.store.programs import keep_document
from assent.ids import new_id
from assent.testing import Client, RunningServer
from tests.mcp.asking import Asker, read_question
from tests.turn.oauth import make_pkce, read_query

PEOPLE = {"Ada Okafor": "operator", "Jun Sato": "operator", "Mara Lindqvist": "viewer"}
MODELS = (("claude-sonnet-4-5", "3", "15"), ("claude-haiku-4-5", "1", "5"))
DAYS = 30
LATHE = Program(
    client_id="https://lathe.example.com/program.json",
    name="Lathe",
    host="lathe.example.com",
    uri=None,
    redirect_uris=["http://127.0.0.1:33418/callback"],
    registered_by="document",
)
MILL = Program(
    client_id="https://mill.example.com/program.json",
    name="Mill",
    host="mill.example.com",
    uri=None,
    redirect_uris=["https://mill.example.com/done"],
    registered_by="document",
)
SCOPES = ["catalog.system.read", "catalog.system.manage", "incident.incident.read"]
VERIFIER, CHALLENGE = make_pkce()


def ask_for(program: Program) -> dict[str, str]:
    """How this program asks to be connected."""
    return {
        "client_id": program.client_id,
        "redirect_uri": program.redirect_uris[0],
        "response_type": "code",
        "code_challenge": CHALLENGE,
        "code_challenge_method": "S256",
    }


ASK = ask_for(LATHE)
INSERT_CALL = """
INSERT INTO model_calls (
    id, tenant_id, started_at, ended_at, expires_at, integration_id, provider, model, purpose,
    principal_id, agent, provided, input_tokens, output_tokens, cache_read_tokens,
    reasoning_tokens, cost, currency, outcome, estimated
) VALUES (
    $1, $2, $3, $3::timestamptz + interval '4 seconds', $3, $4, 'anthropic', $5, 'turn',
    $6, $7, true, $8, $9, $10, $11, $12, 'USD', 'finished', false
)
"""

INSERT_HOURS = """
INSERT INTO healthcheck.hours (tenant_id, check_id, hour, up, degraded, down, buckets)
SELECT tenant_id, id, date_trunc('hour', now()) - number * interval '1 hour',
    60 - number % 3, number % 2, CASE WHEN number % 30 = 7 THEN 9 ELSE 0 END, '{"66": 60}'
FROM healthcheck.checks, generate_series(0, 24 * 30) AS number
"""
INSERT_RUNS = """
INSERT INTO healthcheck.runs (
    tenant_id, check_id, due_at, started_at, duration_ms, status, answered, reason, result, failed)
SELECT tenant_id, id, now() - number * interval '1 minute', now() - number * interval '1 minute',
    20 + number, CASE WHEN number = 7 THEN 'down' ELSE 'up' END, true,
    CASE WHEN number = 7 THEN 'statusCode is 500; expected: is less than 400.' ELSE '' END,
    '{"statusCode": 200, "contentType": "text/plain"}', '[]'
FROM healthcheck.checks, generate_series(1, 60) AS number
"""
INSERT_ANOMALIES = """
INSERT INTO anomaly.anomalies (
    id, tenant_id, workspace_id, check_id, check_name, system_ids, worst, opened_at, closed_at)
SELECT gen_random_uuid(), tenant_id, workspace_id, id, name, system_ids, 'down',
    now() - number * interval '5 hours',
    CASE WHEN number > 1 THEN now() - number * interval '4 hours' END
FROM healthcheck.checks, generate_series(1, 3) AS number WHERE name = 'checkout answers'
"""


async def furnish(server: RunningServer) -> Client:
    """Everything that an admin sets up, changes that wait, and a month of usage; the admin."""
    admin = await server.open_admin()
    people = await _add_people(admin)
    integration_id = await _set_up_assistant(admin, people)
    await _propose(admin)
    await _connect(server, admin)
    await _run_operations(admin)
    await _use_models(server, integration_id, people)
    await _watch(server, admin)
    return admin


async def _post(admin: Client, path: str, body: dict[str, Any]) -> dict[str, Any]:
    response = await admin.post(path, json=body)
    assert response.status_code in (200, 201), response.text
    return response.json()


async def _add_people(admin: Client) -> list[UUID]:
    roles = {one["slug"]: one["id"] for one in (await admin.get("/api/roles")).json()["items"]}
    ids: list[str] = []
    for name, role in PEOPLE.items():
        email = f"{name.split()[0].lower()}@example.com"
        memberships = [{"roleId": roles[role], "workspaceId": None}]
        body = {"email": email, "name": name, "memberships": memberships}
        ids.append((await _post(admin, "/api/users", body))["user"]["id"])
    await _post(admin, "/api/teams", {"slug": "payments", "name": "Payments", "memberIds": ids[:2]})
    made = await _post(
        admin, "/api/applications", {"name": "deploy-pipeline", "rules": ["catalog.system.read"]}
    )
    await _post(admin, f"/api/applications/{made['id']}/keys", {})
    rules = ["catalog.system.read", "catalog.system.manage"]
    await _post(admin, "/api/roles", {"slug": "catalog", "name": "Catalog keeper", "rules": rules})
    return [UUID(one) for one in ids]


async def _set_up_assistant(admin: Client, people: list[UUID]) -> UUID:
    prices = [
        {"model": model, "currency": "USD", "input": given, "output": said, "cacheRead": "0.30"}
        for model, given, said in MODELS
    ]
    integration = await _post(
        admin,
        "/api/admin/integrations",
        {
            "name": "Anthropic",
            "provider": "anthropic",
            "baseUrl": "https://api.anthropic.com",
            "key": "a key that was made up",
            "defaultModel": MODELS[0][0],
            "allowedModels": [MODELS[1][0]],
            "prices": prices,
            "provided": True,
        },
    )
    await _post(
        admin,
        "/api/admin/agents",
        {"slug": "on-call", "name": "On call", "prompt": "Help whoever is on call. Be brief."},
    )
    await _post(
        admin,
        "/api/admin/destinations",
        {"origin": "https://status.example.com", "note": "Our status page."},
    )
    rule = {"title": "Two assent to deletions", "tool": "catalog.deleteSystem", "needed": 2}
    named = {"userIds": [str(one) for one in people], "notProposer": True}
    await _post(admin, "/api/admin/approval-rules", {**rule, **named})
    allowance = {"credits": {"unit": "USD", "amount": "400"}, "chatEnabled": True}
    assert (await admin.put("/api/admin/credits", json=allowance)).status_code == 200
    return UUID(integration["id"])


async def _propose(admin: Client) -> None:
    """Three that may be decided together, one that destroys, and one that was made."""
    systems = (await admin.get("/api/p/catalog/systems")).json()["items"]
    ids = {system["name"]: system["id"] for system in systems}
    workspace_id = systems[0]["workspaceId"]
    text = "Takes orders and payments for the shop and the app."
    made = await _post(
        admin,
        "/api/proposals",
        {
            "tool": "catalog.createSystem",
            "input": {"workspaceId": workspace_id, "name": "billing"},
        },
    )
    at = f"/api/proposals/{made['id']}"
    token = (await admin.post(f"{at}/token")).json()["token"]
    await _post(admin, f"{at}/apply", {"token": token})
    for tool, given in (
        ("catalog.deleteSystem", {"systemId": ids["search"]}),
        ("catalog.createSystem", {"workspaceId": workspace_id, "name": "reports"}),
        ("catalog.updateSystem", {"systemId": ids["orders"], "description": "Keeps orders."}),
        ("catalog.updateSystem", {"systemId": ids["checkout"], "description": text}),
    ):
        await _post(admin, "/api/proposals", {"tool": tool, "input": given})


async def _connect(server: RunningServer, admin: Client) -> None:
    """A program that the admin has allowed a little, and one that is known and no more."""
    async with server.database.transaction() as db:
        for one in (LATHE, MILL):
            await keep_document(
                db, one.client_id, program=one, fault=None, fresh=timedelta(hours=1)
            )
    await _allow(admin)


async def _allow(admin: Client) -> str:
    """The code with which the program gets its tokens."""
    answered = await _post(admin, "/api/oauth/consent/allow", {**ASK, "scopes": SCOPES})
    return read_query(answered["redirectTo"])["code"]


async def propose_by_program(server: RunningServer, admin: Client) -> str:
    """The connected program wants to change something: where that is decided."""
    form = {
        "grant_type": "authorization_code",
        "client_id": LATHE.client_id,
        "code": await _allow(admin),
        "code_verifier": VERIFIER,
    }
    program = await server.open_client()
    tokens = (await program.post("/oauth/token", data=form)).json()
    systems = (await admin.get("/api/p/catalog/systems")).json()["items"]
    [search] = [system["id"] for system in systems if system["name"] == "search"]
    given = {"systemId": search, "description": "Finds products, also when words are misspelt."}
    asker = Asker(server.url, tokens["access_token"])
    url, _ = read_question(await asker.call("catalog.updateSystem", given))
    return url.removeprefix(server.url)


async def _run_operations(admin: Client) -> None:
    """An incident with a timeline, one that is over, and a maintenance window of each standing."""
    system = (await admin.get("/api/p/catalog/systems")).json()["items"][0]
    place = {"workspaceId": system["workspaceId"], "systemIds": [system["id"]]}
    at = "/api/p/incident"
    address = {"url": "https://hooks.example.com/services/team"}
    assert (
        await admin.put(f"{at}/addresses/{place['workspaceId']}", json=address)
    ).status_code == 200
    over = {**place, "title": "Slow reports", "severity": "minor"}
    await _resolve(admin, over)
    long = "Payments time out for about one customer in ten. " * 4
    draft = {**place, "title": "Checkout hangs", "severity": "critical", "description": long}
    made = await _post(admin, f"{at}/incidents", {**draft, "notify": True})
    one = f"{at}/incidents/{made['id']}"
    said = {"text": "The queue of the payment provider is full.", "status": "identified"}
    await _post(admin, f"{one}/updates", said)
    link = {"label": "Dashboard of payments", "url": "https://graphs.example.com/d/payments"}
    await _post(admin, f"{one}/links", link)
    for title, before, after in (("Disks are changed", -1, 2), ("New certificates", 20, 22)):
        now = datetime.now(UTC)
        span = {
            "startsAt": (now + timedelta(hours=before)).isoformat(),
            "endsAt": (now + timedelta(hours=after)).isoformat(),
        }
        await _post(admin, "/api/p/maintenance/windows", {**place, **span, "title": title})


async def _resolve(admin: Client, draft: dict[str, Any]) -> None:
    made = await _post(admin, "/api/p/incident/incidents", draft)
    at = f"/api/p/incident/incidents/{made['id']}/resolve"
    await _post(admin, at, {"text": "An index was missing."})


async def _use_models(server: RunningServer, integration_id: UUID, people: list[UUID]) -> None:
    """A month with busy days and quiet weekends, the same every time."""
    async with server.database.transaction() as db:
        tenant_id = await db.fetchval("SELECT tenant_id FROM users LIMIT 1")
        for day in range(DAYS):
            moment = datetime.now(UTC) - timedelta(days=day, minutes=7)
            is_quiet = moment.weekday() >= 5
            for number, (model, given, said) in enumerate(MODELS):
                calls = 1 if is_quiet else 2 + (day * 7 + number * 3) % 4
                for call in range(calls):
                    taken = 18_000 + 9_000 * ((day * 5 + call * 3 + number) % 6)
                    written = taken // 9
                    cost = (taken * int(given) + written * int(said)) / 1_000_000
                    await db.execute(
                        INSERT_CALL,
                        new_id(),
                        tenant_id,
                        moment - timedelta(minutes=11 * call),
                        integration_id,
                        model,
                        people[(day + call) % len(people)],
                        "assistant" if call % 3 else "on-call",
                        taken,
                        written,
                        taken // 2,
                        written // 4,
                        cost,
                    )


async def _watch(server: RunningServer, admin: Client) -> None:
    """Two checks with a month of runs, an objective for each, and what went wrong."""
    systems = (await admin.get("/api/p/catalog/systems")).json()["items"]
    ids = {system["name"]: system["id"] for system in systems}
    draft = {
        "workspaceId": systems[0]["workspaceId"],
        "strategy": {"kind": "http", "config": {"url": f"{server.url}/healthz"}},
        "intervalSeconds": 3600,
        "assertions": [{"field": "statusCode", "operator": "equals", "value": 200}],
    }
    for name, system in (("checkout answers", "checkout"), ("web answers", "web")):
        given = {**draft, "name": name, "systemIds": [ids[system]], "enabled": system == "web"}
        await _post(admin, "/api/p/healthcheck/checks", given)
        target = 99.9 if system == "web" else 99
        objective = {"name": f"{system} works", "systemId": ids[system], "target": target}
        await _post(admin, "/api/p/slo/objectives", objective)
    async with server.database.transaction() as db:
        for statement in (INSERT_HOURS, INSERT_RUNS, INSERT_ANOMALIES):
            await db.execute(f"{statement} ON CONFLICT DO NOTHING")
