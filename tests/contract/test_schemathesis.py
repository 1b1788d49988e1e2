"""The OpenAPI document against the running server: what it promises holds, and nothing breaks.

Schemathesis makes the requests, as an admin of one tenant with the admin of another beside them:
no 5xx, no answer that the document does not describe, no way around signing in, nobody else's
object. `schemathesis.toml` holds its settings.
"""

import asyncio
import json
import os
import re
import sys
from pathlib import Path
from string import Template

import pytest

from assent.testing import Client, Databases, RunningServer, run_server
from tests.turn.health import CHECKS, build_check
from tests.turn.people import (
    Person,
    Tenant,
    add_person,
    add_tenant,
    expect,
    find_tenant,
    number,
    sign_in,
)
from tests.turn.shop import open_shop

CONFIG = Path(__file__).with_name("schemathesis.toml")


@pytest.mark.parametrize(
    "examples", [pytest.param(6, id="quick"), pytest.param(100, id="deep", marks=pytest.mark.deep)]
)
async def test_the_document_holds(databases: Databases, tmp_path: Path, examples: int) -> None:
    async with (
        databases.copy() as url,
        run_server(
            url,
            background_work=False,
            sign_in_attempts=1000,
            tool_calls=100_000,
            sandbox="strict",
        ) as server,
    ):
        ours, theirs = await find_tenant(server), await add_tenant(server)
        things = await make_things(server, ours)
        await make_things(server, theirs)
        people = tmp_path / "people.json"
        people.write_text(json.dumps(describe_people(ours=ours.admin, theirs=theirs.admin)))
        config = tmp_path / CONFIG.name
        config.write_text(Template(CONFIG.read_text()).substitute(things, PEOPLE=people))
        output = await run_schemathesis(server.url, config, examples)
        expect(await ours.admin.client.get("/api/me"), 200)
        expect(await theirs.admin.client.get("/api/me"), 200)
    assert count_tested(output) >= 40, output


async def add_integration(client: Client) -> str:
    draft = {"name": "Somewhere", "baseUrl": "http://127.0.0.1:9/v1", "defaultModel": "m"}
    return expect(await client.post("/api/admin/integrations", json=draft), 201)["id"]


async def propose_reading(client: Client) -> str:
    body = {"tool": "catalog.listSystems", "input": {}}
    return expect(await client.post("/api/proposals", json=body), 201)["id"]


async def add_check(client: Client, tenant: Tenant) -> str:
    body = build_check(tenant.workspace_id, "https://shop.example.com", enabled=False)
    return expect(await client.post(CHECKS, json=body), 201)["id"]


async def make_things(server: RunningServer, tenant: Tenant) -> dict[str, str]:
    """One of everything that an address can name, none of which the run depends on."""
    admin = tenant.admin.client
    shop = await open_shop(admin, tenant.workspace_id)
    person = await add_person(server, tenant.id, role="viewer")
    team = {"slug": f"team-{number()}", "name": "Team", "memberIds": [str(person.id)]}
    team_id = expect(await admin.post("/api/teams", json=team), 201)["id"]
    role = {"slug": f"role-{number()}", "name": "Role", "rules": ["catalog.system.read"]}
    grant = {
        "resourceKind": "catalog.system",
        "resourceId": shop.systems[0],
        "subject": {"kind": "team", "id": team_id},
        "level": "read",
    }
    destination = {"origin": "https://status.example.com"}
    application = {"name": "robot", "rules": ["catalog.system.read"]}
    application_id = expect(await admin.post("/api/applications", json=application), 201)["id"]
    key = expect(await admin.post(f"/api/applications/{application_id}/keys"), 201)
    await sign_in(server, tenant.id, tenant.admin.id)
    sessions = expect(await admin.get("/api/sessions"), 200)["items"]
    return {
        **await make_operations(admin, shop.workspace_id, shop.systems[0]),
        "APPLICATION": application_id,
        "CHECK": await add_check(admin, tenant),
        "CONVERSATION": expect(await admin.post("/api/conversations", json={}), 201)["id"],
        "DEPENDENCY": shop.dependency,
        "DESTINATION": expect(await admin.post("/api/admin/destinations", json=destination), 201)[
            "id"
        ],
        "ENVIRONMENT": shop.environment,
        "GRANT": expect(await admin.put("/api/grants", json=grant), 200)["id"],
        "GROUP": shop.group,
        "INTEGRATION": await add_integration(admin),
        "KEY": key["id"],
        "PROPOSAL": await propose_reading(admin),
        "ROLE": expect(await admin.post("/api/roles", json=role), 201)["id"],
        "RUN": expect(await admin.post("/api/runs", json={"instruction": "Look"}), 202)["runId"],
        "SESSION": next(one["id"] for one in sessions if not one["current"]),
        "SYSTEM": shop.systems[0],
        "OTHER_SYSTEM": shop.systems[1],
        "TEAM": team_id,
        "USER": str(person.id),
        "WORKSPACE": str(tenant.workspace_id),
    }


async def make_operations(admin: Client, workspace_id: str, system_id: str) -> dict[str, str]:
    """An incident and a maintenance window, each with something on its timeline."""
    place = {"workspaceId": workspace_id, "title": "Trouble", "systemIds": [system_id]}
    span = {"startsAt": "2126-07-01T20:00:00Z", "endsAt": "2126-07-01T22:00:00Z"}
    made: dict[str, str] = {}
    for name, base, draft in (
        ("INCIDENT", "/api/p/incident/incidents", {**place, "severity": "minor"}),
        ("WINDOW", "/api/p/maintenance/windows", {**place, **span}),
    ):
        made[name] = expect(await admin.post(base, json=draft), 201)["id"]
        at, link = f"{base}/{made[name]}", {"label": "Plan", "url": "https://example.com/plan"}
        said = expect(await admin.post(f"{at}/updates", json={"text": "So far."}), 201)
        made[f"{name}_UPDATE"] = said["id"]
        made[f"{name}_LINK"] = expect(await admin.post(f"{at}/links", json=link), 201)["id"]
    return made


def describe_people(**people: Person) -> dict[str, object]:
    """Web Fuzzing Commons: who there is and with which headers they come."""
    return {
        "auth": [
            {
                "name": name,
                "fixedHeaders": [
                    {"name": "Cookie", "value": f"assent_session={token_of(person)}"},
                    {"name": "x-assent-csrf", "value": "1"},
                ],
            }
            for name, person in people.items()
        ]
    }


def token_of(person: Person) -> str:
    return person.client.cookies["assent_session"]


async def run_schemathesis(url: str, config: Path, examples: int) -> str:
    process = await asyncio.create_subprocess_exec(
        sys.executable,
        "-m",
        "schemathesis.cli",
        f"--config-file={config}",
        "run",
        f"{url}/api/openapi.json",
        "--checks=all",
        "--phases=examples,coverage,fuzzing,stateful",
        f"--max-examples={examples}",
        cwd=config.parent,
        env={**os.environ, "NO_COLOR": "1", "COLUMNS": "200"},
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.STDOUT,
    )
    output = (await process.communicate())[0].decode(errors="replace")
    assert process.returncode == 0, output
    return output


def count_tested(output: str) -> int:
    """How many operations it says that it has tested."""
    found = re.search(r"Tested:\s+(\d+)", output)
    return int(found[1]) if found else 0
