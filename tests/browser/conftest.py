"""A real Chromium against a real server with the demo workspace."""

import asyncio
import os
import shutil
from collections.abc import AsyncGenerator, Callable, Coroutine, Sequence
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio
from playwright.async_api import Browser, BrowserContext, Page, async_playwright, expect

from assent.api.pages import FOLDER
from assent.identity.first_start import make_first_link
from assent.models.demo.model import DemoModel
from assent.models.model import ModelEvent, ModelRequest, TextDelta
from assent.testing import Client, Databases, RunningServer, run_server
from tests.patience import PATIENCE
from tests.turn.oauth import Lathe, Site, open_lathe, open_site

FLAGS = [
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
]
MAC_CHROME = "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome"
SYSTEMS = "/p/catalog/systems"
OpenPage = Callable[..., Coroutine[Any, Any, Page]]

expect.set_options(timeout=PATIENCE * 1000)


def find_chromium() -> str | None:
    names = (os.environ.get("CHROMIUM", ""), "chromium", "chromium-browser", "google-chrome")
    found = (shutil.which(name) for name in names if name)
    return next(filter(None, found), MAC_CHROME if Path(MAC_CHROME).exists() else None)


@pytest_asyncio.fixture(scope="session")
async def browser() -> AsyncGenerator[Browser]:
    assert (FOLDER / "index.html").is_file(), "the pages are not built: make setup"
    path = find_chromium()
    if path is None and "CI" not in os.environ:
        pytest.skip("Chromium is not installed: sudo apt-get install chromium")
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(executable_path=path, args=FLAGS)
        yield browser
        await browser.close()


@pytest_asyncio.fixture
async def demo(databases: Databases) -> AsyncGenerator[RunningServer]:
    async with databases.copy() as url, run_server(url, demo=True) as server:
        yield server


@pytest_asyncio.fixture
async def quick(databases: Databases) -> AsyncGenerator[RunningServer]:
    async with (
        databases.copy() as url,
        run_server(url, demo=True, demo_pace=0, ollama_url="") as server,
    ):
        yield server


@pytest_asyncio.fixture
async def documents() -> AsyncGenerator[Site]:
    """Where programs say who they are, and where they are told the answer."""
    async with open_site() as opened:
        opened.put("/callback", {"said": "Back in the program."})
        yield opened


@pytest_asyncio.fixture
async def workshop(databases: Databases, documents: Site) -> AsyncGenerator[RunningServer]:
    """A server with the demo workspace to which programs are connected."""
    async with (
        databases.copy() as url,
        run_server(url, demo=True, inside_hosts=[documents.opening]) as server,
    ):
        yield server


@pytest_asyncio.fixture
async def lathe(workshop: RunningServer, documents: Site) -> AsyncGenerator[Lathe]:
    async with open_lathe(workshop, documents.publish()) as opened:
        opened.redirect_uri = f"{documents.origin}/callback"
        yield opened


@pytest.fixture
def may_go_on(monkeypatch: pytest.MonkeyPatch) -> asyncio.Event:
    """Until it is set, the model stands still in the middle of whatever it answers."""
    speak, told = DemoModel.stream, asyncio.Event()

    async def hesitate(
        model: DemoModel, request: ModelRequest
    ) -> AsyncGenerator[Sequence[ModelEvent]]:
        said = ""
        async for events in speak(model, request):
            yield events
            said += "".join(one.text for one in events if isinstance(one, TextDelta))
            if "demo model" in said:
                await told.wait()

    monkeypatch.setattr(DemoModel, "stream", hesitate)
    return told


@pytest_asyncio.fixture
async def open_page(browser: Browser) -> AsyncGenerator[OpenPage]:
    """Open a page of its own; at the end nothing may have gone wrong in it unseen."""
    contexts: list[BrowserContext] = []
    complaints: list[str] = []

    async def open_page(**options: Any) -> Page:
        context = await browser.new_context(**options)
        contexts.append(context)
        page = await context.new_page()
        page.set_default_timeout(PATIENCE * 1000)
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.on(
            "console",
            lambda message: (
                complaints.append(message.text)
                if "Content Security Policy" in message.text
                else None
            ),
        )
        return page

    yield open_page
    for context in contexts:
        await context.close()
    assert not complaints, complaints


@pytest_asyncio.fixture
async def admin_page(demo: RunningServer, open_page: OpenPage) -> Page:
    """A page of the first admin, on the catalog."""
    return await sign_in_by_link(demo, await open_page(), SYSTEMS)


async def sign_in_by_link(server: RunningServer, page: Page, to: str | None = None) -> Page:
    """Signed in: on the start page, or on the one that is named without going through there."""
    if to is not None:
        await give_session(server, page)
        await page.goto(server.url + to)
        return page
    link = await make_first_link(server.database, always=True)
    assert link is not None
    await page.goto(f"{server.url}/login?token={link.token}")
    return page


async def give_session(server: RunningServer, page: Page) -> None:
    """The page's browser has signed in as the first admin, elsewhere."""
    await lend_session(await server.open_admin(), page, server.url)


async def lend_session(client: Client, page: Page, url: str) -> None:
    """The page's browser is signed in as the client is."""
    await page.context.add_cookies(
        [
            {"name": one.name, "value": one.value or "", "url": url, "httpOnly": True}
            for one in client.cookies.jar
        ]
    )
