"""The chat as people use it, with the demo model: cards, decisions, reloads, stopping, two tabs."""

import asyncio
import re
from contextlib import suppress

import pytest
from playwright.async_api import Locator, Page, Route, expect
from playwright.async_api import TimeoutError as PageTimeout

from assent.testing import RunningServer
from tests.browser.conftest import OpenPage, sign_in_by_link
from tests.browser.test_everywhere import DESKTOP, PHONE, find_problems

READ_TRANSCRIPT = r"""() => [...document.querySelectorAll("[role=log] > article")].map(
  (article) => article.innerText.replace(/\d+:\d\d left|\bnow\b|\d+ seconds? ago/g, "")
)"""

IS_TRANSCRIPT = f"""(before) =>
  JSON.stringify(({READ_TRANSCRIPT})()) === JSON.stringify(before)"""


def find_composer(page: Page) -> Locator:
    return page.get_by_role("textbox", name="Message", exact=True)


def find_answers(page: Page) -> Locator:
    return page.get_by_role("article", name="Assent said")


async def say(page: Page, text: str) -> None:
    await find_composer(page).fill(text)
    await find_composer(page).press("Enter")


async def hear(page: Page, text: str) -> Locator:
    """Say it, and wait for an answer that is complete: whoever says more cuts it off."""
    before = await find_answers(page).count()
    await say(page, text)
    await expect(find_answers(page)).to_have_count(before + 1)
    await expect(page.locator("[role=log] [aria-busy=true]")).to_have_count(0)
    return find_answers(page).last


async def reload_unchanged(page: Page) -> None:
    """What is shown live is what a reload shows, when the answer is complete."""
    await expect(page.locator("[role=log] [aria-busy=true]")).to_have_count(0)
    before = await page.evaluate(READ_TRANSCRIPT)
    assert before, "nothing is shown"
    await page.reload()
    with suppress(PageTimeout):
        await page.wait_for_function(IS_TRANSCRIPT, arg=before)
    assert await page.evaluate(READ_TRANSCRIPT) == before


async def see_in_catalog(page: Page, name: str, *, there: bool) -> None:
    await page.get_by_role("link", name="Systems", exact=True).click()
    await expect(page.get_by_role("link", name="checkout", exact=True)).to_be_visible()
    await expect(page.get_by_role("link", name=name, exact=True)).to_have_count(int(there))


async def test_from_the_first_start_to_a_new_system(
    quick: RunningServer, open_page: OpenPage
) -> None:
    page = await sign_in_by_link(quick, await open_page())
    await expect(page.get_by_role("heading", name=re.compile("^Good .*, Admin$"))).to_be_visible()
    await expect(find_composer(page)).to_be_focused()
    await page.get_by_role("button", name="Add a system called billing").click()
    await expect(find_composer(page)).to_have_value("Add a system called billing")
    await page.keyboard.press("Enter")

    card = page.get_by_role("article", name="Create system billing")
    await expect(card.get_by_role("button", name="Apply")).to_be_visible()
    await expect(page.get_by_text("Prepared a change")).to_be_visible()
    await expect(find_composer(page)).to_be_focused()
    await reload_unchanged(page)

    await card.get_by_role("button", name="Apply").click()
    await expect(card.get_by_text("Decided by")).to_be_visible()
    await expect(find_answers(page)).to_have_count(2)
    await expect(find_answers(page).last).to_contain_text("billing")
    await expect(page.get_by_role("button", name="Apply")).to_have_count(0)
    await reload_unchanged(page)

    await see_in_catalog(page, "billing", there=True)
    await page.get_by_role("region", name="Your chats").get_by_role("link").first.click()
    await expect(find_answers(page)).to_have_count(2)


async def test_declining_changes_nothing_and_the_model_reacts(
    quick: RunningServer, open_page: OpenPage
) -> None:
    page = await sign_in_by_link(quick, await open_page())
    await say(page, "add a system called billing")
    await page.get_by_role("button", name="Decline").click()
    await page.get_by_label("Why not?").fill("Not today.")
    await page.get_by_role("button", name="Decline it").click()
    await expect(page.get_by_text("Nothing was changed.", exact=True)).to_be_visible()
    await expect(find_answers(page)).to_have_count(2)
    await reload_unchanged(page)
    await see_in_catalog(page, "billing", there=False)


