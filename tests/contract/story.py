"""A story that calls every procedure that changes something once, with inputs that work."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, cast

import httpx2

from assent.db.database import Database
from assent.testing import Client

MARK = "marzipan"
"""Stands in every text that the story sends: it must not turn up where arguments do not belong."""

LIST_TABLES = """
SELECT quote_ident(schemaname) || '.' || quote_ident(tablename) AS name FROM pg_tables
WHERE schemaname NOT IN ('pg_catalog', 'information_schema') AND tablename <> 'audit_entries'
"""
DIGEST = """
SELECT md5(coalesce(string_agg(entry, '' ORDER BY entry), '')) FROM (
    SELECT (to_jsonb(present) - 'last_seen_at' - 'last_used_at')::text AS entry
    FROM {table} AS present
) AS entries
"""


@dataclass(frozen=True, slots=True)
class Step:
    """`{name}` in path and body is the id that an earlier step kept under that name."""

    action: str
    method: str
    path: str
    body: Mapping[str, Any] | None = None
    keep: str | None = None
    plant: tuple[str, str] | None = None
    """What no procedure makes, by name: a statement that makes it and returns its id."""


ANOMALY = """
INSERT INTO anomaly.anomalies (
    id, tenant_id, workspace_id, check_id, check_name, system_ids, worst, opened_at)
SELECT gen_random_uuid(), tenant_id, id, gen_random_uuid(), 'check', ARRAY[]::uuid[], 'down', now()
FROM workspaces WHERE id = '{workspace}' RETURNING id
"""

PROGRAM = """
INSERT INTO oauth_registrations (client_id, program)
SELECT id, jsonb_build_object(
    'client_id', id, 'name', 'Lathe', 'host', '127.0.0.1', 'uri', NULL,
    'redirect_uris', jsonb_build_array('http://127.0.0.1/back'), 'registered_by', 'registration')
FROM (SELECT gen_random_uuid()::text AS id) AS made RETURNING client_id
"""
CONNECTION = """
INSERT INTO oauth_connections (
    id, tenant_id, user_id, client_id, client_name, client_host, registered_by, scopes)
SELECT gen_random_uuid(), tenant_id, id, gen_random_uuid(), 'Lathe', 'lathe', 'document',
    ARRAY['*'] FROM users ORDER BY id LIMIT 1 RETURNING id
