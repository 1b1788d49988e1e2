"""A local model provider for tests: OpenAI's streaming format over real HTTP, as scripted.

It serves Anthropic's address too; answers in that format are made in `anthropic_answers.py`.
Each request takes the next answer of the script; when there is none left it gets status 500. What
was asked is kept in `requests`. Answers are bytes, so that any server's habits can be played.
"""

import asyncio
import json
from collections import deque
from collections.abc import AsyncGenerator, Callable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any, Literal, TypeAlias

from aiohttp import web

USAGE = {"prompt_tokens": 100, "completion_tokens": 40, "total_tokens": 140}
DONE = b"data: [DONE]\n\n"

Step: TypeAlias = bytes | float | asyncio.Event | Literal["cut", "hang"]
"""Bytes to send, seconds or an event to wait for, `cut` the connection, or `hang` until the other
side leaves."""


@dataclass(frozen=True, slots=True)
class Scripted:
    """One answer."""

    steps: tuple[Step, ...]
    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict[str, str])
    content_type: str = "text/event-stream"


@dataclass(frozen=True, slots=True)
class Asked:
    """One request: its path with the query, names of headers in lower case."""

    path: str
    headers: Mapping[str, str]
    body: dict[str, Any]


Answering: TypeAlias = Callable[[Asked], Scripted]


class FakeProvider:
    """`url` is the base URL; `models` is what `/models` lists, or `None` for a server without."""

    def __init__(self) -> None:
        self.url = ""
        self.models: list[str] | None = ["fake"]
        self.requests: list[Asked] = []
        self.left = asyncio.Event()
        """Set when a client went away before its answer was sent."""
        self._script: deque[Scripted | Answering] = deque()

    def script(self, *answers: Scripted | Answering) -> None:
        """Answer the next requests with these; a function gets the request."""
        self._script.extend(answers)

    def clear(self) -> None:
        """Forget what was scripted and what was asked."""
        self._script.clear()
        self.requests.clear()
        self.left.clear()

    async def answer(self, request: web.Request) -> web.StreamResponse:
        headers = {name.lower(): value for name, value in request.headers.items()}
        asked = Asked(request.path_qs, headers, json.loads(await request.read() or b"{}"))
        self.requests.append(asked)
        if not self._script:
            return web.json_response({"error": {"message": "The script is over."}}, status=500)
        scripted = self._script.popleft()
        try:
            return await _play(request, scripted(asked) if callable(scripted) else scripted)
        except (asyncio.CancelledError, ConnectionError):
            self.left.set()
            raise

    async def list_models(self, request: web.Request) -> web.Response:
        headers = {name.lower(): value for name, value in request.headers.items()}
        self.requests.append(Asked(request.path_qs, headers, {}))
        if self.models is None:
            return web.Response(status=404)
        listed = [{"id": name, "object": "model"} for name in self.models]
        return web.json_response({"object": "list", "data": listed})


@asynccontextmanager
async def run_provider() -> AsyncGenerator[FakeProvider]:
    """Serve on a free port until the body ends."""
    provider = FakeProvider()
    app = web.Application(client_max_size=64 * 1024 * 1024)
    app.router.add_post("/v1/chat/completions", provider.answer)
    app.router.add_post("/v1/messages", provider.answer)
    app.router.add_get("/v1/models", provider.list_models)
    runner = web.AppRunner(app, handler_cancellation=True, access_log=None, shutdown_timeout=0.1)
    await runner.setup()
    try:
        site = web.TCPSite(runner, "127.0.0.1", 0)
        await site.start()
        host, port = runner.addresses[0][:2]
        provider.url = f"http://{host}:{port}/v1"
        yield provider
    finally:
        await runner.cleanup()


async def _play(request: web.Request, scripted: Scripted) -> web.StreamResponse:
    headers = {"content-type": scripted.content_type, **scripted.headers}
    response = web.StreamResponse(status=scripted.status, headers=headers)
    await response.prepare(request)
    for step in scripted.steps:
        if isinstance(step, bytes):
            await response.write(step)
        elif isinstance(step, asyncio.Event):
            await step.wait()
        elif step == "hang":
            await asyncio.Event().wait()
        elif step == "cut":
            assert request.transport is not None  # noqa: S101 - nobody has closed it yet
            request.transport.abort()
            return response
        else:
            await asyncio.sleep(float(step))
    await response.write_eof()
    return response


def stream(*pieces: list[dict[str, Any]], pause: float = 0) -> Scripted:
    """An answer made of pieces such as `text("Hel", "lo")` and `end()`."""
    steps: list[Step] = []
    for chunk in (chunk for piece in pieces for chunk in piece):
        steps.append(encode(chunk))
        if pause:
            steps.append(pause)
    return Scripted((*steps, DONE))


def refuse(status: int, error: Any, headers: Mapping[str, str] | None = None) -> Scripted:
    """An HTTP error with this under `error`."""
    body = json.dumps({"error": error}).encode()
    return Scripted((body,), status, headers or {}, "application/json")


def text(*pieces: str) -> list[dict[str, Any]]:
    return [build_chunk({"role": "assistant", "content": ""})] + [
        build_chunk({"content": piece}) for piece in pieces
    ]


def reasoning(*pieces: str) -> list[dict[str, Any]]:
    return [build_chunk({"reasoning_content": piece}) for piece in pieces]


def call(name: str, *arguments: str, index: int = 0, id: str = "call_1") -> list[dict[str, Any]]:  # noqa: A002 - the format's own word
    """A tool call whose arguments come in these pieces."""
    first = {"id": id, "type": "function", "function": {"name": name, "arguments": ""}}
    pieces = [first, *({"function": {"arguments": piece}} for piece in arguments)]
    return [build_chunk({"tool_calls": [{"index": index, **piece}]}) for piece in pieces]


def end(reason: str = "stop", usage: Mapping[str, Any] | None = USAGE) -> list[dict[str, Any]]:
    """The finish reason, then usage in a chunk of its own."""
    finish = build_chunk({}, reason)
    if usage is None:
        return [finish]
    return [finish, {**finish, "choices": [], "usage": dict(usage)}]


def build_chunk(delta: Mapping[str, Any], reason: str | None = None) -> dict[str, Any]:
    return {
        "id": "chatcmpl-1",
        "object": "chat.completion.chunk",
        "created": 1760000000,
        "model": "fake",
        "choices": [{"index": 0, "delta": dict(delta), "finish_reason": reason}],
    }


def encode(chunk: Mapping[str, Any]) -> bytes:
    return b"data: " + json.dumps(chunk, separators=(",", ":")).encode() + b"\n\n"
