"""Single sign-on with a provider that is wrong: its signatures, its claims, its answers."""

import time
from contextlib import AsyncExitStack
from datetime import timedelta
from typing import Any

import pytest

from assent.testing import Client, Databases, run_server
from assent.testing.oidc_provider import (
    CLIENT_ID,
    DISCOVERY,
    Faults,
    LocalProvider,
    run_oidc_provider,
)
from tests.turn.people import (
    Tenant,
    expect,
)
from tests.turn.sign_on import (
    FAILED,
    arrive,
    depart,
    expect_nobody,
    forget_metadata,
    settings,
    sign_on,
    visit,
    who,
)


@pytest.mark.parametrize(
    "signature", ["none", "public_key_as_secret", "unknown_key", "foreign_key"]
)
async def test_a_signature_that_is_not_the_providers(
    tenant: Tenant, provider: LocalProvider, client: Client, signature: Any
) -> None:
    provider.person = who(tenant.admin.email)
    provider.faults = Faults(signature=signature)
    assert await sign_on(client) == FAILED
    await expect_nobody(client)


HOUR = timedelta(hours=1)
"""As a claim: from now."""


@pytest.mark.parametrize(
    "claims",
    [
        {"nonce": "another"},
        {"nonce": None},
        {"iss": "https://elsewhere.example"},
        {"iss": None},
        {"aud": "another client"},
        {"aud": ["another client"]},
        {"aud": []},
        {"aud": None},
        {"aud": [CLIENT_ID, "another client"], "azp": "another client"},
        {"exp": -HOUR},
        {"exp": None},
        {"exp": "tomorrow"},
        {"iat": HOUR},
        {"iat": None},
        {"nbf": HOUR},
        {"sub": None},
        {"sub": ""},
        {"sub": 17},
        {"sub": ["a"]},
        {"sub": "a\0b"},
    ],
    ids=str,
)
async def test_a_token_that_is_not_meant_for_this_sign_on(
    tenant: Tenant, provider: LocalProvider, client: Client, claims: dict[str, Any]
) -> None:
    provider.person = who(tenant.admin.email)
    provider.faults = Faults(claims={name: as_claim(value) for name, value in claims.items()})
    assert await sign_on(client) == FAILED
    await expect_nobody(client)


def as_claim(value: Any) -> Any:
    if isinstance(value, timedelta):
        return int(time.time() + value.total_seconds())
    return value


async def test_several_audiences_with_us_as_the_party(
    tenant: Tenant, provider: LocalProvider, client: Client
) -> None:
    provider.person = who(tenant.admin.email)
    provider.faults = Faults(claims={"aud": [CLIENT_ID, "another"], "azp": CLIENT_ID})
    assert await sign_on(client) == "/"


@pytest.mark.parametrize(
    ("path", "status", "body"),
    [
        ("/token", 500, b"{}"),
        ("/token", 200, b"not json"),
        ("/token", 200, b"[]"),
        ("/token", 200, b"null"),
        ("/token", 200, b'{"access_token": "x"}'),
        ("/token", 200, b'{"access_token": "x", "token_type": "Bearer"}'),
        ("/token", 200, b'{"access_token": "x", "token_type": "Bearer", "id_token": 5}'),
        ("/token", 200, b'{"access_token": "x", "token_type": "Bearer", "id_token": "a.b.c"}'),
        ("/token", 400, b'{"error": "invalid_grant", "error_description": "no"}'),
        ("/token", 302, b""),
        ("/jwks", 500, b"{}"),
        ("/jwks", 200, b"not json"),
        ("/jwks", 200, b"[]"),
        ("/jwks", 200, b"{}"),
        ("/jwks", 200, b'{"keys": []}'),
        ("/jwks", 200, b'{"keys": [{"kty": "RSA"}]}'),
        ("/jwks", 200, b'{"keys": 5}'),
    ],
)
async def test_a_provider_that_talks_nonsense(
    tenant: Tenant, provider: LocalProvider, client: Client, path: str, status: int, body: bytes
) -> None:
    provider.person = who(tenant.admin.email)
    provider.faults = Faults(answers={path: (status, body)})
    assert await sign_on(client) == FAILED
    await expect_nobody(client)


@pytest.mark.parametrize(
    ("status", "body"),
    [(200, b"[]"), (200, b"null"), (200, b"not json"), (200, b'"x"'), (500, b"{}"), (200, b"{}")],
)
async def test_nonsense_from_userinfo(
    tenant: Tenant, provider: LocalProvider, client: Client, status: int, body: bytes
) -> None:
    provider.person = who(tenant.admin.email)
    provider.faults = Faults(only_userinfo=True, answers={"/userinfo": (status, body)})
    assert await sign_on(client) == FAILED
    await expect_nobody(client)


@pytest.mark.parametrize(
    ("metadata", "answer"),
    [
        ({"issuer": "https://elsewhere.example"}, None),
        ({"issuer": None}, None),
        ({"issuer": 5}, None),
        ({"authorization_endpoint": None}, None),
        ({}, (500, b"{}")),
        ({}, (200, b"not json")),
        ({}, (200, b"[]")),
        ({}, (404, b"")),
    ],
)
async def test_discovery_that_cannot_be_used(
    provider: LocalProvider, client: Client, metadata: dict[str, Any], answer: Any
) -> None:
    provider.faults = Faults(metadata=metadata, answers={DISCOVERY: answer} if answer else {})
    assert await depart(client) == FAILED
    assert "assent_oidc" not in client.cookies


@pytest.mark.parametrize("missing", ["token_endpoint", "jwks_uri"])
async def test_discovery_that_lacks_what_is_needed_later(
    tenant: Tenant, provider: LocalProvider, client: Client, missing: str
) -> None:
    provider.person = who(tenant.admin.email)
    provider.faults = Faults(metadata={missing: None})
    back = await depart(client)
    if back != FAILED:
        assert await arrive(client, await visit(back)) == FAILED
    await expect_nobody(client)


async def test_a_provider_that_goes_away(databases: Databases) -> None:
    async with databases.copy() as url, AsyncExitStack() as providers:
        passing = await providers.enter_async_context(run_oidc_provider())
        async with run_server(url, **settings(passing)) as server:
            client = await server.open_client()
            passing.person = who("nobody@example.com")
            back = await visit(await depart(client))
            await providers.aclose()
            assert await arrive(client, back) == FAILED
            forget_metadata(server)
            assert await depart(client) == FAILED
            expect(await client.get("/readyz"), 200)
