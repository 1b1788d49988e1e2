"""Allowing a destination in the pages, and the card for one that is not allowed."""

from collections.abc import AsyncGenerator

import pytest_asyncio
from aiohttp import web
from playwright.async_api import expect

from assent.testing import Databases, RunningServer, run_server
from tests.browser.conftest import OpenPage, sign_in_by_link

PAGE = "/assistant/destinations"


@pytest_asyncio.fixture
async def site() -> AsyncGenerator[str]:
    async def answer(_request: web.Request) -> web.Response:
        return web.Response(status=418, text="short and stout")

    app = web.Application()
    app.router.add_route("*", "/{path:.*}", answer)
    runner = web.AppRunner(app)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0).start()
    yield f"http://127.0.0.1:{runner.addresses[0][1]}"
    await runner.cleanup()


@pytest_asyncio.fixture
async def server(databases: Databases, site: str) -> AsyncGenerator[RunningServer]:
    opened = site.removeprefix("http://")
    async with (
        databases.copy() as url,
        run_server(url, demo=True, demo_pace=0, ollama_url="", inside_hosts=[opened]) as running,
    ):
        yield running


async def test_allow_and_take_away(server: RunningServer, open_page: OpenPage, site: str) -> None:
    page = await sign_in_by_link(server, await open_page())
    await page.goto(f"{server.url}{PAGE}")
    await expect(page.get_by_role("heading", name="No destination is allowed yet")).to_be_visible()
    await page.get_by_role("button", name="Allow destination").click()
    form = page.get_by_role("dialog", name="Allow destination")
    await form.get_by_role("textbox", name="Destination").fill("http://10.0.0.1")
    await form.get_by_role("button", name="Add", exact=True).click()
    told = "10.0.0.1 is a private address and may not be reached."
    await expect(form.get_by_text(told)).to_be_visible()
    await form.get_by_role("textbox", name="Destination").fill(site)
    await form.get_by_label("What it is for").fill("The teapot.")
    await form.get_by_role("button", name="Add", exact=True).click()
    row = page.get_by_role("table", name="Allowed destinations").get_by_role("row").nth(1)
    await expect(row).to_contain_text(site)
    await expect(row).to_contain_text("The teapot.")
    await expect(row).to_contain_text("Every tool")
    await row.get_by_role("button", name="Take away").click()
    await page.get_by_role("alertdialog").get_by_role("button", name="Take away").click()
    await expect(page.get_by_role("heading", name="No destination is allowed yet")).to_be_visible()


async def test_a_card_shows_where_it_goes_and_what_came_back(
    server: RunningServer, open_page: OpenPage, site: str
) -> None:
    client = await server.open_admin()
    body = {"tool": "ai.probeUrl", "input": {"url": f"{site}/pot?for=tea"}}
    card = (await client.post("/api/proposals", json=body)).json()
    page = await sign_in_by_link(server, await open_page(), f"/proposals/{card['id']}")
    main = page.get_by_role("main")
    await expect(main.get_by_text(f"{site}/pot?for=tea").first).to_be_visible()
    await main.get_by_role("button", name="Apply").click()
    await expect(main.get_by_text("short and stout")).to_be_visible()
