"""Whether the walls hold, tried at the start: what must not get through, and what must."""

import asyncio
import json
import os
import secrets
import tempfile
from dataclasses import replace
from typing import Any, cast

from assent.sandbox.command import Walls
from assent.sandbox.job import Ended, Job, Limits
from assent.sandbox.run import run_job

PROBE = """
import json, os, socket, sys, time
found = {}

def try_to(name, deed):
    try:
        found[name] = str(deed())[:200]
    except BaseException as error:
        found[name] = None

def connect():
    with socket.create_connection(("127.0.0.1", int(sys.argv[2])), 2):
        return True

def fork_many():
    children = []
    try:
        for _ in range(200):
            child = os.fork()
            if child == 0:
                time.sleep(30)
                os._exit(0)
            children.append(child)
    except OSError:
        return None
    finally:
        for child in children:
            os.kill(child, 9)
    return len(children)

try_to("file", lambda: open(sys.argv[1]).read())
try_to("network", connect)
try_to("user", lambda: os.setuid(0) or "root")
try_to("system", lambda: open("/usr/probe", "w"))
try_to("own", lambda: open("/job/own", "w").write("x"))
count = fork_many()
found["processes"] = None if count is None else str(count)
print(json.dumps(found), flush=True)
"""
ENDLESS = "while true; do :; done"
QUICK = Limits(seconds=10, cpu_seconds=5, processes=16)
SHORT = replace(QUICK, seconds=0.5)
HOLES = {
    "file": "a script can read files of this machine",
    "network": "a script can reach the network",
    "user": "a script can become root",
    "system": "a script can change the system",
    "processes": "a script can start any number of processes",
}


async def find_hole(walls: Walls, python: str, call_filter: bytes | None) -> str | None:
    """What is wrong, in words; nothing if all is well."""
    with tempfile.NamedTemporaryFile("w+", prefix="assent-") as canary:
        secret = secrets.token_hex()
        canary.write(secret)
        canary.flush()
        os.fchmod(canary.fileno(), 0o644)
        server = await asyncio.start_server(lambda _, writer: writer.close(), "127.0.0.1", 0)
        async with server:
            port: int = server.sockets[0].getsockname()[1]
            command = (python, "-I", "-c", PROBE, canary.name, str(port))
            probed = await run_job(walls, Job(command, limits=QUICK), call_filter=call_filter)
    found = _read(probed)
    if found is None:
        return f"a trial failed: {probed.stderr.decode(errors='replace').strip()[-300:]}"
    for name, hole in HOLES.items():
        if found.get(name) is not None:
            return hole
    if found.get("own") is None:
        return "a script cannot write its own folder"
    endless = Job(("/bin/sh", "-c", ENDLESS), limits=SHORT)
    ended = await run_job(walls, endless, call_filter=call_filter)
    return None if ended.how == "timed_out" else "a script without an end is not ended"


def _read(probed: Ended) -> dict[str, Any] | None:
    try:
        found: Any = json.loads(probed.stdout.splitlines()[0])
    except (ValueError, IndexError):
        return None
    return cast("dict[str, Any]", found) if isinstance(found, dict) else None
