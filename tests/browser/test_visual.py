"""What pages look like, compared with pictures of before, so that nothing goes missing unseen.

Pictures are kept small: half the size, in `pictures/`. A point is missing when nothing like it is
within two points of its place in the other picture, and a picture has changed where several points
near each other are missing: letters that are smoothed or set a little differently elsewhere
pass, a button that is gone does not. Take them anew, after looking at what changed, with

    RETAKE=1 python -m pytest tests/browser/test_visual.py
"""

import asyncio
import base64
import os
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import pytest
from playwright.async_api import Page, expect

from assent.testing import RunningServer
from tests.browser.conftest import OpenPage, lend_session, sign_in_by_link
from tests.browser.furnish import ASK, furnish, propose_by_program
from tests.browser.test_chat import say
from tests.browser.test_talk import quick  # noqa: F401

PICTURES = Path(__file__).parent / "pictures"
WIDTH = 760
LARGEST = 1_500_000
SAME_FOR_ALL = """
*, ::before, ::after {
  animation: none !important; transition: none !important; caret-color: transparent !important;
}
time, [role=timer] {
  display: inline-block !important; width: 5rem !important; height: 1em !important;
  overflow: hidden !important; color: transparent !important; white-space: nowrap !important;
}
"""
"""No motion, and no time that goes on."""

COMPARE = """async ([kept, taken, cell, few, near, most]) => {
  const load = async (data) => {
    const image = new Image();
    image.src = "data:image/png;base64," + data;
    await image.decode();
    const canvas = document.createElement("canvas");
    [canvas.width, canvas.height] = [image.width, image.height];
    const pen = canvas.getContext("2d");
    pen.drawImage(image, 0, 0);
    return pen.getImageData(0, 0, image.width, image.height);
  };
  const [before, after] = [await load(kept), await load(taken)];
  if (before.width !== after.width || Math.abs(before.height - after.height) > 8)
    return [`${before.width}x${before.height} has become ${after.width}x${after.height}`];
  const [width, height] = [before.width, Math.min(before.height, after.height)];
  const at = (image, x, y, c) => image.data[4 * (y * width + x) + c];
  const differ = (one, other, x, y, u, v) =>
    Math.max(...[0, 1, 2].map((c) => Math.abs(at(one, x, y, c) - at(other, u, v, c))));
  const isMissing = (one, other, x, y) => {
    if (differ(one, other, x, y, x, y) <= most) return false;
    for (let v = Math.max(0, y - near); v <= Math.min(height - 1, y + near); v++)
      for (let u = Math.max(0, x - near); u <= Math.min(width - 1, x + near); u++)
        if (differ(one, other, x, y, u, v) <= most) return false;
    return true;
  };
  const cells = new Map();
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++)
      if (isMissing(before, after, x, y) || isMissing(after, before, x, y)) {
        const place = `${x - (x % cell)},${y - (y % cell)}`;
        cells.set(place, (cells.get(place) ?? 0) + 1);
      }
  return [...cells].filter(([, count]) => count >= few).map(([place, n]) => `${n} at ${place}`);
}"""
HALVE = """async (data) => {
  const image = new Image();
  image.src = "data:image/png;base64," + data;
  await image.decode();
  const canvas = document.createElement("canvas");
  [canvas.width, canvas.height] = [Math.round(image.width / 2), Math.round(image.height / 2)];
  const pen = canvas.getContext("2d");
  pen.imageSmoothingQuality = "high";
  pen.drawImage(image, 0, 0, canvas.width, canvas.height);
  return canvas.toDataURL("image/png").split(",")[1];
}"""
CELL, FEW = 12, 18
NEAR, MOST = 2, 56
HEIGHT = (
    "() => Math.max(...[...document.querySelectorAll('main, main *')].map((e) => e.scrollHeight))"
)


async def compare(page: Page, kept: bytes, taken: bytes) -> list[str]:
    """Where two pictures differ; the page only lends its canvas."""
    given = [base64.b64encode(one).decode() for one in (kept, taken)]
    return await page.evaluate(COMPARE, [*given, CELL, FEW, NEAR, MOST])


async def take(page: Page, selector: str) -> bytes:
    await page.add_style_tag(content=SAME_FOR_ALL)
    await page.evaluate("document.fonts.ready")
    await page.wait_for_function("() => !document.querySelector('.skeleton')")
    whole = await page.locator(selector).first.screenshot(animations="disabled", caret="hide")
    halved = await page.evaluate(HALVE, base64.b64encode(whole).decode())
    return base64.b64decode(halved)


