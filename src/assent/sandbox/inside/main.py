"""Runs `script.py`: its `run(script)` gets what it was given; what that returns is the result."""

import asyncio
import importlib
import inspect
import json
import os
import sys
from collections.abc import Awaitable
from pathlib import Path
from typing import Any

from assent_script import Channel, Http, Script

GIVEN = Path("/job/given.json")


def main() -> None:
    channel = Channel()
    script = Script(**json.loads(GIVEN.read_text("utf-8")), http=Http(channel))
    os.environ.update(script.env)
    run: Any = getattr(importlib.import_module("script"), "run", None)
    if not callable(run):
        sys.exit("The script has no function `run`.")
    result = run(script) if inspect.signature(run).parameters else run()
    if inspect.isawaitable(result):
        result = asyncio.run(_wait(result))
    try:
        encoded = json.dumps(result, allow_nan=False)
    except (TypeError, ValueError) as error:
        sys.exit(f"What `run` returned cannot be written as JSON: {error}")
    channel.ask({"do": "result", "value": json.loads(encoded)})


async def _wait(result: Awaitable[Any]) -> Any:
    return await result


if __name__ == "__main__":
    main()
