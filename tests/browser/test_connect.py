"""A program is connected in a browser: its question, a person's answer, and taking it back."""

from urllib.parse import urlencode, urlsplit

from playwright.async_api import Page, expect

from assent.testing import RunningServer
from tests.browser.conftest import OpenPage, give_session, lend_session
from tests.browser.test_everywhere import DESKTOP, PHONE, find_problems
from tests.browser.test_proposals import find_system
from tests.mcp.asking import Asker, read_question, read_told
from tests.turn.oauth import Lathe, read_query
from tests.turn.people import add_person, find_tenant

PASSWORD = "a long enough password"
READ, MANAGE = "catalog.system.read", "catalog.system.manage"
PREPARE = "It makes none itself."


def begin(lathe: Lathe, **changed: str | None) -> str:
    """Where the program sends the browser."""
    return f"{lathe.server.url}/oauth/authorize?{urlencode(lathe.build_request(**changed))}"


async def come_back(page: Page, lathe: Lathe) -> dict[str, str]:
    """What the program is told, once the browser is there."""
    await page.wait_for_url(f"{lathe.redirect_uri}?**")
    answer = read_query(page.url)
    assert (answer["state"], answer["iss"]) == ("st&te=1", lathe.server.url)
    return answer


async def test_one_signs_in_allows_a_part_and_revokes_it(
    workshop: RunningServer, open_page: OpenPage, lathe: Lathe
) -> None:
    admin = await workshop.open_admin()
    body = {"currentPassword": None, "newPassword": PASSWORD}
    assert (await admin.put("/api/me/password", json=body)).status_code == 204
    me = (await admin.get("/api/me")).json()
    page = await open_page()
    await page.goto(begin(lathe, scope=f"{READ} {MANAGE} catalog.group.read"))
    await page.get_by_label("E-mail").fill(me["email"])
    await page.get_by_label("Password", exact=True).fill(PASSWORD)
    await page.get_by_role("button", name="Sign in").click()

    await expect(page.get_by_role("heading", name="Connect Lathe to Assent")).to_be_visible()
    host = urlsplit(lathe.client_id).netloc
    await expect(page.get_by_text(host, exact=True)).to_be_visible()
    await expect(page.get_by_text("Address checked")).to_be_visible()
    await expect(page.get_by_text(me["email"])).to_be_visible()
    await expect(page.get_by_text("Go on only if you have just started it")).to_be_visible()
    await page.get_by_role("checkbox", name=PREPARE).click()
    await page.get_by_role("checkbox", name="See groups").click()
    await page.get_by_role("button", name="Allow").click()
    answer = await come_back(page, lathe)
    tokens = (await lathe.redeem(answer["code"])).json()
    assert tokens["scope"] == READ
    assert await lathe.is_let_in(tokens)

    await page.goto(f"{workshop.url}/settings/programs")
    listed = page.get_by_role("list", name="Your connected programs")
    await expect(listed).to_contain_text(host)
    await expect(listed).to_contain_text("Address checked")
    await expect(listed).to_contain_text("Sees Catalog")
    await listed.get_by_text("Sees Catalog").click()
    await expect(listed.get_by_text("See systems")).to_be_visible()
    await listed.get_by_role("button", name="Revoke Lathe").click()
    dialog = page.get_by_role("alertdialog")
    await expect(dialog).to_contain_text("Lathe loses access at once")
    await dialog.get_by_role("button", name="Revoke").click()
    await expect(page.get_by_text("No program is connected")).to_be_visible()
    assert not await lathe.is_let_in(tokens)


async def test_it_is_denied(workshop: RunningServer, open_page: OpenPage, lathe: Lathe) -> None:
    page = await open_page()
    await give_session(workshop, page)
    await page.goto(begin(lathe))
    await page.get_by_role("button", name="Deny").click()
    answer = await come_back(page, lathe)
    assert answer["error"] == "access_denied"
    assert "code" not in answer
    admin = await workshop.open_admin()
    assert (await admin.get("/api/oauth/clients")).json()["items"] == []


