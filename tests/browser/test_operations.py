"""Operations by talking, with the demo model: what is wrong, checks, incidents, windows."""

import re
from collections.abc import AsyncGenerator

import pytest_asyncio
from aiohttp import web
from playwright.async_api import Locator, Page, expect

from assent.testing import Databases, RunningServer, run_server
from tests.browser.conftest import OpenPage, sign_in_by_link
from tests.browser.test_chat import find_answers, find_composer, reload_unchanged, say
from tests.patience import wait_until


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
async def server(databases: Databases) -> AsyncGenerator[RunningServer]:
    """The demo workspace, with walls behind which scripts run."""
    async with (
        databases.copy() as url,
        run_server(url, demo=True, demo_pace=0, ollama_url="", sandbox="strict") as running,
    ):
        yield running


@pytest_asyncio.fixture
async def page(server: RunningServer, open_page: OpenPage) -> Page:
    page = await sign_in_by_link(server, await open_page())
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


async def see_first_run(page: Page, name: str) -> None:
    """On the check's page the first run is there, and it went well."""
    await page.get_by_role("link", name="Health checks", exact=True).click()
    await page.get_by_role("link", name=name, exact=True).click()
    await expect(page.get_by_role("heading", name=name, exact=True)).to_be_visible()
    runs = page.get_by_role("list", name="Runs").get_by_role("listitem")
    await expect(runs.first).to_contain_text("Up")


async def test_what_is_wrong_right_now_on_the_first_start(
    server: RunningServer, page: Page
) -> None:
    client = await server.open_admin()

    async def has_run() -> bool:
        listed = (await client.get("/api/p/healthcheck/checks")).json()["items"]
        return all(one["lastRunAt"] for one in listed)

    await wait_until(has_run)
    await say(page, "What is wrong right now?")
    answer = find_answers(page).last
    await expect(answer).to_contain_text("This is wrong right now, the worst first:")
    await expect(answer).to_contain_text("Search port is down")
    await expect(answer).to_contain_text("Search does not answer")
    await expect(answer).to_contain_text("Reindexing of orders")
    await reload_unchanged(page)


async def test_a_script_check_from_the_request_to_its_first_run(
    page: Page, status_url: str
) -> None:
    await say(page, f"create a script health check called Queue that probes {status_url}")
    card = page.get_by_role("article", name=re.compile("Create health check Queue"))
    await expect(card).to_contain_text("script.http.get(URL)")
    await expect(card).to_contain_text(status_url)
    await expect(card).to_contain_text("answered 200")
    answer = find_answers(page).last
    await expect(answer).to_contain_text("I wrote the script and tried it out")
    await expect(answer).to_contain_text("Read the documentation")
    await apply_card(page, re.compile("Create health check Queue"))
    await expect(find_answers(page).last).to_contain_text("Queue runs every minute")
    await reload_unchanged(page)
    await see_first_run(page, "Queue")


async def test_a_check_is_proposed_and_runs(page: Page, status_url: str) -> None:
    await say(page, f"check {status_url} every minute")
    card = page.get_by_role("article", name=re.compile("Create health check"))
    await expect(card).to_contain_text(status_url)
    await expect(card).to_contain_text("60")
    await apply_card(page, re.compile("Create health check"))
    await expect(find_answers(page).last).to_contain_text("runs every minute")
    await see_first_run(page, re.sub("^http://", "", status_url))


async def test_maintenance_is_scheduled(page: Page) -> None:
    await say(page, "schedule maintenance for checkout tomorrow 22:00 to 23:00")
    name = re.compile("maintenance window Maintenance of checkout in workspace Demo")
    card = page.get_by_role("article", name=name)
    await expect(card).to_contain_text("22:00")
    await apply_card(page, name)
    await page.get_by_role("link", name="Maintenance", exact=True).click()
    await expect(page.get_by_text("Maintenance of checkout").first).to_be_visible()


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
