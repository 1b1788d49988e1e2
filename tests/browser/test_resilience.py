"""Servers that die, networks that go, and pages that go on as if nothing had happened."""

import asyncio
import json
import signal
from collections.abc import AsyncGenerator, Awaitable
from pathlib import Path

import pytest_asyncio
from playwright.async_api import Page, Request, Route, expect

from assent.testing import Databases, RunningServer, run_server
from tests.browser.conftest import SYSTEMS, OpenPage, sign_in_by_link
from tests.browser.test_chat import find_answers, find_composer, reload_unchanged, say
from tests.fault.ports import find_free_port
from tests.fault.server_process import ServerProcess

# What was shown of an answer stays shown: each look at it has at least what the one before had.
WATCH = """() => {
  window.flickers = [];
  let longest = "";
  const look = () => {
    const answers = document.querySelectorAll("[role=log] > article[aria-label='Assent said']");
    const shown = answers[answers.length - 1]?.querySelector(".markdown")?.innerText ?? "";
    const flat = shown.replace(/[^\\p{L}\\p{N}]+/gu, "");
    if (longest.length > flat.length + 8) flickers.push([longest.slice(-40), flat.slice(-40)]);
    longest = flat;
    if (document.querySelector("[role=alert]")) flickers.push(["an alert", "is shown"]);
    if (answers.length > 1) flickers.push(["answers", answers.length]);
  };
  const again = () => { look(); requestAnimationFrame(again); };
  again();
}"""
"""Letters only: the marks of Markdown go when they are complete, or when it is first loaded."""


class Restarted:
    """One server on one port, killed and started again on the same database."""

    def __init__(self, folder: Path, url: str) -> None:
        self._folder, self._url, self._port = folder, url, find_free_port()
        self._servers: list[ServerProcess] = []
        self.token: str | None = None

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._port}"

    async def start(self) -> None:
        server = ServerProcess(
            "serve",
            folder=self._folder,
            ASSENT_DATABASE_URL=self._url,
            ASSENT_MASTER_KEY="00" * 32,
            ASSENT_PORT=str(self._port),
            ASSENT_DEMO="true",
            ASSENT_DEMO_PACE="0.08",
            ASSENT_LEASE_SECONDS="2",
            ASSENT_OLLAMA_URL="",
        )
        self._servers.append(server)
        _, token = await asyncio.to_thread(server.wait_ready)
        self.token = self.token or token

    def kill(self) -> None:
        self._servers[-1].end(signal.SIGKILL)

    def end(self) -> None:
        for server in self._servers:
            server.end(signal.SIGKILL)


@pytest_asyncio.fixture
async def restarted(databases: Databases, tmp_path: Path) -> AsyncGenerator[Restarted]:
    async with databases.copy() as url:
        server = Restarted(tmp_path, url)
        try:
            await server.start()
            yield server
        finally:
            server.end()


@pytest_asyncio.fixture
async def quick(databases: Databases) -> AsyncGenerator[RunningServer]:
    async with (
        databases.copy() as url,
        run_server(url, demo=True, demo_pace=0, ollama_url="") as server,
    ):
        yield server


async def expect_calm(page: Page) -> None:
    assert await page.evaluate("flickers") == []


async def test_a_server_that_is_killed_in_mid_answer_and_comes_back(
    restarted: Restarted, open_page: OpenPage
) -> None:
    page = await open_page()
    await page.goto(f"{restarted.url}/login?token={restarted.token}")
    await expect(find_composer(page)).to_be_visible()
    await page.evaluate(WATCH)
    await say(page, "what can you do?")
    await expect(find_answers(page)).to_contain_text("demo model")
    restarted.kill()
    await expect(find_answers(page)).to_contain_text("demo model")
    await restarted.start()
    await expect(find_answers(page)).to_contain_text("Integrations")
    await expect(page.get_by_role("button", name="Stop")).to_have_count(0)
    await expect(find_answers(page)).to_have_count(1)
    await expect_calm(page)
    await reload_unchanged(page)