async def test_nothing_of_assent_itself_is_chosen_for_anybody(
    workshop: RunningServer, open_page: OpenPage, lathe: Lathe
) -> None:
    page = await open_page()
    await give_session(workshop, page)
    await page.goto(begin(lathe))
    await page.get_by_role("button", name="Allow").click()
    tokens = (await lathe.redeem((await come_back(page, lathe))["code"])).json()
    given = tokens["scope"].split()
    assert {READ, MANAGE} <= set(given)
    assert not [rule for rule in given if rule.startswith(("identity.", "audit.", "ai."))]


async def test_it_asks_again_for_more_and_says_what_is_new(
    workshop: RunningServer, open_page: OpenPage, lathe: Lathe
) -> None:
    admin = await workshop.open_admin()
    await lathe.connect(admin, READ)
    page = await open_page()
    await lend_session(admin, page, workshop.url)
    await page.goto(begin(lathe, scope=f"{READ} {MANAGE}"))
    await expect(page.get_by_text("You have connected this program before")).to_be_visible()
    see = page.get_by_role("region", name="See what you work with")
    await expect(see.get_by_text("New")).to_have_count(0)
    prepare = page.get_by_role("region", name="Prepare changes")
    await expect(prepare.get_by_text("New").first).to_be_visible()
    await page.get_by_role("button", name="Allow").click()
    tokens = (await lathe.redeem((await come_back(page, lathe))["code"])).json()
    assert tokens["scope"] == f"{MANAGE} {READ}"


async def test_one_gives_only_what_one_has(
    workshop: RunningServer, open_page: OpenPage, lathe: Lathe
) -> None:
    tenant = await find_tenant(workshop)
    person = await add_person(workshop, tenant.id, rules=[READ, "identity.program.manage"])
    page = await open_page(viewport=PHONE, bypass_csp=True, reduced_motion="reduce")
    await lend_session(person.client, page, workshop.url)
    await page.goto(begin(lathe, scope=f"{READ} {MANAGE}"))
    await page.get_by_text("1 thing it asks for that you may not do yourself").click()
    await expect(page.get_by_text("Prepare changes to systems")).to_be_visible()
    await expect(page.get_by_role("checkbox", name="Prepare changes to systems")).to_have_count(0)
    assert await find_problems(page) == []
    await page.get_by_role("button", name="Allow").click()
    tokens = (await lathe.redeem((await come_back(page, lathe))["code"])).json()
    assert tokens["scope"] == READ


async def test_the_keyboard_is_enough(
    workshop: RunningServer, open_page: OpenPage, lathe: Lathe
) -> None:
    page = await open_page(viewport=DESKTOP, bypass_csp=True, reduced_motion="reduce")
    await give_session(workshop, page)
    await page.goto(begin(lathe))
    await expect(page.get_by_role("button", name="Allow")).to_be_visible()
    for fold in await page.get_by_text("Choose one by one").all():
        await fold.focus()
        await page.keyboard.press("Enter")
    assert await find_problems(page) == []
    see = page.get_by_role("checkbox", name="See systems")
    await see.focus()
    await page.keyboard.press("Space")
    await expect(see).not_to_be_checked()
    await expect(
        page.get_by_role("checkbox", name="Prepare changes to systems")
    ).not_to_be_checked()
    await page.get_by_role("button", name="Allow").focus()
    await page.keyboard.press("Enter")
    tokens = (await lathe.redeem((await come_back(page, lathe))["code"])).json()
    assert not [rule for rule in tokens["scope"].split() if rule.startswith("catalog.system.")]