async def test_auto_mode_applies_at_once_but_still_asks_before_deleting(
    quick: RunningServer, open_page: OpenPage
) -> None:
    page = await sign_in_by_link(quick, await open_page())
    await page.get_by_role("combobox", name="Permission mode").click()
    await page.get_by_role("option", name="Apply at once").click()
    await expect(page.locator("form").get_by_role("status")).to_contain_text("made at once")
    await page.reload()
    await expect(page.get_by_role("combobox", name="Permission mode")).to_have_text("Apply at once")

    await say(page, "add a system called billing")
    card = page.get_by_role("article", name="Create system billing")
    await expect(card.get_by_text("Applied", exact=True).first).to_be_visible()
    await expect(card.get_by_role("button", name="Apply")).to_have_count(0)
    await reload_unchanged(page)

    await say(page, "delete the system search")
    deletion = page.get_by_role("article", name="Delete system search")
    await expect(deletion.get_by_role("button", name="Apply")).to_be_visible()
    await expect(deletion.get_by_text("Destructive")).to_be_visible()
    await reload_unchanged(page)
    await see_in_catalog(page, "search", there=True)


async def test_a_question_is_answered_on_its_card(
    quick: RunningServer, open_page: OpenPage
) -> None:
    page = await sign_in_by_link(quick, await open_page())
    await say(page, "add a system")
    question = page.get_by_role("form", name="Assent asks you")
    await expect(question.get_by_role("button", name="Answer")).to_be_disabled()
    await reload_unchanged(page)
    await question.get_by_role("textbox").fill("billing")
    await question.get_by_role("button", name="Answer").click()
    await expect(question.get_by_text("Answered")).to_be_visible()
    card = page.get_by_role("article", name="Create system billing")
    await expect(card.get_by_role("button", name="Apply")).to_be_visible()
    await reload_unchanged(page)


async def test_a_reload_in_mid_answer_goes_on(
    quick: RunningServer, open_page: OpenPage, may_go_on: asyncio.Event
) -> None:
    page = await sign_in_by_link(quick, await open_page())
    await say(page, "what can you do?")
    await expect(find_answers(page)).to_contain_text("demo model")
    await expect(page.get_by_role("button", name="Stop")).to_be_visible()
    await page.reload()
    await expect(find_answers(page)).to_contain_text("I am the built-in demo model")
    await expect(page.get_by_role("button", name="Stop")).to_be_visible()
    may_go_on.set()
    await expect(page.get_by_role("button", name="Stop")).to_have_count(0)
    await expect(find_answers(page)).to_contain_text("Integrations")
    await expect(find_answers(page)).to_have_count(1)
    await reload_unchanged(page)


async def test_a_broken_connection_is_taken_up_again(
    quick: RunningServer, open_page: OpenPage
) -> None:
    page = await sign_in_by_link(quick, await open_page())
    await expect(find_composer(page)).to_be_visible()

    async def cut(route: Route) -> None:
        answer = await route.fetch()
        events = (await answer.text()).split("\n\n")
        await route.fulfill(response=answer, body="\n\n".join(events[:6]) + "\n\n")

    await page.route("**/api/chat", cut)
    await say(page, "what can you do?")
    await expect(find_answers(page)).to_contain_text("Integrations")
    await expect(find_answers(page)).to_have_count(1)
    await expect(page.get_by_role("alert")).to_have_count(0)
    await reload_unchanged(page)


async def test_stopping_keeps_what_was_said(
    quick: RunningServer, open_page: OpenPage, may_go_on: asyncio.Event
) -> None:
    page = await sign_in_by_link(quick, await open_page())
    await say(page, "what can you do?")
    await expect(find_answers(page)).to_contain_text("demo model")
    await page.get_by_role("button", name="Stop").click()
    await expect(page.get_by_role("button", name="Stop")).to_have_count(0)
    await expect(find_answers(page)).to_contain_text("I am the built-in demo model")
    await expect(find_answers(page)).not_to_contain_text("Integrations")
    await reload_unchanged(page)
    may_go_on.set()
    await say(page, "which systems do we have?")
    await expect(find_answers(page).last).to_contain_text("postgres")


@pytest.mark.usefixtures("may_go_on")
async def test_a_new_message_takes_over(quick: RunningServer, open_page: OpenPage) -> None:
    page = await sign_in_by_link(quick, await open_page())
    await say(page, "what can you do?")
    await expect(find_answers(page)).to_contain_text("demo model")
    await say(page, "which systems do we have?")
    await expect(find_answers(page)).to_have_count(2)
    await expect(find_answers(page).last).to_contain_text("postgres")
    await expect(page.get_by_role("button", name="Stop")).to_have_count(0)
    await expect(find_answers(page).first).not_to_contain_text("Integrations")
    chat = page.url.rpartition("/")[2]
    stored = await page.request.get(f"{quick.url}/api/conversations/{chat}/messages")
    last_words = (await stored.json())["items"][1]["parts"][-1]["text"].split("\n- ")[-1]
    await expect(find_answers(page).first).to_contain_text(last_words)
    await reload_unchanged(page)


