"""Processes that fault tests start, talk to and kill."""

import asyncio
import multiprocessing
from multiprocessing.process import BaseProcess
from typing import Any

from tests.patience import PATIENCE

PRELOADED = [
    "tests.fault.door_process",
    "tests.fault.seal_process",
    "tests.fault.spend_process",
    "tests.fault.work_process",
]


class Processes:
    """Forked from one that has everything imported; none of them outlives the block."""

    def __init__(self) -> None:
        self._context = multiprocessing.get_context("forkserver")
        self._context.set_forkserver_preload(PRELOADED)
        self._started: list[BaseProcess] = []

    def __enter__(self) -> "Processes":
        return self

    def __exit__(self, *_: object) -> None:
        for process in self._started:
            process.kill()
            process.join()

    def start(self, target: Any, *arguments: Any) -> tuple[BaseProcess, Any]:
        """The target gets a pipe as its last argument; this is the other end."""
        ours, theirs = self._context.Pipe()
        process = self._context.Process(target=target, args=(*arguments, theirs), daemon=True)
        process.start()
        theirs.close()
        self._started.append(process)
        return process, ours

    async def first_word(self, _process: BaseProcess, pipe: Any) -> Any:
        """What the process says, or nothing when it died instead."""

        def wait() -> Any:
            try:
                return pipe.recv() if pipe.poll(PATIENCE) else None
            except (EOFError, ConnectionResetError):
                return None

        return await asyncio.to_thread(wait)
