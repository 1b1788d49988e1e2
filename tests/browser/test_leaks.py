"""Nothing that a model writes sends anything out of the browser (SPEC S6, S8).

Every vector has a host of its own, so that a hit tells which one it was.
"""

import json
from collections.abc import AsyncGenerator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
import pytest_asyncio
from playwright.async_api import BrowserContext, ConsoleMessage, Locator, Page, Request, expect

from assent.testing import Client, Databases, RunningServer
from assent.testing.provider import (
    FakeProvider,
    Scripted,
    call,
    end,
    reasoning,
    refuse,
    stream,
    text,
)
from tests.browser.conftest import find_chromium, give_session
from tests.browser.listener import (
    OUTSIDE,
    Listener,
    Vector,
    list_names,
    load_vectors,
    open_browser,
    open_listener,
    serve_unprotected,
)
from tests.browser.office import open_office
from tests.browser.test_chat import find_answers, say
from tests.patience import PATIENCE, wait_until

pytestmark = pytest.mark.skipif(
    find_chromium() is None, reason="Chromium is not installed: sudo apt-get install chromium"
)

VECTORS = load_vectors()
BY_ID = {vector.id: vector for vector in VECTORS}
QUIET = {
    "html-anchor-download",
    "html-anchor-ping",
    "html-attribute-list",
    "html-entity-tag",
    "html-formaction",
    "html-hover",
    "html-img-unquoted",
    "html-link-dns",
    "html-link-manifest",
    "html-link-preconnect",
    "html-marquee",
    "html-portal",
    "html-script-split",
    "html-speculation",
    "html-svg-use",
}
"""Tags that do nothing on a bare page, need a hand or only open a connection."""

LOUD = [name for name in BY_ID if name.startswith("html-") and name not in QUIET]
HINTS = ["html-link-dns", "html-link-preconnect"]
LAST = "That is all."
APART = "\n\nNext:\n\n"
PIECE = 7
WATCH = Path(__file__).with_name("watch.js")
GO_TO = """(number) => {
  const wanted = "a, button, summary, [tabindex], p, li, td, th, h3, h4, pre, bdi, dd, dt, label";
  const element = document.querySelector("[role=log]").querySelectorAll(wanted)[number];
  if (element === undefined) return null;
  element.scrollIntoView({ block: "center", behavior: "instant" });
  element.focus({ preventScroll: true });
  const { x, y, height } = element.getBoundingClientRect();
  return [x + 3, y + Math.min(8, height / 2)];
}"""


@dataclass(frozen=True, slots=True)
class Stage:
    server: RunningServer
    provider: FakeProvider
    client: Client
    folder: Path

    async def open_chat(self, title: str = "Leaks") -> str:
        """With a title, so that nobody asks the provider for one."""
        chat = (await self.client.post("/api/conversations", json={})).json()["id"]
        answer = await self.client.patch(f"/api/conversations/{chat}", json={"title": title})
        assert answer.is_success, answer.text
        return f"/chat/{chat}"


@dataclass
class Seen:
    """What a browser did of its own: requests, pages, complaints."""

    origin: str
    requests: list[str] = field(default_factory=list[str])
    pages: list[str] = field(default_factory=list[str])
    complaints: list[str] = field(default_factory=list[str])

    def hear(self, context: BrowserContext) -> None:
        context.on("console", self._note_message)
        context.on("weberror", lambda error: self.complaints.append(str(error.error)))

    def watch(self, context: BrowserContext) -> None:
        context.on("request", self._note_request)
        context.on("page", lambda page: self.pages.append(page.url))

    def _note_request(self, request: Request) -> None:
        parts = urlsplit(request.url)
        if not request.url.startswith(self.origin + "/"):
            self.requests.append(f"{request.method} {request.url}")
        elif request.is_navigation_request() or not _is_harmless(request.method, parts.path):
            self.requests.append(f"{request.method} {parts.path}?{parts.query}")

    def _note_message(self, message: ConsoleMessage) -> None:
        if "Content Security Policy" in message.text or "Trusted" in message.text:
            self.complaints.append(message.text)


def _is_harmless(method: str, path: str) -> bool:
    """Reading, and that what was shown has been read."""
    if path.startswith(("/api/auth/", "/login", "/metrics")):
        return False
    return method in ("GET", "HEAD") or (method == "POST" and path.endswith("/read"))


@pytest_asyncio.fixture
async def stage(databases: Databases, tmp_path: Path) -> AsyncGenerator[Stage]:
    async with open_office(databases) as office:
        yield Stage(office.server, office.provider, office.client, tmp_path)


@asynccontextmanager
async def open_sealed(stage: Stage, seen: Seen) -> AsyncGenerator[tuple[Page, Listener]]:
    """A page in a browser whose outside world listens; at the end nobody may have been heard."""
    folder = stage.folder / "mapped"
    folder.mkdir()
    async with open_listener() as listener, open_browser(folder, listener) as context:
        seen.hear(context)
        page = await prepare_page(stage, context)
        yield page, listener
        assert await page.evaluate("window.intruders") == []
        await be_heard(context, listener)
        assert set(listener.heard) == {"fence"}
    assert not seen.complaints
    assert list_names(folder) <= {"fence"}


