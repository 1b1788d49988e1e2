"""Long conversations: the newest first, nothing jumps, and every message has an address."""

from collections.abc import AsyncGenerator
from typing import Any

import pytest_asyncio
from playwright.async_api import Page, expect

from assent.testing import Client, Databases, RunningServer, run_server
from assent.testing.long_chat import write_long_chat
from tests.browser.conftest import OpenPage, sign_in_by_link
from tests.browser.test_chat import find_answers, find_composer, hear, say
from tests.browser.test_everywhere import DESKTOP, find_problems
from tests.patience import wait_until

SCROLLER = "document.querySelector('[role=log]').parentElement.parentElement"
COUNT = "document.querySelectorAll('[role=log] > article').length"
STAND = f"""() => {{
  const edge = {SCROLLER}.getBoundingClientRect().top;
  const seen = [...document.querySelectorAll("[role=log] > article")]
    .find((one) => one.getBoundingClientRect().top >= edge);
  return [seen.id, Math.round(seen.getBoundingClientRect().top - edge)];
}}"""
FROM_EDGE = f"""(id) => Math.round(
  document.getElementById(id).getBoundingClientRect().top - {SCROLLER}.getBoundingClientRect().top
)"""
IS_AT_END = f"""() => {{
  const box = {SCROLLER};
  return box.scrollHeight - box.scrollTop - box.clientHeight < 2;
}}"""
WHEEL = f"{SCROLLER}.dispatchEvent(new Event('wheel'));"
"""A page can tell who scrolls: whoever reads has turned the wheel."""
QUIET = """() => new Promise((done) => {
  const box = document.querySelector("[role=log]").parentElement;
  const wait = () => setTimeout(() => { observer.disconnect(); done(); }, 500);
  let timer = wait();
  const observer = new ResizeObserver(() => { clearTimeout(timer); timer = wait(); });
  observer.observe(box);
})"""
"""Whoever decides has looked at the card first: nothing has changed its size for a while."""
SETTLE = "() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))"
LEAST_SAME = 1
"""Pixels: places are rounded twice."""


@pytest_asyncio.fixture
async def quick(databases: Databases) -> AsyncGenerator[RunningServer]:
    async with (
        databases.copy() as url,
        run_server(url, demo=True, demo_pace=0, ollama_url="") as server,
    ):
        yield server


async def count_shown(page: Page) -> int:
    return await page.evaluate(COUNT)


async def scroll_to(page: Page, top: int) -> list[Any]:
    """Where one stands then, before earlier messages come because of it."""
    place = await page.evaluate(
        f"(top) => {{ {WHEEL} {SCROLLER}.scrollTop = top; return ({STAND})() }}", top
    )
    await page.evaluate(SETTLE)
    return place


async def load_all(page: Page, count: int) -> None:
    while (shown := await count_shown(page)) < count:
        await scroll_to(page, 0)
        await page.wait_for_function(f"{COUNT} > {shown}")


async def expect_place(page: Page, place: list[Any]) -> None:
    """What was read stands where it stood."""
    identity, was = place

    async def is_there() -> bool:
        await page.evaluate(SETTLE)
        return abs(await page.evaluate(FROM_EDGE, identity) - was) <= LEAST_SAME

    await wait_until(is_there)


async def open_long(
    server: RunningServer, open_page: OpenPage, count: int
) -> tuple[Page, Client, list[str], str]:
    client = await server.open_admin()
    chat, ids = await write_long_chat(server, client, count)
    page = await open_page(viewport=DESKTOP, bypass_csp=True, reduced_motion="reduce")
    await sign_in_by_link(server, page, f"/chat/{chat}")
    await expect(page.locator(f"#message-{ids[-1]}")).to_be_in_viewport()
    return page, client, ids, chat


async def test_the_newest_come_first_and_older_ones_without_a_jump(
    quick: RunningServer, open_page: OpenPage
) -> None:
    page, _, ids, _ = await open_long(quick, open_page, 300)
    assert await page.evaluate(IS_AT_END)
    assert await count_shown(page) == 50
    assert await find_problems(page) == []

    place = await scroll_to(page, 0)
    assert place[0] == f"message-{ids[-50]}"
    await page.wait_for_function(f"{COUNT} > 50")
    await expect_place(page, place)
    await expect(page.get_by_role("button", name="Go to the latest")).to_be_visible()

    await load_all(page, len(ids))
    order = await page.evaluate(
        "[...document.querySelectorAll('[role=log] > article')].map((one) => one.id)"
    )
    assert order == [f"message-{one}" for one in ids]
    await scroll_to(page, 0)
    await expect(page.get_by_role("button", name="Show earlier messages")).to_have_count(0)
    await page.get_by_role("button", name="Go to the latest").click()
    await page.wait_for_function(IS_AT_END)
    await expect(page.get_by_role("button", name="Go to the latest")).to_have_count(0)


