"""Cards in a chat: by keyboard alone, in two tabs, out of time, and after a reload."""

import asyncio
import json
from collections.abc import AsyncGenerator
from typing import Any

import pytest
import pytest_asyncio
from playwright.async_api import Locator, Page, expect

from assent.plugins import administration, assistant
from assent.plugins.api import Context, Plugin, Progress, Result, Value
from assent.plugins.load import load_plugins
from assent.testing import Databases, RunningServer, run_server
from assent.testing.provider import call, end, stream, text
from tests.browser.conftest import OpenPage, sign_in_by_link
from tests.browser.test_chat import find_answers, find_composer, reload_unchanged, say
from tests.browser.test_everywhere import DESKTOP, PHONE, find_problems
from tests.turn.people import execute
from tests.turn.talk import Talk, open_talk

EXPIRE = "UPDATE proposals SET expires_at = clock_timestamp() WHERE state = 'proposed'"
STILL: dict[str, Any] = {"bypass_csp": True, "reduced_motion": "reduce"}

press = Plugin("press", title="Press", rules=["press.page.read", "press.page.manage"])
go_on = asyncio.Event()


class Nothing(Value):
    pass


@press.tool("press.print", effect="read", rules=["press.page.read"])
class Print:
    """Print all pages."""

    title = "Print pages"
    Input = Nothing

    async def execute(self, ctx: Context, given: Nothing) -> Result:
        ctx.progress(Progress(done=3, total=12, text="Page 3"))
        await go_on.wait()
        return Result({"printed": 12})


@pytest_asyncio.fixture
async def quick(databases: Databases) -> AsyncGenerator[RunningServer]:
    async with (
        databases.copy() as url,
        run_server(url, demo=True, demo_pace=0, ollama_url="") as server,
    ):
        yield server


@pytest_asyncio.fixture
async def scripted(databases: Databases) -> AsyncGenerator[Talk]:
    go_on.clear()
    loaded = load_plugins([administration.plugin, assistant.plugin], [press], {})
    async with open_talk(databases, loaded=loaded) as opened:
        yield opened


def find_apply(page: Page) -> Locator:
    return page.get_by_role("button", name="Apply", exact=True)


async def tab_to(page: Page, wanted: Locator) -> None:
    """By the keyboard, wherever it is; what cannot be reached so is not found."""
    for _ in range(200):
        if await wanted.evaluate("(element) => element === document.activeElement"):
            return
        await page.keyboard.press("Tab")
    raise AssertionError(f"The keyboard does not reach {wanted}")


@pytest.mark.parametrize("viewport", [DESKTOP, PHONE], ids=["desktop", "phone"])
async def test_the_page_of_all_cards_is_accessible(
    quick: RunningServer, open_page: OpenPage, viewport: dict[str, int]
) -> None:
    page = await open_page(viewport=viewport, **STILL)
    await sign_in_by_link(quick, page, "/dev/cards")
    await expect(page.locator("[data-specimen]").last).to_be_visible()
    assert await find_problems(page) == []


async def test_the_keyboard_is_enough_for_a_question_and_a_card(
    scripted: Talk, quick: RunningServer, open_page: OpenPage
) -> None:
    questions = [
        {"key": "where", "text": "Where?", "kind": "choice", "options": ["Here", "There"]},
        {"key": "why", "text": "Why?", "kind": "text"},
    ]
    asking = call("ai_askOperator", json.dumps({"questions": questions}), id="q")
    thanks = stream(text("Thanks."), end())
    scripted.provider.script(stream(asking, end("tool_calls")), thanks, thanks, thanks)
    page = await sign_in_by_link(scripted.server, await open_page(viewport=DESKTOP))
    await say(page, "Print it")
    card = page.get_by_role("form", name="Assent asks you")
    await tab_to(page, card.get_by_role("radio", name="Here", exact=True))
    await page.keyboard.press("2")
    await page.keyboard.press("Enter")
    await expect(card.get_by_role("textbox", name="Why?")).to_be_focused()
    await page.keyboard.type("It is late")
    await page.keyboard.press("Enter")
    await expect(card.get_by_text("Answered")).to_be_visible()
    await expect(page.get_by_role("log").get_by_text("Thanks.")).to_be_visible()
    await reload_unchanged(page)

    other = await sign_in_by_link(quick, await open_page(viewport=DESKTOP))
    await say(other, "Add a system called billing")
    await expect(find_apply(other)).to_be_visible()
    await tab_to(other, find_apply(other))
    await other.keyboard.press("Enter")
    undo = other.get_by_role("button", name="Undo", exact=True)
    await expect(undo).to_be_visible()
    await expect(other.get_by_text("Details").first).to_be_visible()
    await tab_to(other, undo)
    await other.keyboard.press("Enter")
    await expect(other.get_by_text("Undoing this waits for a decision.")).to_be_visible()


