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
    ("chat", "/", DESKTOP, "light"),
    ("system", "/p/catalog/systems", DESKTOP, "dark"),
    ("proposal", "/proposals", DESKTOP, "light"),
    ("phone", "/proposals", PHONE, "dark"),
    ("audit", "/audit", DESKTOP, "light"),
]
LINKS = {"system": "checkout", "proposal": "Delete system", "phone": "Change the description"}
"""What to click on a page before its picture is taken."""
SAID = ["What depends on postgres?", "Add a system called invoices"]
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


async def propose_changes(server: RunningServer) -> None:
    """A deletion, a change, and one that was made."""
    client = await server.open_admin()
    systems = (await client.get("/api/p/catalog/systems")).json()["items"]
    ids = {system["name"]: system["id"] for system in systems}
    workspace_id = systems[0]["workspaceId"]
    text = "Takes orders and payments for the shop and the app."
    for tool, given in (
        ("catalog.createSystem", {"workspaceId": workspace_id, "name": "billing"}),
        ("catalog.updateSystem", {"systemId": ids["checkout"], "description": text}),
        ("catalog.deleteSystem", {"systemId": ids["postgres"]}),
    ):
        made = await client.post("/api/proposals", json={"tool": tool, "input": given})
        at = f"/api/proposals/{made.json()['id']}"
        if tool == "catalog.createSystem":
            token = (await client.post(f"{at}/token")).json()["token"]
            await client.post(f"{at}/apply", json={"token": token})


async def take_all(server: RunningServer) -> None:
    await propose_changes(server)
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(executable_path=find_chromium(), args=FLAGS)
        for name, path, viewport, theme in PICTURES:
            context = await browser.new_context(viewport=viewport, color_scheme=theme)
            page = await context.new_page()
            await sign_in(server, page)
            await page.goto(server.url + path)
            if name == "chat":
                await talk(page)
            if name in LINKS:
                await page.get_by_role("link", name=LINKS[name]).first.click()
            await shoot(page, f"{name}-{theme}")
            await context.close()
        await browser.close()


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


async def shoot(page: Page, name: str) -> None:
    await page.wait_for_function(IS_COMPLETE)
    await page.wait_for_timeout(400)
    await page.screenshot(path=FOLDER / f"{name}.png")


if __name__ == "__main__":
    asyncio.run(main())
