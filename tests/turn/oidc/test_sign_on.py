"""Single sign-on with a provider that is right: who gets in, by what, and where to."""

from urllib.parse import parse_qs, urlencode, urlsplit

import httpx2
import pytest

from assent.testing import Client, Databases, RunningServer, run_server
from assent.testing.oidc_provider import (
    Faults,
    LocalProvider,
)
from tests.turn.people import (
    Tenant,
    add_person,
    execute,
    expect,
    fetch,
    fetch_value,
)
from tests.turn.sign_on import (
    CALLBACK,
    FAILED,
    LOGIN,
    UNKNOWN,
    arrive,
    depart,
    expect_nobody,
    settings,
    sign_on,
    visit,
    who,
)


async def test_the_way_there(
    server: RunningServer, provider: LocalProvider, client: Client
) -> None:
    assert expect(await client.get("/api/auth/methods"), 200) == {
        "password": True,
        "oidc": {"label": "single sign-on"},
    }
    url = await depart(client)
    query = {name: values[0] for name, values in parse_qs(urlsplit(url).query).items()}
    assert url.startswith(f"{provider.issuer}/authorize?")
    assert query["redirect_uri"] == f"{server.url}{CALLBACK}"
    assert set(query["scope"].split()) == {"openid", "email", "profile"}
    assert query["code_challenge_method"] == "S256"
    assert min(len(query[name]) for name in ("state", "nonce", "code_challenge")) >= 43
    cookie = client.cookies["assent_oidc"]
    for name in ("state", "nonce"):
        assert query[name] not in cookie
    other = parse_qs(urlsplit(await depart(client)).query)
    assert other["state"] != [query["state"]]


async def test_by_address_then_by_subject(
    server: RunningServer, tenant: Tenant, provider: LocalProvider, client: Client
) -> None:
    person = await add_person(server, tenant.id)
    provider.person = who(person.email.upper(), subject="known")
    assert await sign_on(client, "/p/catalog/systems") == "/p/catalog/systems"
    assert expect(await client.get("/api/me"), 200)["id"] == str(person.id)

    provider.person = who("somewhere-else@example.com", subject="known")
    again = await server.open_client()
    assert await sign_on(again) == "/"
    assert expect(await again.get("/api/me"), 200)["id"] == str(person.id)
    identities = "SELECT issuer, subject FROM external_identities WHERE user_id = $1"
    assert await fetch(server, identities, person.id) == [
        {"issuer": provider.issuer, "subject": "known"}
    ]
    entries = """
    SELECT count(*) FROM audit_entries
    WHERE principal_id = $1 AND action = 'identity.signInWithOidc' AND edge = 'sign_in'
    """
    assert await fetch_value(server, entries, person.id) == 2


async def test_who_is_unknown_or_inactive_stays_out(
    server: RunningServer, tenant: Tenant, provider: LocalProvider, client: Client
) -> None:
    inactive = await add_person(server, tenant.id)
    await execute(server, "UPDATE users SET active = false WHERE id = $1", inactive.id)
    unverified = await add_person(server, tenant.id)
    for person in (
        who("nobody@example.com"),
        who(inactive.email),
        who(unverified.email, email_verified=False),
        who(unverified.email, email_verified=None),
        who(unverified.email, email_verified="true"),
        who(unverified.email, email_verified=1),
        who(None),
        who(""),
    ):
        provider.person = {key: value for key, value in person.items() if value is not None}
        assert await sign_on(client) == UNKNOWN, person
        await expect_nobody(client)
    assert await fetch_value(
        server, "SELECT count(*) FROM external_identities WHERE user_id = ANY ($1)",
        [inactive.id, unverified.id],
    ) == 0  # fmt: skip


async def test_the_address_may_come_from_userinfo(
    server: RunningServer, tenant: Tenant, provider: LocalProvider, client: Client
) -> None:
    person = await add_person(server, tenant.id)
    provider.person = who(person.email)
    provider.faults = Faults(only_userinfo=True, userinfo={"sub": "somebody else"})
    assert await sign_on(client) == FAILED
    provider.faults = Faults(only_userinfo=True, userinfo={"email_verified": False})
    assert await sign_on(client) == UNKNOWN
    provider.faults = Faults(only_userinfo=True)
    assert await sign_on(client) == "/"
    assert expect(await client.get("/api/me"), 200)["id"] == str(person.id)


async def test_state_cookie_and_code_belong_together(
    server: RunningServer, tenant: Tenant, provider: LocalProvider, client: Client
) -> None:
    provider.person = who(tenant.admin.email)
    back = await visit(await depart(client))
    code, state = (
        parse_qs(urlsplit(back).query)["code"][0],
        parse_qs(urlsplit(back).query)["state"][0],
    )
    cookie = client.cookies["assent_oidc"]
    other = await server.open_client()
    await depart(other)
    foreign = other.cookies["assent_oidc"]
    asked = len(provider.asked)
    for query, brought in [
        ({"code": code, "state": "wrong"}, cookie),
        ({"code": code}, cookie),
        ({"code": code, "state": ""}, cookie),
        ({"code": code, "state": state}, foreign),
        ({"code": code, "state": state}, ""),
        ({"code": code, "state": state}, cookie[:-4] + "AAAA"),
        ({"code": code, "state": state}, "not base64 €".encode().decode("latin-1")),
        ({"error": "access_denied", "state": state}, cookie),
        ({}, cookie),
    ]:
        fresh = await server.open_client()
        headers = {"cookie": f"assent_oidc={brought}".encode("latin-1")}
        answer = await fresh.get(f"{CALLBACK}?{urlencode(query)}", headers=headers)
        assert answer.headers["location"] == FAILED, query
        assert "assent_session" not in fresh.cookies
    assert provider.asked[asked:] == [], "the code is not even sent to the provider"
    assert await arrive(client, back) == "/"


