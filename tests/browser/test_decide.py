"""One change on a page of its own: somebody whom a program has sent there decides about it."""

import re

from playwright.async_api import Page, expect

from assent.testing import Client, RunningServer
from tests.browser.conftest import OpenPage, lend_session
from tests.browser.test_everywhere import PHONE, find_problems
from tests.browser.test_proposals import NEW_TEXT, find_system, propose_system, propose_text
from tests.turn.people import add_person, find_tenant

PASSWORD = "a long enough password"


async def open_program(demo: RunningServer, owner: Client) -> Client:
    """An application of this person, with a key."""
    made = await owner.post(
        "/api/applications", json={"name": "pipeline", "rules": ["catalog.system.manage"]}
    )
    key = await owner.post(f"/api/applications/{made.json()['id']}/keys", json={})
    return await demo.open_client(key=key.json()["key"])


def to_decide(path: str) -> str:
    return path.replace("/proposals/", "/decide/")


async def test_a_change_of_an_application_is_applied(demo: RunningServer, admin_page: Page) -> None:
    page, owner = admin_page, await demo.open_admin()
    program = await open_program(demo, owner)
    path = await propose_text(program)
    await page.goto(demo.url + to_decide(path))
    await expect(page.get_by_role("heading", name="A change waits for you")).to_be_focused()
    asks = page.get_by_role("region", name="Asks")
    await expect(asks).to_contain_text("pipeline")
    await expect(asks).to_contain_text("an application with a key")
    await expect(page.get_by_role("navigation")).to_have_count(0)
    await expect(page.get_by_text("for the shop and the app").first).to_be_visible()

    await page.get_by_role("button", name="Apply").focus()
    await page.keyboard.press("Enter")
    await expect(page.get_by_role("heading", name="The change was made")).to_be_visible()
    await expect(
        page.get_by_text("You can close this tab and go back to pipeline.")
    ).to_be_visible()
    assert (await find_system(owner, "checkout"))["description"] == NEW_TEXT
    followed = await program.get(f"/api{path}")
    assert followed.json()["state"] == "applied"


async def test_it_is_declined_with_a_reason_that_the_program_reads(
    demo: RunningServer, admin_page: Page
) -> None:
    page = admin_page
    program = await open_program(demo, await demo.open_admin())
    path = await propose_system(program, "billing")
    await page.goto(demo.url + to_decide(path))
    await page.get_by_role("button", name="Decline").click()
    await page.get_by_label("Why not?").fill("Not this week.")
    await page.get_by_role("button", name="Decline it").click()
    await expect(page.get_by_role("heading", name="The change was declined")).to_be_visible()
    await expect(page.get_by_text("go back to pipeline")).to_be_visible()
    followed = (await program.get(f"/api{path}")).json()
    assert (followed["state"], followed["declineReason"]) == ("declined", "Not this week.")


async def test_an_open_page_follows_what_is_decided_elsewhere(
    demo: RunningServer, admin_page: Page
) -> None:
    page, owner = admin_page, await demo.open_admin()
    path = await propose_system(await open_program(demo, owner), "billing")
    await page.goto(demo.url + to_decide(path))
    await expect(page.get_by_role("button", name="Apply")).to_be_visible()
    token = (await owner.post(f"/api{path}/token")).json()["token"]
    await owner.post(f"/api{path}/apply", json={"token": token})
    await expect(page.get_by_role("heading", name="The change was made")).to_be_visible()
    await expect(page.get_by_text("You can close this tab")).to_be_visible()


async def test_a_fresh_card_takes_its_place_without_leaving(
    demo: RunningServer, admin_page: Page
) -> None:
    page, owner = admin_page, await demo.open_admin()
    await page.goto(demo.url + to_decide(await propose_text(await open_program(demo, owner))))
    await expect(page.get_by_role("button", name="Apply")).to_be_visible()
    system = await find_system(owner, "checkout")
    changed = await owner.patch(
        f"/api/p/catalog/systems/{system['id']}", json={"description": "Takes everything."}
    )
    assert changed.status_code == 200, changed.text
    await page.get_by_role("button", name="Apply").click()
    await page.get_by_role("link", name="Look at the fresh card").click()
    await expect(page).to_have_url(re.compile(r"/decide/[0-9a-f-]{36}$"))
    await expect(page.get_by_role("heading", name="A change waits for you")).to_be_focused()
    await page.get_by_role("button", name="Apply").click()
    await expect(page.get_by_role("heading", name="The change was made")).to_be_visible()
    assert (await find_system(owner, "checkout"))["description"] == NEW_TEXT


async def test_one_signs_in_first_and_comes_back(demo: RunningServer, open_page: OpenPage) -> None:
    owner = await demo.open_admin()
    me = (await owner.get("/api/me")).json()
    body = {"currentPassword": None, "newPassword": PASSWORD}
    assert (await owner.put("/api/me/password", json=body)).status_code == 204
    path = to_decide(await propose_system(await open_program(demo, owner), "billing"))
    page = await open_page()
    await page.goto(demo.url + path)
    await page.get_by_label("E-mail").fill(me["email"])
    await page.get_by_label("Password", exact=True).fill(PASSWORD)
    await page.get_by_role("button", name="Sign in").click()
    await expect(page).to_have_url(demo.url + path)
    await expect(page.get_by_role("button", name="Apply")).to_be_visible()


async def test_what_is_somebody_elses_is_not_found(
    demo: RunningServer, open_page: OpenPage
) -> None:
    path = to_decide(
        await propose_system(await open_program(demo, await demo.open_admin()), "billing")
    )
    tenant = await find_tenant(demo)
    stranger = await add_person(demo, tenant.id, rules=["catalog.system.read"])
    page = await open_page(viewport=PHONE, bypass_csp=True, reduced_motion="reduce")
    await lend_session(stranger.client, page, demo.url)
    await page.goto(demo.url + path)
    await expect(page.get_by_role("heading", name="Not found")).to_be_visible()
    await expect(page.get_by_role("button", name="Apply")).to_have_count(0)
    await expect(page.get_by_text("billing")).to_have_count(0)
    assert await find_problems(page) == []
    await page.get_by_role("button", name="Use another account").click()
    await expect(page.get_by_role("heading", name="Sign in to Assent")).to_be_visible()
    assert page.url.endswith(f"next={path.replace('/', '%2F')}")
