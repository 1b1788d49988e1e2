"""What people do with a conversation in the browser: attach, edit, rate, branch, find, export."""

import asyncio
from collections.abc import AsyncGenerator
from typing import Any

import pytest
import pytest_asyncio
from playwright.async_api import Page, expect

from assent.testing import Databases, RunningServer, run_server
from tests.browser.conftest import OpenPage, sign_in_by_link
from tests.browser.test_chat import find_answers, find_composer, reload_unchanged, say
from tests.browser.test_everywhere import DESKTOP, PHONE, find_problems
from tests.turn.test_files import draw_png

CHECKED: dict[str, Any] = {"viewport": PHONE, "bypass_csp": True, "reduced_motion": "reduce"}
"""With what the checks of accessibility need; without it the policy for content holds."""


@pytest_asyncio.fixture
async def quick(databases: Databases) -> AsyncGenerator[RunningServer]:
    async with (
        databases.copy() as url,
        run_server(url, demo=True, demo_pace=0, ollama_url="") as server,
    ):
        yield server


async def attach(page: Page, name: str, kind: str, content: bytes) -> None:
    chosen = {"name": name, "mimeType": kind, "buffer": content}
    await page.locator("input[type=file]").set_input_files(chosen)  # pyright: ignore[reportArgumentType]


@pytest.mark.parametrize("options", [{"viewport": DESKTOP}, CHECKED], ids=["desktop", "phone"])
async def test_files_go_with_a_message_and_come_back(
    quick: RunningServer, open_page: OpenPage, options: dict[str, Any]
) -> None:
    page = await open_page(**options)
    await sign_in_by_link(quick, page)
    await expect(find_composer(page)).to_be_visible()
    await attach(page, "dot.png", "image/png", draw_png(300, 64))
    await attach(page, "notes.txt", "text/plain", b"Words")
    await attach(page, "program.txt", "text/plain", b"MZ\x90\x00")
    files = page.get_by_role("list", name="Attached files").first
    await expect(files.get_by_text("This looks like a program.")).to_be_visible()
    await expect(page.locator("progress")).to_have_count(0)
    send = page.get_by_role("button", name="Send", exact=True)
    await expect(send).to_have_attribute("aria-disabled", "true")
    await page.get_by_role("button", name="Remove program.txt").click()
    await page.reload()
    await expect(page.get_by_text("notes.txt")).to_be_visible()
    assert options is not CHECKED or await find_problems(page) == []
    await say(page, "What can you do?")
    await expect(find_answers(page)).to_have_count(1)
    image = page.get_by_role("img", name="dot.png")
    await expect(image).to_be_visible()
    assert await image.evaluate("(image) => image.naturalWidth") == 300
    await reload_unchanged(page)
    await expect(page.get_by_role("link", name="Save notes.txt")).to_be_visible()
    assert options is not CHECKED or await find_problems(page) == []


async def test_a_message_is_edited_and_an_answer_rated(
    quick: RunningServer, open_page: OpenPage
) -> None:
    page = await open_page(**CHECKED | {"viewport": DESKTOP})
    await sign_in_by_link(quick, page)
    await say(page, "Add a system called billing")
    await expect(page.get_by_role("button", name="Apply", exact=True)).to_be_visible()
    await page.get_by_role("article", name="You said").hover()
    await page.get_by_role("button", name="Edit", exact=True).click()
    editor = page.get_by_role("textbox", name="Message, written anew")
    await editor.fill("Which systems do we have?")
    await editor.press("Enter")
    await expect(page.get_by_role("log").get_by_text("Add a system called billing")).to_have_count(
        0
    )
    await expect(page.get_by_role("button", name="Apply", exact=True)).to_have_count(0)
    await expect(page.get_by_role("button", name="Bad answer")).to_be_visible()
    await page.get_by_role("button", name="Bad answer").click()
    await page.get_by_text("Incomplete").click()
    await page.get_by_role("textbox", name="Anything else? (optional)").fill("More, please.")
    assert await find_problems(page) == []
    async with page.expect_response("**/feedback") as answered:
        await page.get_by_role("form", name="Your rating").get_by_text("Send").click()
    assert (await answered.value).status == 200
    await page.reload()
    pressed = page.get_by_role("button", name="Bad answer", pressed=True)
    await expect(pressed).to_be_visible()
    await expect(page.get_by_role("article", name="You said")).to_have_count(1)


async def test_a_chat_is_branched_found_and_exported(
    quick: RunningServer, open_page: OpenPage
) -> None:
    page = await open_page(**CHECKED | {"viewport": DESKTOP})
    await sign_in_by_link(quick, page)
    await say(page, "Which systems do we have?")
    await expect(page.get_by_role("button", name="Branch from here")).to_be_visible()
    before = page.url
    await page.get_by_role("button", name="Branch from here").click()
    await page.wait_for_url(lambda url: url != before)
    await expect(page.get_by_role("heading", name="(branch)")).to_be_visible()
    await expect(find_answers(page)).to_have_count(1)
    await page.get_by_role("button", name="Search chats").click()
    await page.get_by_role("searchbox", name="Search chats").fill("which syst")
    await expect(page.locator("mark").first).to_be_visible()
    assert await find_problems(page) == []
    await page.get_by_role("searchbox", name="Search chats").fill("nothing-like-this")
    await expect(page.get_by_text("No chat matches.")).to_be_visible()
    await page.get_by_role("searchbox", name="Search chats").press("Escape")
    await page.get_by_role("main").get_by_role("button", name="More for").click()
    async with page.expect_download() as saving:
        await page.get_by_role("menuitem", name="Export as Markdown").click()
    saved = await saving.value
    assert saved.suggested_filename.endswith("(branch).md")
    path = await saved.path()
    assert "Which systems do we have?" in await asyncio.to_thread(path.read_text)