async def test_the_second_tab_decides_first(quick: RunningServer, open_page: OpenPage) -> None:
    first = await sign_in_by_link(quick, await open_page(viewport=DESKTOP))
    await say(first, "Add a system called billing")
    await expect(find_apply(first)).to_be_visible()
    second = await first.context.new_page()
    await second.goto(first.url)
    await expect(find_apply(second)).to_be_visible()
    await first.route("**/api/events*", lambda route: route.abort())
    asked = asyncio.Event()

    async def hold(route: Any) -> None:
        """The decision of the first is on its way while the second one's arrives."""
        asked.set()
        await expect(second.get_by_text("Declined").first).to_be_visible()
        await route.continue_()

    await first.route("**/api/proposals/*/token", hold)
    await find_apply(first).click()
    await asked.wait()
    await second.get_by_role("button", name="Decline", exact=True).click()
    await second.get_by_role("button", name="Decline it").click()
    await expect(first.get_by_text("Declined").first).to_be_visible()
    await expect(find_apply(first)).to_have_count(0)
    rows = "SELECT count(*) FROM catalog.systems WHERE name = 'billing'"
    async with quick.database.connection() as db:
        assert await db.fetchval(rows) == 0


async def test_the_time_runs_out_while_one_looks(quick: RunningServer, open_page: OpenPage) -> None:
    page = await open_page(viewport=DESKTOP, **STILL)
    await page.clock.install()
    await sign_in_by_link(quick, page)
    await say(page, "Add a system called billing")
    await expect(find_apply(page)).to_be_visible()
    await expect(page.locator("[role=log] [aria-busy=true]")).to_have_count(0)
    await execute(quick, EXPIRE)
    await page.clock.fast_forward("11:00")
    await expect(page.get_by_text("Nobody decided in time.").first).to_be_visible()
    await expect(find_apply(page)).to_have_count(0)


async def test_a_decision_that_comes_too_late_changes_nothing(
    quick: RunningServer, open_page: OpenPage
) -> None:
    page = await sign_in_by_link(quick, await open_page(viewport=DESKTOP, **STILL))
    await say(page, "Add a system called billing")
    await expect(find_apply(page)).to_be_visible()
    await execute(quick, EXPIRE)
    await find_apply(page).click()
    await expect(page.get_by_text("Nobody decided in time.").first).to_be_visible()
    await expect(find_apply(page)).to_have_count(0)
    assert await find_problems(page) == []


async def test_replies_and_plans_survive_a_reload(
    quick: RunningServer, open_page: OpenPage
) -> None:
    page = await sign_in_by_link(quick, await open_page(viewport=DESKTOP, **STILL))
    await say(page, "Hello")
    replies = page.get_by_role("list", name="Suggested replies")
    await expect(replies.get_by_role("button").first).to_be_enabled()
    await reload_unchanged(page)
    assert await find_problems(page) == []
    reply = await replies.get_by_role("button").first.inner_text()
    await replies.get_by_role("button", name=reply).click()
    await expect(page.get_by_role("article", name="You said").last).to_contain_text(reply)
    await expect(replies).to_have_count(0)
    await expect(find_answers(page)).to_have_count(2)
    await expect(page.locator("[role=log] [aria-busy=true]")).to_have_count(0)
    await say(page, "Create a group called Night and rename group Storefront to Shop")
    await expect(page.get_by_text("0 of 2 done")).to_be_visible()
    await expect(find_apply(page)).to_have_count(2)
    await reload_unchanged(page)
    assert await find_problems(page) == []


async def test_progress_shows_while_a_tool_works(scripted: Talk, open_page: OpenPage) -> None:
    printing = stream(call("press_print", "{}", id="p"), end("tool_calls"))
    scripted.provider.script(printing, stream(text("All printed."), end()))
    page = await sign_in_by_link(scripted.server, await open_page(viewport=DESKTOP))
    await say(page, "Print it")
    bar = page.get_by_role("progressbar", name="Progress of Print pages")
    await expect(bar).to_have_attribute("aria-valuenow", "3")
    await expect(page.get_by_text("3 of 12")).to_be_visible()
    await page.reload()
    await expect(page.get_by_text("3 of 12")).to_be_visible()
    go_on.set()
    await expect(page.get_by_role("log").get_by_text("All printed.")).to_be_visible()
    await expect(bar).to_have_count(0)
    await expect(find_composer(page)).to_be_visible()