async def test_the_second_tab_sees_what_the_first_does(
    quick: RunningServer, open_page: OpenPage
) -> None:
    first = await sign_in_by_link(quick, await open_page())
    await say(first, "add a system called billing")
    await expect(first.get_by_role("button", name="Apply")).to_be_visible()
    second = await first.context.new_page()
    await second.goto(first.url)
    await expect(second.get_by_role("button", name="Apply")).to_be_visible()

    await say(first, "which systems do we have?")
    await expect(find_answers(second)).to_have_count(2)
    await second.get_by_role("button", name="Apply").click()
    await expect(find_answers(first)).to_have_count(3)
    await expect(first.get_by_role("button", name="Apply")).to_have_count(0)


async def test_what_could_not_be_sent_is_kept_and_sent_again(
    quick: RunningServer, open_page: OpenPage
) -> None:
    page = await sign_in_by_link(quick, await open_page())
    await expect(find_composer(page)).to_be_visible()
    await page.route("**/api/chat", lambda route: route.abort())
    await say(page, "which systems do we have?")
    await expect(page.get_by_role("alert")).to_contain_text("This was not sent")
    await expect(page.get_by_role("article", name="You said")).to_have_count(1)
    await page.unroute("**/api/chat")
    await page.get_by_role("button", name="Try again").click()
    await expect(find_answers(page)).to_contain_text("postgres")
    await expect(page.get_by_role("alert")).to_have_count(0)
    await expect(page.get_by_role("article", name="You said")).to_have_count(1)


async def test_a_draft_stays_and_a_new_line_does_not_send(
    quick: RunningServer, open_page: OpenPage
) -> None:
    page = await sign_in_by_link(quick, await open_page())
    await find_composer(page).fill("one")
    await find_composer(page).press("Shift+Enter")
    await page.keyboard.type("two")
    await page.get_by_role("link", name="Proposals").click()
    await expect(page.get_by_role("heading", name="Proposals")).to_be_visible()
    await page.get_by_role("link", name="New chat").click()
    await expect(find_composer(page)).to_have_value("one\ntwo")
    await page.reload()
    await expect(find_composer(page)).to_have_value("one\ntwo")
    await expect(page.get_by_role("article", name="You said")).to_have_count(0)


async def test_chats_are_listed_renamed_and_deleted(
    quick: RunningServer, open_page: OpenPage
) -> None:
    page = await sign_in_by_link(quick, await open_page())
    chats = page.get_by_role("region", name="Your chats")
    await say(page, "which systems do we have?")
    await expect(chats.get_by_role("link")).to_have_count(1)
    await expect(chats.get_by_role("link")).to_contain_text("systems")
    await page.get_by_role("main").get_by_role("button", name=re.compile("^More for")).click()
    await page.get_by_role("menuitem", name="Rename").click()
    await page.get_by_label("Title").fill("The inventory")
    await page.get_by_role("button", name="Rename").click()
    await expect(page.get_by_role("heading", name="The inventory")).to_be_visible()
    await expect(chats.get_by_role("link", name="The inventory")).to_be_visible()

    await chats.get_by_role("link", name="The inventory").hover()
    await chats.get_by_role("button", name="More for The inventory").click()
    await page.get_by_role("menuitem", name="Delete").click()
    await page.get_by_role("alertdialog").get_by_role("button", name="Delete").click()
    await expect(chats).to_have_count(0)
    await expect(page.get_by_role("heading", name="New chat")).to_be_visible()


@pytest.mark.parametrize("viewport", [DESKTOP, PHONE], ids=["desktop", "phone"])
async def test_the_chat_is_accessible_and_fits(
    quick: RunningServer, open_page: OpenPage, viewport: dict[str, int]
) -> None:
    page = await open_page(viewport=viewport, bypass_csp=True, reduced_motion="reduce")
    await sign_in_by_link(quick, page)
    problems: dict[str, list[str]] = {}
    await expect(find_composer(page)).to_be_visible()
    problems["empty"] = await find_problems(page)
    answer = await hear(page, "which systems do we have?")
    await expect(answer.get_by_role("table")).to_be_visible()
    await page.get_by_text("Looked at systems").click()
    await expect(page.get_by_text("catalog.listSystems")).to_be_visible()
    problems["unfolded"] = await find_problems(page)
    await say(page, "delete the system search")
    await expect(page.get_by_role("button", name="Apply")).to_be_visible()
    problems["card"] = await find_problems(page)
    assert not {stage: found for stage, found in problems.items() if found}