async def test_offline_in_mid_answer_and_back(
    quick: RunningServer, open_page: OpenPage, may_go_on: asyncio.Event
) -> None:
    page = await sign_in_by_link(quick, await open_page())
    await expect(find_composer(page)).to_be_visible()
    await page.evaluate(WATCH)
    await say(page, "what can you do?")
    await expect(find_answers(page)).to_contain_text("demo model")
    await page.context.set_offline(True)
    await expect(page.get_by_text("You are offline. What you typed stays here.")).to_be_visible()
    may_go_on.set()
    await page.context.set_offline(False)
    await expect(find_answers(page)).to_contain_text("Integrations")
    await expect(page.get_by_role("button", name="Stop")).to_have_count(0)
    await expect_calm(page)
    await reload_unchanged(page)


async def test_what_was_said_elsewhere_while_one_was_offline(
    quick: RunningServer, open_page: OpenPage
) -> None:
    page = await sign_in_by_link(quick, await open_page())
    await say(page, "which systems do we have?")
    await expect(find_answers(page)).to_contain_text("postgres")
    chat = page.url.rpartition("/")[2]
    await page.context.set_offline(True)
    await expect(page.get_by_text("You are offline. What you typed stays here.")).to_be_visible()
    await find_composer(page).fill("half a thought")
    client = await quick.open_admin()
    sent = {"message": {"text": "what depends on postgres?"}}
    answer = await client.post(f"/api/conversations/{chat}/messages", json=sent)
    assert answer.is_success, answer.text
    await page.context.set_offline(False)
    await expect(find_answers(page)).to_have_count(2)
    await expect(find_composer(page)).to_have_value("half a thought")
    await expect(page.get_by_role("alert")).to_have_count(0)


async def test_a_busy_server_is_asked_again_with_the_same_message(
    quick: RunningServer, open_page: OpenPage
) -> None:
    page = await sign_in_by_link(quick, await open_page())
    await expect(find_composer(page)).to_be_visible()
    sent: list[str] = []

    async def refuse_twice(route: Route, request: Request) -> None:
        sent.append(json.loads(request.post_data or "{}")["message"]["id"])
        if len(sent) > 2:
            await route.continue_()
            return
        problem = {"title": "Busy", "status": 503, "code": "busy", "detail": "Too much at once."}
        headers = {"retry-after": "1"}
        await route.fulfill(status=503, json=problem, headers=headers)

    await page.evaluate(WATCH)
    await page.route("**/api/chat", refuse_twice)
    await say(page, "which systems do we have?")
    await expect(find_answers(page)).to_contain_text("postgres")
    await expect(page.get_by_role("article", name="You said")).to_have_count(1)
    assert len(sent) == 3
    assert len(set(sent)) == 1
    await expect_calm(page)


async def test_what_failed_is_read_again_when_the_server_is_back(
    quick: RunningServer, open_page: OpenPage
) -> None:
    page = await open_page()

    async def fail(route: Route) -> None:
        await route.fulfill(status=503, json={"title": "Unavailable", "status": 503})

    for path in ("**/api/events", "**/api/p/catalog/systems*"):
        await page.route(path, fail)
    await sign_in_by_link(quick, page, SYSTEMS)
    await expect(page.get_by_role("button", name="Try again")).to_be_visible()
    await page.unroute_all()
    await expect(page.get_by_role("link", name="checkout", exact=True)).to_be_visible()
    await expect(page.get_by_role("button", name="Try again")).to_have_count(0)


async def test_the_second_tab_decides_first(quick: RunningServer, open_page: OpenPage) -> None:
    first = await sign_in_by_link(quick, await open_page())
    await say(first, "add a system called billing")
    await expect(first.get_by_role("button", name="Apply")).to_be_visible()
    second = await first.context.new_page()
    await second.goto(first.url)
    decline = second.get_by_role("button", name="Decline")
    await expect(decline).to_be_visible()
    # The first tab hears nothing of it until it has tried.
    await first.route("**/api/proposals/*/token", lambda route: hold(route, decide(second)))
    await first.get_by_role("button", name="Apply").click()
    for tab in (first, second):
        await expect(tab.get_by_role("button", name="Apply")).to_have_count(0)
        await expect(tab.get_by_text("Nothing was changed.", exact=True)).to_be_visible()
    client = await quick.open_admin()
    names = [one["name"] for one in (await client.get("/api/p/catalog/systems")).json()["items"]]
    assert "billing" not in names


async def decide(page: Page) -> None:
    await page.get_by_role("button", name="Decline").click()
    await page.get_by_role("button", name="Decline it").click()
    await expect(page.get_by_text("Nothing was changed.", exact=True)).to_be_visible()


async def hold(route: Route, until: Awaitable[None]) -> None:
    await until
    await route.continue_()
