"""Scripts with what they are given, their results and their requests."""

import asyncio
import json
from collections.abc import AsyncGenerator
from typing import Any

import pytest
import pytest_asyncio

from assent.errors import DestinationRefused, SandboxUnavailable
from assent.net.exchange import Request, Response
from assent.sandbox.channel import MOST_REQUESTS
from assent.sandbox.sandbox import Sandbox, open_sandbox
from assent.sandbox.script import Finished, Script, run_script


@pytest_asyncio.fixture(scope="module")
async def sandbox() -> AsyncGenerator[Sandbox]:
    async with open_sandbox() as opened:
        yield opened


class Web:
    """Answers with what it was asked, and refuses what is inside."""

    def __init__(self) -> None:
        self.asked: list[Request] = []

    async def fetch(self, request: Request) -> Response:
        self.asked.append(request)
        if "inside" in request.url:
            raise DestinationRefused("inside may not be reached.")
        told = {"url": request.url, "method": request.method, "body": request.body.decode()}
        status = 404 if "missing" in request.url else 200
        return Response(
            status=status,
            reason="Told",
            headers=(("content-type", "application/json"),),
            body=json.dumps(told).encode(),
            truncated=False,
        )


@pytest.fixture
def web() -> Web:
    return Web()


async def run(sandbox: Sandbox, web: Web, source: str, **given: Any) -> Finished:
    language = given.pop("language", "python")
    return await run_script(sandbox, Script(language, source, **given), web.fetch)


async def test_a_script_returns_its_result(sandbox: Sandbox, web: Web) -> None:
    source = """
import os

def run(script):
    print("hello")
    return {"is": [script.config["a"], script.context["b"], os.environ["C"], script.env["C"]]}
"""
    done = await run(sandbox, web, source, config={"a": 1}, context={"b": "ü"}, env={"C": "c"})
    assert (done.result, done.stdout, done.error) == ({"is": [1, "ü", "c", "c"]}, "hello\n", None)
    assert (done.exit_code, done.timed_out, done.sandbox_downgraded) == (0, False, False)


@pytest.mark.parametrize(
    ("source", "error"),
    [
        ("def run(script):\n    return 1 / 0", "ZeroDivisionError: division by zero"),
        ("x = 1", "The script has no function `run`."),
        ("def run(", "SyntaxError: '(' was never closed"),
        ("def run(script):\n    return {1, 2}", "set is not JSON serializable"),
        ("def run(script):\n    return float('nan')", "cannot be written as JSON"),
        ("import sys\ndef run(script):\n    sys.exit(3)", "It ended with 3."),
        ("import requests\ndef run(script): pass", "No module named 'requests'"),
    ],
)
async def test_why_there_is_no_result(sandbox: Sandbox, web: Web, source: str, error: str) -> None:
    done = await run(sandbox, web, source)
    assert done.result is None
    assert error in (done.error or "")
    assert done.exit_code not in (0, None)


async def test_async_scripts_and_ones_without_a_parameter(sandbox: Sandbox, web: Web) -> None:
    source = "import asyncio\nasync def run():\n    await asyncio.sleep(0)\n    return 'done'"
    assert (await run(sandbox, web, source)).result == "done"


async def test_requests_go_through_us(sandbox: Sandbox, web: Web) -> None:
    source = """
from assent_script import HttpError

def run(script):
    told = [script.http.get("http://a.example/x").json(),
            script.http.post("http://a.example/y", {"z": 1}).json(),
            script.http.get("http://a.example/missing").status]
    for url in ("http://inside/",):
        try:
            script.http.get(url)
        except HttpError as error:
            told.append([error.code, str(error)])
    return told
"""
    done = await run(sandbox, web, source)
    assert done.result == [
        {"url": "http://a.example/x", "method": "GET", "body": ""},
        {"url": "http://a.example/y", "method": "POST", "body": '{"z": 1}'},
        404,
        ["destination_refused", "inside may not be reached."],
    ]
    assert web.asked[1].headers == {"content-type": "application/json"}


async def test_many_threads_and_processes_ask_in_turns(sandbox: Sandbox, web: Web) -> None:
    source = """
from concurrent.futures import ThreadPoolExecutor
import os

def run(script):
    def ask(n):
        return script.http.get(f"http://a.example/{n}").json()["url"]
    child = os.fork()
    with ThreadPoolExecutor(4) as pool:
        right = all(told.endswith(f"/{n}") for n, told in enumerate(pool.map(ask, range(20))))
    if child == 0:
        os._exit(0 if right else 1)
    return [right, os.waitpid(child, 0)[1]]
"""
    assert (await run(sandbox, web, source)).result == [True, 0]
    assert len(web.asked) == 40


async def test_requests_are_counted_and_checked(sandbox: Sandbox, web: Web) -> None:
    source = """
from assent_script import HttpError

def run(script):
    told = set()
    for n in range(110):
        try:
            script.http.request("TRACE" if n < 3 else "GET", "http://a.example/")
        except HttpError as error:
            told.add(error.code)
    return sorted(told)
"""
    assert (await run(sandbox, web, source)).result == ["invalid", "too_many"]
    assert len(web.asked) == MOST_REQUESTS - 3


@pytest.mark.parametrize("line", ["no json", "[]", "x" * 3_000_000, '{"do": "other"}'])
async def test_what_is_no_request_harms_nobody(sandbox: Sandbox, web: Web, line: str) -> None:
    source = f"""
import os, socket

def run(script):
    sock = socket.socket(fileno=os.dup(int(os.environ["ASSENT_CHANNEL"])))
    try:
        sock.sendall({line[:10]!r}.encode() * {max(1, len(line) // 10)} + b"\\n")
        sock.recv(100)
    except OSError:
        pass
"""
    done = await run(sandbox, web, source)
    assert done.result is None
    assert (await run(sandbox, web, "def run():\n    return 1")).result == 1


async def test_a_script_that_waits_for_an_answer_is_ended_in_time(sandbox: Sandbox) -> None:
    async def fetch(_: Request) -> Response:
        await asyncio.Event().wait()
        raise AssertionError

    source = "def run(script):\n    script.http.get('http://a.example/')"
    done = await run_script(sandbox, Script("python", source, milliseconds=500), fetch)
    assert done.timed_out
    assert done.error == "It took too long and was ended."


async def test_shell_scripts(sandbox: Sandbox, web: Web) -> None:
    source = """
echo "$NAME"
http http://a.example/x > /tmp/told || exit 9
http -X PUT -H 'a: b' -d body http://a.example/put
http http://a.example/missing > /dev/null; echo "missing $?"
http http://inside/; echo "inside $?"
echo '{"latencyMs": 12}'
"""
    done = await run(sandbox, web, source, language="shell", env={"NAME": "value"})
    assert done.result == {"latencyMs": 12}, done
    assert done.stdout.startswith("value\n")
    assert "missing 22\ninside 7\n" in done.stdout
    assert "http: inside may not be reached." in done.stderr
    assert [(one.method, dict(one.headers)) for one in web.asked[:2]] == [
        ("GET", {}),
        ("PUT", {"a": "b"}),
    ]
    failed = await run(sandbox, web, "echo oh >&2; exit 4", language="shell")
    assert (failed.exit_code, failed.error, failed.result) == (4, "oh", None)


async def test_without_walls_nothing_runs(web: Web) -> None:
    async with open_sandbox("off") as closed:
        assert not closed.is_available
        with pytest.raises(SandboxUnavailable, match="it is switched off"):
            await run(closed, web, "def run():\n    return 1")
