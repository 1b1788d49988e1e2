"""A request that leads nowhere: what a person sees of it, with and without scripts."""

from urllib.parse import urlencode, urlsplit

import pytest
from playwright.async_api import Page, expect

from assent.testing import RunningServer
from tests.browser.conftest import OpenPage
from tests.browser.test_connect import begin
from tests.browser.test_everywhere import DESKTOP, PHONE, find_problems
from tests.turn.oauth import Lathe, Site


async def open_fault(page: Page, address: str, sentence: str) -> None:
    """The page stands where it was opened, and says this."""
    response = await page.goto(address)
    assert response is not None
    assert response.status == 400
    assert page.url == address
    await expect(page.get_by_role("heading", name="This cannot be connected")).to_be_visible()
    await expect(page.get_by_text(sentence)).to_be_visible()
    await expect(page.get_by_role("heading", name="Who can mend it")).to_be_visible()


async def test_it_is_told_what_is_wrong_and_who_can_mend_it(
    workshop: RunningServer, open_page: OpenPage, lathe: Lathe, documents: Site
) -> None:
    page = await open_page(viewport=PHONE, bypass_csp=True)
    nowhere = f"{documents.origin}/nowhere.json"
    broken = documents.put("/broken.json", {"client_id": "somebody else"})
    host = urlsplit(documents.origin).hostname
    for address, sentence in (
        (begin(lathe, redirect_uri="https://thief.example.com/"), "it has not declared as its own"),
        (begin(lathe, client_id="asc_gone"), "This server does not know the program"),
        (begin(lathe, client_id=nowhere), f"in a document at {host}, and this server could not"),
        (begin(lathe, client_id=broken), f"What the program says about itself at {host}"),
        (f"{workshop.url}/oauth/authorize", "a request that is not complete"),
    ):
        await open_fault(page, address, sentence)
        await expect(page.get_by_text("thief")).to_have_count(0)
        assert await find_problems(page) == []


@pytest.mark.parametrize("scripts", [True, False])
async def test_it_looks_like_our_pages(
    workshop: RunningServer, open_page: OpenPage, scripts: bool
) -> None:
    page = await open_page(
        viewport=DESKTOP, java_script_enabled=scripts, color_scheme="dark", bypass_csp=False
    )
    twice = urlencode([("<b>state</b>", "1"), ("<b>state</b>", "2")])
    await open_fault(page, f"{workshop.url}/oauth/authorize?{twice}", "not complete or not valid")
    await expect(page.get_by_text("<b>state</b> must be given once.")).to_be_visible()
    main = page.get_by_role("main")
    box = await main.bounding_box()
    assert box is not None
    assert box["width"] < DESKTOP["width"] / 2
    await expect(page.locator("body")).not_to_have_css("background-color", "rgba(0, 0, 0, 0)")
    await expect(page.get_by_text("Nothing changes until a person assents.")).to_be_visible()


async def test_the_chosen_theme_holds_there_too(
    workshop: RunningServer, open_page: OpenPage
) -> None:
    page = await open_page(color_scheme="light")
    await page.goto(f"{workshop.url}/oauth/authorize")
    await page.evaluate("localStorage.setItem('assent.theme', 'dark')")
    await page.reload()
    await expect(page.locator("html")).to_have_css("color-scheme", "dark")
