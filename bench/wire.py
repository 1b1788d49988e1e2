"""What reading a provider's stream costs: processor time per chunk, ours next to the openai SDK.

Side by side in one run, the provider in a process of its own: one answer of many chunks as fast as
they come, and fifty answers at once at a hundred chunks a second each, as people would see them.
"""

import asyncio
import multiprocessing
import time
from collections.abc import Awaitable, Callable
from multiprocessing.connection import Connection

import openai
import uvloop

from assent.models.http import open_session
from assent.models.model import ModelRequest, TextDelta, TextPart, UserMessage
from assent.models.openai_wire import OpenAiWire
from assent.testing.provider import (
    DONE,
    Asked,
    Scripted,
    Step,
    encode,
    end,
    run_provider,
    text,
)

BURST_CHUNKS = 20_000
STREAMS = 50
PACED_CHUNKS = 200
PAUSE = 0.01
ROUNDS = 3
READ = 16_384

Read = Callable[[str, str], Awaitable[int]]


def answer(asked: Asked) -> Scripted:
    paced = asked.body["model"] == "paced"
    words = [f" token{at % 97}" for at in range(PACED_CHUNKS if paced else BURST_CHUNKS)]
    frames = [encode(chunk) for chunk in (*text(*words), *end())]
    if paced:
        steps: list[Step] = [step for frame in frames for step in (frame, PAUSE)]
        return Scripted((*steps, DONE))
    whole = b"".join(frames) + DONE
    return Scripted(tuple(whole[at : at + READ] for at in range(0, len(whole), READ)))


def serve(ready: Connection) -> None:
    async def run() -> None:
        async with run_provider() as provider:
            provider.script(*[answer] * 10_000)
            ready.send(provider.url)
            await asyncio.Event().wait()

    uvloop.run(run())


async def read_ours(url: str, model: str) -> int:
    request = ModelRequest(
        purpose="turn",
        model=model,
        instructions=(),
        messages=(UserMessage((TextPart("Go"),)),),
        max_tokens=9,
    )
    async with open_session() as session:
        answer = OpenAiWire(url, None, session).stream(request)
        return sum([isinstance(one, TextDelta) async for events in answer for one in events])


async def read_theirs(url: str, model: str) -> int:
    async with openai.AsyncOpenAI(base_url=url, api_key="none") as client:
        chunks = await client.chat.completions.create(
            model=model, messages=[{"role": "user", "content": "Go"}], stream=True
        )
        return sum([bool(one.choices and one.choices[0].delta.content) async for one in chunks])


def measure(read: Read, url: str, model: str) -> float:
    """Microseconds of this process per chunk."""

    async def run() -> float:
        started = time.process_time()
        count = STREAMS if model == "paced" else 1
        found = await asyncio.gather(*(read(url, model) for _ in range(count)))
        spent = time.process_time() - started
        assert set(found) == {PACED_CHUNKS if model == "paced" else BURST_CHUNKS}
        return spent / sum(found) * 1e6

    return uvloop.run(run())


def main() -> None:
    ours, theirs = multiprocessing.Pipe()
    process = multiprocessing.get_context("spawn").Process(target=serve, args=(theirs,))
    process.start()
    try:
        url = ours.recv()
        for model in ("burst", "paced"):
            for name, read in (("openai SDK", read_theirs), ("assent", read_ours)):
                best = min(measure(read, url, model) for _ in range(ROUNDS))
                print(f"{model:>6} {name:>12}: {best:7.1f} µs of processor time per chunk")
    finally:
        process.kill()
        process.join()


if __name__ == "__main__":
    main()
