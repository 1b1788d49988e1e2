"""Make the pictures in docs/images from the running product with its demo workspace."""

import asyncio
from pathlib import Path

from playwright.async_api import Page, async_playwright

from assent.identity.first_start import make_first_link
from assent.main import load_all_plugins
from assent.settings import Settings
from assent.testing import Databases, RunningServer, run_server
from tests.browser.conftest import FLAGS, find_chromium

FOLDER = Path(__file__).parent.parent / "docs" / "images"
DESKTOP = {"width": 1280, "height": 800}
PHONE = {"width": 360, "height": 740}
PICTURES = [
    ("catalog", "/p/catalog/systems", DESKTOP, "light"),
    ("system", "/p/catalog/systems", DESKTOP, "dark"),
    ("people", "/people", DESKTOP, "light"),
    ("phone", "/p/catalog/systems", PHONE, "light"),
]


async def main() -> None:
    FOLDER.mkdir(parents=True, exist_ok=True)
    databases = Databases()
    databases.start()
    try:
        await databases.make_template(load_all_plugins(Settings()))
        async with databases.copy() as url, run_server(url, demo=True) as server:
            await take_all(server)
    finally:
        databases.stop()


async def take_all(server: RunningServer) -> None:
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(executable_path=find_chromium(), args=FLAGS)
        for name, path, viewport, theme in PICTURES:
            context = await browser.new_context(viewport=viewport, color_scheme=theme)
            page = await context.new_page()
            await sign_in(server, page)
            await page.goto(server.url + path)
            if name.startswith("system"):
                await page.get_by_role("link", name="checkout").click()
            await shoot(page, f"{name}-{theme}")
            await context.close()
        await browser.close()


async def sign_in(server: RunningServer, page: Page) -> None:
    link = await make_first_link(server.database, always=True)
    if link is None:
        raise RuntimeError("there is no admin")
    await page.goto(f"{server.url}/login?token={link.token}")


async def shoot(page: Page, name: str) -> None:
    await page.wait_for_load_state("networkidle")
    await page.wait_for_timeout(400)
    await page.screenshot(path=FOLDER / f"{name}.png")


if __name__ == "__main__":
    asyncio.run(main())
