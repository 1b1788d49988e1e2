"""What a program's request must be, where faults go, and what programs read first."""

from urllib.parse import urlsplit

import httpx2
import pytest

from assent.testing import RunningServer
from tests.turn.oauth import CALLBACK, MANAGE, READ, Lathe, Site, open_lathe, read_query
from tests.turn.people import Tenant, expect

THIEF = "https://thief.example.com/"


async def test_what_is_protected(workshop: RunningServer, lathe: Lathe) -> None:
    rules = list(workshop.app.state.parts.loaded.program_rules)
    for path in ("", "/mcp"):
        told = expect(await lathe.http.get(f"/.well-known/oauth-protected-resource{path}"), 200)
        assert told["resource"] == f"{workshop.url}/mcp"
        assert told["authorization_servers"] == [workshop.url]
        assert told["scopes_supported"] == rules
        assert told["bearer_methods_supported"] == ["header"]


async def test_only_what_tools_need_is_offered(lathe: Lathe, guild: Tenant) -> None:
    """With all of it a program has every tool, and nothing of it is of no use."""
    told = expect(await lathe.http.get("/.well-known/oauth-protected-resource/mcp"), 200)
    offered = told["scopes_supported"]
    everything = await lathe.list_tools(await lathe.connect(guild.admin.client, "*"))
    tokens = await lathe.connect(guild.admin.client, *offered)
    assert tokens["scope"].split() == sorted(offered)
    assert await lathe.list_tools(tokens) == everything
    tools = lathe.server.app.state.parts.loaded.tools
    used = {rule for name in everything for rule in tools.find(name).rules}
    assert {rule for rule in offered if rule not in used} == {"ai.document.read"}
    assert not {"audit.entry.read", "identity.user.read", "ai.credit.manage"} & {*offered}


async def test_how_programs_are_let_in(workshop: RunningServer, lathe: Lathe) -> None:
    for path in ("", "/mcp"):
        told = expect(await lathe.http.get(f"/.well-known/oauth-authorization-server{path}"), 200)
        assert told["issuer"] == workshop.url
        assert told["authorization_endpoint"] == f"{workshop.url}/oauth/authorize"
        assert told["token_endpoint"] == f"{workshop.url}/oauth/token"
        assert told["revocation_endpoint"] == f"{workshop.url}/oauth/revoke"
        assert told["code_challenge_methods_supported"] == ["S256"]
        assert told["response_types_supported"] == ["code"]
        assert told["grant_types_supported"] == ["authorization_code", "refresh_token"]
        assert told["token_endpoint_auth_methods_supported"] == ["none"]
        assert told["authorization_response_iss_parameter_supported"] is True
        assert told["client_id_metadata_document_supported"] is True
        assert "registration_endpoint" not in told


async def test_who_comes_with_nothing_is_told_where_to_begin(lathe: Lathe) -> None:
    rules = " ".join(lathe.server.app.state.parts.loaded.program_rules)
    metadata = f"{lathe.server.url}/.well-known/oauth-protected-resource/mcp"
    response = await lathe.http.post("/mcp", json={})
    assert response.status_code == 401
    assert response.headers["www-authenticate"] == (
        f'Bearer scope="{rules}", resource_metadata="{metadata}"'
    )
    for wrong in ("Bearer ast_made-up", "Bearer asr_x", "Bearer x", "Basic YTpi"):
        response = await lathe.http.post("/mcp", json={}, headers={"authorization": wrong})
        assert response.status_code == 401
        assert 'error="invalid_token"' in response.headers["www-authenticate"]
        assert f'resource_metadata="{metadata}"' in response.headers["www-authenticate"]


def check_shown(response: httpx2.Response, *words: str) -> None:
    """A page, and nothing that leads away from it."""
    assert response.status_code == 400, response.headers.get("location")
    assert response.headers["content-type"].startswith("text/html")
    assert "location" not in response.headers
    assert "thief" not in response.text
    for word in words:
        assert word in response.text


@pytest.mark.parametrize(
    "redirect",
    [
        THIEF,
        f"{CALLBACK}@thief.example.com",
        f"{CALLBACK}/../x",
        f"{CALLBACK}?x=1",
        f"{CALLBACK}#x",
        f"{CALLBACK}/",
        "http://127.0.0.1:33418/Callback",
        "http://127.0.0.1.thief.example.com/callback",
        "http://127.0.0.1:33418@thief.example.com/callback",
        "http://127.0.0.1:1\\@thief.example.com/callback",
        "http://localhost:33418/callback",
        "http://[::1]:33418/callback",
        "https://127.0.0.1:33418/callback",
        "http://lathe.example.com/done",
        "https://lathe.example.com:8443/done",
        "https://lathe.example.com/done?next=https://thief.example.com",
        "https://lathe.example.com.thief.example.com/done",
        "https://lathe.example.com%2ethief.example.com/done",
        "//thief.example.com/callback",
        "javascript:alert(document.domain)//thief",
        "data:text/html,thief",
        "/connect",
        "",
    ],
)
async def test_nothing_is_sent_elsewhere(lathe: Lathe, redirect: str) -> None:
    for also in ({}, {"response_type": "token"}, {"scope": "none"}):
        asked = lathe.build_request(redirect_uri=redirect, **also)
        check_shown(await lathe.authorize(asked), "cannot be connected")


