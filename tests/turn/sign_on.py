"""A browser's way through single sign-on, step by step."""

from typing import Any

import httpx2

from assent.testing import Client, RunningServer
from assent.testing.oidc_provider import CLIENT_ID, CLIENT_SECRET, LocalProvider
from tests.patience import PATIENCE
from tests.turn.people import expect, number

LOGIN = "/api/auth/oidc/login"
CALLBACK = "/api/auth/oidc/callback"
FAILED = "/login?error=oidc_failed"
UNKNOWN = "/login?error=oidc_unknown"


def settings(provider: LocalProvider, **more: Any) -> dict[str, Any]:
    return {
        "background_work": False,
        "oidc_issuer": provider.issuer,
        "oidc_client_id": CLIENT_ID,
        "oidc_client_secret": CLIENT_SECRET,
        **more,
    }


def forget_metadata(server: RunningServer) -> None:
    """The server remembers what discovery said for an hour; tests change it in between."""
    server.app.state.parts.oidc._provider._metadata_until = 0.0


async def depart(client: Client, next_path: str | None = None) -> str:
    """The address that the browser is sent to."""
    params = {"next": next_path} if next_path is not None else {}
    answer = await client.get(LOGIN, params=params)
    assert answer.status_code == 303, answer.text
    return answer.headers["location"]


async def visit(url: str) -> str:
    """Let the provider sign the person in; where it sends the browser then."""
    async with httpx2.AsyncClient(verify=False, timeout=PATIENCE) as browser:
        answer = await browser.get(url)
    assert answer.status_code == 302, answer.text
    return answer.headers["location"]


async def arrive(client: Client, url: str) -> str:
    answer = await client.get(url)
    assert answer.status_code == 303, answer.text
    assert "assent_oidc=;" in answer.headers.get_list("set-cookie")[-1]
    return answer.headers["location"]


async def sign_on(client: Client, next_path: str | None = None) -> str:
    return await arrive(client, await visit(await depart(client, next_path)))


async def expect_nobody(client: Client) -> None:
    assert "assent_session" not in client.cookies
    expect(await client.get("/api/me"), 401)


def who(email: Any, subject: str | None = None, **claims: Any) -> dict[str, Any]:
    return {
        "sub": subject or f"subject-{number()}",
        "email": email,
        "email_verified": True,
        "name": "Ada Lovelace",
        **claims,
    }
