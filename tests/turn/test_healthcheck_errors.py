"""The same wrong check is told the same by the form, a proposal, a key's tool call and a file."""

import json
from collections.abc import AsyncGenerator, Awaitable, Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio

from assent.testing import Client, Databases, RunningServer, run_server
from tests.turn.command import assent
from tests.turn.health import CHECKS, build_check
from tests.turn.people import expect, fetch_value, find_tenant, number

KEY = "ab" * 32
URL = "https://shop.example.com"
SLUG = "SELECT slug FROM workspaces WHERE id = $1"
TAKEN = "Taken"
NOBODY = "00000000-0000-4000-8000-000000000000"


@dataclass(frozen=True, slots=True)
class Office:
    """Everybody who can send a check, and the workspace that it is for."""

    server: RunningServer
    database_url: str
    admin: Client
    program: Client
    workspace_id: str
    slug: str
    check: dict[str, Any]


@pytest_asyncio.fixture(scope="module")
async def office(databases: Databases) -> AsyncGenerator[Office]:
    async with (
        databases.copy() as url,
        run_server(url, background_work=False, tool_calls=10_000, master_key=KEY) as server,
    ):
        tenant = await find_tenant(server)
        admin, workspace_id = tenant.admin.client, str(tenant.workspace_id)
        rules = {"name": "Robot", "rules": ["healthcheck.check.manage", "catalog.system.read"]}
        application = expect(await admin.post("/api/applications", json=rules), 201)
        made = await admin.post(f"/api/applications/{application['id']}/keys", json={})
        program = await server.open_client(key=made.json()["key"])
        slug = await fetch_value(server, SLUG, tenant.workspace_id)
        taken = build_check(workspace_id, URL, name=TAKEN)
        expect(await admin.post(CHECKS, json=taken), 201)
        check = expect(await admin.post(CHECKS, json=build_check(workspace_id, URL)), 201)
        yield Office(server, url, admin, program, workspace_id, slug, check)


def read_issues(body: Any) -> list[tuple[str, str]]:
    return [(one["path"], one["message"]) for one in body["issues"]]


async def send_form(office: Office, body: dict[str, Any], folder: Path) -> Any:
    answer = await office.admin.post(CHECKS, json=body)
    assert answer.status_code in (409, 422), answer.text
    return read_issues(answer.json())


async def send_change(office: Office, body: dict[str, Any], folder: Path) -> Any:
    """What is missing from a change stays, so it is taken from another check of the same kind."""
    answer = await office.admin.patch(f"{CHECKS}/{office.check['id']}", json=body)
    assert answer.status_code in (409, 422), answer.text
    return read_issues(answer.json())


async def send_proposal(office: Office, body: dict[str, Any], folder: Path) -> Any:
    given = {"tool": "healthcheck.propose", "input": body}
    return read_issues(expect(await office.admin.post("/api/proposals", json=given), 422))


async def send_key(office: Office, body: dict[str, Any], folder: Path) -> Any:
    answer = await office.program.post("/api/tools/healthcheck.propose/call", json={"input": body})
    return read_issues(expect(answer, 422))


async def send_update(office: Office, body: dict[str, Any], folder: Path) -> Any:
    given = {"input": {"checkId": office.check["id"], **body}}
    answer = await office.program.post("/api/tools/healthcheck.update/call", json=given)
    return read_issues(expect(answer, 422))


async def send_file(office: Office, body: dict[str, Any], folder: Path) -> Any:
    document = {"kind": "healthcheck", "workspace": office.slug, **body}
    document.pop("workspaceId", None)
    (folder / "check.json").write_text(json.dumps(document))
    done = await assent(
        "apply",
        "-f",
        "check.json",
        "--database-url",
        office.database_url,
        folder=folder,
        ASSENT_MASTER_KEY=KEY,
    )
    assert done.code == 1, done.output
    subject = f"check.json (healthcheck {body['name']})" if body.get("name") else "check.json"
    lines = done.errors.splitlines()
    assert all(line.startswith(f"{subject}: ") for line in lines), done.errors
    parts = [line.removeprefix(f"{subject}: ").partition(": ") for line in lines]
    return [(path, message) for path, _, message in parts]


WAYS: dict[str, Callable[[Office, dict[str, Any], Path], Awaitable[Any]]] = {
    "form": send_form,
    "change": send_change,
    "proposal": send_proposal,
    "key": send_key,
    "update": send_update,
    "file": send_file,
}
NO_CHANGE = frozenset({"change", "update"})
NO_FILE = frozenset({"file"})


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize(
    ("fields", "paths", "leave_out"),
    [
        ({"name": None}, ["name"], frozenset[str]()),
        ({"name": ""}, ["name"], frozenset[str]()),
        (
            {"intervall": 3, "intervalSeconds": 1},
            ["intervalSeconds", "intervall"],
            frozenset[str](),
        ),
        ({"enabled": "yes", "egress": "x"}, ["enabled", "egress"], frozenset[str]()),
        (
            {"strategy": {"kind": "http", "config": {"url": "nowhere", "verb": "GET"}}},
            ["strategy.config.verb"],
            frozenset[str](),
        ),
        (
            {"strategy": {"kind": "http", "config": {"url": "nowhere"}}},
            ["strategy.config.url"],
            frozenset[str](),
        ),
        (
            {
                "strategy": {"kind": "tls", "config": {"port": 0}},
                "assertions": [{"field": "daysLeft", "operator": "contains", "value": 1}],
            },
            ["strategy.config.host", "strategy.config.port", "assertions.0.operator"],
            frozenset[str](),
        ),
        (
            {
                "collectors": [{"id": "a", "kind": "json", "config": {"pth": "x"}}],
                "assertions": [
                    {"field": "a.valu", "operator": "equals", "value": 1},
                    {"field": "statusCode", "operator": "equals", "value": "200"},
                ],
            },
            [
                "collectors.0.config.path",
                "collectors.0.config.pth",
                "assertions.0.field",
                "assertions.1.value",
            ],
            frozenset[str](),
        ),
        ({"systemIds": [NOBODY]}, ["systemIds.0"], frozenset[str]()),
        ({"systemIds": ["x"]}, ["systemIds.0"], frozenset[str]()),
        ({"name": TAKEN.lower()}, ["name"], NO_FILE),
        ({"workspaceId": NOBODY}, ["workspaceId"], NO_FILE | NO_CHANGE),
        ({"workspaceId": "here"}, ["workspaceId"], NO_FILE | NO_CHANGE),
    ],
)
async def test_the_same_words_everywhere(
    office: Office,
    tmp_path: Path,
    way: str,
    fields: dict[str, Any],
    paths: list[str],
    leave_out: frozenset[str],
) -> None:
    if way in leave_out:
        return
    body = build_check(office.workspace_id, URL, name=f"wrong-{number()}") | fields
    told = await WAYS[way](office, body, tmp_path)
    assert [path for path, _ in told] == paths
    expected = await send_form(office, body, tmp_path)
    # What an update has besides is where the check is found.
    assert [(path, message.replace("checkId, ", "")) for path, message in told] == expected