async def prepare_page(stage: Stage, context: BrowserContext) -> Page:
    await context.add_init_script(path=WATCH)
    page = context.pages[0]
    page.set_default_timeout(PATIENCE * 1000)
    await give_session(stage.server, page)
    return page


async def be_heard(context: BrowserContext, listener: Listener) -> None:
    """Whatever was sent before this has arrived when this has."""
    async with serve_unprotected({"/fence": f"<img src=http://fence.{OUTSIDE}/>"}) as url:
        page = await context.new_page()
        await page.goto(f"{url}/fence")
        await wait_for_names(listener, {"fence"})
        await page.close()


async def wait_for_names(listener: Listener, names: set[str]) -> None:
    async def are_heard() -> bool:
        return names <= set(listener.heard)

    try:
        await wait_until(are_heard)
    except TimeoutError:
        pytest.fail(f"never heard of {sorted(names - set(listener.heard))}")


def join(vectors: Sequence[Vector]) -> str:
    return APART.join(["Look.", *(vector.text for vector in vectors), LAST])


def cut(whole: str, size: int) -> list[str]:
    return [whole[at : at + size] for at in range(0, len(whole), size)]


def answer_with(vectors: Sequence[Vector]) -> Scripted:
    """In pieces that end anywhere, in thoughts at other places than in the answer."""
    whole = join(vectors)
    thoughts, words = reasoning(*cut(whole, PIECE + 4)), text(*cut(whole, PIECE))
    return stream(thoughts, words, end(), pause=0.001)


async def unfold(page: Page) -> None:
    folded = page.get_by_role("log").locator("details:not([open]) > summary")
    while await folded.count() > 0:
        await folded.first.click()


async def see_everything(page: Page) -> None:
    """Open what is folded; then the pointer and the focus are on each element once."""
    await unfold(page)
    for number in count():
        place = await page.evaluate(GO_TO, number)
        if place is None:
            return
        await page.mouse.move(*place)


async def press_everything(page: Page) -> tuple[set[str], set[str]]:
    """Click what can be clicked, and do not leave: the addresses shown, and the pages reached."""
    shown: set[str] = set()
    reached: set[str] = set()
    here = page.url
    dialog = page.get_by_role("dialog", name="Leave Assent?")
    for button in await find_all(page, "button").all():
        is_link = await button.locator("bdi").count() > 0
        await button.click()
        if not is_link:
            continue
        await dialog.get_by_role("button", name="Copy the address").click()
        await expect(dialog.get_by_role("button", name="Copied")).to_be_visible()
        shown.add(await page.evaluate("navigator.clipboard.readText()"))
        await page.keyboard.press("Escape")
        await expect(dialog).to_have_count(0)
    links = find_all(page, "a")
    for number in range(await links.count()):
        await links.nth(number).click()
        await page.wait_for_url(lambda url: url != here)
        reached.add(urlsplit(page.url).path)
        await page.go_back()
        await expect(page.get_by_text(LAST).last).to_be_visible()
        await unfold(page)
    return shown, reached


def find_all(page: Page, tag: str) -> Locator:
    return page.get_by_role("log").locator(f".markdown {tag}")


async def test_without_protection_they_reach_out(tmp_path: Path) -> None:
    """The listener, and most of the vectors, are worth something."""
    pages = {f"/{name}": BY_ID[name].text for name in (*LOUD, *HINTS)}
    folder, other = tmp_path / "mapped", tmp_path / "unmapped"
    folder.mkdir()
    other.mkdir()
    async with (
        serve_unprotected(pages) as url,
        open_listener() as listener,
        open_browser(folder, listener) as context,
    ):
        for name in LOUD:
            page = await context.new_page()
            await page.goto(f"{url}/{name}", wait_until="commit")
            await wait_for_names(listener, {name})
            await page.close()
    async with serve_unprotected(pages) as url, open_browser(other) as context:
        for name in HINTS:
            await context.pages[0].goto(f"{url}/{name}")

        async def are_looked_up() -> bool:
            return f'{HINTS[0]}.{OUTSIDE}"' in (other / "net.json").read_text()

        await wait_until(are_looked_up)
    assert list_names(other) == set(HINTS)


