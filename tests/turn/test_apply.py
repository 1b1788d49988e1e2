"""`assent apply -f`: documents become checks, all of them or none, as often as one likes."""

import asyncio
import json
import sys
from collections.abc import AsyncGenerator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio

from assent.testing import Client, Databases, RunningServer, run_server
from tests.patience import PATIENCE
from tests.turn.command import Result, assent, surroundings
from tests.turn.health import CHECKS
from tests.turn.people import expect, fetch, fetch_value, find_tenant, number

KEY = "ef" * 32
SLUG = "SELECT slug FROM workspaces WHERE id = $1"
ENTRIES = """
SELECT action, edge, status FROM audit_entries WHERE action LIKE 'healthcheck.%' ORDER BY id
"""
SYSTEMS = "/api/p/catalog/systems"


@dataclass(frozen=True, slots=True)
class Desk:
    server: RunningServer
    url: str
    client: Client
    workspace_id: str
    slug: str
    folder: Path

    async def apply(self, text: str, *options: str) -> Result:
        (self.folder / "checks.yaml").write_text(text)
        return await assent(
            "apply",
            "-f",
            "checks.yaml",
            *options,
            "--database-url",
            self.url,
            folder=self.folder,
            ASSENT_MASTER_KEY=KEY,
        )

    async def list_checks(self) -> list[dict[str, Any]]:
        return expect(await self.client.get(CHECKS), 200)["items"]

    def write(self, name: str, **fields: Any) -> str:
        document: dict[str, Any] = {
            "kind": "healthcheck",
            "workspace": self.slug,
            "name": name,
            "strategy": {"kind": "http", "config": {"url": "https://shop.example.com/"}},
        }
        return json.dumps(document | fields)


@pytest_asyncio.fixture
async def desk(databases: Databases, tmp_path: Path) -> AsyncGenerator[Desk]:
    async with (
        databases.copy() as url,
        run_server(url, background_work=False, master_key=KEY) as server,
    ):
        tenant = await find_tenant(server)
        slug = await fetch_value(server, SLUG, tenant.workspace_id)
        place = str(tenant.workspace_id)
        yield Desk(server, url, tenant.admin.client, place, slug, tmp_path)


async def test_created_unchanged_updated(desk: Desk) -> None:
    text = f"{desk.write('Shop', intervalSeconds=30)}\n---\n{desk.write('Search')}\n"
    done = await desk.apply(text)
    assert (done.code, done.errors) == (0, "")
    assert done.output.splitlines() == [
        "healthcheck Shop: created",
        "healthcheck Search: created",
    ]
    assert (await desk.apply(text)).output.splitlines() == [
        "healthcheck Shop: unchanged",
        "healthcheck Search: unchanged",
    ]
    config = {"url": "https://shop.example.com/", "method": "HEAD"}
    strategy = {"kind": "http", "config": config}
    changed = await desk.apply(desk.write("shop", strategy=strategy))
    assert changed.output == "healthcheck shop: updated\n"
    search, shop = await desk.list_checks()
    assert (shop["name"], shop["version"], search["version"]) == ("shop", 2, 1)
    assert shop["intervalSeconds"] == 60, "what a document leaves out is as by default"
    back = await desk.apply(desk.write("shop"))
    assert back.output == "healthcheck shop: updated\n"
    assert (await desk.list_checks())[1]["strategy"]["config"] == {
        "url": "https://shop.example.com/"
    }
    entries = [tuple(row.values()) for row in await fetch(desk.server, ENTRIES)]
    assert entries == [("healthcheck.applyDocument", "command", "executed")] * 6


async def test_all_or_none(desk: Desk) -> None:
    done = await desk.apply(f"{desk.write('Shop')}\n---\n{desk.write('Search', intervall=3)}\n")
    assert done.code == 1
    assert done.errors.startswith(
        "checks.yaml, document 2 (healthcheck Search): intervall: There is no such field."
    )
    assert await desk.list_checks() == []
    assert await fetch(desk.server, ENTRIES) == []


async def test_a_dry_run_changes_nothing(desk: Desk) -> None:
    done = await desk.apply(desk.write("Shop"), "--dry-run")
    assert (done.code, done.output) == (0, "healthcheck Shop: created\n")
    assert await desk.list_checks() == []
    assert await fetch(desk.server, ENTRIES) == []
    assert (await desk.apply(desk.write("Shop", timeoutMs=1), "--dry-run")).code == 1


async def test_yaml_with_systems_by_name(desk: Desk) -> None:
    name = f"Checkout {number()}"
    body = {"workspaceId": desk.workspace_id, "name": name}
    system = expect(await desk.client.post(SYSTEMS, json=body), 201)
    text = f"""
kind: healthcheck
workspace: {desk.slug}
name: Port
systems: [{name.upper()}]
strategy:
  kind: tcp
  config: {{host: db.example.com, port: 5432}}
"""
    assert (await desk.apply(text)).output == "healthcheck Port: created\n"
    assert [one["systemIds"] for one in await desk.list_checks()] == [[system["id"]]]
    wrong = await desk.apply(text.replace(name.upper(), "Nothing"))
    assert wrong.errors == (
        "checks.yaml (healthcheck Port): systems.0: There is no system Nothing in this workspace.\n"
    )


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("name: x\n", "checks.yaml (x): kind: There is no kind ''. Known are: "),
        ("kind: nothing\n", "checks.yaml: kind: There is no kind 'nothing'. Known are: "),
        ("kind: healthcheck\n", "checks.yaml: workspace: This field is required.\n"),
        (
            "kind: healthcheck\nworkspace: nowhere\n",
            "checks.yaml: workspace: There is no workspace nowhere. Known are: main.\n",
        ),
        ("kind: healthcheck\nworkspace: [a]\n", "checks.yaml: workspace: There is no workspace"),
    ],
)
async def test_what_is_no_document(desk: Desk, text: str, said: str) -> None:
    done = await desk.apply(text)
    assert done.code == 1
    assert done.errors.startswith(said), done.errors


async def test_what_cannot_be_read_is_told(desk: Desk) -> None:
    done = await desk.apply("kind: [")
    assert done.code == 1
    assert done.errors.startswith("assent: checks.yaml: This is not YAML or JSON")


async def test_an_unknown_tenant(desk: Desk) -> None:
    done = await desk.apply(desk.write("Shop"), "--tenant", "nobody")
    assert (done.code, done.output) == (1, "")


async def test_standard_input(desk: Desk) -> None:
    process = await asyncio.create_subprocess_exec(
        sys.executable,
        "-m",
        "assent",
        *("apply", "-f", "-", "--database-url", desk.url),
        cwd=desk.folder,
        env=surroundings(ASSENT_MASTER_KEY=KEY),
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
    )
    async with asyncio.timeout(PATIENCE):
        output, _ = await process.communicate(desk.write("Piped").encode())
    assert (process.returncode, output.decode()) == (0, "healthcheck Piped: created\n")