async def test_on_the_same_machine_any_port(lathe: Lathe) -> None:
    for port in (":1", ":65535", ""):
        lathe.redirect_uri = f"http://127.0.0.1{port}/callback"
        assert (await lathe.ask())["redirect_uri"] == lathe.redirect_uri


@pytest.mark.parametrize(
    ("changed", "error"),
    [
        ({"response_type": None}, "unsupported_response_type"),
        ({"response_type": "token"}, "unsupported_response_type"),
        ({"response_mode": "fragment"}, "invalid_request"),
        ({"code_challenge": None}, "invalid_request"),
        ({"code_challenge": "short"}, "invalid_request"),
        ({"code_challenge": "x" * 44}, "invalid_request"),
        ({"code_challenge_method": None}, "invalid_request"),
        ({"code_challenge_method": "plain"}, "invalid_request"),
        ({"resource": "https://other.example.com/mcp"}, "invalid_target"),
        ({"resource": "mcp"}, "invalid_target"),
        ({"scope": "openid profile"}, "invalid_scope"),
    ],
)
@pytest.mark.parametrize("redirect", [CALLBACK, "https://lathe.example.com/done"])
async def test_other_faults_go_to_the_program(
    lathe: Lathe, changed: dict[str, str | None], error: str, redirect: str
) -> None:
    response = await lathe.authorize(lathe.build_request(redirect_uri=redirect, **changed))
    assert response.status_code == 302
    location = response.headers["location"]
    assert location.startswith(f"{redirect}?")
    told = read_query(location)
    assert told["error"] == error
    assert told["error_description"]
    assert told["state"] == "st&te=1"
    assert told["iss"] == lathe.server.url
    assert "code" not in told
    assert response.headers["cache-control"] == "no-store"


async def test_without_a_state_none_is_sent_back(lathe: Lathe) -> None:
    asked = lathe.build_request(state=None, response_type="token")
    told = read_query((await lathe.authorize(asked)).headers["location"])
    assert set(told) == {"error", "error_description", "iss"}


async def test_a_query_that_a_redirect_has_stays(workshop: RunningServer, documents: Site) -> None:
    redirect = "https://lathe.example.com/done?app=1"
    async with open_lathe(workshop, documents.publish(redirect_uris=[redirect])) as lathe:
        lathe.redirect_uri = redirect
        response = await lathe.authorize(lathe.build_request(response_type="token"))
        told = read_query(response.headers["location"])
        assert told["app"] == "1"
        assert told["error"] == "unsupported_response_type"


async def test_what_the_page_is_told(lathe: Lathe) -> None:
    """The request's own parameters, and nothing that somebody adds."""
    asked = lathe.build_request(scope=f"{READ} {MANAGE}")
    response = await lathe.authorize({**asked, "error": "x", "next": THIEF})
    location = response.headers["location"]
    assert urlsplit(location)[:3] == ("", "", "/connect")
    assert read_query(location) == asked


async def test_a_slash_at_the_end_of_the_resource(lathe: Lathe) -> None:
    assert await lathe.ask(resource=f"{lathe.server.url}/mcp/")
    assert await lathe.ask(resource=None)


async def test_nothing_is_given_twice(lathe: Lathe) -> None:
    asked = lathe.build_request()
    for name in ("redirect_uri", "client_id", "state", "resource"):
        query = httpx2.QueryParams([*asked.items(), (name, THIEF)])
        response = await lathe.http.get("/oauth/authorize", params=query)
        check_shown(response, f"{name} must be given once")


async def test_what_is_missing_is_named(lathe: Lathe) -> None:
    asked = lathe.build_request()
    for name in ("client_id", "redirect_uri"):
        left = {key: value for key, value in asked.items() if key != name}
        check_shown(await lathe.authorize(left), name)


async def test_what_is_shown_is_never_markup(lathe: Lathe) -> None:
    asked = lathe.build_request(client_id="<script>alert(1)</script>")
    response = await lathe.authorize(asked)
    assert response.status_code == 400
    assert "<script>" not in response.text
    twice = await lathe.http.get(
        "/oauth/authorize", params=[("<b>x", "1"), ("<b>x", "2"), *asked.items()]
    )
    assert "<b>" not in twice.text
    assert "&lt;b&gt;x" in twice.text


async def test_asking_keeps_nothing_of_the_person(lathe: Lathe, guild: Tenant) -> None:
    """Whoever is signed in: the page asks them, and the address itself gives nothing."""
    response = await guild.admin.client.get("/oauth/authorize", params=lathe.build_request())
    assert response.status_code == 302
    assert response.headers["location"].startswith("/connect?")
    assert "code=" not in response.headers["location"].replace("response_type=code", "")
