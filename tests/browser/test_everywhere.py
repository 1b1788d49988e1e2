"""How a page is judged, and what holds on all: themes, the keyboard, the drawer of a phone."""

import asyncio
from pathlib import Path
from typing import Literal, TypeAlias

from playwright.async_api import Page, Route, expect

from assent.testing import RunningServer
from tests.browser.conftest import OpenPage, sign_in_by_link

AXE = Path(__file__).parents[2] / "web" / "node_modules" / "axe-core" / "axe.min.js"
Theme: TypeAlias = Literal["light", "dark"]
THEMES: tuple[Theme, ...] = ("light", "dark")
PHONE = {"width": 360, "height": 740}
DESKTOP = {"width": 1280, "height": 800}
BACKGROUND = """() => {
  const canvas = document.createElement("canvas").getContext("2d");
  canvas.fillStyle = getComputedStyle(document.body).backgroundColor;
  canvas.fillRect(0, 0, 1, 1);
  return [...canvas.getImageData(0, 0, 1, 1).data.slice(0, 3)];
}"""


IS_COMPLETE = """() =>
  document.querySelector("h1, h2") && !document.querySelector(".skeleton, [aria-label=Loading]")
"""


OF_COLOURS = ["color-contrast", "link-in-text-block"]
"""What another theme can break: it changes nothing but colours."""


async def find_serious(page: Page, rules: list[str] | None = None) -> list[str]:
    if not await page.evaluate("'axe' in window"):
        await page.evaluate(AXE.read_text())
    given = {"resultTypes": ["violations"]} | ({"runOnly": rules} if rules else {})
    found = await page.evaluate("(given) => axe.run(given)", given)
    return [
        f"{violation['id']}: {violation['nodes'][0]['html']}"
        for violation in found["violations"]
        if violation["impact"] in ("serious", "critical")
    ]


async def find_problems(page: Page, themes: tuple[Theme, ...] = THEMES) -> list[str]:
    """What is wrong with the page as it stands, in both themes; it has to follow the system's.

    Without transitions, or colours would be on their way from one theme to the other.
    """
    problems: list[str] = []
    await page.add_style_tag(content="*, ::before, ::after { transition: none !important }")
    for theme in themes:
        await page.emulate_media(color_scheme=theme)
        channels = await page.evaluate(BACKGROUND)
        assert (max(channels) < 60) == (theme == "dark"), (theme, channels)
        rules = None if theme == themes[0] else OF_COLOURS
        problems += [f"{theme}: {one}" for one in await find_serious(page, rules)]
    if await page.evaluate("document.documentElement.scrollWidth > innerWidth"):
        problems.append("scrolls sideways")
    return problems


async def test_the_keyboard_is_enough(admin_page: Page) -> None:
    page = admin_page
    await expect(page.get_by_role("link", name="checkout")).to_be_visible()
    await page.keyboard.press("/")
    await expect(page.get_by_label("Search systems")).to_be_focused()
    await page.keyboard.type("orders")
    await expect(page.get_by_role("link", name="postgres")).to_have_count(0)
    await page.keyboard.press("Escape")
    await page.get_by_role("link", name="checkout").focus()
    await page.keyboard.press("?")
    await expect(page.get_by_role("dialog", name="Keyboard shortcuts")).to_be_visible()
    await page.keyboard.press("Escape")
    await expect(page.get_by_role("dialog")).to_have_count(0)


async def test_the_chosen_theme_stays(demo: RunningServer, admin_page: Page) -> None:
    page = admin_page
    await page.goto(f"{demo.url}/settings/profile")
    await page.get_by_role("radio", name="Dark").click()
    await page.reload()
    await expect(page.get_by_role("radio", name="Dark")).to_be_checked()
    channels = await page.evaluate(BACKGROUND)
    assert max(channels) < 60, channels


async def test_a_drawer_stays_open_while_the_start_page_becomes_a_chat(
    demo: RunningServer, open_page: OpenPage
) -> None:
    page, opened = await open_page(viewport=PHONE), asyncio.Event()

    async def hold(route: Route) -> None:
        await opened.wait()
        await route.continue_()

    await page.route("**/api/conversations", hold)
    await sign_in_by_link(demo, page)
    await page.get_by_role("button", name="Open menu").click()
    await expect(page.get_by_role("link", name="Groups")).to_be_visible()
    opened.set()
    await page.wait_for_url("**/chat/*")
    await page.get_by_role("link", name="Groups").click()
    await expect(page.get_by_role("heading", name="Groups")).to_be_visible()
    await expect(page.get_by_role("dialog")).to_have_count(0)


async def test_a_phone_has_a_drawer(demo: RunningServer, open_page: OpenPage) -> None:
    page = await sign_in_by_link(demo, await open_page(viewport=PHONE))
    await page.get_by_role("button", name="Open menu").click()
    await page.get_by_role("link", name="Groups").click()
    await expect(page.get_by_role("heading", name="Groups")).to_be_visible()
