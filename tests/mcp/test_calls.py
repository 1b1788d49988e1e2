"""Calls over MCP go through the door: scrubbed, cut to size, counted, audited, cancelled."""

import asyncio
import json
import logging
from collections.abc import AsyncGenerator
from typing import Any

import httpx2
import pytest
import pytest_asyncio

from assent.context import declared as context
from assent.plugins import administration
from assent.plugins.load import load_plugins
from assent.testing import Databases, RunningServer, run_server
from tests.mcp.programs import REVISIONS, make_key, open_program
from tests.mcp.wire import BOTH, MODERN, Wire, find_error, request
from tests.mcp.workshop import CANARY, RULE, Patience, plugin
from tests.patience import wait_until
from tests.turn.people import fetch


@pytest_asyncio.fixture(scope="module")
async def workshop(databases: Databases) -> AsyncGenerator[RunningServer]:
    loaded = load_plugins([administration.plugin, context.plugin], [plugin], {})
    async with (
        databases.copy() as url,
        run_server(url, loaded=loaded, background_work=False, tool_calls=10_000) as server,
    ):
        yield server


@pytest_asyncio.fixture
async def key(workshop: RunningServer) -> str:
    return await make_key(await workshop.open_admin(), RULE)


@pytest_asyncio.fixture
async def wire(workshop: RunningServer, key: str) -> Wire:
    return Wire(await workshop.open_client(key=key))


async def read(response: httpx2.Response) -> dict[str, Any]:
    assert response.status_code == 200, response.text
    return response.json()["result"]


async def test_a_result_is_text_and_structure_without_secrets(wire: Wire) -> None:
    result = await read(await wire.call("workshop.echo", text="hello"))
    assert result["structuredContent"]["said"] == "hello"
    assert result["structuredContent"]["none"] is None
    assert json.loads(result["content"][0]["text"]) == result["structuredContent"]
    assert (result["isError"], result["resultType"]) == (False, "complete")
    assert CANARY not in json.dumps(result)


async def test_what_a_tool_complains_about_is_a_result(wire: Wire) -> None:
    wrong = await read(await wire.call("workshop.count", steps="many"))
    assert wrong["isError"] is True
    assert wrong["content"][0]["text"].startswith("steps: ")
    assert wrong["structuredContent"]["error"]["issues"][0]["path"] == "steps"
    told = await read(await wire.call("workshop.echo", text="complain"))
    assert told["content"][0]["text"].startswith("text: Do not say")
    assert CANARY not in json.dumps(told)


async def test_a_crash_tells_nothing(wire: Wire, caplog: pytest.LogCaptureFixture) -> None:
    result = await read(await wire.call("workshop.echo", text="crash"))
    assert result["isError"] is True
    assert result["structuredContent"]["error"]["code"] == "tool_failed"
    assert CANARY not in json.dumps(result)
    assert "internal" not in json.dumps(result)


async def test_logs_do_not_have_arguments(wire: Wire, caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.DEBUG):
        await wire.call("workshop.echo", text="a-word-to-look-for")
        await wire.call("workshop.count", steps="another-word-to-look-for")
        await wire.call("workshop.counts", steps="a-third-word-to-look-for")
        await wire.post(request("tools/call", name=7, arguments="a-fourth-word-to-look-for"))
    assert "word-to-look-for" not in caplog.text


async def test_an_unknown_tool_is_no_result(wire: Wire) -> None:
    response = await wire.call("workshop.counts")
    assert find_error(response) == (400, -32602)
    assert "Did you mean workshop.count" in response.json()["error"]["message"]
    listed = (await read(await wire.ask("tools/list")))["tools"]
    assert "ai.setPhase" not in [tool["name"] for tool in listed]
    for hidden in ("ai.setPhase", "ai_setPhase", "ai.askOperator"):
        response = await wire.call(hidden, phase="build", questions=[])
        assert find_error(response) == (400, -32602), hidden


async def test_the_name_that_providers_take_works_too(wire: Wire) -> None:
    result = await read(await wire.call("workshop_count", steps=2))
    assert result["structuredContent"] == {"counted": 2}


async def test_a_large_result_is_cut_and_kept(wire: Wire) -> None:
    result = await read(await wire.call("workshop.pile"))
    text = result["content"][0]["text"]
    assert len(text) < 100_000
    structured = result["structuredContent"]
    artifact = json.dumps(structured).partition('artifactId\\": \\"')[2].partition("\\")[0]
    page = await read(await wire.call("ai.readArtifact", artifactId=artifact))
    assert page["isError"] is False, page


