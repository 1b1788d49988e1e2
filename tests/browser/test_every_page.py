"""Every page in every state: accessible in both themes, and no wider than a phone.

Full of data, new, and while the server fails.
"""

import asyncio
from collections.abc import AsyncGenerator
from typing import Any
from urllib.parse import urlencode

import pytest
import pytest_asyncio
from playwright.async_api import Page, Route

from assent.testing import Client, Databases, RunningServer, run_server
from tests.browser.conftest import OpenPage, lend_session
from tests.browser.furnish import ASK, furnish
from tests.browser.routes import find_routes, list_routes
from tests.browser.test_everywhere import (
    AXE,
    DESKTOP,
    IS_COMPLETE,
    PHONE,
    THEMES,
    Theme,
    find_problems,
)

WITHOUT_SESSION = "/login"
ANYWHERE = "00000000-0000-7000-8000-000000000000"
VIEWPORTS = pytest.mark.parametrize("viewport", [DESKTOP, PHONE], ids=["desktop", "phone"])
AT_ONCE = 3
"""Pages mostly wait: for their parts, for what they show, for another try."""
WATCHED = (
    ("healthcheck/checks", ("", "/edit")),
    ("slo/objectives", ("",)),
    ("anomaly/anomalies", ("",)),
)
"""Pages of single things under a list, and what follows on their ids."""


@pytest_asyncio.fixture
async def full(databases: Databases) -> AsyncGenerator[tuple[RunningServer, Client]]:
    async with (
        databases.copy() as url,
        run_server(url, demo=True, demo_pace=0, ollama_url="") as server,
    ):
        yield server, await furnish(server)


@pytest_asyncio.fixture
async def bare(databases: Databases) -> AsyncGenerator[tuple[RunningServer, Client]]:
    async with databases.copy() as url, run_server(url, ollama_url="") as server:
        yield server, await server.open_admin()


async def list_addresses(admin: Client) -> list[str]:
    """An address for each route; one with a parameter that is not known here fails."""
    proposals = (await admin.get("/api/proposals")).json()["items"]
    systems = (await admin.get("/api/p/catalog/systems")).json()["items"]
    watched = [path for one in WATCHED for path in await list_watched(admin, *one)]
    subjects = [
        f"/p/{path}/{one['id']}"
        for path in ("incident/incidents", "maintenance/windows")
        for one in (await admin.get(f"/api/p/{path}")).json()["items"][:1]
    ]
    chat = await admin.post("/api/conversations", json={})
    pages = (await admin.get("/api/pages")).json()["items"]
    plugin_pages = [f"/p/{page['plugin']}/{page['slug']}" for page in pages]
    assert plugin_pages
    known = {
        "/chat/:conversationId": [f"/chat/{chat.json()['id']}", f"/chat/{ANYWHERE}"],
        "/proposals/:proposalId": [f"/proposals/{one['id']}" for one in proposals[-2:]]
        + [f"/proposals/{ANYWHERE}"],
        "/decide/:proposalId": [f"/decide/{one['id']}" for one in proposals[-2:]]
        + [f"/decide/{ANYWHERE}"],
        "/p/:plugin/:slug/*": plugin_pages
        + [f"/p/catalog/systems/{one['id']}" for one in systems[:1]]
        + watched
        + subjects
        + ["/p/healthcheck/checks/new", f"/p/healthcheck/checks/{ANYWHERE}"],
        "/*": ["/nowhere"],
    }
    plain = [route for route in find_routes() if ":" not in route and "*" not in route]
    plain.append(f"/connect?{urlencode(ASK)}")
    with_parameter = {route for route in find_routes() if ":" in route or "*" in route}
    assert with_parameter == set(known)
    return [*plain, *(address for addresses in known.values() for address in addresses)]


async def list_watched(admin: Client, kind: str, endings: tuple[str, ...]) -> list[str]:
    items = (await admin.get(f"/api/p/{kind}")).json()["items"]
    return [f"/p/{kind}/{one['id']}{ending}" for one in items[:1] for ending in endings]


async def open_pages(open_page: OpenPage, admin: Client, **options: Any) -> list[Page]:
    """As many as are looked at once, each in a browser of its own, signed in as the admin."""
    pages = [
        await open_page(bypass_csp=True, reduced_motion="reduce", **options) for _ in range(AT_ONCE)
    ]
    for page in pages:
        await page.add_init_script(path=AXE)
        await lend_session(admin, page, str(admin.base_url))
    return pages


async def judge(
    pages: list[Page], url: str, paths: list[str], themes: tuple[Theme, ...] = THEMES
) -> dict[str, list[str]]:
    """What is wrong, path by path; each page goes to the next that is left."""
    problems: dict[str, list[str]] = {}
    left = iter(paths)

    async def look(page: Page) -> None:
        for path in left:
            await page.goto(url + path)
            await page.wait_for_function(IS_COMPLETE)
            found = await find_problems(page, themes)
            if found:
                problems[path] = found

    async with asyncio.TaskGroup() as group:
        for page in pages:
            group.create_task(look(page))
    return problems


def test_the_routes_are_found() -> None:
    source = """
      <Route path="/login" element={<LoginPage />} />
      <Route path="/" element={<Shell />}>
        <Route index element={<StartPage />} />
        <Route path="people" element={<PeopleLayout />}>
          <Route index element={<Navigate to="users" replace />} />
          <Route path="users" element={<UsersPage kind="all" />} />
        </Route>
        <Route path="chat/:id" element={<ChatPage />} />
      </Route>
    """
    assert list_routes(source) == ["/login", "/", "/people/users", "/chat/:id"]
    assert len(find_routes()) >= 24


@VIEWPORTS
async def test_pages_with_data(
    full: tuple[RunningServer, Client], open_page: OpenPage, viewport: dict[str, int]
) -> None:
    server, admin = full
    stranger = await open_page(viewport=viewport, bypass_csp=True, reduced_motion="reduce")
    addresses = await list_addresses(admin)
    assert WITHOUT_SESSION in addresses
    problems = await judge([stranger], server.url, [WITHOUT_SESSION])
    addresses.remove(WITHOUT_SESSION)
    pages = await open_pages(open_page, admin, viewport=viewport)
    problems |= await judge(pages, server.url, addresses)
    assert problems == {}


async def test_pages_on_the_first_day(
    bare: tuple[RunningServer, Client], open_page: OpenPage
) -> None:
    server, admin = bare
    pages = await open_pages(open_page, admin, viewport=PHONE)
    addresses = await list_addresses(admin)
    addresses.remove(WITHOUT_SESSION)
    assert await judge(pages, server.url, addresses, ("dark",)) == {}


async def test_pages_while_the_server_fails(
    full: tuple[RunningServer, Client], open_page: OpenPage
) -> None:
    server, admin = full
    pages = await open_pages(open_page, admin, viewport=PHONE)
    addresses = await list_addresses(admin)
    addresses.remove(WITHOUT_SESSION)

    async def fail(route: Route) -> None:
        if route.request.url.endswith(("/api/me", "/api/pages")):
            await route.continue_()
        else:
            await route.fulfill(status=503, json={"title": "Unavailable", "status": 503})

    for page in pages:
        await page.route("**/api/**", fail)
    assert await judge(pages, server.url, addresses, ("light",)) == {}
