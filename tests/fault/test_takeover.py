"""Turns that lose their process: another goes on, and nobody can tell from the result."""

import asyncio
import json
import random
import signal
from collections.abc import AsyncGenerator

import pytest
import pytest_asyncio

from assent.testing import Databases
from tests.fault.door_bench import move_client
from tests.fault.run_process import SETTINGS
from tests.fault.stage import (
    PATIENCE,
    Stage,
    count_executions,
    follow,
    load_answer,
    open_stage,
    wait_until_over,
)
from tests.store.work.steps import eventually
from tests.turn.people import expect, fetch


@pytest_asyncio.fixture(scope="module")
async def stage(databases: Databases) -> AsyncGenerator[Stage]:
    async with databases.copy() as url, open_stage(url) as opened:
        yield opened


async def kill_an_owner(stage: Stage, seed: int) -> None:
    """Eight turns at once; their owner dies somewhere in them, and a fresh driver stands by."""
    chance = random.Random(seed)
    while len(stage.drivers) < 2:
        await stage.add_driver()
    turns = [await stage.start_turn() for _ in range(8)]
    async with asyncio.TaskGroup() as group:
        ours = [group.create_task(follow(one, lambda: stage.desk.server.url)) for one in turns]
        theirs = [
            group.create_task(follow(one, lambda: chance.choice(stage.drivers).url))
            for one in turns
        ]
        owner = await stage.wait_for_owner()
        await asyncio.sleep(chance.random() * 1.5)
        owner.signal(signal.SIGKILL)
        stage.remove(owner)
        stored = {one.run_id: await one.list_stored_calls() for one in turns}
        before = await count_executions(stage)
    await wait_until_over(stage)
    after = await count_executions(stage)
    for one, near, far in zip(turns, ours, theirs, strict=True):
        await one.check(near.result(), far.result())
        for call in stored[one.run_id]:
            assert after[one.run_id, call] == before[one.run_id, call], seed


@pytest.mark.parametrize("seed", range(3))
async def test_a_killed_process_is_taken_over(stage: Stage, seed: int) -> None:
    await kill_an_owner(stage, seed)


@pytest.mark.deep
@pytest.mark.parametrize("seed", range(100, 140))
async def test_killed_processes_are_taken_over(stage: Stage, seed: int) -> None:
    await kill_an_owner(stage, seed)


async def test_one_after_the_other_dies(stage: Stage) -> None:
    """Four owners of one turn."""
    while len(stage.drivers) < 2:
        await stage.add_driver()
    turn = await stage.start_turn(pause=0.03)
    async with asyncio.TaskGroup() as group:
        seen = group.create_task(follow(turn, lambda: stage.desk.server.url))
        for _ in range(3):
            owner = await stage.wait_for_owner()
            await asyncio.sleep(0.5)
            owner.signal(signal.SIGKILL)
            stage.remove(owner)
            await stage.add_driver()
    await wait_until_over(stage)
    await turn.check(seen.result())


async def test_a_frozen_process_changes_nothing_when_it_wakes(stage: Stage) -> None:
    while len(stage.drivers) < 2:
        await stage.add_driver()
    turns = [await stage.start_turn() for _ in range(4)]
    async with asyncio.TaskGroup() as group:
        seen = [group.create_task(follow(one, lambda: stage.desk.server.url)) for one in turns]
        owner = await stage.wait_for_owner()
        await asyncio.sleep(0.7)
        owner.signal(signal.SIGSTOP)
        stage.drivers.remove(owner)
    await wait_until_over(stage)
    before = [await load_answer(one) for one in turns]
    owner.signal(signal.SIGCONT)
    async with move_client(stage.desk.client, owner.url) as awake:
        expect(await awake.get("/healthz"), 200)
        await asyncio.sleep(2 * SETTINGS["lease_seconds"])
        expect(await awake.get("/healthz"), 200)
    assert [await load_answer(one) for one in turns] == before
    for one, parts in zip(turns, seen, strict=True):
        await one.check(parts.result())
    stage.drivers.append(owner)


async def test_a_process_that_is_told_to_go_hands_over(stage: Stage) -> None:
    while len(stage.drivers) < 2:
        await stage.add_driver()
    turns = [await stage.start_turn() for _ in range(4)]
    async with asyncio.TaskGroup() as group:
        seen = [group.create_task(follow(one, lambda: stage.desk.server.url)) for one in turns]
        owner = await stage.wait_for_owner()
        await asyncio.sleep(0.7)
        owner.signal(signal.SIGTERM)
        stage.remove(owner)
        assert owner.process.exitcode is not None
    await wait_until_over(stage)
    for one, parts in zip(turns, seen, strict=True):
        await one.check(parts.result())


async def test_a_turn_whose_process_died_can_be_stopped(stage: Stage) -> None:
    """Its words so far stay, and it does not come back."""
    while len(stage.drivers) < 2:
        await stage.add_driver()
    turn = await stage.start_turn(pause=0.05)
    owner = await stage.wait_for_owner()

    async def has_spoken() -> bool:
        rows = await fetch(
            stage.desk.server, "SELECT 1 FROM run_events WHERE run_id = $1", turn.run_id
        )
        return len(rows) > 5

    await eventually(has_spoken, seconds=PATIENCE)
    owner.signal(signal.SIGKILL)
    stage.remove(owner)
    url = f"/api/conversations/{turn.conversation}/cancel"
    expect(await stage.desk.client.post(url), 202)
    await wait_until_over(stage)
    [row] = await fetch(stage.desk.server, "SELECT status FROM runs WHERE id = $1", turn.run_id)
    assert row["status"] == "cancelled"
    answer = await load_answer(turn)
    assert "story" in json.dumps(answer)
    assert "input-available" not in json.dumps(answer)
