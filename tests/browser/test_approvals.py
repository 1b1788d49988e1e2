"""Approvals as several people see them, each in a browser of their own; batches; undo."""

from playwright.async_api import Page, expect

from assent.testing import RunningServer
from tests.browser.conftest import OpenPage
from tests.browser.test_everywhere import PHONE, find_problems
from tests.browser.test_proposals import find_system, propose, propose_system
from tests.turn.people import Person, add_person, find_tenant


async def seat(server: RunningServer, open_page: OpenPage, person: Person, **options: int) -> Page:
    """A browser in which this person has signed in."""
    page = await (open_page(viewport=options, bypass_csp=True) if options else open_page())
    await page.context.add_cookies(
        [
            {"name": one.name, "value": one.value or "", "url": server.url, "httpOnly": True}
            for one in person.client.cookies.jar
        ]
    )
    return page


async def test_two_people_assent_and_a_third_sees_it_decided(
    demo: RunningServer, admin_page: Page, open_page: OpenPage
) -> None:
    tenant = await find_tenant(demo)
    admin = await demo.open_admin()
    people = [await add_person(demo, tenant.id, rules=[]) for _ in range(3)]
    pages = [await seat(demo, open_page, person) for person in people]

    await admin_page.goto(f"{demo.url}/assistant/approvals")
    await admin_page.get_by_role("button", name="Add rule").click()
    await admin_page.get_by_label("Title").fill("Two of three")
    await admin_page.get_by_role("combobox", name="Tools").fill("delete system")
    await admin_page.get_by_role("option", name="Delete system").click()
    await admin_page.get_by_label("How many have to assent").fill("2")
    for person in people:
        await admin_page.get_by_role("combobox", name="People").fill(person.email)
        await admin_page.get_by_role("option", name=person.email).first.click()
    await admin_page.get_by_role("dialog").get_by_role("button", name="Add", exact=True).click()
    await expect(admin_page.get_by_role("table").get_by_text("Two of three")).to_be_visible()

    for page in pages:
        await page.goto(f"{demo.url}/proposals")
        await expect(page.get_by_text("Nothing waits for you")).to_be_visible()
    system = await find_system(admin, "checkout")
    card = await propose(admin, "catalog.deleteSystem", systemId=system["id"])

    first, second, third = pages
    for page in pages:
        await expect(page.get_by_role("link", name="1 waiting for you")).to_be_visible()
    await first.get_by_role("button", name="Show the card").click()
    await first.get_by_role("button", name="Apply").click()
    await expect(first.get_by_text("Nothing waits for you")).to_be_visible()
    await second.goto(demo.url + card)
    await expect(second.get_by_text("1 of 2 have assented")).to_be_visible()
    await third.goto(demo.url + card)
    await expect(third.get_by_text("With your assent the change is made.")).to_be_visible()
    await second.get_by_role("button", name="Apply").click()
    await expect(second.get_by_text("Decided by")).to_be_visible()
    await expect(third.get_by_text("Decided by")).to_be_visible()
    await expect(third.get_by_role("button", name="Apply")).to_have_count(0)
    listed = await admin.get("/api/p/catalog/systems", params={"q": "checkout"})
    assert "checkout" not in [one["name"] for one in listed.json()["items"]]


async def test_several_are_decided_together_and_some_are_left_out(
    demo: RunningServer, open_page: OpenPage
) -> None:
    tenant = await find_tenant(demo)
    author = await demo.open_admin()
    page = await seat(demo, open_page, tenant.admin, **PHONE)
    for name in ("alpha", "beta", "gamma"):
        await propose_system(author, name)
    checkout = await find_system(author, "checkout")
    await propose(author, "catalog.deleteSystem", systemId=checkout["id"])
    await page.goto(f"{demo.url}/proposals")
    await expect(page.get_by_text("3 of 3 chosen")).to_be_visible()
    await expect(page.get_by_text("It destroys something")).to_be_visible()
    assert await find_problems(page) == []
    await page.get_by_role("checkbox", name="Choose Create system beta").click()
    await page.get_by_role("button", name="Apply 2").click()
    results = page.get_by_role("region", name="What came of it")
    await expect(results.get_by_text("Applied")).to_have_count(2)
    await expect(page.get_by_role("link", name="Create system beta")).to_be_visible()
    await expect(page.get_by_role("link", name="Delete system checkout")).to_be_visible()
    listed = await author.get("/api/p/catalog/systems", params={"q": "a"})
    names = {one["name"] for one in listed.json()["items"]}
    assert {"alpha", "gamma"} <= names
    assert "beta" not in names


async def test_a_change_is_undone_and_refused_once_it_has_moved_on(
    demo: RunningServer, admin_page: Page
) -> None:
    page, client = admin_page, await demo.open_admin()
    card = await propose_system(client, "to and fro")
    await page.goto(demo.url + card)
    await page.get_by_role("button", name="Apply").click()
    await page.get_by_role("button", name="Undo").click()
    await page.get_by_role("link", name="Look at it").click()
    await expect(page.get_by_text("This takes an earlier change back.")).to_be_visible()
    await page.get_by_role("button", name="Apply").click()
    await page.get_by_role("link", name="See that change").click()
    await expect(page.get_by_text("This was undone.")).to_be_visible()

    other = await propose_system(client, "moving on")
    await page.goto(demo.url + other)
    await page.get_by_role("button", name="Apply").click()
    await expect(page.get_by_role("button", name="Undo")).to_be_visible()
    system = await find_system(client, "moving on")
    changed = await client.patch(
        f"/api/p/catalog/systems/{system['id']}", json={"description": "Somebody else was here."}
    )
    assert changed.status_code == 200, changed.text
    await page.get_by_role("button", name="Undo").click()
    await expect(page.get_by_text("It has been changed since")).to_be_visible()
