"""Two servers with the same tenant's credits: together they take all of them, and no more."""

import asyncio
from collections import Counter
from uuid import UUID

from assent.testing import Databases
from assent.testing.provider import USAGE, Scripted, end, stream, text
from tests.fault.stage import PATIENCE, Stage, open_stage
from tests.store.work.steps import eventually
from tests.turn.people import expect, fetch, fetch_value

TURNS = 16
FIT = 5
HELD = """
SELECT count(*) AS calls, coalesce(sum(input_tokens + output_tokens), 0)::bigint AS tokens
FROM model_calls WHERE outcome = 'open'
"""
SPENT = "SELECT sum(input_tokens + output_tokens)::bigint FROM model_calls"
USED = "SELECT sum(used)::bigint FROM credit_use WHERE unit = 'tokens'"
ENDED = "SELECT id, status, error FROM runs"
DRIVERS = "SELECT owner FROM work WHERE kind = 'runs.drive' AND state = 'running'"


class Provider:
    """Holds every answer until it is let go."""

    def __init__(self) -> None:
        self.let_go = asyncio.Event()

    def answer(self, _: object) -> Scripted:
        spoken = stream(text("Well."), end())
        return Scripted((self.let_go, *spoken.steps))


async def give(stage: Stage, tokens: int) -> None:
    body = {"credits": {"unit": "tokens", "amount": str(tokens)}, "chatEnabled": True}
    expect(await stage.desk.client.put("/api/admin/credits", json=body), 200)


async def hold(stage: Stage, calls: int, failed: int) -> int:
    """Wait until so many calls are held and so many turns were refused; what is held in tokens."""

    async def is_so() -> bool:
        [held] = await fetch(stage.desk.server, HELD)
        states = Counter(row["status"] for row in await fetch(stage.desk.server, ENDED))
        return held["calls"] == calls and states["failed"] == failed

    await eventually(is_so, seconds=PATIENCE)
    return (await fetch(stage.desk.server, HELD))[0]["tokens"]


async def let_go(stage: Stage, provider: Provider) -> None:
    async def is_over() -> bool:
        states = {row["status"] for row in await fetch(stage.desk.server, ENDED)}
        return states <= {"completed", "failed"}

    provider.let_go.set()
    await eventually(is_over, seconds=PATIENCE)
    provider.let_go = asyncio.Event()


async def find_driving(stage: Stage) -> set[str]:
    """The addresses of the processes that drive turns now."""
    owners = {str(row["owner"]) for row in await fetch(stage.desk.server, DRIVERS)}
    return {one.url for one in stage.drivers if owners & one.owners}


async def test_two_servers_take_the_credits_and_no_more(databases: Databases) -> None:
    provider = Provider()
    async with databases.copy() as url, open_stage(url) as stage:
        stage.provider.clear()
        stage.provider.script(*[provider.answer] * 100)
        [found] = expect(await stage.desk.client.get("/api/admin/integrations"), 200)["items"]
        change = {"provided": True}
        address = f"/api/admin/integrations/{found['id']}"
        expect(await stage.desk.client.patch(address, json=change), 200)

        first = await stage.add_driver()
        await stage.ask_for("race00")
        worst = await hold(stage, 1, 0)
        await let_go(stage, provider)
        used = await fetch_value(stage.desk.server, USED)
        first.process.terminate()
        stage.remove(first)

        await give(stage, used + FIT * worst + worst // 2)
        runs = [await stage.ask_for(f"race{number:02}") for number in range(1, TURNS + 1)]
        # Neither has hands for all that fits.
        hands = {"run_concurrency": FIT - 2}
        await asyncio.gather(stage.add_driver(**hands), stage.add_driver(**hands))
        held = await hold(stage, FIT, TURNS - FIT)
        assert FIT * worst - worst // 2 < held <= FIT * worst + worst // 2
        assert len(stage.provider.requests) == 1 + FIT
        assert len(await find_driving(stage)) == 2
        await let_go(stage, provider)

        rows = {row["id"]: row for row in await fetch(stage.desk.server, ENDED)}
        ended = Counter(rows[UUID(str(run))]["status"] for _, run in runs)
        assert ended == {"completed": FIT, "failed": TURNS - FIT}
        refused = [row["error"] for row in rows.values() if row["error"]]
        assert {one["code"] for one in refused} == {"credits_exhausted"}
        said = USAGE["prompt_tokens"] + USAGE["completion_tokens"]
        assert await fetch_value(stage.desk.server, SPENT) == (1 + FIT) * said
        assert await fetch_value(stage.desk.server, USED) == (1 + FIT) * said
