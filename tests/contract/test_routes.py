"""Every route asks who is there, lets only people on our own pages change, and is documented."""

import re
from typing import Any

import pytest

from assent.api.app import PUBLIC_PATHS
from assent.api.problems import MEDIA_TYPE, PROBLEM_RESPONSES, STATUS, find_status
from assent.errors import AssentError
from assent.main import create_app
from assent.mcp_server.routes import PUBLIC_PATHS as MCP_PATHS
from assent.plugins.load import Loaded
from assent.settings import load_settings
from assent.testing import Client, Databases, RunningServer, run_server
from tests.contract.routes import CHANGING, GUARDED, ROUTES, WebRoute, find_code, list_routes
from tests.contract.source import ROOT
from tests.contract.story import STORY, digest, make_star_key

JSON = {"content-type": "application/json"}
ROUTE_IN_TEXT = re.compile(r"`(GET|POST|PUT|PATCH|DELETE) (/[^`\s?]*)`")

BODY_READ_FIRST = {"PATCH /api/me", "PUT /api/me/password"}
"""FastAPI parses the body of its own routes before it asks for the principal."""

FEWER_PROBLEMS = {"/healthz": set[str](), "/readyz": {"503"}, "/metrics": {"401"}}
"""Answers that monitoring gets; everything else declares every problem."""


def test_every_route_needs_a_principal() -> None:
    assert [str(route) for route in GUARDED if not route.needs_principal] == []


def test_the_public_ones_exist_and_need_none() -> None:
    public = [route for route in ROUTES if route.is_public]
    assert {route.path for route in public} == PUBLIC_PATHS | MCP_PATHS
    assert [str(route) for route in public if route.needs_principal] == []


async def test_strangers_are_stopped_before_anything_else(server: RunningServer) -> None:
    assert list_routes(server.app) == ROUTES
    client = await server.open_client()
    let_in: dict[str, Any] = {}
    for route in GUARDED:
        for parameter in ("00000000-0000-0000-0000-000000000000", "nonsense", "%00"):
            for body in (b"", b"{}", b"{"):
                if body == b"{" and str(route) in BODY_READ_FIRST:
                    continue
                response = await client.request(
                    route.method, route.address(parameter), content=body, headers=JSON
                )
                if (response.status_code, find_code(response)) != (401, "not_signed_in"):
                    let_in[f"{route} {parameter} {body}"] = response.text
    assert let_in == {}


@pytest.mark.parametrize(
    "credential", ["Bearer ask_wrong", "Bearer", "Basic YWRtaW46YWRtaW4=", "ask_wrong"]
)
async def test_a_wrong_credential_is_none(server: RunningServer, credential: str) -> None:
    admin = await server.open_admin()
    response = await admin.get("/api/me", headers={"authorization": credential})
    assert (response.status_code, find_code(response)) == (401, "not_signed_in")
    assert response.headers["www-authenticate"] == 'Bearer realm="assent"'


async def test_keys_change_nothing(server: RunningServer, admin: Client, loaded: Loaded) -> None:
    """Procedures answer `needs_proposal`, as `test_audit.py` shows; the rest is for people."""
    key = await server.open_client(key=await make_star_key(admin))
    before = await digest(server.database)
    codes = {
        str(route): find_code(await key.request(route.method, route.address(), json={}))
        for route in list_raw(loaded)
    }
    assert len(codes) >= 5
    assert set(codes.values()) == {"people_only"}, codes
    assert await digest(server.database) == before


PROPOSING = {("POST", "/api/tools/{}/call"), ("POST", "/api/proposals")}
"""Open to keys: what these do not answer with data waits for a person."""


def list_raw(loaded: Loaded) -> list[WebRoute]:
    """Changing routes that are no procedures."""
    procedures = {
        (one.route.method, to_shape(plugin.mount + one.route.path))
        for plugin in loaded.plugins
        for one in plugin.procedures
    }
    return [
        route
        for route in CHANGING
        if not route.is_public
        and (route.method, to_shape(route.path)) not in procedures | PROPOSING
    ]


def to_shape(path: str) -> str:
    return re.sub(r"\{[^}]*\}", "{}", path)


def test_the_story_and_the_raw_routes_are_all_that_changes(loaded: Loaded) -> None:
    told = {(step.method, to_shape(step.path)) for step in STORY}
    raw = {(route.method, to_shape(route.path)) for route in list_raw(loaded)}
    assert told | raw | PROPOSING == {
        (route.method, to_shape(route.path)) for route in CHANGING if not route.is_public
    }


FOREIGN: dict[str, tuple[dict[str, str], int, str]] = {
    "without the header": ({"x-assent-csrf": ""}, 403, "cross_site"),
    "with another value": ({"x-assent-csrf": "0"}, 403, "cross_site"),
    "from another origin": ({"origin": "https://elsewhere.example"}, 403, "cross_site"),
    "from no origin": ({"origin": "null"}, 403, "cross_site"),
    "from another site": ({"sec-fetch-site": "cross-site"}, 403, "cross_site"),
    "from a sibling site": ({"sec-fetch-site": "same-site"}, 403, "cross_site"),
    "as a form's text": ({"content-type": "text/plain"}, 415, "wrong_media_type"),
    "as a form": ({"content-type": "application/x-www-form-urlencoded"}, 415, "wrong_media_type"),
}