@pytest.mark.parametrize("part", range(3))
async def test_answers_and_thoughts(stage: Stage, part: int) -> None:
    vectors = VECTORS[part::3]
    seen = Seen(stage.server.url)
    stage.provider.script(answer_with(vectors))
    path = await stage.open_chat()
    async with open_sealed(stage, seen) as (page, _):
        await page.goto(stage.server.url + path)
        await say(page, "Show me")
        await expect(find_answers(page).get_by_text(LAST).last).to_be_visible()
        await expect(page.locator("[role=log] [aria-busy=true]")).to_have_count(0)
        await see_everything(page)
        assert await page.evaluate("window.intruders") == []

        await page.reload()
        await expect(find_answers(page).get_by_text(LAST).last).to_be_visible()
        await page.evaluate("window.sameDocument = true")
        seen.watch(page.context)
        await see_everything(page)
        shown, reached = await press_everything(page)
        assert await page.evaluate("window.sameDocument")
        assert seen.requests == []
        assert seen.pages == []
    assert shown
    assert all(OUTSIDE in urlsplit(url).netloc and "@" not in url for url in shown), shown
    assert reached <= {"/audit"}
    await look_up_nothing(stage, path)


async def look_up_nothing(stage: Stage, path: str) -> None:
    """The same where names have to be looked up."""
    folder = stage.folder / "unmapped"
    folder.mkdir()
    async with open_browser(folder) as context:
        page = await prepare_page(stage, context)
        await page.goto(stage.server.url + path)
        await expect(find_answers(page).get_by_text(LAST).last).to_be_visible()
        await see_everything(page)
    assert list_names(folder) == set()


def ask_with(vectors: Sequence[Vector]) -> dict[str, Any]:
    return {
        "questions": [
            {
                "key": "which",
                "text": vectors[0].text,
                "kind": "choice",
                "options": [vectors[1].text, vectors[2].text],
            },
            {"key": "what", "text": vectors[3].text, "kind": "text"},
        ]
    }


async def test_cards_questions_titles_and_errors(stage: Stage) -> None:
    """What is text everywhere else stays text: on cards, in lists, in the log, in the audit."""
    names = [
        "html-img",
        "html-iframe",
        "html-svg-image",
        "html-meta-refresh",
        "image",
        "link-plain",
    ]
    vectors = [BY_ID[name] for name in names]
    seen = Seen(stage.server.url)
    path = await stage.open_chat(vectors[0].text)
    async with open_sealed(stage, seen) as (page, _):
        await page.goto(stage.server.url + path)
        await decline_a_card(stage, page, vectors)
        stage.provider.script(
            stream(call("ai_askOperator", json.dumps(ask_with(vectors))), end("tool_calls"))
        )
        await say(page, vectors[1].text)
        await expect(page.get_by_role("form", name="Assent asks you")).to_be_visible()
        await see_everything(page)
        stage.provider.script(refuse(400, {"message": vectors[2].text, "code": vectors[1].text}))
        await say(page, "Go on")
        await expect(page.get_by_role("button", name="Try again")).to_be_visible()
        await see_everything(page)
        await get_a_title(stage, page, vectors[1])
        for elsewhere in ("/proposals/all", "/audit", "/p/catalog/systems"):
            assert await page.evaluate("window.intruders") == []
            await page.goto(stage.server.url + elsewhere)
            await expect(page.get_by_role("main")).to_contain_text(OUTSIDE)


async def get_a_title(stage: Stage, page: Page, vector: Vector) -> None:
    """The model answers, and then names the chat."""
    stage.provider.script(stream(text(LAST), end()), stream(text(vector.text), end()))
    assert await page.evaluate("window.intruders") == []
    await page.goto(stage.server.url)
    await say(page, "Hello")
    chats = page.get_by_role("region", name="Your chats")
    await expect(chats).to_contain_text(f"{vector.id}.{OUTSIDE}")


async def decline_a_card(stage: Stage, page: Page, vectors: Sequence[Vector]) -> None:
    """A call of something that is not there, a list, a change with such values, and a reason."""
    workspace = (await stage.client.get("/api/workspaces")).json()["items"][0]["id"]
    listed = {"workspaceId": workspace, "name": vectors[2].text, "description": vectors[1].text}
    made = await stage.client.post("/api/p/catalog/systems", json=listed)
    assert made.is_success, made.text
    given = {
        "workspaceId": workspace,
        "name": vectors[4].text,
        "description": "\n\n".join(one.text for one in VECTORS[:30]),
    }
    stage.provider.script(
        stream(call(vectors[0].text, json.dumps({"x": vectors[0].text})), end("tool_calls")),
        stream(call("catalog_listSystems", json.dumps({"q": OUTSIDE})), end("tool_calls")),
        stream(call("catalog_createSystem", json.dumps(given)), end("tool_calls")),
        *[stream(text(LAST), end())] * 2,
    )
    await say(page, vectors[0].text)
    await expect(page.get_by_text(LAST)).to_be_visible()
    await see_everything(page)
    await expect(page.get_by_label("catalog.listSystems")).to_contain_text(vectors[2].text)
    await page.get_by_role("button", name="Decline").click()
    await page.get_by_label("Why not?").fill(vectors[0].text)
    await page.get_by_role("button", name="Decline it").click()
    await expect(page.get_by_text(LAST)).to_have_count(2)
