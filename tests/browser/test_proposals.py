"""Proposals as people decide about them: the card, its states, the lists and the audit log."""

import asyncio
import re
from datetime import timedelta
from typing import Any
from uuid import UUID

import pytest
from playwright.async_api import Page, Route, expect

from assent.testing import Client, RunningServer
from tests.browser.conftest import OpenPage, give_session, sign_in_by_link
from tests.browser.test_everywhere import DESKTOP, PHONE, find_problems

EXPIRE = """
UPDATE proposals SET expires_at = clock_timestamp() + $2::interval WHERE id = $1
"""
MINUTES = timedelta(minutes=2)
NEW_TEXT = "Takes orders and payments for the shop and the app."


async def find_system(client: Client, name: str) -> dict[str, Any]:
    response = await client.get("/api/p/catalog/systems", params={"q": name})
    return next(system for system in response.json()["items"] if system["name"] == name)


async def propose(client: Client, tool: str, **given: object) -> str:
    """The address of the card."""
    response = await client.post("/api/proposals", json={"tool": tool, "input": given})
    assert response.status_code == 201, response.text
    return f"/proposals/{response.json()['id']}"


async def propose_system(client: Client, name: str) -> str:
    workspace_id = (await find_system(client, "checkout"))["workspaceId"]
    return await propose(client, "catalog.createSystem", workspaceId=workspace_id, name=name)


async def propose_text(client: Client) -> str:
    system = await find_system(client, "checkout")
    return await propose(
        client, "catalog.updateSystem", systemId=system["id"], description=NEW_TEXT
    )


async def test_a_proposed_system_is_there_once_it_was_applied(
    demo: RunningServer, admin_page: Page
) -> None:
    page, client = admin_page, await demo.open_admin()
    await propose_system(client, "billing")
    await page.goto(f"{demo.url}/proposals")
    await expect(page.get_by_role("link", name="1 waiting for you")).to_be_visible()
    await page.get_by_role("link", name="Create system billing").click()
    await expect(page.get_by_role("heading", name="Create system billing")).to_be_visible()
    await page.get_by_text("Complete arguments").click()
    await expect(page.get_by_text("workspaceId")).to_be_visible()

    await page.get_by_role("button", name="Apply").focus()
    await page.keyboard.press("Enter")
    await expect(page.get_by_text("Decided by")).to_be_visible()
    await expect(page.get_by_role("button", name="Apply")).to_have_count(0)
    await expect(page.get_by_role("link", name="waiting for you")).to_have_count(0)
    await page.get_by_role("link", name="Systems").click()
    await expect(page.get_by_role("link", name="billing")).to_be_visible()


async def test_a_deletion_names_what_goes_and_then_it_is_gone(
    demo: RunningServer, admin_page: Page
) -> None:
    page, client = admin_page, await demo.open_admin()
    system = await find_system(client, "search")
    await page.goto(demo.url + await propose(client, "catalog.deleteSystem", systemId=system["id"]))
    await expect(page.get_by_text("Destructive")).to_be_visible()
    await expect(page.get_by_text("system search", exact=True)).to_be_visible()
    await page.get_by_role("button", name="Apply").dblclick()
    await expect(page.get_by_text("Decided by")).to_be_visible()
    await expect(page.get_by_role("alert")).to_have_count(0)
    listed = await client.get("/api/p/catalog/systems", params={"q": "search"})
    assert listed.json()["items"] == []


async def test_declining_changes_nothing_and_keeps_the_reason(
    demo: RunningServer, admin_page: Page
) -> None:
    page, client = admin_page, await demo.open_admin()
    await page.goto(demo.url + await propose_text(client))
    await expect(page.locator("mark")).to_have_text("for the shop and the app")
    await page.get_by_role("button", name="Decline").click()
    await page.get_by_label("Why not?").fill("Not during the freeze.")
    await page.get_by_role("button", name="Decline it").click()
    await expect(page.get_by_text("Nothing was changed.")).to_be_visible()
    await page.reload()
    await expect(page.get_by_text("Not during the freeze.")).to_be_visible()
    assert (await find_system(client, "checkout"))["description"] != NEW_TEXT


async def test_a_second_tab_sees_what_the_first_decided(
    demo: RunningServer, open_page: OpenPage
) -> None:
    client = await demo.open_admin()
    path = await propose_system(client, "billing")
    first, second = [await sign_in_by_link(demo, await open_page(), path) for _ in range(2)]
    for page in (first, second):
        await expect(page.get_by_role("button", name="Apply")).to_be_visible()
    may_look = asyncio.Event()

    async def hold(route: Route) -> None:
        await may_look.wait()
        await route.continue_()

    await second.route(f"**/api{path}", hold)
    await first.get_by_role("button", name="Decline").click()
    await first.get_by_role("button", name="Decline it").click()
    await expect(first.get_by_text("Nothing was changed.")).to_be_visible()
    await second.get_by_role("button", name="Apply").click()
    may_look.set()
    await expect(second.get_by_text("This was decided elsewhere")).to_be_visible()
    await expect(second.get_by_text("Nothing was changed.")).to_be_visible()


async def test_an_open_card_follows_what_is_decided_elsewhere(
    demo: RunningServer, admin_page: Page
) -> None:
    page, client = admin_page, await demo.open_admin()
    path = await propose_system(client, "billing")
    await page.goto(demo.url + path)
    await expect(page.get_by_role("button", name="Apply")).to_be_visible()
    token = (await client.post(f"/api{path}/token")).json()["token"]
    await client.post(f"/api{path}/apply", json={"token": token})
    await expect(page.get_by_text("Decided by")).to_be_visible()


