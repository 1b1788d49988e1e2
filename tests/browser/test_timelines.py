"""Incidents and maintenance as people use them: by hand, from the list to the end."""

import pytest
from playwright.async_api import Page, expect

from assent.testing import RunningServer
from tests.browser.conftest import OpenPage, sign_in_by_link
from tests.browser.test_everywhere import DESKTOP, PHONE, find_problems

INCIDENTS, WINDOWS = "/p/incident/incidents", "/p/maintenance/windows"
VIEWPORTS = pytest.mark.parametrize("viewport", [DESKTOP, PHONE], ids=["desktop", "phone"])


async def say(page: Page, text: str, button: str) -> None:
    """In the dialog that is open."""
    dialog = page.get_by_role("dialog")
    await dialog.get_by_label("What is new").fill(text)
    await dialog.get_by_role("button", name=button).click()
    await expect(dialog).to_have_count(0)


async def confirm(page: Page, button: str) -> None:
    await page.get_by_role("alertdialog").get_by_role("button", name=button).click()
    await expect(page.get_by_role("alertdialog")).to_have_count(0)


@VIEWPORTS
async def test_an_incident_from_beginning_to_end(
    quick: RunningServer, open_page: OpenPage, viewport: dict[str, int]
) -> None:
    page = await sign_in_by_link(quick, await open_page(viewport=viewport), INCIDENTS)
    await page.get_by_role("button", name="New incident").first.click()
    dialog = page.get_by_role("dialog")
    await dialog.get_by_role("button", name="Open incident").click()
    await expect(dialog.get_by_label("Title")).to_be_focused()
    await dialog.get_by_label("Title").fill("Parcels are late")
    await dialog.get_by_label("Affected systems").fill("check")
    await page.get_by_role("option", name="checkout").click()
    await dialog.get_by_role("button", name="Open incident").click()
    await expect(page.get_by_role("heading", name="Parcels are late")).to_be_visible()
    await expect(page.get_by_role("link", name="checkout")).to_be_visible()

    await page.get_by_role("button", name="Add update").click()
    await page.get_by_role("dialog").get_by_label("Status").click()
    await page.get_by_role("option", name="Identified").click()
    await say(page, "The scale is broken.", "Add update")
    await expect(page.get_by_role("list").get_by_text("The scale is broken.")).to_be_visible()

    await page.get_by_role("button", name="Add link").click()
    dialog = page.get_by_role("dialog")
    await dialog.get_by_label("What is there").fill("Camera")
    await dialog.get_by_label("Address").fill("http://example.com")
    await dialog.get_by_role("button", name="Add", exact=True).click()
    await expect(dialog.get_by_text("An address begins with https://.")).to_be_visible()
    await dialog.get_by_label("Address").fill("https://example.com/camera")
    await dialog.get_by_role("button", name="Add", exact=True).click()
    await expect(page.get_by_role("link", name="Camera")).to_be_visible()
    await page.get_by_role("button", name="Remove Camera").click()
    await confirm(page, "Remove")
    await expect(page.get_by_role("link", name="Camera")).to_have_count(0)

    await page.get_by_role("button", name="Resolve").click()
    await say(page, "A new scale.", "Resolve")
    await expect(page.get_by_role("button", name="Resolve")).to_have_count(0)
    await page.get_by_role("button", name="Delete", exact=True).click()
    await expect(page.get_by_text("With it go 2 updates.")).to_be_visible()
    await confirm(page, "Delete")
    await expect(page.get_by_role("link", name="Parcels are late")).to_have_count(0)


@VIEWPORTS
async def test_maintenance_from_beginning_to_end(
    quick: RunningServer, open_page: OpenPage, viewport: dict[str, int]
) -> None:
    page = await sign_in_by_link(quick, await open_page(viewport=viewport), WINDOWS)
    await page.get_by_role("button", name="New maintenance window").first.click()
    dialog = page.get_by_role("dialog")
    await dialog.get_by_label("Title").fill("Scales are changed")
    await dialog.get_by_label("Begins").fill("2126-07-01T22:00")
    await dialog.get_by_label("Ends").fill("2126-07-01T21:00")
    await dialog.get_by_role("button", name="Schedule").click()
    await expect(dialog.get_by_text("The end is after the beginning.")).to_be_visible()
    await dialog.get_by_label("Ends").fill("2126-07-01T23:30")
    await dialog.get_by_role("button", name="Schedule").click()
    await expect(page.get_by_role("heading", name="Scales are changed")).to_be_visible()
    await expect(page.get_by_text("Scheduled", exact=True)).to_be_visible()

    await page.get_by_role("button", name="Edit").click()
    await page.get_by_role("dialog").get_by_label("Ends").fill("2126-07-02T01:00")
    await page.get_by_role("dialog").get_by_role("button", name="Save").click()
    await expect(page.get_by_text("Jul 2, 2126", exact=False)).to_be_visible()

    await page.get_by_role("button", name="Close early").click()
    await say(page, "Not needed.", "Close early")
    await expect(page.get_by_text("Closed early").first).to_be_visible()
    await page.get_by_role("button", name="Reopen").click()
    await say(page, "Needed after all.", "Reopen")
    await expect(page.get_by_role("button", name="Close early")).to_be_visible()
    await expect(page.get_by_text("Needed after all.")).to_be_visible()


@pytest.mark.parametrize("path", [INCIDENTS, WINDOWS])
async def test_the_address_is_set_and_lists_are_narrowed(
    quick: RunningServer, open_page: OpenPage, path: str
) -> None:
    page = await sign_in_by_link(quick, await open_page(viewport=PHONE), path)
    await page.get_by_role("button", name="Notifications").click()
    dialog = page.get_by_role("dialog")
    await dialog.get_by_label("Address").fill("http://127.0.0.1:9/")
    await dialog.get_by_role("button", name="Save").click()
    await expect(dialog.get_by_label("Address")).to_have_attribute("aria-invalid", "true")
    await dialog.get_by_label("Address").fill("https://hooks.example.com/a-secret")
    await dialog.get_by_role("button", name="Save").click()
    await expect(page.get_by_text("Notification address saved.")).to_be_visible()
    await page.goto(f"{quick.url}{path}?status=nonsense")
    await expect(page.get_by_role("heading", level=1)).to_be_visible()
    await page.goto(f"{quick.url}{path}?status=open")
    new = page.get_by_role("button", name="New").first
    await new.click()
    await expect(page.get_by_role("switch", name="Notify")).to_be_visible()
    await expect(page.get_by_text("Also sent to hooks.example.com")).to_be_visible()


@pytest.mark.parametrize("path", [INCIDENTS, WINDOWS])
@VIEWPORTS
async def test_forms_are_for_everybody(
    quick: RunningServer, open_page: OpenPage, viewport: dict[str, int], path: str
) -> None:
    page = await open_page(viewport=viewport, bypass_csp=True, reduced_motion="reduce")
    await sign_in_by_link(quick, page, path)
    await page.get_by_role("button", name="New").first.click()
    await expect(page.get_by_role("dialog")).to_be_visible()
    assert await find_problems(page) == []
    await page.keyboard.press("Escape")
    await page.get_by_role("button", name="Notifications").click()
    await expect(page.get_by_role("dialog").get_by_label("Address")).to_be_visible()
    assert await find_problems(page) == []