async def test_what_postgres_cannot_hold_is_dropped(wire: Wire) -> None:
    message = json.dumps(request("tools/call", name="workshop.echo", arguments={"text": "a#b"}))
    headers = {
        "mcp-protocol-version": MODERN,
        "mcp-method": "tools/call",
        "mcp-name": "workshop.echo",
    }
    for odd in ("\\u0000", "\\ud800", "\\uDFFF"):
        response = await wire.post_text(message.replace("#", odd).encode(), **headers)
        assert (await read(response))["structuredContent"]["said"] == "ab"
    unknown = await wire.post_text(
        json.dumps(request("tools/call", name="work\0shop\ud800.echo", arguments={})).encode(),
        **headers,
    )
    assert (await read(unknown))["isError"] is False


async def test_every_call_is_audited(workshop: RunningServer, wire: Wire) -> None:
    statement = "SELECT id, edge, action, status FROM audit_entries ORDER BY id"
    before = {row["id"] for row in await fetch(workshop, statement)}
    await wire.call("workshop.count")
    await wire.call("workshop.count", steps="many")
    await wire.call("workshop.nothing")
    rows = [row for row in await fetch(workshop, statement) if row["id"] not in before]
    assert [(row["edge"], row["action"], row["status"]) for row in rows] == [
        ("mcp", "workshop.count", "executed"),
        ("mcp", "workshop.count", "failed"),
        ("mcp", "workshop.nothing", "refused"),
    ]


@pytest.mark.parametrize("revision", REVISIONS)
async def test_progress_comes_to_whoever_asks(
    workshop: RunningServer, key: str, revision: str
) -> None:
    told: list[tuple[float, float | None, str | None]] = []

    async def hear(progress: float, total: float | None, message: str | None) -> None:
        told.append((progress, total, message))

    async with open_program(workshop.url, key, revision) as program:
        result = await program.call_tool("workshop.count", {"steps": 3}, progress_callback=hear)
    assert result.structured_content == {"counted": 3}
    assert told == [(1, 3, "step 1"), (2, 3, "step 2"), (3, 3, "step 3")]


async def test_who_takes_no_events_gets_the_answer_alone(wire: Wire) -> None:
    message = request(
        "tools/call",
        name="workshop.count",
        arguments={"steps": 3},
        _meta={"progressToken": "here"},
    )
    headers = {
        "mcp-protocol-version": MODERN,
        "mcp-method": "tools/call",
        "mcp-name": "workshop.count",
    }
    response = await wire.post(message, **headers, accept="application/json")
    assert response.headers["content-type"] == "application/json"
    assert (await read(response))["structuredContent"] == {"counted": 3}
    response = await wire.post(message, **headers, accept=BOTH)
    assert response.headers["content-type"].startswith("text/event-stream")
    frames = [json.loads(line[6:]) for line in response.text.splitlines() if line[:5] == "data:"]
    assert [frame.get("method") for frame in frames] == ["notifications/progress"] * 3 + [None]


async def test_who_leaves_has_the_call_given_up(workshop: RunningServer, key: str) -> None:
    before = Patience.given_up
    client = await workshop.open_client(key=key)
    call = asyncio.create_task(Wire(client).call("workshop.wait"))
    await wait_until(lambda: _is(Patience.at_work == 1))
    call.cancel()
    await wait_until(lambda: _is(Patience.given_up == before + 1))
    statement = "SELECT status FROM audit_entries WHERE action = 'workshop.wait' AND edge = 'mcp'"
    rows = await wait_until(lambda: fetch(workshop, statement))
    assert [row["status"] for row in rows] == ["failed"]


async def _is(value: bool) -> bool:
    return value


async def test_over_the_budget_the_answer_says_when(databases: Databases) -> None:
    """In all processes together: 64 calls at once, over four servers, with room for ten."""
    loaded = load_plugins([administration.plugin, context.plugin], [plugin], {})
    given = {"background_work": False, "tool_calls": 10, "master_key": "01" * 32}
    async with (
        databases.copy() as url,
        run_server(url, loaded=loaded, **given) as one,
        run_server(url, loaded=loaded, **given) as two,
        run_server(url, loaded=loaded, **given) as three,
        run_server(url, loaded=loaded, **given) as four,
    ):
        key = await make_key(await one.open_admin(), RULE)
        wires = [Wire(await server.open_client(key=key)) for server in (one, two, three, four)]
        answers = await asyncio.gather(
            *(wires[number % 4].call("workshop.count") for number in range(64))
        )
        statuses = [answer.status_code for answer in answers]
        assert sorted(statuses) == [200] * 10 + [429] * 54
        refused = next(answer for answer in answers if answer.status_code == 429)
        assert 1 <= int(refused.headers["retry-after"]) <= 60
        assert refused.json()["id"] == 7
        assert refused.json()["error"]["data"] == {"code": "too_many"}
