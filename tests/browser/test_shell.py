"""The shell as people use it: first start, catalog, people, keys, sessions."""

import re

from playwright.async_api import Page, expect

from assent.testing import RunningServer
from tests.browser.conftest import SYSTEMS, OpenPage, sign_in_by_link

PASSWORD = "a long enough pass phrase"


async def test_after_the_first_start_the_demo_catalog_is_there(admin_page: Page) -> None:
    await expect(admin_page.get_by_role("heading", name="Systems")).to_be_visible()
    await admin_page.get_by_role("link", name="checkout").click()
    await expect(admin_page.get_by_text("Takes orders and payments.")).to_be_visible()
    await expect(admin_page.get_by_role("link", name="orders")).to_be_visible()


async def test_a_used_link_says_so(demo: RunningServer, open_page: OpenPage) -> None:
    page = await open_page()
    await page.goto(f"{demo.url}/login?token=used")
    await expect(page.get_by_text("This link was used already")).to_be_visible()


async def test_create_change_and_delete_a_system(admin_page: Page) -> None:
    page = admin_page
    await page.get_by_role("button", name="New system").click()
    dialog = page.get_by_role("dialog")
    await dialog.get_by_label("Name", exact=True).fill("checkout")
    await dialog.get_by_role("button", name="Create").click()
    await expect(
        dialog.get_by_text("Another system in this workspace has this name.")
    ).to_be_visible()
    await dialog.get_by_label("Name", exact=True).fill("billing")
    await dialog.get_by_role("button", name="Create").click()
    await expect(page.get_by_text("billing created.")).to_be_visible()

    await page.goto(re.sub(r"(//[^/]+).*", r"\1/p/catalog/systems", page.url))
    await page.get_by_role("link", name="billing").click()
    await page.get_by_role("button", name="Edit", exact=True).click()
    await page.get_by_label("Description").fill("Sends invoices.")
    await page.get_by_role("button", name="Save").click()
    await expect(page.get_by_text("Sends invoices.")).to_be_visible()

    await page.get_by_role("button", name="Delete").click()
    await expect(page.get_by_text("Delete billing?")).to_be_visible()
    await page.get_by_role("alertdialog").get_by_role("button", name="Delete").click()
    await expect(page.get_by_text("billing deleted.")).to_be_visible()
    await expect(page.get_by_role("link", name="billing")).to_have_count(0)


async def test_a_change_of_somebody_else_loses_nothing(
    demo: RunningServer, open_page: OpenPage
) -> None:
    pages = [await sign_in_by_link(demo, await open_page(), SYSTEMS) for _ in range(2)]
    for page in pages:
        await page.get_by_role("link", name="search").click()
        await page.get_by_role("button", name="Edit", exact=True).click()
    first, second = pages
    await first.get_by_label("Description").fill("Finds things.")
    await first.get_by_role("button", name="Save").click()
    await expect(first.get_by_text("Finds things.")).to_be_visible()
    await second.get_by_label("Name", exact=True).fill("finder")
    await second.get_by_role("button", name="Save").click()
    await expect(second.get_by_text("Somebody else changed this in the meantime")).to_be_visible()
    await second.get_by_role("button", name="Load the newest version").click()
    await expect(second.get_by_label("Name", exact=True)).to_have_value("finder")
    await expect(second.get_by_label("Description")).to_have_value("Finds things.")
    await second.get_by_role("button", name="Save").click()
    await expect(second.get_by_role("heading", name="finder")).to_be_visible()


async def test_an_invited_person_sets_a_password_and_sees_what_they_may(
    admin_page: Page, open_page: OpenPage
) -> None:
    page = admin_page
    await page.get_by_role("link", name="People").click()
    await page.get_by_role("button", name="Add person").click()
    dialog = page.get_by_role("dialog")
    await dialog.get_by_label("Name").fill("Vera Viewer")
    await dialog.get_by_label("E-mail").fill("vera@example.com")
    await dialog.get_by_role("button", name="Add role").click()
    await expect(dialog.get_by_label("Role")).to_have_text("Viewer")
    await dialog.get_by_role("button", name="Add person").click()
    link = await page.get_by_role("dialog").get_by_label("Link", exact=True).input_value()

    guest = await open_page()
    await guest.goto(link)
    await guest.get_by_label("New password").fill(PASSWORD)
    await guest.get_by_label("Repeat the password").fill(PASSWORD)
    await guest.get_by_role("button", name="Set password and sign in").click()
    await guest.get_by_role("link", name="Systems", exact=True).click()
    await expect(guest.get_by_role("link", name="checkout")).to_be_visible()
    await expect(guest.get_by_role("button", name="New system")).to_have_count(0)
    await expect(guest.get_by_role("link", name="People")).to_have_count(0)

    await guest.get_by_role("button", name="Vera Viewer").click()
    await guest.get_by_role("menuitem", name="Sign out").click()
    await guest.get_by_label("E-mail").fill("vera@example.com")
    await guest.get_by_label("Password", exact=True).fill("wrong")
    await guest.get_by_role("button", name="Sign in").click()
    await expect(guest.get_by_text("That did not work.")).to_be_visible()
    await guest.get_by_label("Password", exact=True).fill(PASSWORD)
    await guest.get_by_role("button", name="Sign in").click()
    await expect(guest.get_by_role("heading", name="Vera")).to_be_visible()


async def test_a_key_is_shown_once(demo: RunningServer, admin_page: Page) -> None:
    page = admin_page
    await page.goto(f"{demo.url}/settings/keys")
    await page.get_by_role("button", name="New application").first.click()
    dialog = page.get_by_role("dialog")
    await dialog.get_by_label("Name").fill("pipeline")
    await dialog.get_by_role("checkbox", name="See systems").check()
    await dialog.get_by_role("button", name="Create").click()
    await page.get_by_role("dialog").get_by_role("button", name="Create key").click()
    key = await page.get_by_role("dialog").get_by_label("Key", exact=True).input_value()
    assert key.startswith("ask_")

    client = await demo.open_client(key=key)
    assert (await client.get("/api/p/catalog/systems")).status_code == 200
    await page.get_by_role("button", name="I have copied it").click()
    await expect(page.get_by_text(key[:10])).to_be_visible()
    assert key not in await page.content()
    await page.reload()
    await expect(page.get_by_text(key[:10])).to_be_visible()
    assert key not in await page.content()


async def test_an_ended_session_leads_back_to_where_one_was(
    demo: RunningServer, admin_page: Page
) -> None:
    page = admin_page
    await page.goto(f"{demo.url}/people/roles")
    await expect(page.get_by_text("operator", exact=True)).to_be_visible()
    await page.context.clear_cookies()
    await page.goto(f"{demo.url}/people/roles")
    await expect(page).to_have_url(re.compile(r"/login\?next=%2Fpeople%2Froles"))
