"""Two tenants in one database: nothing of the other can be seen or reached by any route."""

import re
from typing import Any
from uuid import UUID

import pytest_asyncio

from assent.testing import Client, RunningServer
from tests.contract.story import ANOMALY
from tests.turn.people import Tenant, add_person, add_tenant, expect, fetch, fetch_value, number
from tests.turn.shop import open_shop

BODIES: dict[str, dict[str, Any]] = {
    "PATCH /api/documents/{documentId}": {"title": "x"},
    "PATCH /api/memories/{memoryId}": {"text": "x"},
    "PATCH /api/p/catalog/dependencies/{dependencyId}": {"note": "x"},
    "PATCH /api/admin/approval-rules/{approvalRuleId}": {"note": "x"},
    "POST /api/applications/{applicationId}/keys": {},
    "POST /api/users/{userId}/reset-link": {},
    "POST /api/proposals/{proposalId}/token": {},
    "POST /api/conversations/{conversationId}/messages": {"message": {"text": "x"}},
    "POST /api/conversations/{conversationId}/cancel": {},
    "POST /api/conversations/{conversationId}/retry": {},
    "POST /api/conversations/{conversationId}/branch": {"messageId": str(UUID(int=1))},
    "PUT /api/messages/{messageId}/feedback": {"rating": "up"},
    "PATCH /api/conversations/{conversationId}": {"title": "x"},
    "POST /api/conversations/{conversationId}/read": {},
    "POST /api/proposals/{proposalId}/apply": {"token": "x"},
    "POST /api/proposals/{proposalId}/decline": {"token": "x"},
    "POST /api/proposals/{proposalId}/resolve": {"outcome": "applied"},
    "POST /api/p/healthcheck/checks/{checkId}/run": {},
    "POST /api/p/anomaly/anomalies/{anomalyId}/acknowledge": {},
    **{
        f"{method} /api/p/{kind}{route}": body
        for kind, end in (
            ("incident/incidents/{incidentId}", "resolve"),
            ("maintenance/windows/{windowId}", "close"),
        )
        for method, route, body in (
            ("PATCH", "", {"title": "x"}),
            ("POST", "/updates", {"text": "x"}),
            ("POST", "/links", {"label": "x", "url": "https://example.com/"}),
            ("POST", f"/{end}", {"text": "x"}),
        )
    },
    **{
        f"PUT /api/p/{kind}/addresses/{{workspaceId}}": {"url": "https://example.com/"}
        for kind in ("incident", "maintenance")
    },
}
"""Where `{"name": "x"}` is not what a changing route takes."""

ENDLESS = {"/api/events"}
"""What it tells of other tenants, which is nothing, is in `test_events.py`."""


async def propose_reading(client: Client) -> str:
    body = {"tool": "catalog.listSystems", "input": {}}
    return expect(await client.post("/api/proposals", json=body), 201)["id"]


async def start_chat(server: RunningServer, client: Client) -> dict[str, str]:
    conversation = expect(await client.post("/api/conversations", json={}), 201)
    url = f"/api/conversations/{conversation['id']}/messages"
    sent = expect(await client.post(url, json={"message": {"text": "Hello"}}), 202)
    find = "SELECT message_id::text FROM runs WHERE id = $1"
    answer_id = await fetch_value(server, find, UUID(sent["runId"]))
    file = expect(await client.post("/api/files", files={"file": ("a.txt", b"a")}), 201)
    return {
        "conversationId": conversation["id"],
        "runId": sent["runId"],
        "messageId": answer_id,
        "fileId": file["id"],
    }


async def add_integration(client: Client) -> str:
    draft = {"name": "Somewhere", "baseUrl": "http://127.0.0.1:9/v1", "defaultModel": "m"}
    return expect(await client.post("/api/admin/integrations", json=draft), 201)["id"]


async def tell_for_later(admin: Client) -> dict[str, str]:
    """What the assistant is told: each of them belongs to its tenant alone."""
    drafts: dict[str, dict[str, Any]] = {
        "documents": {"title": "Foreign", "text": "Foreign"},
        "memories": {"text": "Foreign", "reach": "shared", "alwaysApply": True},
        "skills": {"name": "Foreign", "prompt": "Foreign", "reach": "shared"},
        "corrections": {"text": "Foreign"},
    }
    made = {
        name: expect(await admin.post(f"/api/{name}", json=draft), 201)["id"]
        for name, draft in drafts.items()
    }
    return {
        "documentId": made["documents"],
        "memoryId": made["memories"],
        "skillId": made["skills"],
        "correctionId": made["corrections"],
    }


