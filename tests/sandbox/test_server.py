"""Scripts in a running server: open where the way out is, told plainly where they cannot run."""

import asyncio
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from typing import Any
from unittest.mock import patch

import pytest

from assent.plugins import administration, assistant
from assent.plugins.load import load_plugins
from assent.sandbox import sandbox
from assent.testing import Client, Databases, RunningServer, run_server
from tests.bank.desk import apply
from tests.turn.lab import plugin as lab
from tests.turn.people import expect, fetch_value, find_tenant

RESULT = "def run():\n    return 42\n"
ASKING = "def run(script):\n    return script.http.get('{url}').text\n"
COUNT = "SELECT count(*) FROM evidence"


@asynccontextmanager
async def serving(
    databases: Databases, isolation: str
) -> AsyncGenerator[tuple[RunningServer, Client]]:
    loaded = load_plugins([administration.plugin, assistant.plugin], [lab], {})
    async with (
        databases.copy() as url,
        run_server(url, loaded=loaded, sandbox=isolation, background_work=True) as server,
    ):
        yield server, (await find_tenant(server)).admin.client


async def call(client: Client, status: int, **given: Any) -> Any:
    return expect(await client.post("/api/tools/lab.run/call", json={"input": given}), status)


@asynccontextmanager
async def saying(text: bytes) -> AsyncGenerator[str]:
    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readuntil(b"\r\n\r\n")
        writer.write(b"HTTP/1.1 200 OK\r\ncontent-length: %d\r\n\r\n%s" % (len(text), text))
        writer.close()

    server = await asyncio.start_server(serve, "127.0.0.1", 0)
    async with server:
        yield f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}"


async def test_a_script_runs_and_reaches_what_was_assented_to(databases: Databases) -> None:
    async with serving(databases, "strict") as (server, client), saying(b"fine") as url:
        told = await call(client, 200, source=RESULT)
        assert told["result"] == {"result": 42, "error": None, "downgraded": False}

        refused = await call(client, 200, source=ASKING.format(url=url))
        assert "none of the places that were declared" in refused["result"]["error"]

        body = {"tool": "lab.run", "input": {"source": ASKING.format(url=url), "reach": [url]}}
        before = await fetch_value(server, COUNT)
        card = expect(await client.post("/api/proposals", json=body), 201)
        assert await fetch_value(server, COUNT) == before
        done = await apply(client, card["id"])
        assert (done["state"], done["result"]["result"]) == ("applied", "fine")
        built = {"tool": "lab.build", "input": {"source": ASKING.format(url=url)}}
        assert expect(await client.post("/api/proposals", json=built), 201)["creates"] == {
            "tried": "fine"
        }


async def test_where_it_is_off_that_is_said(databases: Databases) -> None:
    async with serving(databases, "off") as (server, client):
        problem = await call(client, 503, source=RESULT)
        assert problem["code"] == "sandbox_unavailable"
        assert problem["detail"] == "Scripts cannot run here: it is switched off."
        assert await fetch_value(server, COUNT) == 0


async def test_where_something_gets_through_nothing_runs(databases: Databases) -> None:
    async def hole(*_: object) -> str:
        return "a script can read files of this machine"

    with patch.object(sandbox, "find_hole", hole):
        async with serving(databases, "strict") as (_, client):
            problem = await call(client, 503, source=RESULT)
    assert problem["code"] == "sandbox_unavailable"
    assert "can read files of this machine" in problem["detail"]


@pytest.mark.parametrize(("isolation", "status"), [("weaker", 200), ("strict", 503)])
async def test_less_than_was_asked_for_is_told(
    databases: Databases, isolation: str, status: int
) -> None:
    def no_filter(_machine: str) -> None:
        return None

    with patch.object(sandbox, "build_filter", no_filter):
        async with serving(databases, isolation) as (_, client):
            told = await call(client, status, source=RESULT)
    if status == 200:
        assert told["result"] == {"result": 42, "error": None, "downgraded": True}
    else:
        assert told["code"] == "sandbox_unavailable"


async def test_whoever_comes_early_waits_for_the_trial(databases: Databases) -> None:
    tried = asyncio.Event()
    really = sandbox.find_hole

    async def slowly(*given: Any) -> str | None:
        await tried.wait()
        return await really(*given)

    with patch.object(sandbox, "find_hole", slowly):
        async with serving(databases, "strict") as (_, client):
            early = asyncio.create_task(call(client, 200, source=RESULT))
            listed = await client.get("/api/tools")
            assert listed.status_code == 200
            assert not early.done()
            tried.set()
            assert (await early)["result"]["result"] == 42


async def test_a_server_that_ends_during_the_trial_ends(databases: Databases) -> None:
    async def forever(*_: Any) -> None:
        await asyncio.Event().wait()

    with patch.object(sandbox, "find_hole", forever):
        async with serving(databases, "strict") as (_, client):
            assert (await client.get("/healthz")).status_code == 200
