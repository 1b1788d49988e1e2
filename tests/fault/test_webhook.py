"""Whoever tells a webhook of turns is killed: each turn is told of all the same, and none waits."""

import signal
from collections import defaultdict

from assent.testing import Databases
from tests.fault.stage import PATIENCE, Driver, Stage, open_stage, wait_until_over
from tests.store.work.steps import eventually
from tests.turn.people import execute, expect, fetch
from tests.turn.test_webhook import SECRET, Receiver, run_receiver

TURNS = 4
SENDERS = "SELECT owner FROM work WHERE kind = 'runs.webhook' AND state = 'running'"
UNSENT = "SELECT count(*) AS n FROM work WHERE kind = 'runs.webhook' AND state <> 'done'"
HURRY = """
UPDATE work SET run_after = clock_timestamp()
WHERE kind = 'runs.webhook' AND state = 'queued' AND run_after > clock_timestamp()
"""


async def find_sender(stage: Stage) -> Driver:
    found: list[Driver] = []

    async def is_there() -> bool:
        owners = {str(row["owner"]) for row in await fetch(stage.desk.server, SENDERS)}
        found.extend(one for one in stage.drivers if owners & one.owners)
        return bool(found)

    await eventually(is_there, seconds=PATIENCE)
    return found[0]


async def check_told(stage: Stage, receiver: Receiver, runs: set[str]) -> None:
    """Every turn, at least once, and always by the same id."""

    async def is_sent() -> bool:
        await execute(stage.desk.server, HURRY)
        [row] = await fetch(stage.desk.server, UNSENT)
        return row["n"] == 0

    await eventually(is_sent, seconds=PATIENCE)
    ids: dict[str, set[str]] = defaultdict(set)
    for event in receiver.events:
        ids[event["runId"]].add(event["id"])
    assert set(ids) == runs
    assert all(len(one) == 1 for one in ids.values())


async def test_a_sender_that_is_killed_in_the_middle(databases: Databases) -> None:
    async with run_receiver() as receiver, databases.copy() as url:
        inside = [f"127.0.0.1:{receiver.port}"]
        async with open_stage(url, inside_hosts=inside) as stage:
            body = {
                "url": receiver.url,
                "secret": SECRET,
                "events": ["chat.message"],
                "enabled": True,
            }
            expect(await stage.desk.client.put("/api/admin/webhook", json=body), 200)
            receiver.answers = [None] * TURNS
            await stage.add_driver()
            turns = [await stage.start_turn() for _ in range(TURNS)]
            await wait_until_over(stage)
            sender = await find_sender(stage)
            assert not receiver.let_go.is_set(), "turns are over while nobody answers"
            sender.signal(signal.SIGKILL)
            stage.remove(sender)
            for turn in turns:
                await turn.check()
            receiver.answers = []
            receiver.let_go.set()
            await stage.add_driver()
            await check_told(stage, receiver, {str(one.run_id) for one in turns})