async def check(page: Page, selector: str, name: str) -> bytes:
    taken, path = await take(page, selector), PICTURES / f"{name}.png"
    if os.environ.get("RETAKE"):
        await asyncio.to_thread(PICTURES.mkdir, exist_ok=True)
        await asyncio.to_thread(path.write_bytes, taken)
    kept = await asyncio.to_thread(path.read_bytes)
    found = await compare(page, kept, taken)
    if found:
        seen = Path(os.environ.get("PICTURES", "/tmp")) / f"{name}.seen.png"
        await asyncio.to_thread(seen.write_bytes, taken)
        pytest.fail(f"{name} looks different ({seen}): {', '.join(found[:8])}")
    return taken


async def open_cards(
    demo: RunningServer, open_page: OpenPage, theme: str, width: int = WIDTH
) -> Page:
    options: dict[str, Any] = {"color_scheme": theme, "reduced_motion": "reduce"}
    size = {"width": width, "height": 900}
    page = await open_page(viewport=size, bypass_csp=True, **options)
    await sign_in_by_link(demo, page, "/dev/cards")
    await expect(page.locator("[data-specimen]").last).to_be_visible()
    await expect(page.get_by_text("Not visible to you").first).to_be_visible()
    await page.set_viewport_size({"width": width, "height": await page.evaluate(HEIGHT) + 120})
    return page


PARTS = ["In an answer", "Results without a view of their own", "A decision on its way"]


@pytest.mark.parametrize("theme", ["light", "dark"])
async def test_the_cards_look_as_before(
    demo: RunningServer, open_page: OpenPage, theme: str
) -> None:
    page = await open_cards(demo, open_page, theme)
    for part in [*PARTS, "Proposals"] if theme == "light" else PARTS:
        name = part.lower().replace(" ", "-")
        await check(page, f"section[aria-label='{part}']", f"{name}-{theme}")


async def test_the_cards_look_as_before_on_a_phone(
    demo: RunningServer, open_page: OpenPage
) -> None:
    page = await open_cards(demo, open_page, "light", 360)
    await check(page, f"section[aria-label='{PARTS[0]}']", "in-an-answer-phone")


async def test_a_button_that_is_gone_is_noticed(demo: RunningServer, open_page: OpenPage) -> None:
    page = await open_cards(demo, open_page, "light")
    whole = f"section[aria-label='{PARTS[2]}']"
    before = await take(page, whole)
    assert await compare(page, before, await take(page, whole)) == []
    await page.add_style_tag(
        content="* { -webkit-font-smoothing: none; text-rendering: geometricPrecision }"
    )
    assert await compare(page, before, await take(page, whole)) == []
    gone = page.locator("[data-specimen='not reached']").get_by_role("button", name="Try again")
    await gone.evaluate("(button) => (button.style.visibility = 'hidden')")
    assert await compare(page, before, await take(page, whole)) != []


async def test_a_chat_looks_as_before(
    quick: RunningServer,  # noqa: F811
    open_page: OpenPage,
) -> None:
    size = {"width": WIDTH, "height": 1600}
    page = await open_page(viewport=size, bypass_csp=True, reduced_motion="reduce")
    await sign_in_by_link(quick, page)
    await say(page, "Create a group called Payments and rename group Storefront to Shop")
    await expect(page.get_by_role("button", name="Apply", exact=True)).to_have_count(2)
    await expect(page.get_by_role("button", name="Good answer")).to_be_visible()
    await check(page, "[role=log] details:has(ol)", "chat-plan")


@pytest.mark.parametrize(
    ("form", "width", "theme"), [("wide", WIDTH, "light"), ("phone", 360, "dark")]
)
async def test_pages_for_programs_look_as_before(
    quick: RunningServer,  # noqa: F811
    open_page: OpenPage,
    form: str,
    width: int,
    theme: str,
) -> None:
    admin = await furnish(quick)
    options: dict[str, Any] = {"color_scheme": theme, "reduced_motion": "reduce"}
    size = {"width": width, "height": 1500}
    page = await open_page(viewport=size, bypass_csp=True, **options)
    await lend_session(admin, page, quick.url)
    astray = {**ASK, "redirect_uri": "https://elsewhere.example/"}
    for name, path, shown in (
        ("decide", await propose_by_program(quick, admin), "Use another account"),
        ("connect", f"/connect?{urlencode(ASK)}", "You can take this back"),
        ("programs", "/settings/programs", "Programs of everybody"),
        ("fault", f"/oauth/authorize?{urlencode(astray)}", "Who can mend it"),
    ):
        await page.goto(quick.url + path)
        await expect(page.get_by_text(shown)).to_be_visible()
        await check(page, "main", f"{name}-{form}")


def test_pictures_are_few_and_small() -> None:
    sizes = [path.stat().st_size for path in PICTURES.glob("*.png")]
    assert sizes and sum(sizes) < LARGEST
