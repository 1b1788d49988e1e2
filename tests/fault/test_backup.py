"""Backup and restore as docs/operate.md tells it: nothing is missing, and turns under way end."""

import asyncio
import os
import re
import shutil
import signal
import subprocess
from collections.abc import AsyncGenerator
from dataclasses import replace
from pathlib import Path

import asyncpg
import pytest
import pytest_asyncio

from assent.db.binaries import find_binaries
from assent.testing import Client, Databases, run_server
from tests.bank.accounts import count_effects
from tests.bank.desk import load_bank
from tests.contract.source import ROOT
from tests.fault.fleet import install_bank
from tests.fault.run_process import SETTINGS
from tests.fault.server_process import ServerProcess, wait_gone
from tests.fault.stage import PATIENCE, Stage, open_stage, wait_until_spoken
from tests.store.work.steps import eventually
from tests.turn.people import expect

DUMP = ["pg_dump", "-Fc", "-d"]
RESTORE = ["pg_restore", "--no-owner", "--exit-on-error", "-d"]


def run_program(arguments: list[str]) -> None:
    """One of Postgres' own programs, of the version that the tests run."""
    program = find_binaries(None) / arguments[0]
    if not program.is_file():
        assert "CI" not in os.environ, f"{program} is not there"
        pytest.skip(f"this Postgres has no {arguments[0]}")
    subprocess.run([program, *arguments[1:]], check=True)


@pytest_asyncio.fixture
async def stage(databases: Databases) -> AsyncGenerator[Stage]:
    async with databases.copy() as url, open_stage(url) as opened:
        yield opened


@pytest_asyncio.fixture
async def empty_url(databases: Databases) -> AsyncGenerator[str]:
    """A database that nothing was ever done in."""
    admin = await asyncpg.connect(databases.url("postgres"))
    await admin.execute("CREATE DATABASE restored")
    yield databases.url("restored")
    await admin.execute("DROP DATABASE restored WITH (FORCE)")
    await admin.close()


async def test_a_dump_is_restored_with_a_turn_under_way(
    stage: Stage, empty_url: str, tmp_path: Path
) -> None:
    await stage.add_driver()
    turn = await stage.start_turn(pause=0.5)
    await wait_until_spoken(stage, [turn])
    dump = str(tmp_path / "assent.dump")
    await asyncio.to_thread(run_program, [*DUMP, stage.url, "-f", dump])
    await asyncio.to_thread(run_program, [*RESTORE, empty_url, dump])

    stage.provider.requests.clear()
    stage.library.stories[turn.story.name] = replace(turn.story, pause=0.01)
    async with run_server(empty_url, loaded=load_bank(), **SETTINGS) as restored:
        client = await restored.open_client()
        client.cookies = stage.desk.client.cookies
        url = f"/api/conversations/{turn.conversation}"

        async def is_over() -> bool:
            return expect(await client.get(url), 200)["status"] == "idle"

        await eventually(is_over, seconds=PATIENCE)
        [_, answer] = expect(await client.get(f"{url}/messages"), 200)["items"]
        texts = [part["text"].strip() for part in answer["parts"] if part["type"] == "text"]
        assert "\n\n".join(texts) == turn.story.text
        assert await count_effects(restored.database, turn.story.account_id) == 1
    assert {one.headers["authorization"] for one in stage.provider.requests} == {"Bearer k"}
    check_audit(empty_url, tmp_path)


def check_audit(url: str, folder: Path) -> None:
    install_bank(folder)
    command = ServerProcess(
        "audit",
        "verify",
        folder=folder,
        DATABASE_URL=url,
        ASSENT_MASTER_KEY=SETTINGS["master_key"],
        PYTHONPATH=os.pathsep.join([str(folder), str(ROOT / "src"), str(ROOT)]),
    )
    assert command.process.wait(PATIENCE) == 0, command.output()
    assert "Nothing was changed." in command.output()


@pytest.mark.deep
async def test_a_data_folder_is_moved_with_a_turn_under_way(tmp_path: Path) -> None:
    there, here = tmp_path / "there", tmp_path / "here"
    there.mkdir()
    server = ServerProcess("serve", "--port", "0", folder=there, ASSENT_DEMO_PACE="1")
    url, token = server.wait_ready()
    async with Client(url) as client:
        await client.get(f"/login?token={token}")
        conversation = expect(await client.post("/api/conversations", json={}), 201)["id"]
        path = f"/api/conversations/{conversation}"
        sent = {"message": {"text": "What systems are there?"}}
        expect(await client.post(f"{path}/messages", json=sent), 202)

        async def has_begun() -> bool:
            async with client.stream("GET", f"/api/chat/{conversation}/stream") as answer:
                async for line in answer.aiter_lines():
                    if "start" in line:
                        return True
            return False

        await eventually(has_begun, seconds=PATIENCE)
        cookies = client.cookies
    processes = server.list_processes()
    server.end(signal.SIGKILL)
    wait_gone(processes)
    shutil.move(there, here)

    again = ServerProcess("serve", "--port", "0", folder=here, ASSENT_DEMO_PACE="0")
    try:
        url, _ = again.wait_ready()
        async with Client(url, cookies=cookies) as client:

            async def is_over() -> bool:
                return expect(await client.get(path), 200)["status"] == "idle"

            await eventually(is_over, seconds=PATIENCE)
            [_, answer] = expect(await client.get(f"{path}/messages"), 200)["items"]
            assert any(part["type"] == "text" and part["text"] for part in answer["parts"])
        doctor = ServerProcess("doctor", folder=here)
        assert doctor.process.wait(PATIENCE) == 0, doctor.output()
        assert "The master key fits this database." in doctor.output()
    finally:
        again.end(signal.SIGTERM)


@pytest.mark.deep
async def test_an_embedded_database_moves_to_another_postgres(
    empty_url: str, tmp_path: Path
) -> None:
    """With the commands of the documentation, word for word."""
    server = ServerProcess("serve", "--port", "0", folder=tmp_path)
    try:
        server.wait_ready()
        text = (ROOT / "docs" / "operate.md").read_text()
        [line] = re.findall(r"^\$ (pg_dump .*assent/postgres.*)$", text, re.MULTILINE)
        programs = f"{find_binaries(None)}{os.pathsep}{os.environ['PATH']}"
        dumped = await asyncio.to_thread(
            subprocess.run,
            ["/bin/sh", "-ec", line],
            cwd=tmp_path,
            env={**os.environ, "PATH": programs},
        )
        assert dumped.returncode == 0
    finally:
        server.end(signal.SIGTERM)
    run_program([*RESTORE, empty_url, str(tmp_path / "assent.dump")])
    key = str(tmp_path / ".assent" / "master.key")
    command = ServerProcess(
        "users", "list", folder=tmp_path, DATABASE_URL=empty_url, ASSENT_MASTER_KEY_FILE=key
    )
    assert command.process.wait(PATIENCE) == 0, command.output()
    assert "admin@localhost" in command.output()
