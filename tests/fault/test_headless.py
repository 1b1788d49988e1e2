"""Headless runs that lose their process, and decisions that are made while there is none."""

import asyncio
import random
import signal
from collections.abc import AsyncGenerator
from typing import Any

import pytest
import pytest_asyncio

from assent.testing import Databases
from tests.bank.accounts import count_effects
from tests.bank.desk import apply
from tests.fault.stage import PATIENCE, Stage, open_stage
from tests.fault.story import Story
from tests.patience import wait_until
from tests.turn.people import expect


@pytest_asyncio.fixture(scope="module")
async def stage(databases: Databases) -> AsyncGenerator[Stage]:
    async with databases.copy() as url, open_stage(url) as opened:
        yield opened


async def start(stage: Stage, **draft: Any) -> tuple[Story, str]:
    stage.told += 1
    story = Story(f"story{stage.told}", stage.told * 10, await stage.desk.open_account(), 0.01)
    stage.library.stories[story.name] = story
    body = {"instruction": f"Tell {story.name}.", **draft}
    started = expect(await stage.desk.client.post("/api/runs", json=body), 202)
    return story, started["runId"]


async def wait_for(stage: Stage, run_id: str, status: str) -> dict[str, Any]:
    async def look() -> dict[str, Any] | None:
        task = expect(await stage.desk.client.get(f"/api/runs/{run_id}"), 200)
        return task if task["status"] == status else None

    return await wait_until(look, seconds=PATIENCE)


async def kill(stage: Stage) -> None:
    owner = await stage.wait_for_owner()
    owner.signal(signal.SIGKILL)
    stage.remove(owner)


@pytest.mark.parametrize("seed", range(3))
async def test_a_killed_process_is_taken_over(stage: Stage, seed: int) -> None:
    while len(stage.drivers) < 2:
        await stage.add_driver()
    story, run_id = await start(stage, allowed=[{"tool": "bank.deposit"}])
    await stage.wait_for_owner()
    await asyncio.sleep(random.Random(seed).random() * 1.5)
    if await stage.find_owner() is not None:
        await kill(stage)
    task = await wait_for(stage, run_id, "completed")
    assert task["text"].split() == story.text.split()
    assert await count_effects(stage.desk.server.database, story.account_id) == 1


async def test_a_decision_while_no_process_drives(stage: Stage) -> None:
    while not stage.drivers:
        await stage.add_driver()
    story, run_id = await start(stage)
    [card] = (await wait_for(stage, run_id, "waiting"))["pending"]
    for driver in list(stage.drivers):
        driver.signal(signal.SIGKILL)
        stage.remove(driver)
    await apply(stage.desk.client, card["id"])
    task = expect(await stage.desk.client.get(f"/api/runs/{run_id}"), 200)
    assert (task["status"], task["pending"]) == ("waiting", [])
    await stage.add_driver()
    done = await wait_for(stage, run_id, "completed")
    assert done["runId"] != run_id
    assert await count_effects(stage.desk.server.database, story.account_id) == 1


async def test_a_cancel_of_what_a_killed_process_drove(stage: Stage) -> None:
    while len(stage.drivers) < 2:
        await stage.add_driver()
    story, run_id = await start(stage, allowed=[{"tool": "bank.deposit"}])
    await stage.wait_for_owner()
    await kill(stage)
    expect(await stage.desk.client.post(f"/api/runs/{run_id}/cancel"), 202)
    task = await wait_for(stage, run_id, "cancelled")
    assert task["pending"] == [] and task["runId"] == run_id
    assert await count_effects(stage.desk.server.database, story.account_id) <= 1


async def test_a_cancel_and_a_decision_while_no_process_drives(stage: Stage) -> None:
    """Whoever comes then finds nothing to go on with."""
    while not stage.drivers:
        await stage.add_driver()
    _, run_id = await start(stage)
    [card] = (await wait_for(stage, run_id, "waiting"))["pending"]
    for driver in list(stage.drivers):
        driver.signal(signal.SIGKILL)
        stage.remove(driver)
    await apply(stage.desk.client, card["id"])
    expect(await stage.desk.client.post(f"/api/runs/{run_id}/cancel"), 202)
    await stage.add_driver()
    _, later = await start(stage, allowed=[{"tool": "bank.deposit"}])
    await wait_for(stage, later, "completed")
    task = expect(await stage.desk.client.get(f"/api/runs/{run_id}"), 200)
    assert (task["status"], task["runId"]) == ("cancelled", run_id)
