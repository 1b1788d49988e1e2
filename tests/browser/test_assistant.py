"""Connecting a model and setting up agents in the pages, and chats that use them."""

from collections.abc import AsyncGenerator

import pytest_asyncio
from playwright.async_api import Locator, Page, expect

from assent.testing import Databases, RunningServer, run_server
from assent.testing import anthropic_answers as anthropic
from assent.testing.provider import (
    Asked,
    FakeProvider,
    Scripted,
    end,
    refuse,
    run_provider,
    stream,
    text,
)
from tests.browser.conftest import OpenPage, sign_in_by_link
from tests.browser.test_chat import find_answers, hear, say

INTEGRATIONS, AGENTS = "/assistant/integrations", "/assistant/agents"
KEY = "sk-very-secret"
MANY = 20


@pytest_asyncio.fixture
async def server(databases: Databases) -> AsyncGenerator[RunningServer]:
    async with (
        databases.copy() as url,
        run_server(url, demo=True, demo_pace=0, ollama_url="") as running,
    ):
        yield running


@pytest_asyncio.fixture
async def provider() -> AsyncGenerator[FakeProvider]:
    """Says which model was asked, and under which instructions."""
    async with run_provider() as running:
        running.models = ["large", "small"]
        running.script(*([answer] * MANY))
        yield running


def answer(asked: Asked) -> Scripted:
    is_pirate = "like a pirate" in str(asked.body["messages"])
    said = f"{'Arr! ' if is_pirate else ''}This is {asked.body['model']}."
    return stream(text(said), end())


async def fill_integration(page: Page, provider: FakeProvider, name: str) -> Locator:
    form = page.get_by_role("dialog", name="Add integration")
    await form.get_by_label("Name").fill(name)
    await form.get_by_label("Address").fill(provider.url)
    await form.get_by_label("Key", exact=False).first.fill(KEY)
    await form.get_by_label("Default model").fill("large")
    await form.get_by_label("Other models").fill("small\nlarge")
    return form


async def connect(page: Page, provider: FakeProvider) -> None:
    await page.get_by_role("button", name="Add integration").click()
    form = await fill_integration(page, provider, "Outside")
    await form.get_by_role("button", name="Add", exact=True).click()
    await expect(page.get_by_text("large answers.")).to_be_visible()


async def choose(page: Page, picker: str, option: str) -> None:
    await page.get_by_role("combobox", name=picker).click()
    await page.get_by_role("option", name=option).click()
    await expect(page.get_by_role("combobox", name=picker)).to_contain_text(option)


async def test_from_the_demo_model_to_an_own_one(
    server: RunningServer, open_page: OpenPage, provider: FakeProvider
) -> None:
    page = await sign_in_by_link(server, await open_page())
    await page.get_by_role("main").get_by_role("link", name="Connect a model").click()
    await expect(page.get_by_role("heading", name="No model is connected yet")).to_be_visible()
    await connect(page, provider)
    assert all(asked.headers["authorization"] == f"Bearer {KEY}" for asked in provider.requests)
    assert KEY not in await page.content()

    await page.get_by_role("link", name="New chat").click()
    await expect(page.get_by_role("combobox", name="Model")).to_contain_text("large")
    await page.get_by_role("combobox", name="Model").click()
    await expect(page.get_by_role("option")).to_have_text(["largeOutside", "smallOutside"])
    await page.get_by_role("option", name="small").click()
    await expect(page.get_by_role("combobox", name="Model")).to_contain_text("small")
    await expect(await hear(page, "Who are you?")).to_have_text("This is small.")
    await choose(page, "Model", "large")
    await expect(await hear(page, "And now?")).to_have_text("This is large.")
    await page.reload()
    await expect(page.get_by_role("combobox", name="Model")).to_contain_text("large")


async def test_a_model_with_another_api(
    server: RunningServer, open_page: OpenPage, provider: FakeProvider
) -> None:
    page = await sign_in_by_link(server, await open_page(), INTEGRATIONS)
    provider.clear()
    provider.script(*[anthropic.stream(anthropic.text("Salve."), anthropic.end())] * 4)
    await page.get_by_role("button", name="Add integration").click()
    form = page.get_by_role("dialog", name="Add integration")
    await form.get_by_role("combobox", name="Provider").click()
    await page.get_by_role("option", name="Anthropic").click()
    await expect(form.get_by_label("Address")).to_have_value("https://api.anthropic.com")
    await fill_integration(page, provider, "Roman")
    await form.get_by_role("button", name="Add", exact=True).click()
    await expect(page.get_by_text("large answers.")).to_be_visible()
    assert {asked.path.split("?")[0] for asked in provider.requests} == {
        "/v1/messages",
        "/v1/models",
    }
    assert all(asked.headers["x-api-key"] == KEY for asked in provider.requests)
    await page.get_by_role("link", name="New chat").click()
    await say(page, "Who are you?")
    await expect(find_answers(page)).to_have_text("Salve.")


