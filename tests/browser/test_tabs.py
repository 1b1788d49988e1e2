"""Many tabs of one person on one chat, in one browser with its six connections to a server."""

import asyncio
from collections.abc import AsyncGenerator

import pytest
import pytest_asyncio
from playwright.async_api import Page, expect

from assent.testing import Databases
from assent.testing.provider import Scripted, end, stream, text
from tests.browser.conftest import OpenPage, sign_in_by_link
from tests.browser.office import Office, open_office
from tests.browser.test_chat import READ_TRANSCRIPT, find_answers, find_composer, say
from tests.patience import wait_until

BEGUN, REST = ["Once ", "upon "], ["a ", "time."]
STORY = "".join(BEGUN + REST)
SHOW = """(seen) => {
  Object.defineProperty(document, "hidden", { configurable: true, get: () => !seen });
  document.dispatchEvent(new Event("visibilitychange"));
}"""


@pytest_asyncio.fixture
async def office(databases: Databases) -> AsyncGenerator[Office]:
    async with open_office(databases) as opened:
        yield opened


def tell_with_a_pause(may_go_on: asyncio.Event) -> Scripted:
    begun, rest = (stream(text(*part)).steps[:-1] for part in (BEGUN, REST))
    return Scripted((*begun, may_go_on, *rest, *stream(end()).steps))


async def open_tabs(first: Page, count: int) -> list[Page]:
    """The tab itself, and others that show the same."""
    tabs = [first]
    while len(tabs) < count:
        tabs.append(await first.context.new_page())
        await tabs[-1].goto(first.url)
    return tabs


async def expect_same(tabs: list[Page]) -> None:
    """All of them show the same in the end, and so does one that is opened now."""
    fresh = await tabs[0].context.new_page()
    await fresh.goto(tabs[0].url)
    await expect(fresh.locator("[role=log] > article").first).to_be_visible()

    async def agree() -> bool:
        wanted, *shown = [await tab.evaluate(READ_TRANSCRIPT) for tab in (fresh, *tabs)]
        return all(one == wanted for one in shown)

    await wait_until(agree)


async def test_eight_tabs_follow_one_answer(office: Office, open_page: OpenPage) -> None:
    may_go_on = asyncio.Event()
    office.provider.script(tell_with_a_pause(may_go_on))
    chat = await office.open_chat()
    first = await sign_in_by_link(office.server, await open_page(), f"/chat/{chat}")
    await say(first, "Tell me a story")
    await expect(find_answers(first)).to_contain_text("Once upon")

    tabs = await open_tabs(first, 8)
    for tab in tabs:
        await expect(tab.get_by_role("log")).to_contain_text("Tell me a story")
        await expect(tab.get_by_role("button", name="Stop")).to_be_visible()
        answered = await tab.evaluate("fetch('/api/me').then((answer) => answer.status)")
        assert answered == 200
    may_go_on.set()
    for tab in tabs:
        await expect(find_answers(tab)).to_contain_text(STORY)
        await expect(tab.get_by_role("button", name="Stop")).to_have_count(0)
    await expect_same(tabs)
    assert await office.list_texts(chat) == [("user", "Tell me a story"), ("assistant", STORY)]


async def test_eight_answers_in_eight_tabs(office: Office, open_page: OpenPage) -> None:
    """More than there are places to watch from: the others get theirs all the same."""
    may_go_on = asyncio.Event()
    office.provider.script(*[tell_with_a_pause(may_go_on)] * 8)
    chats = [await office.open_chat() for _ in range(8)]
    tabs = [await sign_in_by_link(office.server, await open_page(), f"/chat/{chats[0]}")]
    for chat in chats[1:]:
        tabs.append(await tabs[0].context.new_page())
        await tabs[-1].goto(f"{office.server.url}/chat/{chat}")
    for tab in tabs:
        await say(tab, "Tell me a story")
        await expect(tab.get_by_role("button", name="Stop")).to_be_visible()
    may_go_on.set()
    for tab, chat in zip(tabs, chats, strict=True):
        await expect(find_answers(tab)).to_contain_text(STORY)
        await expect(tab.get_by_role("button", name="Stop")).to_have_count(0)
        assert await office.list_texts(chat) == [("user", "Tell me a story"), ("assistant", STORY)]


async def test_a_tab_that_nobody_looks_at_watches_nothing(
    office: Office, open_page: OpenPage
) -> None:
    may_go_on = asyncio.Event()
    office.provider.script(tell_with_a_pause(may_go_on))
    chat = await office.open_chat()
    page = await sign_in_by_link(office.server, await open_page(), f"/chat/{chat}")
    await say(page, "Tell me a story")
    await expect(find_answers(page)).to_contain_text("Once upon")
    await page.evaluate(SHOW, False)
    await wait_until(lambda: office.is_watched_by(0))
    await expect(page.get_by_role("button", name="Stop")).to_be_visible()
    await page.evaluate(SHOW, True)
    await wait_until(lambda: office.is_watched_by(1))
    await expect(find_answers(page)).to_contain_text("Once upon")
    await page.evaluate(SHOW, False)
    await wait_until(lambda: office.is_watched_by(0))
    may_go_on.set()
    await expect(find_answers(page)).to_contain_text(STORY)
    await expect(page.get_by_role("button", name="Stop")).to_have_count(0)
    await expect_same([page])


@pytest.mark.parametrize("_round", range(3))
async def test_two_tabs_speak_at_once(office: Office, open_page: OpenPage, _round: int) -> None:
    office.provider.script(*[stream(text("I hear."), end(), pause=0.02)] * 4)
    chat = await office.open_chat()
    first = await sign_in_by_link(office.server, await open_page(), f"/chat/{chat}")
    tabs = await open_tabs(first, 2)
    for tab, said in zip(tabs, ("one", "other"), strict=True):
        await find_composer(tab).fill(said)
    await asyncio.gather(*(find_composer(tab).press("Enter") for tab in tabs))

    async def are_over() -> bool:
        said = [text for role, text in await office.list_texts(chat) if role == "user"]
        view = (await office.client.get(f"/api/conversations/{chat}")).json()
        return len(said) == 2 and view["status"] == "idle"

    await wait_until(are_over)
    stored = await office.list_texts(chat)
    assert {text for role, text in stored if role == "user"} == {"one", "other"}
    assert stored[-2:] == [("user", stored[-2][1]), ("assistant", "I hear.")]
    for tab in tabs:
        await expect(tab.get_by_role("button", name="Stop")).to_have_count(0)
        await expect(tab.get_by_role("article", name="You said")).to_have_count(2)
        await expect(find_answers(tab).last).to_contain_text("I hear.")
    await expect_same(tabs)
