"""Without a mouse: dialogs, menus, tables, and what was typed is not lost by a stray key."""

import re

from playwright.async_api import Page, expect

from assent.testing import RunningServer
from tests.browser.conftest import SYSTEMS, OpenPage, give_session, sign_in_by_link

FOCUSED = "document.activeElement?.getAttribute('aria-label') ?? document.activeElement?.innerText"


async def tab_to(page: Page, name: str, *, most: int = 80) -> None:
    """Press Tab until what is focused has this name."""
    for _ in range(most):
        if (await page.evaluate(FOCUSED) or "").strip() == name:
            return
        await page.keyboard.press("Tab")
    raise AssertionError(f"{name} was not reached")


async def test_a_dialog_is_filled_sent_and_gives_the_focus_back(admin_page: Page) -> None:
    page = admin_page
    await page.goto(re.sub(r"(//[^/]+).*", r"\1/people/teams", page.url))
    await expect(page.get_by_role("button", name="New team")).to_be_visible()
    await tab_to(page, "New team")
    await page.keyboard.press("Enter")
    dialog = page.get_by_role("dialog", name="New team")
    await expect(dialog.get_by_label("Name", exact=True)).to_be_focused()
    await page.keyboard.type("Payments")
    await page.keyboard.press("Escape")
    question = page.get_by_role("alertdialog", name="Discard what you changed?")
    await expect(question.get_by_role("button", name="Keep editing")).to_be_focused()
    await page.keyboard.press("Enter")
    await expect(question).to_have_count(0)
    await expect(dialog.get_by_label("Name", exact=True)).to_have_value("Payments")
    await dialog.get_by_label("Name", exact=True).focus()
    await page.keyboard.press("Enter")
    await expect(page.get_by_text("Payments created.")).to_be_visible()

    await tab_to(page, "Delete Payments")
    await page.keyboard.press("Enter")
    await expect(page.get_by_role("alertdialog", name="Delete the team Payments?")).to_be_visible()
    await page.keyboard.press("Escape")
    await expect(page.get_by_role("alertdialog")).to_have_count(0)
    await expect(page.get_by_role("button", name="Delete Payments")).to_be_focused()


async def test_an_entry_of_the_log_and_the_menu_beside_it(
    demo: RunningServer, admin_page: Page
) -> None:
    page = admin_page
    await page.goto(f"{demo.url}/audit")
    await page.get_by_role("button", name="Details of identity.signInWithLink").first.focus()
    await page.keyboard.press("Enter")
    await expect(page.get_by_role("dialog", name="identity.signInWithLink")).to_be_visible()
    await page.keyboard.press("Escape")
    await expect(page.get_by_role("dialog")).to_have_count(0)
    await expect(
        page.get_by_role("button", name="Details of identity.signInWithLink").first
    ).to_be_focused()

    await page.get_by_role("button", name="Download").focus()
    await page.keyboard.press("Enter")
    await page.get_by_role("menu").wait_for()
    await page.keyboard.press("ArrowDown")
    await expect(page.get_by_role("menuitem", name="The sealed log")).to_be_focused()
    async with page.expect_download() as started:
        await page.keyboard.press("Enter")
    assert (await started.value).suggested_filename == "audit-default.jsonl"


async def test_going_back_asks_before_it_throws_away_what_was_typed(
    demo: RunningServer, open_page: OpenPage
) -> None:
    page = await open_page()
    await give_session(demo, page)
    await page.goto(f"{demo.url}/settings/sessions")
    await page.get_by_role("link", name="Profile").click()
    name = page.get_by_label("Name", exact=True)
    await name.fill("Somebody else")
    question = page.get_by_role("alertdialog", name="Discard what you changed?")
    for _ in range(2):
        await page.evaluate("history.back()")
        await question.get_by_role("button", name="Keep editing").click()
        await expect(name).to_have_value("Somebody else")
        await expect(page).to_have_url(f"{demo.url}/settings/profile")
    await page.evaluate("history.back()")
    await question.get_by_role("button", name="Discard").click()
    await expect(page).to_have_url(f"{demo.url}/settings/sessions")
    await expect(page.get_by_role("heading", name="Where you are signed in")).to_be_visible()
    await page.evaluate("history.forward()")
    await expect(name).to_have_value("Admin")


async def test_the_first_entry_of_a_list_leaves_the_focus_on_the_page(
    demo: RunningServer, open_page: OpenPage
) -> None:
    page = await open_page()
    await give_session(demo, page)
    await page.goto(f"{demo.url}/assistant/destinations")
    await page.get_by_role("button", name="Allow destination").press("Enter")
    dialog = page.get_by_role("dialog", name="Allow destination")
    await expect(dialog.get_by_role("textbox").first).to_be_focused()
    await page.keyboard.type("https://status.example.com")
    await page.keyboard.press("Enter")
    await expect(page.get_by_role("dialog")).to_have_count(0)
    await expect(page.get_by_text("https://status.example.com:443", exact=True)).to_be_visible()
    assert await page.evaluate("document.activeElement !== document.body")


async def test_what_is_typed_on_a_page_is_asked_about_before_one_leaves(
    demo: RunningServer, open_page: OpenPage
) -> None:
    page = await open_page()
    await give_session(demo, page)
    await page.goto(f"{demo.url}/settings/profile")
    await page.get_by_label("Name", exact=True).fill("Somebody else")
    await page.get_by_role("link", name="Sessions").focus()
    await page.keyboard.press("Enter")
    question = page.get_by_role("alertdialog", name="Discard what you changed?")
    await question.get_by_role("button", name="Keep editing").press("Enter")
    await expect(page.get_by_label("Name", exact=True)).to_have_value("Somebody else")
    await page.get_by_role("link", name="Sessions").press("Enter")
    await question.get_by_role("button", name="Discard").press("Enter")
    await expect(page.get_by_role("heading", name="Where you are signed in")).to_be_visible()


async def test_a_row_is_opened_and_left(demo: RunningServer, open_page: OpenPage) -> None:
    page = await sign_in_by_link(demo, await open_page(), SYSTEMS)
    await page.get_by_role("link", name="checkout").press("Enter")
    await expect(page.get_by_role("heading", name="checkout")).to_be_visible()
    await page.get_by_role("button", name="Edit", exact=True).press("Enter")
    await expect(page.get_by_label("Name", exact=True)).to_be_visible()