async def expire(demo: RunningServer, path: str, after: timedelta) -> None:
    async with demo.database.transaction() as db:
        await db.execute(EXPIRE, UUID(path.rpartition("/")[2]), after)


async def test_the_time_runs_out_while_one_looks(demo: RunningServer, admin_page: Page) -> None:
    page, client = admin_page, await demo.open_admin()
    path = await propose_system(client, "billing")
    await page.clock.install()
    await expire(demo, path, MINUTES)
    await page.goto(demo.url + path)
    await expect(page.get_by_role("timer")).to_have_text(re.compile(r"[01]:\d\d left"))
    await expire(demo, path, timedelta())
    await page.clock.fast_forward(MINUTES.total_seconds() * 1000)
    await expect(page.get_by_text("Nobody decided in time.")).to_be_visible()
    await expect(page.get_by_role("button", name="Apply")).to_have_count(0)
    await page.goto(f"{demo.url}/proposals")
    await expect(page.get_by_text("Nothing waits for you")).to_be_visible()


async def test_what_changed_in_the_meantime_leads_to_a_fresh_card(
    demo: RunningServer, admin_page: Page
) -> None:
    page, client = admin_page, await demo.open_admin()
    await page.goto(demo.url + await propose_text(client))
    await expect(page.get_by_role("button", name="Apply")).to_be_visible()
    system = await find_system(client, "checkout")
    changed = await client.patch(
        f"/api/p/catalog/systems/{system['id']}",
        json={"description": "Takes everything.", "expectedVersion": system["version"]},
    )
    assert changed.status_code == 200, changed.text
    await page.get_by_role("button", name="Apply").click()
    await expect(page.get_by_text("Replaced by a fresh card")).to_be_visible()
    assert (await find_system(client, "checkout"))["description"] == "Takes everything."

    await page.get_by_role("link", name="Look at the fresh card").click()
    await expect(page.get_by_text("This replaces an earlier card")).to_be_visible()
    await expect(page.get_by_text("Takes everything.")).to_be_visible()
    await page.get_by_role("button", name="Apply").click()
    await expect(page.get_by_text("Decided by")).to_be_visible()
    assert (await find_system(client, "checkout"))["description"] == NEW_TEXT


async def test_a_lost_connection_loses_nothing(demo: RunningServer, admin_page: Page) -> None:
    page, client = admin_page, await demo.open_admin()
    path = await propose_system(client, "billing")
    await page.goto(demo.url + path)
    await page.get_by_role("button", name="Decline").click()
    await page.get_by_label("Why not?").fill("Not now.")
    await page.route(f"**/api{path}/decline", lambda route: route.abort())
    await page.get_by_role("button", name="Decline it").click()
    await expect(page.get_by_text("The server was not reached")).to_be_visible()
    await page.unroute(f"**/api{path}/decline")
    await expect(page.get_by_label("Why not?")).to_have_value("Not now.")
    await page.get_by_role("button", name="Decline it").click()
    await expect(page.get_by_text("Nothing was changed.")).to_be_visible()
    await expect(page.get_by_text("Not now.")).to_be_visible()


async def test_a_program_proposes_and_its_owner_decides(
    demo: RunningServer, admin_page: Page
) -> None:
    page, client = admin_page, await demo.open_admin()
    created = await client.post(
        "/api/applications", json={"name": "pipeline", "rules": ["catalog.system.manage"]}
    )
    key = await client.post(f"/api/applications/{created.json()['id']}/keys", json={})
    program = await demo.open_client(key=key.json()["key"])
    path = await propose_system(program, "billing")
    await page.goto(demo.url + path)
    await expect(page.get_by_text("pipeline")).to_be_visible()
    await page.get_by_role("button", name="Apply").click()
    await expect(page.get_by_text("Decided by")).to_be_visible()

    await page.get_by_role("link", name="Audit").click()
    row = page.get_by_role("row").filter(has_text="catalog.createSystem").filter(has_text="Applied")
    await expect(row).to_contain_text("pipeline")
    await expect(row).to_contain_text("Decided by")
    await page.get_by_label("Status").click()
    await page.get_by_role("option", name="Declined").click()
    await expect(page.get_by_text("Nothing matches")).to_be_visible()
    await page.get_by_role("button", name="Clear filters").click()
    await row.get_by_role("button", name="Details of catalog.createSystem").click()
    await page.get_by_role("dialog").get_by_role("link", name="Open the proposal").click()
    await expect(page).to_have_url(demo.url + path)


@pytest.mark.parametrize("viewport", [DESKTOP, PHONE], ids=["desktop", "phone"])
async def test_the_pages_are_accessible_and_fit(
    demo: RunningServer, open_page: OpenPage, viewport: dict[str, int]
) -> None:
    client = await demo.open_admin()
    search = await find_system(client, "search")
    paths = [
        await propose_system(client, "b" * 60),
        await propose_text(client),
        await propose(client, "catalog.deleteSystem", systemId=search["id"]),
        "/proposals",
        "/proposals/mine",
        "/proposals/all",
        "/audit",
    ]
    page = await open_page(viewport=viewport, bypass_csp=True, reduced_motion="reduce")
    await give_session(demo, page)
    problems: dict[str, list[str]] = {}
    for path in paths:
        await page.goto(demo.url + path)
        await expect(page.locator("article, table, main ul").first).to_be_visible()
        problems[path] = await find_problems(page)
    assert not {path: found for path, found in problems.items() if found}
