"""The assistant beside every page: one chat that moves, and never begins anew."""

import asyncio

import pytest
from playwright.async_api import Locator, Page, expect

from assent.testing import RunningServer
from tests.browser.conftest import SYSTEMS, OpenPage, sign_in_by_link
from tests.browser.test_chat import find_answers, find_composer, hear, say
from tests.browser.test_everywhere import DESKTOP, PHONE, find_problems

SCROLLED = """() => document.querySelector("[role=log]").parentElement.parentElement.scrollTop"""
SCROLL_UP = """() => {
  const box = document.querySelector("[role=log]").parentElement.parentElement;
  box.dispatchEvent(new Event("wheel"));
  box.scrollTo(0, 40);
  return box.scrollHeight - box.clientHeight;
}"""


def find_dock(page: Page) -> Locator:
    return page.get_by_role("complementary", name="Assistant")


async def open_beside(server: RunningServer, page: Page) -> Page:
    await sign_in_by_link(server, page, SYSTEMS)
    await expect(page.get_by_role("link", name="checkout", exact=True)).to_be_visible()
    await page.get_by_role("button", name="Ask Assent").click()
    await expect(find_composer(page)).to_be_visible()
    return page


async def go_to(page: Page, name: str) -> None:
    await page.get_by_role("link", name=name, exact=True).click()
    await expect(page.get_by_role("heading", name=name, level=1)).to_be_visible()


async def test_an_answer_a_draft_and_the_place_stay_from_page_to_page(
    quick: RunningServer, open_page: OpenPage, may_go_on: asyncio.Event
) -> None:
    page = await open_beside(quick, await open_page(viewport=DESKTOP))
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    await say(page, "what can you do?")
    await expect(find_answers(page)).to_contain_text("demo model")
    await find_composer(page).fill("half a thought")
    await expect(find_dock(page).get_by_role("button", name="Stop")).to_be_visible()
    asked.clear()

    await go_to(page, "Groups")
    await expect(find_dock(page)).to_contain_text("demo model")
    await expect(find_composer(page)).to_have_value("half a thought")
    await expect(find_composer(page)).not_to_be_focused()
    await page.get_by_role("button", name="Open on its own page").click()
    await expect(page.get_by_role("main").get_by_role("button", name="Stop")).to_be_visible()
    await expect(find_dock(page)).to_have_count(0)
    await expect(find_composer(page)).to_be_focused()
    await page.get_by_role("button", name="Show beside the last page").click()
    await expect(page.get_by_role("heading", name="Groups", level=1)).to_be_visible()
    await expect(find_composer(page)).to_have_value("half a thought")
    again = [url for url in asked if url.endswith(("/stream", "/api/chat")) or "/messages" in url]
    assert not again, "the chat was begun anew"

    may_go_on.set()
    await expect(find_answers(page)).to_contain_text("Integrations")
    await expect(page.get_by_role("button", name="Stop")).to_have_count(0)


async def test_where_one_reads_stays_from_page_to_page(
    quick: RunningServer, open_page: OpenPage
) -> None:
    page = await open_beside(quick, await open_page(viewport={"width": 1280, "height": 500}))
    await hear(page, "which systems do we have?")
    await hear(page, "which environments do we have?")
    assert await page.evaluate(SCROLL_UP) > 80, "there is nothing to scroll"
    await go_to(page, "Environments")
    assert await page.evaluate(SCROLLED) == 40


async def test_the_dock_is_remembered_with_its_width(
    quick: RunningServer, open_page: OpenPage
) -> None:
    page = await open_beside(quick, await open_page(viewport=DESKTOP))
    await say(page, "which systems do we have?")
    await expect(find_answers(page).get_by_role("table")).to_be_visible()
    edge = page.get_by_role("separator", name="Width of the assistant")
    box = await edge.bounding_box()
    assert box is not None
    await page.mouse.move(box["x"] + 4, 300)
    await page.mouse.down()
    await page.mouse.move(box["x"] - 36, 300, steps=4)
    await page.mouse.up()
    await expect(edge).to_have_attribute("aria-valuenow", "460")
    await page.reload()
    await expect(find_answers(page).get_by_role("table")).to_be_visible()
    await expect(edge).to_have_attribute("aria-valuenow", "460")
    await expect(find_composer(page)).not_to_be_focused()

    await page.get_by_role("button", name="Close the assistant").click()
    await page.reload()
    await expect(page.get_by_role("button", name="Ask Assent")).to_be_visible()
    await expect(find_dock(page)).to_have_count(0)