"""
ASKED = {
    "client_id": "{program}",
    "redirect_uri": "http://127.0.0.1:4711/back",
    "response_type": "code",
    "code_challenge": "0123456789012345678901234567890123456789012",
    "code_challenge_method": "S256",
    "state": MARK,
}

STORY = (
    Step(
        "assistant.createAgent",
        "POST",
        "/api/admin/agents",
        {"slug": MARK, "name": MARK, "prompt": MARK},
        keep="agent",
    ),
    Step("assistant.updateAgent", "PATCH", "/api/admin/agents/{agent}", {"prompt": f"{MARK} two"}),
    Step("assistant.deleteAgent", "DELETE", "/api/admin/agents/{agent}"),
    Step(
        "assistant.createIntegration",
        "POST",
        "/api/admin/integrations",
        {"name": MARK, "baseUrl": f"http://127.0.0.1:9/{MARK}", "key": MARK, "defaultModel": MARK},
        keep="integration",
    ),
    Step(
        "assistant.updateIntegration",
        "PATCH",
        "/api/admin/integrations/{integration}",
        {"defaultModel": f"{MARK}-2", "key": f"{MARK}-3"},
    ),
    Step(
        "assistant.setCredits",
        "PUT",
        "/api/admin/credits",
        {"credits": {"unit": "USD", "amount": "25"}, "chatEnabled": True},
    ),
    Step(
        "assistant.setWebhook",
        "PUT",
        "/api/admin/webhook",
        {
            "url": f"https://events.example.com/{MARK}",
            "secret": f"{MARK}-{MARK}",
            "events": ["chat.message"],
            "enabled": True,
        },
    ),
    Step("assistant.deleteIntegration", "DELETE", "/api/admin/integrations/{integration}"),
    Step(
        "assistant.allowDestination",
        "POST",
        "/api/admin/destinations",
        {"origin": "https://status.example.com", "note": "Our status page."},
        keep="destination",
    ),
    Step("assistant.forbidDestination", "DELETE", "/api/admin/destinations/{destination}"),
    Step(
        "assistant.createDocument",
        "POST",
        "/api/documents",
        {"title": MARK, "section": MARK, "text": f"# {MARK}"},
        keep="document",
    ),
    Step("assistant.updateDocument", "PATCH", "/api/documents/{document}", {"text": MARK}),
    Step("assistant.deleteDocument", "DELETE", "/api/documents/{document}"),
    Step(
        "assistant.createMemory",
        "POST",
        "/api/memories",
        {"text": MARK, "hint": MARK, "reach": "shared", "alwaysApply": True},
        keep="memory",
    ),
    Step("assistant.updateMemory", "PATCH", "/api/memories/{memory}", {"text": f"{MARK} two"}),
    Step("assistant.deleteMemory", "DELETE", "/api/memories/{memory}"),
    Step(
        "assistant.createSkill",
        "POST",
        "/api/skills",
        {"name": MARK, "description": MARK, "prompt": MARK, "starter": MARK},
        keep="skill",
    ),
    Step("assistant.updateSkill", "PATCH", "/api/skills/{skill}", {"prompt": f"{MARK} two"}),
    Step("assistant.deleteSkill", "DELETE", "/api/skills/{skill}"),
    Step("assistant.addCorrection", "POST", "/api/corrections", {"text": MARK}, keep="correction"),
    Step("assistant.removeCorrection", "DELETE", "/api/corrections/{correction}"),
    Step("assistant.setBusinessContext", "PUT", "/api/business-context", {"facts": {MARK: MARK}}),
    Step("assistant.setOwnContext", "PUT", "/api/business-context/own", {"facts": {MARK: MARK}}),
    Step(
        "identity.addWorkspace",
        "POST",
        "/api/workspaces",
        {"slug": MARK, "name": MARK},
        keep="workspace",
    ),
    Step("identity.changeWorkspace", "PATCH", "/api/workspaces/{workspace}", {"name": MARK}),
    Step(
        "identity.addRole",
        "POST",
        "/api/roles",
        {"slug": MARK, "name": MARK, "rules": ["catalog.system.read"]},
        keep="role",
    ),
    Step("identity.changeRole", "PATCH", "/api/roles/{role}", {"name": MARK}),
    Step(
        "assistant.createApprovalRule",
        "POST",
        "/api/admin/approval-rules",
        {"title": MARK, "note": MARK, "tool": "catalog.*", "roleIds": ["{role}"]},
        keep="approval",
    ),
    Step(
        "assistant.updateApprovalRule",
        "PATCH",
        "/api/admin/approval-rules/{approval}",
        {"note": f"{MARK} two"},
    ),
    Step("assistant.deleteApprovalRule", "DELETE", "/api/admin/approval-rules/{approval}"),
    Step(
        "identity.addUser",
        "POST",
        "/api/users",
        {
            "email": f"{MARK}@example.com",
            "name": MARK,
            "memberships": [{"roleId": "{role}", "workspaceId": "{workspace}"}],
        },
        keep="user",
    ),
    Step("identity.changeUser", "PATCH", "/api/users/{user}", {"name": f"{MARK} two"}),
    Step("identity.makeResetLink", "POST", "/api/users/{user}/reset-link"),
    Step(
        "identity.addTeam",
        "POST",
        "/api/teams",
        {"slug": MARK, "name": MARK, "memberIds": ["{user}"]},
        keep="team",
    ),
    Step("identity.changeTeam", "PATCH", "/api/teams/{team}", {"memberIds": []}),
    Step(
        "identity.addApplication",
        "POST",
        "/api/applications",
        {"name": MARK, "rules": ["catalog.system.read"]},
        keep="application",
    ),
    Step("identity.addKey", "POST", "/api/applications/{application}/keys", keep="key"),
    Step("identity.revokeKey", "DELETE", "/api/applications/{application}/keys/{key}"),
    Step("identity.deleteApplication", "DELETE", "/api/applications/{application}"),
    Step(
        "catalog.createEnvironment",
        "POST",
        "/api/p/catalog/environments",
        {"workspaceId": "{workspace}", "name": MARK},
        keep="environment",
    ),
    Step(
        "catalog.updateEnvironment",
        "PATCH",
        "/api/p/catalog/environments/{environment}",
        {"description": MARK},
    ),
    Step(
        "catalog.createGroup",
        "POST",
        "/api/p/catalog/groups",
        {"workspaceId": "{workspace}", "name": MARK},
        keep="group",
    ),
    Step("catalog.updateGroup", "PATCH", "/api/p/catalog/groups/{group}", {"description": MARK}),
    Step(
        "catalog.createSystem",
        "POST",
        "/api/p/catalog/systems",
        {"workspaceId": "{workspace}", "name": MARK, "environmentIds": ["{environment}"]},
        keep="system",
    ),
    Step(
        "catalog.updateSystem",
        "PATCH",
        "/api/p/catalog/systems/{system}",
        {"groupIds": ["{group}"], "description": MARK},
    ),
    Step(
        "catalog.createSystem",
        "POST",
        "/api/p/catalog/systems",
        {"workspaceId": "{workspace}", "name": f"{MARK} two"},
        keep="second",
    ),
    Step(
        "catalog.createDependency",
        "POST",
        "/api/p/catalog/dependencies",
        {"systemId": "{system}", "dependsOnId": "{second}", "note": MARK},
        keep="dependency",
    ),
    Step(
        "catalog.updateDependency",
        "PATCH",
        "/api/p/catalog/dependencies/{dependency}",
        {"note": f"{MARK} two"},
    ),
    Step(
        "identity.giveGrant",
        "PUT",
        "/api/grants",
        {
            "resourceKind": "catalog.system",
            "resourceId": "{system}",
            "subject": {"kind": "team", "id": "{team}"},
            "level": "manage",
        },
        keep="grant",
    ),
    Step("identity.revokeGrant", "DELETE", "/api/grants/{grant}"),
    Step(
        "incident.setAddress",
        "PUT",
        "/api/p/incident/addresses/{workspace}",
        {"url": f"https://events.example.com/{MARK}"},
    ),
    Step(
        "incident.createIncident",
        "POST",
        "/api/p/incident/incidents",
        {
            "workspaceId": "{workspace}",
            "title": MARK,
            "severity": "minor",
            "systemIds": ["{system}"],
            "notify": True,
        },
        keep="incident",
    ),
    Step(
        "incident.updateIncident",
        "PATCH",
        "/api/p/incident/incidents/{incident}",
        {"description": MARK},
    ),
    Step(
        "incident.addUpdate",
        "POST",
        "/api/p/incident/incidents/{incident}/updates",
        {"text": MARK, "status": "monitoring"},
        keep="update",
    ),
    Step(
        "incident.deleteUpdate",
        "DELETE",
        "/api/p/incident/incidents/{incident}/updates/{update}",
    ),
    Step(
        "incident.addLink",
        "POST",
        "/api/p/incident/incidents/{incident}/links",
        {"label": MARK, "url": f"https://example.com/{MARK}"},
        keep="link",
    ),
    Step(
        "incident.removeLink",
        "DELETE",
        "/api/p/incident/incidents/{incident}/links/{link}",
    ),
    Step(
        "incident.resolveIncident",
        "POST",
        "/api/p/incident/incidents/{incident}/resolve",
        {"text": MARK},
    ),
    Step("incident.deleteIncident", "DELETE", "/api/p/incident/incidents/{incident}"),
    Step(
        "healthcheck.createCheck",
        "POST",
        "/api/p/healthcheck/checks",
        {
            "workspaceId": "{workspace}",
            "name": MARK,
            "systemIds": ["{system}"],
            "strategy": {"kind": "tcp", "config": {"host": f"{MARK}.example.com", "port": 9}},
            "enabled": False,
        },
        keep="check",
    ),
    Step(
        "healthcheck.updateCheck",
        "PATCH",
        "/api/p/healthcheck/checks/{check}",
        {"description": MARK},
    ),
    Step(
        "healthcheck.updateCheck",
        "PATCH",
        "/api/p/healthcheck/checks/{check}",
        {"enabled": True},
    ),
    Step("healthcheck.runNow", "POST", "/api/p/healthcheck/checks/{check}/run"),
    Step(
        "healthcheck.testScript",
        "POST",
        "/api/p/healthcheck/scripts/test",
        {"context": "healthcheck-shell", "source": f"echo {MARK}"},
    ),
    Step(
        "healthcheck.keepSecret",
        "POST",
        "/api/p/healthcheck/secrets",
        {"workspaceId": "{workspace}", "name": "TOKEN", "value": MARK},
        keep="secret",
    ),
    Step("healthcheck.forgetSecret", "DELETE", "/api/p/healthcheck/secrets/{secret}"),
    Step("healthcheck.deleteCheck", "DELETE", "/api/p/healthcheck/checks/{check}"),
    Step(
        "maintenance.setAddress",
        "PUT",
        "/api/p/maintenance/addresses/{workspace}",
        {"url": f"https://events.example.com/two/{MARK}"},
    ),
    Step(
        "maintenance.createWindow",
        "POST",
        "/api/p/maintenance/windows",
        {
            "workspaceId": "{workspace}",
            "title": MARK,
            "startsAt": "2126-07-01T22:00:00+02:00",
            "endsAt": "2126-07-01T23:00:00+02:00",
            "systemIds": ["{system}"],
            "notify": True,
        },
        keep="window",
    ),
    Step(
        "maintenance.updateWindow",
        "PATCH",
        "/api/p/maintenance/windows/{window}",
        {"description": MARK},
    ),
    Step(
        "maintenance.addUpdate",
        "POST",
        "/api/p/maintenance/windows/{window}/updates",
        {"text": MARK},
        keep="update",
    ),
    Step(
        "maintenance.deleteUpdate",
        "DELETE",
        "/api/p/maintenance/windows/{window}/updates/{update}",
    ),
    Step(
        "maintenance.addLink",
        "POST",
        "/api/p/maintenance/windows/{window}/links",
        {"label": MARK, "url": f"https://example.com/{MARK}"},
        keep="link",
    ),
    Step(
        "maintenance.removeLink",
        "DELETE",
        "/api/p/maintenance/windows/{window}/links/{link}",
    ),
    Step(
        "maintenance.closeWindow",
        "POST",
        "/api/p/maintenance/windows/{window}/close",
        {"text": MARK},
    ),
    Step("maintenance.deleteWindow", "DELETE", "/api/p/maintenance/windows/{window}"),
    Step(
        "slo.createObjective",
        "POST",
        "/api/p/slo/objectives",
        {"systemId": "{system}", "name": MARK, "description": MARK, "target": 99.9},
        keep="objective",
    ),
    Step(
        "slo.updateObjective",
        "PATCH",
        "/api/p/slo/objectives/{objective}",
        {"description": f"{MARK} two"},
    ),
    Step("slo.deleteObjective", "DELETE", "/api/p/slo/objectives/{objective}"),
    Step(
        "anomaly.acknowledgeAnomaly",
        "POST",
        "/api/p/anomaly/anomalies/{anomaly}/acknowledge",
        {"note": MARK},
        plant=("anomaly", ANOMALY),
    ),
    Step("identity.askConsent", "POST", "/api/oauth/consent", ASKED, plant=("program", PROGRAM)),
    Step(
        "identity.allowProgram",
        "POST",
        "/api/oauth/consent/allow",
        {**ASKED, "scopes": ["catalog.system.read"]},
    ),
    Step("identity.denyProgram", "POST", "/api/oauth/consent/deny", ASKED),
    Step(
        "identity.disconnectProgram",
        "DELETE",
        "/api/oauth/clients/{connection}",
        plant=("connection", CONNECTION),
    ),
    Step("catalog.deleteDependency", "DELETE", "/api/p/catalog/dependencies/{dependency}"),
    Step("catalog.deleteSystem", "DELETE", "/api/p/catalog/systems/{system}"),
    Step("catalog.deleteSystem", "DELETE", "/api/p/catalog/systems/{second}"),
    Step("catalog.deleteGroup", "DELETE", "/api/p/catalog/groups/{group}"),
    Step("catalog.deleteEnvironment", "DELETE", "/api/p/catalog/environments/{environment}"),
    Step("identity.deleteTeam", "DELETE", "/api/teams/{team}"),
    Step("identity.deleteRole", "DELETE", "/api/roles/{role}"),
    Step("identity.deleteWorkspace", "DELETE", "/api/workspaces/{workspace}"),
)


@dataclass(slots=True)
class Teller:
    """Sends steps as whoever a client is, and remembers what was made."""

    made: dict[str, str] = field(default_factory=dict[str, str])

    async def plant(self, step: Step, database: Database) -> None:
        if step.plant is not None:
            name, statement = step.plant
            async with database.transaction() as db:
                self.made[name] = str(await db.fetchval(_fill(statement, self.made)))

    async def send(self, step: Step, client: Client) -> httpx2.Response:
        path, body = _fill(step.path, self.made), _fill(step.body, self.made)
        response = await client.request(step.method, path, json=body)
        if step.keep and response.is_success:
            answer = response.json()
            self.made[step.keep] = answer.get("user", answer)["id"]
        return response


def _fill(value: Any, made: Mapping[str, str]) -> Any:
    if isinstance(value, str):
        return value.format(**made)
    if isinstance(value, list):
        return [_fill(one, made) for one in cast(list[Any], value)]
    if isinstance(value, dict):
        return {key: _fill(one, made) for key, one in cast(dict[str, Any], value).items()}
    return value


async def make_star_key(admin: Client) -> str:
    """A key with every rule there is."""
    body = {"name": "Everything", "rules": ["*"]}
    made = (await admin.post("/api/applications", json=body)).json()
    key = await admin.post(f"/api/applications/{made['id']}/keys", json={})
    return key.json()["key"]


async def add_stranger(admin: Client, client: Client) -> Client:
    """Sign the client in as a person without any rule."""
    body = {"email": "stranger@example.com", "name": "Stranger"}
    link = (await admin.post("/api/users", json=body)).json()["link"]
    await client.set_password(link, "a long enough password")
    return client


async def digest(database: Database) -> dict[str, str]:
    """What every table but the audit log holds, but for when somebody was last seen."""
    async with database.transaction(read_only=True) as db:
        names = [row["name"] for row in await db.fetch(LIST_TABLES)]
        return {name: await db.fetchval(DIGEST.format(table=name)) for name in names}