async def operate(shared: RunningServer, admin: Client, place: dict[str, Any]) -> dict[str, str]:
    """What operations are about: each of them belongs to its tenant alone."""

    async def add(path: str, draft: dict[str, Any]) -> str:
        return expect(await admin.post(f"/api/p/{path}", json=draft), 201)["id"]

    probe = {"kind": "tcp", "config": {"host": "example.com", "port": 9}}
    check = {**place, "name": "Foreign", "strategy": probe, "enabled": False}
    secret = {**place, "name": "FOREIGN", "value": "a foreign secret"}
    window = {"startsAt": "2126-07-01T22:00:00Z", "endsAt": "2126-07-01T23:00:00Z"}
    incident = await add("incident/incidents", {**place, "title": "Foreign", "severity": "minor"})
    at = f"incident/incidents/{incident}"
    async with shared.database.transaction() as db:
        anomaly = await db.fetchval(ANOMALY.format(workspace=place["workspaceId"]))
    check_id = await add("healthcheck/checks", check)
    objective = {"checkId": check_id, "name": "Foreign", "target": 99}
    return {
        "checkId": check_id,
        "secretId": await add("healthcheck/secrets", secret),
        "incidentId": incident,
        "updateId": await add(f"{at}/updates", {"text": "Foreign"}),
        "linkId": await add(f"{at}/links", {"label": "x", "url": "https://example.com/"}),
        "windowId": await add("maintenance/windows", {**place, "title": "Foreign", **window}),
        "objectiveId": await add("slo/objectives", objective),
        "anomalyId": str(anomaly),
    }


async def add_approval_rule(admin: Client, person_id: str) -> str:
    draft = {"title": f"Rule {number()}", "tool": "catalog.*", "userIds": [person_id]}
    return expect(await admin.post("/api/admin/approval-rules", json=draft), 201)["id"]


async def allow_destination(admin: Client) -> str:
    draft = {"origin": f"https://example-{number()}.com"}
    return expect(await admin.post("/api/admin/destinations", json=draft), 201)["id"]


CONNECT = """
INSERT INTO oauth_connections (id, tenant_id, user_id, client_id, client_name, client_host,
    registered_by, scopes)
VALUES (gen_random_uuid(), $1, $2, 'https://foreign.example/program', 'Foreign', 'foreign.example',
    'document', '{*}')
RETURNING id::text
"""


async def connect_program(shared: RunningServer, tenant: Tenant) -> str:
    async with shared.database.transaction() as db:
        return await db.fetchval(CONNECT, tenant.id, tenant.admin.id)


async def add_agent(client: Client) -> str:
    draft = {"slug": "helper", "name": "Helper"}
    return expect(await client.post("/api/admin/agents", json=draft), 201)["id"]


class Other:
    """Somebody else's tenant: one of everything that has an id."""

    def __init__(self, ids: dict[str, str], everything: set[str]) -> None:
        self.ids = ids
        self.everything = everything

    def fill(self, path: str) -> str:
        return re.sub(r"\{(\w+)\}", lambda match: self.ids[match[1]], path)


@pytest_asyncio.fixture(scope="module")
async def other(shared: RunningServer) -> Other:
    tenant = await add_tenant(shared)
    admin = tenant.admin.client
    shop = await open_shop(admin, tenant.workspace_id)
    team = {"slug": f"t-{number()}", "name": "T", "memberIds": [str(tenant.admin.id)]}
    team_id = expect(await admin.post("/api/teams", json=team), 201)["id"]
    grant = {
        "resourceKind": "catalog.system",
        "resourceId": shop.systems[0],
        "subject": {"kind": "team", "id": team_id},
        "level": "own",
    }
    role = {"slug": f"r-{number()}", "name": "R", "rules": []}
    application = {"name": "robot", "rules": ["*"]}
    application_id = expect(await admin.post("/api/applications", json=application), 201)["id"]
    key = expect(await admin.post(f"/api/applications/{application_id}/keys"), 201)
    session = "SELECT id::text FROM sessions WHERE user_id = $1"
    ids = {
        "userId": str(tenant.admin.id),
        "roleId": expect(await admin.post("/api/roles", json=role), 201)["id"],
        "teamId": team_id,
        "grantId": expect(await admin.put("/api/grants", json=grant), 200)["id"],
        "workspaceId": str(tenant.workspace_id),
        "applicationId": application_id,
        "keyId": key["id"],
        "clientId": await connect_program(shared, tenant),
        "sessionId": await fetch_value(shared, session, tenant.admin.id),
        "proposalId": await propose_reading(admin),
        **await start_chat(shared, admin),
        "integrationId": await add_integration(admin),
        "agentId": await add_agent(admin),
        "destinationId": await allow_destination(admin),
        "approvalRuleId": await add_approval_rule(admin, str(tenant.admin.id)),
        **await tell_for_later(admin),
        **await operate(shared, admin, {"workspaceId": str(tenant.workspace_id)}),
        "systemId": shop.systems[0],
        "groupId": shop.group,
        "environmentId": shop.environment,
        "dependencyId": shop.dependency,
    }
    return Other(ids, set(ids.values()) | shop.ids | {str(tenant.id)})


def list_operations(shared: RunningServer) -> list[tuple[str, str]]:
    return [
        (method.upper(), path)
        for path, operations in shared.app.openapi()["paths"].items()
        for method in operations
    ]