async def test_the_keyboard_is_enough_for_the_dock(
    quick: RunningServer, open_page: OpenPage
) -> None:
    page = await sign_in_by_link(quick, await open_page(viewport=DESKTOP), SYSTEMS)
    await expect(page.get_by_role("link", name="checkout", exact=True)).to_be_visible()
    await page.keyboard.press("/")
    await page.keyboard.press("Control+j")
    await expect(find_composer(page)).to_be_focused()
    await page.keyboard.type("which systems do we have?")
    await page.keyboard.press("Enter")
    await expect(find_answers(page).get_by_role("table")).to_be_visible()
    await expect(page.get_by_role("button", name="Stop")).to_have_count(0)
    await page.keyboard.press("ArrowUp")
    anew = page.get_by_role("textbox", name="Message, written anew")
    await expect(anew).to_be_focused()
    await page.keyboard.press("Escape")
    await expect(anew).to_have_count(0)
    await expect(find_dock(page)).to_be_visible()

    await page.get_by_label("Search systems").focus()
    await page.keyboard.press("Control+j")
    await expect(find_composer(page)).to_be_focused()
    await page.keyboard.press("Escape")
    await expect(find_dock(page)).to_have_count(0)
    await expect(page.get_by_role("button", name="Ask Assent")).to_be_focused()
    await page.keyboard.press("]")
    await expect(find_composer(page)).to_be_focused()
    await page.keyboard.press("Control+j")
    await expect(find_dock(page)).to_have_count(0)


async def test_a_chat_that_is_deleted_makes_room_for_a_new_one(
    quick: RunningServer, open_page: OpenPage
) -> None:
    page = await open_beside(quick, await open_page(viewport=DESKTOP))
    await say(page, "which systems do we have?")
    await expect(find_answers(page).get_by_role("table")).to_be_visible()
    chats = page.get_by_role("region", name="Your chats")
    await chats.get_by_role("link").hover()
    await chats.get_by_role("button").last.click()
    await page.get_by_role("menuitem", name="Delete").click()
    await page.get_by_role("alertdialog").get_by_role("button", name="Delete").click()
    await expect(find_dock(page).get_by_role("heading", name="New chat")).to_be_visible()
    await expect(find_answers(page)).to_have_count(0)
    await expect(page.get_by_role("heading", name="Systems", level=1)).to_be_visible()


async def test_on_a_phone_it_is_a_sheet(quick: RunningServer, open_page: OpenPage) -> None:
    page = await open_page(viewport=PHONE, has_touch=True, is_mobile=True)
    await open_beside(quick, page)
    sheet = page.get_by_role("dialog", name="Assistant")
    box = await sheet.bounding_box()
    assert box is not None
    assert (box["x"], box["width"], box["height"]) == (0, 360, 740)
    await say(page, "which systems do we have?")
    await expect(find_answers(page).get_by_role("table")).to_be_visible()
    await page.get_by_role("button", name="Close the assistant").click()
    await expect(sheet).to_have_count(0)
    await page.get_by_role("button", name="Open menu").click()
    await page.get_by_role("link", name="Groups").click()
    await expect(page.get_by_role("heading", name="Groups")).to_be_visible()
    await page.get_by_role("button", name="Ask Assent").click()
    await expect(find_answers(page).get_by_role("table")).to_be_visible()


@pytest.mark.parametrize("viewport", [DESKTOP, PHONE], ids=["desktop", "phone"])
async def test_the_dock_is_accessible_and_fits(
    quick: RunningServer, open_page: OpenPage, viewport: dict[str, int]
) -> None:
    page = await open_page(viewport=viewport, bypass_csp=True, reduced_motion="reduce")
    await open_beside(quick, page)
    await expect(page.get_by_role("button", name="What can you do?")).to_be_visible()
    problems = {"empty": await find_problems(page)}
    await say(page, "add a system called billing")
    await expect(page.get_by_role("button", name="Apply")).to_be_visible()
    problems["card"] = await find_problems(page)
    assert not {stage: found for stage, found in problems.items() if found}
