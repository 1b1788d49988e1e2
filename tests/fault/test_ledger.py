"""Processes that ask models are killed: no call is missing from the ledger."""

import signal
from collections.abc import AsyncGenerator

import pytest_asyncio

from assent.models.sweep import sweep
from assent.testing import Databases
from tests.fault.stage import PATIENCE, Stage, open_stage, wait_until_over
from tests.store.work.steps import eventually
from tests.turn.people import execute, expect, fetch

CALLS = """
SELECT run_id, outcome, estimated, input_tokens, output_tokens FROM model_calls
"""
RUN_OUT = "UPDATE model_calls SET expires_at = now() WHERE outcome = 'open'"
TURNS = 6


@pytest_asyncio.fixture
async def stage(databases: Databases) -> AsyncGenerator[Stage]:
    async with databases.copy() as url, open_stage(url) as opened:
        yield opened


async def test_calls_of_a_killed_process_are_there_as_lost(stage: Stage) -> None:
    server = stage.desk.server
    price = {"model": "fake", "input": "10", "output": "100"}
    [found] = expect(await stage.desk.client.get("/api/admin/integrations"), 200)["items"]
    url = f"/api/admin/integrations/{found['id']}"
    change = {"prices": [price], "provided": True}
    expect(await stage.desk.client.patch(url, json=change), 200)
    await stage.add_driver()
    turns = [await stage.start_turn(pause=0.03) for _ in range(TURNS)]
    owner = await stage.wait_for_owner()

    async def are_asking() -> bool:
        rows = await fetch(server, CALLS)
        return len({one["run_id"] for one in rows if one["outcome"] == "open"}) >= 2

    await eventually(are_asking, seconds=PATIENCE)
    owner.signal(signal.SIGKILL)
    stage.remove(owner)
    await stage.add_driver()
    await wait_until_over(stage)

    await execute(server, RUN_OUT)
    await sweep(server.database, stage.desk.tenant.id)
    rows = await fetch(server, CALLS)
    outcomes = [one["outcome"] for one in rows]
    assert {one["run_id"] for one in rows} == {one.run_id for one in turns}
    assert outcomes.count("lost") >= 1
    assert set(outcomes) <= {"finished", "lost"}
    # One that dies between its row and its request leaves a row too many, never one too few.
    asked = len(stage.provider.requests)
    assert asked <= len(rows) <= asked + TURNS
    assert all(one["estimated"] == (one["outcome"] == "lost") for one in rows)
    [sums] = await fetch(
        server,
        "SELECT sum(input_tokens + output_tokens) AS tokens, sum(cost) AS cost FROM model_calls",
    )
    used = await fetch(server, "SELECT unit, used FROM credit_use")
    assert {one["unit"]: one["used"] for one in used} == {
        "tokens": sums["tokens"],
        "USD": sums["cost"],
    }