async def test_no_route_reaches_anything_of_another_tenant(
    shared: RunningServer, tenant: Tenant, other: Other
) -> None:
    with_ids = [(m, path) for m, path in list_operations(shared) if "Id}" in path]
    assert len(with_ids) >= 25
    before = await count_everything(shared)
    reached: dict[str, int] = {}
    for method, path in with_ids:
        body = (
            BODIES.get(f"{method} {path}", {"name": "x"})
            if method in ("PATCH", "POST", "PUT")
            else None
        )
        answer = await tenant.admin.client.request(method, other.fill(path), json=body)
        if answer.status_code != 404:
            reached[f"{method} {path}"] = answer.status_code
    assert reached == {}
    after = await count_everything(shared)
    assert after.pop("audit_entries") == before.pop("audit_entries")
    assert after == before


async def test_no_list_shows_anything_of_another_tenant(
    shared: RunningServer, tenant: Tenant, other: Other
) -> None:
    lists = [
        path
        for method, path in list_operations(shared)
        if method == "GET" and "{" not in path and path not in ENDLESS
    ]
    for path in lists:
        queries: list[dict[str, str]] = [{}]
        if path == "/api/grants":
            queries = [{"resourceKind": "catalog.system", "resourceId": other.ids["systemId"]}]
        elif path == "/api/p/healthcheck/scripts/context":
            queries = [{"context": "healthcheck-shell"}]
        elif path == "/api/p/healthcheck/secrets":
            queries = [{"workspaceId": str(tenant.workspace_id)}]
        elif path.startswith("/api/p/catalog") and path != "/api/p/catalog/issues":
            queries += [{"workspaceId": other.ids["workspaceId"]}]
        if path == "/api/p/catalog/systems":
            queries += [
                {"groupId": other.ids["groupId"]},
                {"environmentId": other.ids["environmentId"]},
            ]
        if path == "/api/p/catalog/dependencies":
            queries += [{"systemId": other.ids["systemId"]}]
        for query in queries:
            answer = await tenant.admin.client.get(path, params=query)
            expect_ok = answer.status_code == 200
            assert expect_ok, (path, answer.text)
            assert not [one for one in other.everything if one in answer.text], path
            if query and path != "/api/p/healthcheck/scripts/context":
                assert answer.json()["items"] == []


async def test_nothing_refers_to_another_tenant(
    shared: RunningServer, tenant: Tenant, other: Other
) -> None:
    admin = tenant.admin.client
    mine = await open_shop(admin, tenant.workspace_id)
    foreign = other.ids
    for method, path, body, field in [
        ("POST", "/api/p/catalog/systems",
         {"workspaceId": foreign["workspaceId"], "name": "x"}, "workspaceId"),
        ("PATCH", f"/api/p/catalog/systems/{mine.systems[0]}",
         {"groupIds": [foreign["groupId"]]}, "groupIds"),
        ("PATCH", f"/api/p/catalog/systems/{mine.systems[0]}",
         {"environmentIds": [foreign["environmentId"]]}, "environmentIds"),
        ("PATCH", f"/api/p/catalog/groups/{mine.group}",
         {"systemIds": [foreign["systemId"]]}, "systemIds"),
        ("POST", "/api/p/catalog/dependencies",
         {"systemId": mine.systems[0], "dependsOnId": foreign["systemId"]}, "dependsOnId"),
    ]:  # fmt: skip
        problem = expect(await admin.request(method, path, json=body), 409)
        assert problem["issues"][0]["path"] == field
    backwards = {"systemId": foreign["systemId"], "dependsOnId": mine.systems[0]}
    expect(await admin.post("/api/p/catalog/dependencies", json=backwards), 404)


async def test_the_same_names_live_in_both_tenants(
    shared: RunningServer, tenant: Tenant, other: Other
) -> None:
    second = await add_tenant(shared)
    for path, body in [
        ("/api/workspaces", {"slug": "twin", "name": "Twin"}),
        ("/api/roles", {"slug": "twin", "name": "Twin", "rules": []}),
        ("/api/teams", {"slug": "twin", "name": "Twin"}),
    ]:
        for client in (tenant.admin.client, second.admin.client):
            expect(await client.post(path, json=body), 201)
    person = await add_person(shared, tenant.id)
    taken = {"email": person.email, "name": "x"}
    expect(await second.admin.client.post("/api/users", json=taken), 409)


async def count_everything(shared: RunningServer) -> dict[str, int]:
    tables = await fetch(
        shared,
        "SELECT schemaname || '.' || tablename AS name, tablename FROM pg_tables "
        "WHERE schemaname IN ('public', 'catalog')",
    )
    return {
        table["tablename"]: await fetch_value(
            shared,
            f"SELECT hashtext(string_agg(t::text, '' ORDER BY t::text)) FROM {table['name']} t",
        )
        for table in tables
        if table["tablename"] not in ("sessions", "users")
    }