async def test_other_sites_change_nothing(server: RunningServer, admin: Client) -> None:
    before = await digest(server.database)
    passed: dict[str, str] = {}
    for route in CHANGING:
        for how, (headers, status, code) in FOREIGN.items():
            response = await admin.request(
                route.method, route.address(), content=b"{}", headers=JSON | headers
            )
            if (response.status_code, find_code(response)) != (status, code):
                passed[f"{route} {how}"] = response.text
    assert passed == {}
    assert await digest(server.database) == before


async def test_no_address_breaks_the_server(server: RunningServer, admin: Client) -> None:
    broken: dict[str, str] = {}
    for route in GUARDED:
        for parameter in ("%00", "%ff", "..%2f..%2fmain.py", "a" * 300):
            if str(route) != "POST /api/auth/logout":
                body = {"name": "a\0b"} if route.changes_something else None
                # Only the beginning is looked at: events have no end.
                async with admin.stream(
                    route.method, route.address(parameter), json=body
                ) as response:
                    if response.status_code not in (200, 204, 404, 405, 409, 415, 422):
                        broken[f"{route} {parameter}"] = str(await response.aread())
    assert broken == {}


async def test_our_own_pages_get_through(server: RunningServer, admin: Client) -> None:
    headers = {"origin": server.url, "sec-fetch-site": "same-origin"}
    response = await admin.patch("/api/me", json={"name": "Admin"}, headers=headers)
    assert response.status_code == 200


async def test_a_provider_that_is_away_sends_people_back(databases: Databases) -> None:
    async with (
        databases.copy() as url,
        run_server(
            url, background_work=False, oidc_issuer="http://127.0.0.1:1", oidc_client_id="assent"
        ) as server,
    ):
        response = await (await server.open_client()).get("/api/auth/oidc/login?next=/people")
    assert (response.status_code, response.headers["location"]) == (303, "/login?error=oidc_failed")


def test_documentation_lists_every_route() -> None:
    text = (ROOT / "docs" / "http.md").read_text()
    listed = {f"{method} {path}" for method, path in ROUTE_IN_TEXT.findall(text)}
    existing = {str(route) for route in ROUTES}
    assert existing - listed == set(), "not documented"
    assert listed - existing == set(), "documented but not there"


def test_documentation_names_the_rules() -> None:
    rows = (ROOT / "docs" / "http.md").read_text().splitlines()
    wrong = [
        name
        for name, operation in OPERATIONS.items()
        if (rule := operation.get("x-assent-rule"))
        and not any(row.startswith(f"| `{name}` | `{rule}` | ") for row in rows)
    ]
    assert wrong == []


@pytest.mark.parametrize("kind", [*STATUS, AssentError], ids=lambda kind: kind.__name__)
def test_documentation_lists_every_code(kind: type[AssentError]) -> None:
    text = (ROOT / "docs" / "http.md").read_text()
    own = [
        one for one in (kind, *kind.__subclasses__()) if one.__module__ == AssentError.__module__
    ]
    for one in own:
        status = find_status(one.__new__(one))
        if status != 500 or kind is one:
            assert f"| {status} | `{one.code}` |" in text


def list_operations() -> dict[str, dict[str, Any]]:
    document = create_app(load_settings({})).openapi()
    return {
        f"{method.upper()} {path}": {"path": path, **operation}
        for path, operations in document["paths"].items()
        for method, operation in operations.items()
    }


OPERATIONS = list_operations()


def test_operations_are_named() -> None:
    assert len(OPERATIONS) >= 50
    nameless = [
        name
        for name, operation in OPERATIONS.items()
        if not all(operation.get(field) for field in ("summary", "operationId", "tags"))
    ]
    assert nameless == []
    names = [operation["operationId"] for operation in OPERATIONS.values()]
    assert len(set(names)) == len(names)


@pytest.mark.parametrize("name", OPERATIONS)
def test_operations_declare_their_problems(name: str) -> None:
    operation = OPERATIONS[name]
    expected = FEWER_PROBLEMS.get(operation["path"], {str(status) for status in PROBLEM_RESPONSES})
    declared = {status for status in operation["responses"] if not status.startswith("2")}
    assert declared == expected
    if operation["path"] != "/readyz":
        for status in declared:
            assert list(operation["responses"][status]["content"]) == [MEDIA_TYPE]


@pytest.mark.parametrize("name", OPERATIONS)
def test_operations_say_who_may_call_them(name: str) -> None:
    operation = OPERATIONS[name]
    schemes = [scheme for one in operation.get("security", []) for scheme in one]
    if operation["path"] in PUBLIC_PATHS:
        assert schemes == []
    elif operation.get("x-assent-effect") == "read":
        assert schemes == ["session", "key"]
    else:
        assert schemes == ["session"]


def test_addresses_in_the_description_are_the_routes() -> None:
    hidden = {"/login", "/{path}", "/assets/{path}", "/api/openapi.json"}
    hidden |= MCP_PATHS
    hidden |= {"/api/auth/oidc/login", "/api/auth/oidc/callback", "/api/p/{plugin}/pages/{path}"}
    hidden |= MCP_PATHS
    assert set(OPERATIONS) == {str(route) for route in ROUTES if route.path not in hidden}
