"""Telling the assistant things for later in the pages, and choosing a skill for a message."""

import re
from collections.abc import AsyncGenerator

import pytest_asyncio
from playwright.async_api import Page, expect

from assent.testing import Databases, RunningServer, run_server
from assent.testing.provider import Asked, FakeProvider, Scripted, end, run_provider, stream, text
from tests.browser.conftest import OpenPage, sign_in_by_link
from tests.browser.test_chat import find_answers

MANY = 20


def answer(asked: Asked) -> Scripted:
    prompt = str(asked.body["messages"])
    active = re.search(r"## Skill: ([\w ]+)", prompt)
    knows = "I know the lighthouse." if "lighthouse keeper" in prompt else "I know nothing."
    return stream(text(f"Skill: {active[1] if active else 'none'}. {knows}"), end())


@pytest_asyncio.fixture
async def provider() -> AsyncGenerator[FakeProvider]:
    async with run_provider() as running:
        running.script(*([answer] * MANY))
        yield running


@pytest_asyncio.fixture
async def server(databases: Databases, provider: FakeProvider) -> AsyncGenerator[RunningServer]:
    async with (
        databases.copy() as url,
        run_server(
            url,
            demo=True,
            demo_pace=0,
            ollama_url="",
            openai_base_url=provider.url,
            openai_api_key="k",
        ) as running,
    ):
        yield running


async def add(page: Page, button: str, fields: dict[str, str], action: str = "Add") -> None:
    await page.get_by_role("button", name=button).click()
    form = page.get_by_role("dialog", name=button)
    for label, value in fields.items():
        await form.get_by_role("textbox", name=label).fill(value)
    await form.get_by_role("button", name=action, exact=True).click()
    await expect(form).not_to_be_visible()


async def test_a_memory_is_written_found_changed_and_forgotten(
    server: RunningServer, open_page: OpenPage
) -> None:
    page = await open_page()
    await sign_in_by_link(server, page)
    await page.goto(f"{server.url}/knowledge")
    await add(page, "Remember something", {"What to remember": "Gate five sticks."}, "Remember")
    await add(page, "Remember something", {"What to remember": "Ask Ines first."}, "Remember")
    await page.get_by_label("Search memories").fill("GATE")
    await expect(page.get_by_text("Ask Ines first.")).not_to_be_visible()
    await page.get_by_role("button", name="Edit Gate five sticks.").click()
    form = page.get_by_role("dialog", name="Edit memory")
    await form.get_by_label("What to remember").fill("Gate five is fine.")
    await form.get_by_role("button", name="Save").click()
    await expect(page.get_by_text("Gate five is fine.")).to_be_visible()
    await page.get_by_role("button", name="Forget Gate five is fine.").click()
    await page.get_by_role("alertdialog").get_by_role("button", name="Forget").click()
    await expect(page.get_by_text("Gate five is fine.")).to_have_count(0)
    await page.get_by_label("Search memories").fill("")
    await expect(page.get_by_text("Ask Ines first.")).to_be_visible()


async def test_documents_facts_corrections_and_skills_have_pages(
    server: RunningServer, open_page: OpenPage
) -> None:
    page = await open_page()
    await sign_in_by_link(server, page)
    await page.goto(f"{server.url}/knowledge/documents")
    await add(page, "Add document", {"Title": "Runbook", "Text": "# Runbook\n\nPull the lever."})
    await page.get_by_role("button", name="Edit Runbook").click()
    form = page.get_by_role("dialog", name="Edit Runbook")
    await expect(form.get_by_label("Text")).to_have_value(re.compile("Pull the lever"))
    await page.keyboard.press("Escape")
    await page.goto(f"{server.url}/knowledge/corrections")
    await add(page, "Add correction", {"Correction": "Say gate."})
    await expect(page.get_by_text("Say gate.")).to_be_visible()
    await page.goto(f"{server.url}/knowledge/business-context")
    own = page.get_by_role("form", name="About you")
    await own.get_by_role("textbox").fill("role: lighthouse keeper")
    await own.get_by_role("button", name="Save").click()
    await expect(page.get_by_text("The facts are saved.")).to_be_visible()
    await page.reload()
    await expect(own.get_by_role("textbox")).to_have_value("role: lighthouse keeper")
    await page.goto(f"{server.url}/knowledge/skills")
    await expect(page.get_by_text("Incident commander")).to_be_visible()
    await add(page, "Write a skill", {"Name": "Poet", "Instructions": "Rhyme."})
    await expect(page.get_by_role("button", name="Edit Poet")).to_be_visible()


async def test_a_skill_is_chosen_with_a_slash_for_one_message_and_shown_after_a_reload(
    server: RunningServer, open_page: OpenPage
) -> None:
    page = await open_page()
    await sign_in_by_link(server, page)
    composer = page.get_by_label("Message", exact=True)
    await composer.press("/")
    await page.get_by_role("menuitem", name="Severity classifier").click()
    await expect(composer).to_have_value(re.compile("How severe"))
    await expect(composer).to_be_focused()
    await expect(page.get_by_text("With Severity classifier")).to_be_visible()
    await composer.fill("A lamp is out.")
    await composer.press("Enter")
    await expect(find_answers(page).last).to_contain_text("Skill: Severity classifier.")
    said = page.get_by_role("article", name="You said").last
    await expect(said).to_contain_text("With Severity classifier")
    await page.reload()
    await expect(page.get_by_role("article", name="You said").last).to_contain_text(
        "With Severity classifier"
    )
    await composer.fill("And now?")
    await composer.press("Enter")
    await expect(find_answers(page).last).to_contain_text("Skill: none.")
    await page.get_by_role("button", name="Choose a skill").click()
    await page.get_by_role("menuitem", name="Incident commander").click()
    await page.get_by_role("button", name="Without Incident commander").click()
    await expect(page.get_by_text("With Incident commander")).not_to_be_visible()
