"""A script on the event loop that servers have, which is not the one of tests."""

import asyncio
import json
import sys

import uvloop

from assent.net.exchange import Request, Response
from assent.sandbox.sandbox import open_sandbox
from assent.sandbox.script import Script, run_script

SOURCE = """
import os
def run(script):
    print("said")
    return [script.http.get("http://place.example/").text, os.getuid()]
"""


async def fetch(_request: Request) -> Response:
    return Response(status=200, reason="OK", headers=(), body=b"fine", truncated=False)


async def main() -> dict[str, object]:
    async with open_sandbox() as sandbox:
        if not sandbox.is_available:
            return {"why": sandbox.why_not}
        done = await run_script(sandbox, Script("python", SOURCE), fetch)
        late = await run_script(
            sandbox, Script("shell", "while true; do :; done", milliseconds=300), fetch
        )
        shell = await run_script(sandbox, Script("shell", "http http://place.example/"), fetch)
        return {
            "result": done.result,
            "stdout": done.stdout,
            "error": done.error,
            "late": late.timed_out,
            "shell": shell.stdout,
        }


if __name__ == "__main__":
    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        sys.stdout.write(json.dumps(runner.run(main())))