async def test_a_code_is_used_once(
    server: RunningServer, tenant: Tenant, provider: LocalProvider, client: Client
) -> None:
    provider.person = who(tenant.admin.email)
    back = await visit(await depart(client))
    cookie = client.cookies["assent_oidc"]
    assert await arrive(client, back) == "/"
    assert "assent_oidc" not in client.cookies
    replay = await server.open_client()
    replay.cookies.set("assent_oidc", cookie, path="/api/auth/oidc", domain="127.0.0.1")
    assert await arrive(replay, back) == FAILED
    await expect_nobody(replay)


async def test_a_stolen_code_is_of_no_use_to_another_browser(
    server: RunningServer, tenant: Tenant, provider: LocalProvider, client: Client
) -> None:
    """PKCE: the code was asked for with the victim's challenge, the thief has another verifier."""
    provider.person = who(tenant.admin.email)
    stolen = parse_qs(urlsplit(await visit(await depart(client))).query)["code"][0]
    thief = await server.open_client()
    own_state = parse_qs(urlsplit(await depart(thief)).query)["state"][0]
    query = urlencode({"code": stolen, "state": own_state})
    assert await arrive(thief, f"{CALLBACK}?{query}") == FAILED
    await expect_nobody(thief)


async def test_a_trip_that_took_too_long(
    server: RunningServer, tenant: Tenant, provider: LocalProvider, client: Client,
    monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    provider.person = who(tenant.admin.email)
    back = await visit(await depart(client))
    oidc = server.app.state.parts.oidc
    later = oidc._clock()
    monkeypatch.setattr(oidc, "_clock", lambda: later.replace(year=later.year + 1))
    assert await arrive(client, back) == FAILED


@pytest.mark.parametrize(
    "next_path",
    [
        "https://evil.example",
        "//evil.example",
        "///evil.example",
        "/\\evil.example",
        "\\/evil.example",
        "/\t/evil.example",
        "/\n/evil.example",
        "/\r\nset-cookie: a=b",
        "javascript:alert(1)",
        "evil.example",
        "",
        " //evil.example",
        "/\x00",
        "@evil.example",
        "?next=//evil.example",
        "/%0d%0aset-cookie:a=b\x7f",
    ],
)
async def test_next_leads_nowhere_else(
    tenant: Tenant, provider: LocalProvider, client: Client, next_path: str
) -> None:
    provider.person = who(tenant.admin.email)
    back = await visit(await depart(client, next_path))
    answer = await client.get(back)
    assert answer.headers["location"] == "/"
    assert "a" not in answer.cookies


@pytest.mark.parametrize(
    "next_path", ["/", "/p/catalog/systems?q=a b&x=ü#part", "/people/1", "/a//b", "/a\\b"]
)
async def test_next_leads_to_our_own_pages(
    tenant: Tenant, provider: LocalProvider, client: Client, next_path: str
) -> None:
    provider.person = who(tenant.admin.email)
    location = await sign_on(client, next_path)
    assert httpx2.URL("http://here/").join(location).host == "here"
    assert location.startswith(next_path[:2])


async def test_people_are_created_when_that_is_allowed(
    databases: Databases, provider: LocalProvider
) -> None:
    more = settings(provider, oidc_create_people=True, oidc_role="operator")
    async with databases.copy() as url, run_server(url, **more) as server:
        admin = await server.open_admin()
        for claims, name in [
            (who("Ada@Example.com", subject="ada"), "Ada Lovelace"),
            (who("noname@example.com", name=None), "noname"),
            (who("blank@example.com", name="  \t"), "blank"),
            (who("nul@example.com", name="N\0ul"), "Nul"),
            (who("long@example.com", name="x" * 500), "long"),
            (who("odd@example.com", name={"first": "Odd"}), "odd"),
        ]:
            provider.person = {key: value for key, value in claims.items() if value is not None}
            client = await server.open_client()
            assert await sign_on(client) == "/", claims
            me = expect(await client.get("/api/me"), 200)
            assert (me["name"], me["email"]) == (name, claims["email"].lower())
            assert "catalog.system.manage" in me["rules"]
            assert "*" not in me["rules"]
        provider.person = who("ada@example.com", subject="ada")
        assert await sign_on(await server.open_client()) == "/"
        listed = expect(await admin.get("/api/users", params={"limit": 200}), 200)["items"]
        assert len(listed) == 7

        for email in (
            "not an address",
            "a b@example.com",
            "ü@example.com",
            "x\0@example.com",
            ["a"],
            5,
        ):
            provider.person = who(email)
            client = await server.open_client()
            assert await sign_on(client) in (UNKNOWN, FAILED), email
        assert len(expect(await admin.get("/api/users"), 200)["items"]) == 7


async def test_an_unknown_role_for_new_people_lets_nobody_in(
    databases: Databases, provider: LocalProvider
) -> None:
    more = settings(provider, oidc_create_people=True, oidc_role="no-such-role")
    async with databases.copy() as url, run_server(url, **more) as server:
        provider.person = who("new@example.com")
        assert await sign_on(await server.open_client()) == FAILED
        assert await fetch_value(server, "SELECT count(*) FROM users") == 1


async def test_without_a_provider_there_is_no_such_way(databases: Databases) -> None:
    async with databases.copy() as url, run_server(url, background_work=False) as server:
        client = await server.open_client()
        assert expect(await client.get("/api/auth/methods"), 200)["oidc"] is None
        expect(await client.get(LOGIN), 404)
        expect(await client.get(CALLBACK), 404)
