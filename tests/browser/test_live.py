"""Pages that are told what changes: one connection for all tabs, dots, answers from elsewhere."""

from collections.abc import AsyncGenerator
from typing import Any

import pytest_asyncio
from playwright.async_api import Locator, Page, Request, expect

from assent.testing import Client, Databases, RunningServer, run_server
from assent.testing.provider import Scripted, end, run_provider, stream, text
from tests.browser.conftest import OpenPage, sign_in_by_link
from tests.browser.test_chat import find_answers, say


@pytest_asyncio.fixture
async def server(databases: Databases) -> AsyncGenerator[RunningServer]:
    async with (
        databases.copy() as url,
        run_server(url, demo=True, demo_pace=0, ollama_url="") as running,
    ):
        yield running


def find_chats(page: Page) -> Locator:
    return page.get_by_role("region", name="Your chats")


async def ask(client: Client, path: str, **body: Any) -> Any:
    answer = await client.post(path, json=body)
    assert answer.is_success, answer.text
    return answer.json()


async def start_chat(client: Client, said: str) -> str:
    """A chat that somebody begins elsewhere."""
    chat = (await ask(client, "/api/conversations"))["id"]
    await ask(client, f"/api/conversations/{chat}/messages", message={"text": said})
    return chat


async def test_tabs_share_one_connection_and_another_takes_over(
    server: RunningServer, open_page: OpenPage
) -> None:
    first = await sign_in_by_link(server, await open_page())
    await first.wait_for_url("**/chat/*")
    holders: list[Page] = []

    def count(request: Request) -> None:
        if request.url.endswith("/api/events"):
            holders.append(request.frame.page)

    first.context.on("request", count)
    await first.reload()
    tabs = [first]
    for _ in range(2):
        tabs.append(await first.context.new_page())
        await tabs[-1].goto(f"{server.url}/proposals")
    client = await server.open_admin()
    await start_chat(client, "which systems do we have?")
    for tab in tabs:
        await expect(find_chats(tab).get_by_role("link")).to_have_count(1)
    assert holders == [first]

    await first.close()
    await start_chat(client, "what depends on postgres?")
    for tab in tabs[1:]:
        await expect(find_chats(tab).get_by_role("link")).to_have_count(2)
    assert len(holders) == 2
    assert holders[1] in tabs[1:]


async def test_dots_tell_what_a_chat_is_about(server: RunningServer, open_page: OpenPage) -> None:
    page = await sign_in_by_link(server, await open_page(), "/proposals")
    client = await server.open_admin()
    chats = find_chats(page)

    chat = await start_chat(client, "which systems do we have?")
    link = chats.get_by_role("link")
    await expect(link).to_contain_text("Not read yet")
    await link.click()
    await expect(find_answers(page)).to_contain_text("postgres")
    await expect(link).not_to_contain_text("Not read yet")
    await page.get_by_role("link", name="Proposals").click()
    await expect(link).not_to_contain_text("Not read yet")
    read = (await client.get(f"/api/conversations/{chat}")).json()
    assert read["unread"] is False

    await start_chat(client, "add a system called billing")
    await expect(chats.get_by_role("link", name="billing")).to_contain_text("Waits for you")
    badge = page.get_by_role("link", name="1 waiting for you")
    await expect(badge).to_be_visible()
    await chats.get_by_role("link", name="billing").click()
    await page.get_by_role("button", name="Apply").click()
    await expect(chats.get_by_role("link", name="billing")).not_to_contain_text("Waits for you")
    await expect(badge).to_have_count(0)


async def test_a_dot_tells_that_a_chat_works(server: RunningServer, open_page: OpenPage) -> None:
    async with run_provider() as provider:
        client = await server.open_admin()
        draft = {
            "name": "Outside",
            "baseUrl": provider.url,
            "defaultModel": "large",
            "classifier": False,
        }
        await ask(client, "/api/admin/integrations", **draft)
        page = await sign_in_by_link(server, await open_page(), "/proposals")
        provider.script(Scripted((*stream(text("Well, ")).steps[:-1], "hang")))
        chat = await start_chat(client, "tell me a story")
        link = find_chats(page).get_by_role("link")
        await expect(link).to_contain_text("Working")
        provider.script(*([stream(text("A story"), end())] * 3))
        await ask(client, f"/api/conversations/{chat}/cancel")
        await expect(link).not_to_contain_text("Working")
        await link.click()
        await expect(page.get_by_text("Stopped.")).to_be_visible()
        await page.reload()
        await expect(page.get_by_text("Stopped.")).to_be_visible()


async def test_a_question_is_answered_in_the_second_tab(
    server: RunningServer, open_page: OpenPage
) -> None:
    first = await sign_in_by_link(server, await open_page())
    await say(first, "add a system")
    asked = first.get_by_role("form", name="Assent asks you")
    await expect(asked.get_by_role("button", name="Answer")).to_be_visible()
    second = await first.context.new_page()
    await second.goto(first.url)
    card = second.get_by_role("form", name="Assent asks you")
    await card.get_by_role("textbox").fill("billing")
    await card.get_by_role("button", name="Answer").click()
    for tab in (first, second):
        await expect(tab.get_by_text("Answered", exact=True)).to_be_visible()
        await expect(tab.get_by_role("form").get_by_text("billing")).to_be_visible()
        await expect(tab.get_by_role("button", name="Apply")).to_be_visible()
        await expect(tab.get_by_role("button", name="Answer", exact=True)).to_have_count(0)
    await first.reload()
    await expect(first.get_by_text("Answered", exact=True)).to_be_visible()


async def test_what_is_deleted_in_one_tab_is_gone_in_the_other(
    server: RunningServer, open_page: OpenPage
) -> None:
    first = await sign_in_by_link(server, await open_page())
    await say(first, "which systems do we have?")
    await expect(find_answers(first)).to_contain_text("postgres")
    second = await first.context.new_page()
    await second.goto(first.url)
    await expect(find_answers(second)).to_contain_text("postgres")
    client = await server.open_admin()
    await ask(client, f"/api/conversations/{first.url.rpartition('/')[2]}/archive")
    for tab in (first, second):
        await expect(find_answers(tab)).to_have_count(0)
        await expect(tab.get_by_role("heading", name="New chat")).to_be_visible()
        await expect(find_chats(tab)).to_have_count(0)
