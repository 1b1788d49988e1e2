"""Health checks in the pages: one is made, watched, changed, acknowledged and deleted."""

import re
from collections.abc import AsyncGenerator

import pytest_asyncio
from playwright.async_api import Page, expect

from assent.main import load_all_plugins
from assent.plugins.load import load_plugins
from assent.settings import Settings
from assent.testing import Databases, RunningServer, run_server
from tests.browser.conftest import OpenPage, sign_in_by_link
from tests.browser.test_everywhere import find_problems
from tests.turn import lucky

CHECKS = "/p/healthcheck/checks"


@pytest_asyncio.fixture
async def server(databases: Databases) -> AsyncGenerator[RunningServer]:
    """With a strategy that somebody else brought along."""
    known = load_all_plugins(Settings()).plugins
    loaded = load_plugins(known[:2], [*known[2:], lucky.plugin], {})
    async with (
        databases.copy() as url,
        run_server(url, loaded=loaded, demo_pace=0, ollama_url="", sandbox="strict") as running,
    ):
        yield running


async def choose(page: Page, label: str, option: str) -> None:
    await page.get_by_role("combobox", name=label, exact=True).click()
    await page.get_by_role("option", name=option).first.click()


async def begin(page: Page, server: RunningServer, name: str) -> None:
    await page.goto(f"{server.url}{CHECKS}/new")
    await page.get_by_label("Name", exact=True).first.fill(name)


async def test_a_check_from_the_form_to_its_end(server: RunningServer, open_page: OpenPage) -> None:
    page = await sign_in_by_link(server, await open_page(bypass_csp=True), f"{CHECKS}/new")
    await begin(page, server, "own health")
    await choose(page, "Strategy", "HTTP request")
    await page.get_by_label("Url").fill("nowhere")
    await page.get_by_role("button", name="Create").click()
    await expect(page.get_by_label("Url")).to_have_attribute("aria-invalid", "true")
    await page.get_by_label("Url").fill(f"{server.url}/healthz")
    await page.get_by_label("Seconds between runs").fill("5")
    await page.get_by_label("Milliseconds that a run may take").fill("4000")
    await page.get_by_role("button", name="Create").click()
    await expect(page.get_by_role("heading", name="own health")).to_be_visible()
    await expect(page.get_by_role("status").filter(has_text="Up").first).to_be_visible()
    await expect(page.get_by_role("img", name="How runs ended")).to_be_visible()

    await page.get_by_role("link", name="Edit").click()
    await page.get_by_role("button", name="Add an assertion").click()
    await choose(page, "Field", "statusCode")
    await choose(page, "Comparison", "equals")
    await page.get_by_label("Value", exact=True).fill("500")
    await page.get_by_role("button", name="Save").click()
    await expect(page.get_by_text("statusCode is 200; expected: equals 500").first).to_be_visible()
    assert await find_problems(page) == []

    await page.goto(f"{server.url}/p/anomaly/anomalies")
    await page.get_by_role("button", name="Acknowledge own health").click()
    await page.get_by_role("dialog").get_by_label("Note").fill("Meant to be.")
    await page.get_by_role("dialog").get_by_role("button", name="Acknowledge").click()
    await expect(page.get_by_role("dialog")).to_have_count(0)
    await expect(page.get_by_role("button", name="Acknowledge own health")).to_have_count(0)

    await page.goto(f"{server.url}{CHECKS}")
    await page.get_by_role("link", name="own health").click()
    await page.get_by_role("button", name="Switch off").click()
    await expect(page.get_by_role("button", name="Switch on")).to_be_visible()
    await page.get_by_role("button", name="Delete").click()
    await page.get_by_role("alertdialog").get_by_role("button", name="Delete").click()
    await expect(page.get_by_text("No health checks yet")).to_be_visible()


async def test_a_strategy_of_another_plugin_has_its_form(
    server: RunningServer, open_page: OpenPage
) -> None:
    page = await sign_in_by_link(server, await open_page(bypass_csp=True), f"{CHECKS}/new")
    await begin(page, server, "fortune")
    await choose(page, "Strategy", "Lucky number")
    await page.get_by_label("Number").fill("7")
    await page.get_by_role("button", name="Add an assertion").click()
    await choose(page, "Field", "number")
    await choose(page, "Comparison", "is less than")
    await page.get_by_label("Value", exact=True).fill("5")
    assert await find_problems(page) == []
    await page.get_by_role("button", name="Create").click()
    await expect(page.get_by_text("number is 7; expected: is less than 5").first).to_be_visible()


async def test_a_script_is_tried_before_it_is_kept(
    server: RunningServer, open_page: OpenPage
) -> None:
    page = await sign_in_by_link(server, await open_page(bypass_csp=True), f"{CHECKS}/new")
    await begin(page, server, "by script")
    await choose(page, "Strategy", "Python script")
    await page.get_by_role("button", name="Begin with the example").click()
    await expect(page.get_by_label("Source")).to_have_value(re.compile("def run"))
    await page.get_by_label(re.compile("^Config")).fill(f'{{"url": "{server.url}/healthz"}}')
    await page.get_by_label("Also reaches").fill(server.url)
    await page.get_by_role("button", name="Test").click()
    shown = page.get_by_role("region", name="Result")
    await expect(shown).to_contain_text(f"{server.url}/healthz answered 200")
    await page.get_by_text("What a script can use", exact=True).first.click()
    assert await find_problems(page) == []
    await page.get_by_role("button", name="Create").click()
    await expect(page.get_by_role("heading", name="by script")).to_be_visible()
    await expect(page.get_by_role("status").filter(has_text="Up").first).to_be_visible()


async def test_secrets_are_kept_and_forgotten(server: RunningServer, open_page: OpenPage) -> None:
    page = await sign_in_by_link(server, await open_page(bypass_csp=True), CHECKS)
    await page.get_by_role("button", name="Secrets").click()
    dialog = page.get_by_role("dialog", name="Secrets")
    await dialog.get_by_label("Name").fill("queue token")
    await dialog.get_by_label("Value").fill("correct horse battery")
    await dialog.get_by_role("button", name="Keep").click()
    await expect(dialog.get_by_label("Name")).to_have_attribute("aria-invalid", "true")
    await dialog.get_by_label("Name").fill("QUEUE_TOKEN")
    await dialog.get_by_role("button", name="Keep").click()
    await expect(dialog.get_by_text("__SECRET_QUEUE_TOKEN__")).to_be_visible()
    await expect(dialog.get_by_label("Value")).to_have_value("")
    assert "correct horse" not in await page.content()
    assert await find_problems(page) == []
    await dialog.get_by_role("button", name="Forget QUEUE_TOKEN").click()
    await page.get_by_role("alertdialog").get_by_role("button", name="Forget").click()
    await expect(dialog.get_by_text("This workspace has no secrets yet.")).to_be_visible()