async def test_a_page_that_was_tampered_with_sends_nobody_anywhere(
    workshop: RunningServer, open_page: OpenPage, lathe: Lathe
) -> None:
    page = await open_page(viewport=PHONE, bypass_csp=True, reduced_motion="reduce")
    await give_session(workshop, page)
    asked = {**lathe.build_request(), "redirect_uri": "https://evil.example.com/take"}
    for query in (urlencode(asked), urlencode({**asked, "client_id": "nobody"}), ""):
        await page.goto(f"{workshop.url}/connect?{query}")
        await expect(page.get_by_role("heading", name="This cannot be connected")).to_be_visible()
        await expect(page.get_by_role("button", name="Allow")).to_have_count(0)
        assert urlsplit(page.url).netloc == urlsplit(workshop.url).netloc
        assert await find_problems(page) == []


async def test_another_account_answers_the_same_question(
    workshop: RunningServer, open_page: OpenPage, lathe: Lathe
) -> None:
    page = await open_page()
    await give_session(workshop, page)
    await page.goto(begin(lathe, scope=READ))
    await expect(page.get_by_role("button", name="Allow")).to_be_visible()
    question = page.url
    await page.get_by_role("button", name="Use another account").click()
    await expect(page.get_by_role("heading", name="Sign in to Assent")).to_be_visible()
    assert read_query(page.url)["next"] == question.removeprefix(workshop.url)


async def test_what_a_connected_program_asks_for_is_decided_and_it_learns_of_it(
    workshop: RunningServer, open_page: OpenPage, lathe: Lathe
) -> None:
    admin = await workshop.open_admin()
    tokens = await lathe.connect(admin, READ, MANAGE)
    asker = Asker(workshop.url, tokens["access_token"], name="Another name")
    workspace_id = (await find_system(admin, "checkout"))["workspaceId"]
    given = {"workspaceId": workspace_id, "name": "billing"}
    url, state = read_question(await asker.call("catalog.createSystem", given))

    page = await open_page(viewport=PHONE, bypass_csp=True, reduced_motion="reduce")
    await lend_session(admin, page, workshop.url)
    await page.goto(f"{workshop.url}/proposals")
    name = (await admin.get("/api/me")).json()["name"]
    await expect(page.get_by_text(f"{name} via Lathe")).to_be_visible()
    await page.goto(url)
    asks = page.get_by_role("region", name="Asks")
    await expect(asks).to_contain_text(urlsplit(lathe.client_id).netloc)
    await expect(asks).to_contain_text("Address checked")
    await expect(asks).to_contain_text(f"on behalf of {name}")
    await expect(page.get_by_text("Another name")).to_have_count(0)
    assert await find_problems(page) == []
    await page.get_by_role("button", name="Apply").click()
    await expect(page.get_by_text("You can close this tab and go back to Lathe.")).to_be_visible()
    assert await find_problems(page) == []
    told = read_told(await asker.again("catalog.createSystem", given, state))
    assert told["state"] == "applied"
    await find_system(admin, "billing")


async def test_a_name_that_a_program_only_says_is_not_believed(
    workshop: RunningServer, open_page: OpenPage
) -> None:
    admin = await workshop.open_admin()
    made = await admin.post("/api/applications", json={"name": "pipeline", "rules": [MANAGE]})
    key = (await admin.post(f"/api/applications/{made.json()['id']}/keys", json={})).json()["key"]
    asker = Asker(workshop.url, key, name="Claude")
    workspace_id = (await find_system(admin, "checkout"))["workspaceId"]
    given = {"workspaceId": workspace_id, "name": "billing"}
    url, state = read_question(await asker.call("catalog.createSystem", given))
    page = await open_page()
    await lend_session(admin, page, workshop.url)
    await page.goto(url)
    asks = page.get_by_role("region", name="Asks")
    await expect(asks).to_contain_text("Unverified name")
    await expect(asks).to_contain_text("on behalf of pipeline, an application with a key")
    await page.get_by_role("button", name="Decline").click()
    await page.get_by_role("button", name="Decline it").click()
    await expect(page.get_by_text("You can close this tab and go back to Claude.")).to_be_visible()
    told = read_told(await asker.again("catalog.createSystem", given, state))
    assert told["state"] == "declined"