async def test_whoever_reads_above_stays_there_while_something_is_answered(
    quick: RunningServer, open_page: OpenPage
) -> None:
    page, client, _, chat = await open_long(quick, open_page, 120)
    before = await find_answers(page).count()
    place = await scroll_to(page, 900)
    sent = {"message": {"text": "which systems do we have?"}}
    answer = await client.post(f"/api/conversations/{chat}/messages", json=sent)
    assert answer.is_success, answer.text
    await expect(find_answers(page).last).to_contain_text("postgres")
    assert await find_answers(page).count() > before
    await expect_place(page, place)
    await say(page, "what depends on postgres?")
    await page.wait_for_function(IS_AT_END)


async def test_the_end_stays_in_view_when_a_card_folds(
    quick: RunningServer, open_page: OpenPage
) -> None:
    """A card that folds makes the conversation shorter, and the browser moves the view along."""
    page = await open_page(viewport=DESKTOP)
    await sign_in_by_link(quick, page)
    for said in ("which systems do we have?", "what depends on postgres?"):
        await expect(await hear(page, said)).to_contain_text("postgres")
    await say(page, "add a system called invoices")
    apply = page.get_by_role("button", name="Apply", exact=True)
    await expect(apply).to_be_visible()
    await expect(page.get_by_role("button", name="Stop")).to_have_count(0)
    await page.evaluate(QUIET)
    await apply.click()
    await expect(find_answers(page).last).to_contain_text("Done")
    await page.evaluate(QUIET)
    await page.wait_for_function(IS_AT_END)
    await expect(page.get_by_role("button", name="Go to the latest")).to_have_count(0)


async def test_an_address_leads_to_a_message_far_up(
    quick: RunningServer, open_page: OpenPage
) -> None:
    page, _, ids, chat = await open_long(quick, open_page, 700)
    for wanted in (ids[5], ids[-3]):
        await page.goto(f"{quick.url}/proposals")
        await page.goto(f"{quick.url}/chat/{chat}#message-{wanted}")
        target = page.locator(f"#message-{wanted}")
        await expect(target).to_be_in_viewport()
        await expect(target).to_be_focused()
    shown = await count_shown(page)
    assert shown == 50, shown
    await page.evaluate(f"location.hash = '#message-{ids[4]}'")
    await expect(page.locator(f"#message-{ids[4]}")).to_be_in_viewport()
    await page.evaluate("location.hash = '#message-00000000-0000-0000-0000-000000000000'")
    await expect(page.get_by_text("This message is no longer in this chat.")).to_be_visible()


async def test_a_search_opens_the_message_it_found(
    quick: RunningServer, open_page: OpenPage
) -> None:
    page, _, ids, _ = await open_long(quick, open_page, 160)
    await page.get_by_role("link", name="Proposals").click()
    await page.get_by_role("button", name="Search chats").click()
    await page.get_by_role("searchbox", name="Search chats").fill("question 81: how")
    await expect(page.locator("mark").first).to_be_visible()
    await page.get_by_role("region", name="Your chats").get_by_role("link").first.click()
    found = page.locator(f"#message-{ids[80]}")
    await expect(found).to_be_in_viewport()
    await expect(found).to_contain_text("Question 81")
    await expect(find_composer(page)).to_be_visible()


async def test_earlier_messages_that_do_not_come_can_be_asked_for_again(
    quick: RunningServer, open_page: OpenPage
) -> None:
    page, *_ = await open_long(quick, open_page, 120)
    await page.route("**/messages?*before=*", lambda route: route.abort())
    await scroll_to(page, 0)
    again = page.get_by_role("button", name="Earlier messages could not be loaded. Try again")
    await expect(again).to_be_visible()
    await page.unroute("**/messages?*before=*")
    await again.click()
    await page.wait_for_function(f"{COUNT} > 50")
