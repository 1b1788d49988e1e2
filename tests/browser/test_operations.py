"""Operations by talking, with the demo model: what is wrong, checks, incidents, windows."""

import re
from collections.abc import AsyncGenerator

import pytest_asyncio
from aiohttp import web
from playwright.async_api import Locator, Page, expect

from assent.testing import RunningServer
from tests.browser.conftest import OpenPage, sign_in_by_link
from tests.browser.test_chat import find_answers, find_composer, reload_unchanged, say


@pytest_asyncio.fixture
async def status_url() -> AsyncGenerator[str]:
    """A place on this machine that says how it is."""

    async def answer(_: web.Request) -> web.Response:
        return web.json_response({"status": "ok", "queue": 3})

    app = web.Application()
    app.router.add_get("/status", answer)
    runner = web.AppRunner(app, access_log=None, shutdown_timeout=0.1)
    await runner.setup()
    try:
        await web.TCPSite(runner, "127.0.0.1", 0).start()
        host, port = runner.addresses[0][:2]
        yield f"http://{host}:{port}/status"
    finally:
        await runner.cleanup()


@pytest_asyncio.fixture
async def page(quick: RunningServer, open_page: OpenPage) -> Page:
    page = await sign_in_by_link(quick, await open_page())
    await expect(find_composer(page)).to_be_visible()
    return page


async def apply_card(page: Page, name: str | re.Pattern[str]) -> Locator:
    """Assent to the card of that name, and wait until the answer to that is there."""
    card = page.get_by_role("article", name=name)
    await expect(card.get_by_role("button", name="Apply")).to_be_visible()
    await expect(page.locator("[role=log] [aria-busy=true]")).to_have_count(0)
    answered = await find_answers(page).count()
    await card.get_by_role("button", name="Apply").click()
    await expect(card.get_by_text("Decided by")).to_be_visible()
    await expect(find_answers(page)).to_have_count(answered + 1)
    await expect(page.locator("[role=log] [aria-busy=true]")).to_have_count(0)
    return card


async def set_auto(page: Page) -> None:
    await page.get_by_role("combobox", name="Permission mode").click()
    await page.get_by_role("option", name="Apply at once").click()
    mode = page.get_by_role("combobox", name="Permission mode")
    await expect(mode).to_have_text("Apply at once")


async def test_a_check_is_proposed_and_runs(page: Page, status_url: str) -> None:
    await say(page, f"check {status_url} every minute")
    card = page.get_by_role("article", name=re.compile("Create health check"))
    await expect(card).to_contain_text(status_url)
    await expect(card).to_contain_text("60")
    await apply_card(page, re.compile("Create health check"))
    await expect(find_answers(page).last).to_contain_text("runs every minute")
    await reload_unchanged(page)


async def test_an_incident_is_opened_updated_and_resolved(page: Page) -> None:
    await say(page, "open an incident for checkout: payments fail")
    question = page.get_by_role("form", name="Assent asks you")
    await question.get_by_role("radio", name="major").click()
    await question.get_by_role("button", name="Answer").click()
    await apply_card(page, "Open incident payments fail in workspace Demo")
    await say(page, "add an update to it: the provider is down")
    await apply_card(page, "Add an update to incident payments fail")
    await say(page, "resolve it")
    await apply_card(page, "Resolve incident payments fail")
    await expect(find_answers(page).last).to_contain_text("Done: Resolve incident payments fail")
    await reload_unchanged(page)


async def test_deleting_a_check_asks_in_auto_mode_too(page: Page) -> None:
    await set_auto(page)
    await say(page, "delete the health check Search port")
    card = page.get_by_role("article", name="Delete health check Search port")
    await expect(card.get_by_text("Destructive")).to_be_visible()
    await expect(card.get_by_text("all its runs and figures")).to_be_visible()
    await apply_card(page, "Delete health check Search port")
    await say(page, "list the health checks")
    await expect(find_answers(page).last).to_contain_text("Assent itself")
    await expect(find_answers(page).last).not_to_contain_text("Search port")
