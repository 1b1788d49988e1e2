"""Make the pictures in docs/images from the running product with its demo workspace."""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Literal
from urllib.parse import urlencode

from playwright.async_api import Browser, Page, ViewportSize, async_playwright

from assent.identity.first_start import make_first_link
from assent.main import load_all_plugins
from assent.settings import Settings
from assent.testing import Databases, RunningServer, run_server
from tests.browser.conftest import FLAGS, find_chromium
from tests.browser.furnish import MILL, ask_for, furnish, propose_by_program

FOLDER = Path(__file__).parent.parent / "docs" / "images"
DESKTOP: ViewportSize = {"width": 1280, "height": 800}
PHONE: ViewportSize = {"width": 360, "height": 740}
SAID = ["What is wrong right now?", "Add a system called invoices"]
IS_COMPLETE = """() =>
  document.querySelector("h1, h2") && !document.querySelector(".skeleton, [aria-label=Loading]")
"""


async def main() -> None:
    FOLDER.mkdir(parents=True, exist_ok=True)
    databases = Databases()
    databases.start()
    try:
        await databases.make_template(load_all_plugins(Settings()))
        async with (
            databases.copy() as url,
            run_server(url, demo=True, demo_pace=0, ollama_url="") as server,
        ):
            await take_all(server)
    finally:
        databases.stop()


async def take_all(server: RunningServer) -> None:
    """The chat first: afterwards it would ask a model that is not there."""
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(executable_path=find_chromium(), args=FLAGS)
        await take(server, browser, Picture("chat", "/", talk))
        admin = await furnish(server)
        decide = Picture("decide", await propose_by_program(server, admin))
        for picture in [*PICTURES, decide]:
            await take(server, browser, picture)
        await browser.close()


async def take(server: RunningServer, browser: Browser, picture: "Picture") -> None:
    viewport = PHONE if picture.on_phone else {**DESKTOP, "height": picture.height}
    context = await browser.new_context(
        viewport=viewport, color_scheme=picture.theme, reduced_motion="reduce"
    )
    page = await context.new_page()
    await sign_in(server, page)
    await page.goto(server.url + picture.path)
    if picture.before is not None:
        await picture.before(page)
    await shoot(page, f"{picture.name}-{picture.theme}")
    await context.close()


async def sign_in(server: RunningServer, page: Page) -> None:
    link = await make_first_link(server.database, always=True)
    if link is None:
        raise RuntimeError("there is no admin")
    await page.goto(f"{server.url}/login?token={link.token}")


async def talk(page: Page) -> None:
    """A question, then a change that waits on its card."""
    for said in SAID:
        await page.get_by_role("textbox", name="Message", exact=True).fill(said)
        await page.keyboard.press("Enter")
        await page.get_by_role("button", name="Stop").wait_for(state="detached")
        await page.get_by_role("article", name="Assent said").last.wait_for()
    await page.get_by_role("button", name="Apply").wait_for()


async def open_system(page: Page) -> None:
    await page.get_by_role("link", name="checkout").first.click()


async def open_check(page: Page) -> None:
    await page.get_by_role("link", name="Assent itself").first.click()
    await page.get_by_text("Up", exact=True).first.wait_for()


async def open_card(page: Page) -> None:
    await page.get_by_role("button", name="Show the card").first.click()
    await page.get_by_role("button", name="Apply", exact=True).wait_for()


async def open_deletion(page: Page) -> None:
    await page.get_by_role("link", name="Delete system").first.click()


async def open_integration(page: Page) -> None:
    await page.get_by_role("button", name="Edit Anthropic").click()
    await page.get_by_role("dialog").wait_for()


async def see_it_verified(page: Page) -> None:
    await page.get_by_text("as they were written").wait_for()


@dataclass(frozen=True)
class Picture:
    """What is opened, and what is done there before the picture is taken."""

    name: str
    path: str
    before: Callable[[Page], Awaitable[None]] | None = None
    on_phone: bool = False
    height: int = DESKTOP["height"]
    theme: Literal["light", "dark"] = "light"


PICTURES = [
    Picture("approvals", "/proposals"),
    Picture("proposal", "/proposals/all", open_deletion),
    Picture("audit", "/audit", see_it_verified),
    Picture("usage", "/usage"),
    Picture("integration", "/assistant/integrations", open_integration),
    Picture("checks", "/p/healthcheck/checks"),
    Picture("check", "/p/healthcheck/checks", open_check),
    Picture("incidents", "/p/incident/incidents"),
    Picture("connect", f"/connect?{urlencode(ask_for(MILL))}", height=1040),
    Picture("programs", "/settings/programs"),
    Picture("system", "/p/catalog/systems", open_system, theme="dark"),
    Picture("phone", "/proposals", open_card, on_phone=True, theme="dark"),
]


async def shoot(page: Page, name: str) -> None:
    await page.wait_for_function(IS_COMPLETE)
    await page.wait_for_timeout(400)
    await page.screenshot(path=FOLDER / f"{name}.png")


if __name__ == "__main__":
    asyncio.run(main())
