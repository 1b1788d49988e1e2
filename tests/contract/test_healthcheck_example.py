"""The strategy in docs/healthcheck.md works: installed as the page says, and used by everybody."""

import os
import subprocess
import sys
from pathlib import Path

from tests.contract.examples import install, read_files
from tests.contract.source import ROOT

PAGE = ROOT / "docs" / "healthcheck.md"
LONGEST = 50
PROJECT = """
[pytest]
asyncio_mode = auto
asyncio_default_fixture_loop_scope = session
asyncio_default_test_loop_scope = session
"""
TESTS = '''
"""What the page promises: capabilities, form, validator, tool, chat and a run."""

import asyncio
import json

import pytest

from assent.main import load_all_plugins
from assent.settings import Settings
from assent.testing import Databases, run_server

CHECKS = "/api/p/healthcheck/checks"


async def serve_broker(reader, writer):
    head = (await reader.readuntil(b"\\r\\n\\r\\n")).decode()
    known = head.startswith("GET /api/queues/mail ")
    body = json.dumps({"messages": 7, "consumers": 2}).encode()
    status = "200 OK" if known else "404 Not Found"
    writer.write(f"HTTP/1.1 {status}\\r\\nContent-Length: {len(body)}\\r\\n\\r\\n".encode() + body)
    await writer.drain()
    writer.close()


async def test_everybody_can_use_it():
    databases = Databases()
    databases.start()
    try:
        await databases.make_template(load_all_plugins(Settings()))
        async with databases.copy() as url, run_server(url) as server:
            await use(await server.open_admin())
    finally:
        databases.stop()


async def use(admin):
    broker = await asyncio.start_server(serve_broker, "127.0.0.1", 0)
    address = f"http://127.0.0.1:{broker.sockets[0].getsockname()[1]}"
    workspace = (await admin.get("/api/me")).json()["workspaces"][0]["id"]

    listed = (await admin.get("/api/p/healthcheck/capabilities")).json()
    assert "queue" in [one["kind"] for one in listed["strategies"]]
    form = (await admin.get("/api/p/healthcheck/capabilities/queue")).json()
    assert set(form["configSchema"]["properties"]) == {"broker", "queue"}
    assert [one["name"] for one in form["fields"]][:2] == ["waiting", "consumers"]

    def build(name, config, **more):
        strategy = {"kind": "queue", "config": config}
        more = {"intervalSeconds": 5, "timeoutMs": 4000, **more}
        return {"workspaceId": workspace, "name": name, "strategy": strategy, **more}

    wrong = build("Wrong", {"broker": address, "que": "mail"})
    problem = (await admin.post(CHECKS, json=wrong)).json()
    assert [one["path"] for one in problem["issues"]] == [
        "strategy.config.queue", "strategy.config.que"
    ]
    asserted = [{"field": "waitin", "operator": "lessThan", "value": 100}]
    config = {"broker": address, "queue": "mail"}
    wrong = build("Wrong", config, assertions=asserted)
    problem = (await admin.post(CHECKS, json=wrong)).json()
    assert problem["issues"][0]["message"] == "There is no field waitin. Did you mean waiting?"

    given = {"tool": "healthcheck.propose", "input": build("Mail", config)}
    card = (await admin.post("/api/proposals", json=given)).json()
    assert card["creates"]["destinations"] == [address]
    at = f"/api/proposals/{card['id']}"
    token = (await admin.post(f"{at}/token")).json()["token"]
    applied = (await admin.post(f"{at}/apply", json={"token": token})).json()
    assert applied["state"] == "applied", applied
    up = await wait_for(admin, applied["result"]["id"], "up")
    assert up["result"] == {"waiting": 7, "consumers": 2}

    said = await say(admin, "which kinds of health checks are there?")
    assert "Message queue" in said, said
    said = await say(admin, f"create a queue health check called Post office for {address}")
    assert "What is the queue of the check?" in said, said
    said = await say(admin, "mail")
    assert "Create health check Post office" in said, said

    gone = build("Gone", {"broker": address, "queue": "gone"})
    made = (await admin.post(CHECKS, json=gone)).json()
    down = await wait_for(admin, made["id"], "down")
    assert down["reason"] == "The broker answers 404."
    broker.close()


async def say(admin, text):
    if not (known := (await admin.get("/api/conversations")).json()["items"]):
        known = [(await admin.post("/api/conversations", json={})).json()]
    body = {"conversationId": known[0]["id"], "message": {"text": text}}
    return (await admin.post("/api/chat", json=body)).text


async def wait_for(admin, check_id, status):
    async with asyncio.timeout(60):
        while True:
            runs = (await admin.get(f"{CHECKS}/{check_id}/runs")).json()["items"]
            if runs and runs[0]["status"] == status:
                return runs[0]
            await asyncio.sleep(0.05)


async def test_a_start_stops_at_what_is_not_whole(monkeypatch):
    from assent_queue import QueueStrategy

    from assent.errors import PluginError

    monkeypatch.delattr(QueueStrategy, "probe")
    with pytest.raises(PluginError, match="Strategy queue needs a function `probe`"):
        load_all_plugins(Settings())
'''


def test_the_example_works(tmp_path: Path) -> None:
    install(PAGE, tmp_path)
    (tmp_path / "pytest.ini").write_text(PROJECT)
    (tmp_path / "test_queue.py").write_text(TESTS)
    paths = [str(tmp_path), *os.environ.get("PYTHONPATH", "").split(os.pathsep)]
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "."],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(paths)},
        capture_output=True,
        text=True,
        timeout=600,
    )
    assert "2 passed" in done.stdout, done.stdout + done.stderr


def test_the_example_is_short() -> None:
    files = read_files(PAGE)
    assert sum(len(text.splitlines()) for text in files.values()) <= LONGEST
