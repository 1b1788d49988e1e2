"""A process that serves and drives turns, to be killed, frozen or told to go.

It says its address first, then under which names it holds leases.
"""

import asyncio
import signal
from multiprocessing.connection import Connection as Pipe
from typing import Any

from assent.testing import run_server
from assent.work.worker import Worker
from tests.bank.desk import MANY, load_bank

LEASE_SECONDS = 2
SETTINGS: dict[str, Any] = {
    "tool_calls": MANY,
    "master_key": "11" * 32,
    "lease_seconds": LEASE_SECONDS,
    "ollama_url": "",
    "demo_pace": 0,
}


def drive(url: str, settings: dict[str, Any], pipe: Pipe) -> None:
    asyncio.run(_drive(url, settings, pipe))


async def _drive(url: str, settings: dict[str, Any], pipe: Pipe) -> None:
    owners: list[str] = []
    make = Worker.__init__

    def make_known(self: Worker, *arguments: Any, **more: Any) -> None:
        make(self, *arguments, **more)
        owners.append(str(self._owner))

    Worker.__init__ = make_known
    async with run_server(url, loaded=load_bank(), **{**SETTINGS, **settings}) as server:
        pipe.send((server.url, owners))
        stop = asyncio.Event()
        asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, stop.set)
        await stop.wait()
