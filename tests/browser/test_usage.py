"""What models cost in the pages: prices are set, a chat takes of the credits, usage shows it."""

from collections.abc import AsyncGenerator

import pytest_asyncio
from playwright.async_api import Page, expect

from assent.testing import Databases, RunningServer, run_server
from assent.testing.provider import (
    Asked,
    FakeProvider,
    Scripted,
    end,
    run_provider,
    stream,
    text,
)
from tests.browser.conftest import OpenPage, sign_in_by_link
from tests.browser.test_chat import say
from tests.browser.test_everywhere import find_problems

SMALL = {"prompt_tokens": 1, "completion_tokens": 1}
USAGE = {"prompt_tokens": 600_000, "completion_tokens": 100_000}


@pytest_asyncio.fixture
async def provider() -> AsyncGenerator[FakeProvider]:
    async with run_provider() as running:
        running.script(*([answer] * 10))
        yield running


def answer(asked: Asked) -> Scripted:
    """A title costs next to nothing."""
    is_title = asked.body["max_tokens"] < 100
    return stream(text("Fine."), end(usage=SMALL if is_title else USAGE))


@pytest_asyncio.fixture
async def server(databases: Databases) -> AsyncGenerator[RunningServer]:
    async with (
        databases.copy() as url,
        run_server(url, demo=True, demo_pace=0, ollama_url="") as running,
    ):
        yield running


async def set_price(page: Page, server: RunningServer, provider: FakeProvider) -> None:
    await page.goto(f"{server.url}/assistant/integrations")
    await page.get_by_role("button", name="Add integration").first.click()
    form = page.get_by_role("dialog", name="Add integration")
    await form.get_by_label("Name").fill("Cloud")
    await form.get_by_label("Address").fill(provider.url)
    await form.get_by_label("Default model").fill("large")
    await form.get_by_text("Prices", exact=True).click()
    await form.get_by_role("button", name="Add a price").click()
    await form.get_by_label("Input", exact=True).fill("2,5")
    await form.get_by_label("Output", exact=True).fill("10")
    await form.get_by_text("Provided:").click()
    await form.get_by_role("button", name="Add", exact=True).click()
    await expect(form).to_be_hidden()


async def set_credits(page: Page, server: RunningServer, amount: str) -> None:
    await page.goto(f"{server.url}/assistant/credits")
    await page.get_by_label("Counted in").click()
    await page.get_by_role("option", name="Money").click()
    await page.get_by_label("Amount each month").fill(amount)
    await page.get_by_role("button", name="Save").click()
    await expect(page.get_by_text("Credits saved.")).to_be_visible()


async def test_from_a_price_to_the_chart_and_the_end_of_the_credits(
    server: RunningServer, provider: FakeProvider, open_page: OpenPage
) -> None:
    page = await sign_in_by_link(server, await open_page(bypass_csp=True))
    await set_price(page, server, provider)
    await set_credits(page, server, "3")
    await page.goto(server.url)
    await say(page, "Hello")
    await expect(page.get_by_text("Fine.")).to_be_visible()
    await expect(page.get_by_text("Credits are running low")).to_be_visible()
    await page.get_by_role("button", name="Put away").click()
    await expect(page.get_by_text("Credits are running low")).to_be_hidden()

    await set_credits(page, server, "2")
    await page.goto(server.url)
    await expect(page.get_by_text("This month's credits are used up").first).to_be_visible()
    await expect(page.get_by_role("textbox", name="Message")).to_be_disabled()
    await expect(page.get_by_role("button", name="Put away")).to_have_count(0)

    await page.get_by_role("link", name="Usage").click()
    await expect(page.get_by_role("img", name="Cost in USD each day")).to_be_visible()
    sums = page.get_by_role("table", name="Sums", exact=True)
    await expect(sums.get_by_role("row", name="large")).to_contain_text("$")
    await page.get_by_text("Show the days as a table").click()
    days = page.get_by_role("table", name="Sums of each day")
    await expect(days.get_by_role("row")).to_have_count(31)
    assert await find_problems(page) == []

    await page.goto(f"{server.url}/assistant/credits")
    await page.get_by_text("Chat is on for everybody").click()
    await page.get_by_role("button", name="Save").click()
    await expect(page.get_by_text("Credits saved.")).to_be_visible()
    await page.goto(server.url)
    await expect(page.get_by_text("The chat is switched off").first).to_be_visible()
    await expect(page.get_by_role("link", name="New chat")).to_have_count(0)