async def test_an_integration_is_checked_changed_switched_off_and_deleted(
    server: RunningServer, open_page: OpenPage, provider: FakeProvider
) -> None:
    page = await sign_in_by_link(server, await open_page(), INTEGRATIONS)
    await page.get_by_role("button", name="Add integration").click()
    form = await fill_integration(page, provider, "Outside")
    await form.get_by_label("Address").fill("nowhere")
    await form.get_by_role("button", name="Add", exact=True).click()
    await expect(form.get_by_label("Address")).to_have_attribute("aria-invalid", "true")
    await form.get_by_label("Address").fill(provider.url)
    await form.get_by_role("button", name="Add", exact=True).click()
    await expect(page.get_by_text("large answers.")).to_be_visible()

    await page.get_by_role("button", name="Edit Outside").click()
    form = page.get_by_role("dialog", name="Edit Outside")
    await expect(form.get_by_label("Key", exact=False).first).to_have_value("")
    await form.get_by_label("Name").fill("Renamed")
    await form.get_by_role("button", name="Save").click()
    await expect(page.get_by_role("heading", name="Renamed")).to_be_visible()
    await expect(page.get_by_text("Kept sealed")).to_be_visible()

    provider.clear()
    provider.script(refuse(401, {"message": "Bad key."}))
    await page.get_by_role("button", name="Test Renamed").click()
    await expect(page.get_by_role("alert")).to_contain_text("It does not answer")

    await page.get_by_role("switch", name="Offer Renamed in chats").click()
    await expect(page.get_by_text("Off", exact=True)).to_be_visible()
    await page.get_by_role("button", name="Delete Renamed").click()
    await page.get_by_role("alertdialog").get_by_role("button", name="Delete").click()
    await expect(page.get_by_role("heading", name="No model is connected yet")).to_be_visible()


async def test_another_agent_takes_over_in_mid_conversation(
    server: RunningServer, open_page: OpenPage, provider: FakeProvider
) -> None:
    page = await sign_in_by_link(server, await open_page(), INTEGRATIONS)
    await connect(page, provider)
    await page.goto(server.url + AGENTS)
    await page.get_by_role("button", name="Add agent").click()
    form = page.get_by_role("dialog", name="Add agent")
    await form.get_by_label("Name", exact=True).fill("Ship's cook")
    await form.get_by_label("Instructions").fill("Speak like a pirate.")
    await form.get_by_text("All tools that the person may use").click()
    await form.get_by_label("Find a tool").fill("dependencies")
    await form.get_by_role("checkbox", name="List dependencies").click()
    await form.get_by_role("button", name="Add", exact=True).click()
    row = page.get_by_role("row", name="Ship's cook")
    await expect(row).to_contain_text("ship-s-cook")
    await expect(row).to_contain_text("1 tool")

    await page.get_by_role("link", name="New chat").click()
    await expect(await hear(page, "Who are you?")).to_have_text("This is large.")
    await choose(page, "Agent", "Ship's cook")
    await expect(await hear(page, "And now?")).to_have_text("Arr! This is large.")
    await page.reload()
    await expect(page.get_by_role("combobox", name="Agent")).to_contain_text("Ship's cook")
    turns = [asked.body for asked in provider.requests if "tools" in asked.body]
    offered = [body["tools"] for body in turns if "pirate" in str(body)]
    assert [tool["function"]["name"] for tool in offered[0]] == ["dependency_list"]


async def test_a_failed_turn_looks_the_same_after_a_reload_and_can_be_tried_again(
    server: RunningServer, open_page: OpenPage, provider: FakeProvider
) -> None:
    page = await sign_in_by_link(server, await open_page(), INTEGRATIONS)
    await connect(page, provider)
    provider.clear()
    provider.script(refuse(401, {"message": "Bad key."}))
    await page.get_by_role("link", name="New chat").click()
    await say(page, "Who are you?")
    notice = page.get_by_role("alert")
    await expect(notice).to_contain_text("The answer broke off")
    before = await notice.inner_text()
    await page.reload()
    await expect(notice).to_have_text(before, use_inner_text=True)
    provider.script(*([answer] * MANY))
    await notice.get_by_role("button", name="Try again").click()
    await expect(find_answers(page).last).to_have_text("This is large.")
    await expect(notice).to_have_count(0)
