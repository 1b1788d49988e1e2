"""Whoever sends a notification is killed in the middle: it is sent all the same, by the same id."""

import asyncio
import os
import signal
from multiprocessing.connection import Connection as Pipe
from typing import Any

import pytest

from assent.testing import Databases, run_server
from tests.fault.door_bench import Processes
from tests.fault.run_process import SETTINGS
from tests.patience import wait_until
from tests.turn.people import find_tenant
from tests.turn.test_webhook import run_receiver
from tests.turn.timelines import INCIDENT, WINDOW, Kind, open_desk

SAID = 3


def work(url: str, settings: dict[str, Any], pipe: Pipe) -> None:
    """A process with all plugins that does background work until it is killed."""
    asyncio.run(_work(url, settings, pipe))


async def _work(url: str, settings: dict[str, Any], pipe: Pipe) -> None:
    async with run_server(url, **settings) as server:
        pipe.send(server.url)
        await asyncio.Event().wait()


@pytest.mark.parametrize("kind", [INCIDENT, WINDOW], ids=lambda kind: kind.plugin)
async def test_a_sender_that_is_killed_in_the_middle(databases: Databases, kind: Kind) -> None:
    async with run_receiver() as receiver, databases.copy() as url:
        settings = {**SETTINGS, "inside_hosts": [f"127.0.0.1:{receiver.port}"]}
        with Processes() as processes:
            async with run_server(url, **{**settings, "background_work": False}) as server:
                desk = await open_desk(server, await find_tenant(server), kind)
                await desk.set_address(receiver.url)
                receiver.answers = [None]
                made = await desk.open()
                for number in range(SAID):
                    await desk.say(made, f"Number {number}.", notify=True)
                started = processes.start(work, url, settings)
                assert await processes.first_word(*started) is not None

                async def is_sending() -> bool:
                    return bool(receiver.came)

                await wait_until(is_sending)
                assert started[0].pid is not None
                os.kill(started[0].pid, signal.SIGKILL)
                waiting = (await desk.get(made))["deliveries"]
                assert [one["state"] for one in waiting] == ["waiting"] * SAID
                assert await processes.first_word(*processes.start(work, url, settings)) is not None

                async def is_sent() -> bool:
                    shown = (await desk.get(made))["deliveries"]
                    return [one["state"] for one in shown] == ["sent"] * SAID

                await wait_until(is_sent)
    sent = [(event["id"], event["text"]) for event in receiver.events]
    assert len(sent) == SAID + 1
    assert len(set(sent)) == SAID
    assert sent[0] == sent[1], "in the order in which it was said"
