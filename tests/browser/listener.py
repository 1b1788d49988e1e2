"""The outside world in one socket: whoever connects, or asks for a name, is written down.

The browser is told that every host of the outside is here, on every port. What it sends first, a
request, a WebSocket's handshake or the greeting of TLS, names the host that it wanted. What it only
looks up is seen in its own log of the network, and only if it was not told where the host is.
"""

import asyncio
import json
import re
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path

from aiohttp import web
from playwright.async_api import BrowserContext, async_playwright

from tests.browser.conftest import FLAGS, find_chromium

OUTSIDE = "leak.example"
SPOKEN = 4096
NAMED = re.compile(rf"([a-z0-9-]+)\.{re.escape(OUTSIDE)}")
NOTHING = b"HTTP/1.1 204 No Content\r\nconnection: close\r\n\r\n"
UNKNOWN = "?"


@dataclass(frozen=True, slots=True)
class Vector:
    """One way to send something out, with a host of its own."""

    id: str
    tries: str
    text: str


def load_vectors() -> list[Vector]:
    rows: list[list[str]] = json.loads(Path(__file__).with_name("vectors.json").read_text())
    return [
        Vector(id, tries, text.replace("{host}", f"{id}.{OUTSIDE}").replace("{id}", id))
        for id, tries, text in rows  # noqa: A001 - the table's own word
    ]


@dataclass(slots=True)
class Listener:
    """`heard` has the first label of each host, or `?` of who connected and said nothing."""

    port: int = 0
    heard: list[str] = field(default_factory=list[str])

    async def listen(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            said = await reader.read(SPOKEN)
            found = NAMED.search(said.decode("latin-1"))
            self.heard.append(found[1] if found else UNKNOWN)
            writer.write(NOTHING)
            await writer.drain()
        except ConnectionError:
            self.heard.append(UNKNOWN)
        finally:
            writer.close()


@asynccontextmanager
async def open_listener() -> AsyncGenerator[Listener]:
    listener = Listener()
    server = await asyncio.start_server(listener.listen, "127.0.0.1", 0)
    listener.port = server.sockets[0].getsockname()[1]
    try:
        yield listener
    finally:
        server.close()


@asynccontextmanager
async def open_browser(
    folder: Path, listener: Listener | None = None
) -> AsyncGenerator[BrowserContext]:
    """A browser with a profile, without which it follows no hints about what to load ahead.

    With a listener the outside is there; without one it is nowhere, and names are looked up.
    """
    flags = [*FLAGS, f"--log-net-log={folder / 'net.json'}"]
    if listener is not None:
        flags.append(f"--host-resolver-rules=MAP *.{OUTSIDE} 127.0.0.1:{listener.port}")
    async with async_playwright() as playwright:
        context = await playwright.chromium.launch_persistent_context(
            folder / "profile",
            executable_path=find_chromium(),
            args=flags,
            permissions=["clipboard-read", "clipboard-write"],
        )
        try:
            yield context
        finally:
            await context.close()


def list_names(folder: Path) -> set[str]:
    """All hosts of the outside in the browser's log: looked up, connected to or asked."""
    return set(NAMED.findall((folder / "net.json").read_text()))


@asynccontextmanager
async def serve_unprotected(pages: dict[str, str]) -> AsyncGenerator[str]:
    """What is given, as pages of a site that trusts everything."""

    async def answer(request: web.Request) -> web.Response:
        body = pages.get(request.path)
        if body is None:
            raise web.HTTPNotFound
        return web.Response(text=f"<!doctype html>{body}", content_type="text/html")

    app = web.Application()
    app.router.add_get("/{path}", answer)
    runner = web.AppRunner(app, access_log=None, shutdown_timeout=0.1)
    await runner.setup()
    try:
        await web.TCPSite(runner, "127.0.0.1", 0).start()
        host, port = runner.addresses[0][:2]
        yield f"http://{host}:{port}"
    finally:
        await runner.cleanup()
