"""A client that behaves like one of our pages: cookie, CSRF header, JSON."""

import ssl
from functools import cache
from typing import Any

import httpx2

CSRF = {"x-assent-csrf": "1"}


@cache
def open_trust() -> ssl.SSLContext:
    """Whose certificates are taken. Reading them costs more than most requests: once is enough."""
    return httpx2.create_ssl_context()


class Client(httpx2.AsyncClient):
    """Speaks real HTTP to a running server, as a person or, with a key, as an application."""

    def __init__(self, url: str, *, key: str | None = None, **options: Any) -> None:
        headers = {"authorization": f"Bearer {key}"} if key else CSRF
        given: dict[str, Any] = {"timeout": 60, "verify": open_trust(), **options}
        super().__init__(base_url=url, headers=headers, **given)

    async def sign_in(self, email: str, password: str) -> dict[str, Any]:
        response = await self.post("/api/auth/login", json={"email": email, "password": password})
        response.raise_for_status()
        return response.json()

    async def set_password(self, link: str, password: str) -> dict[str, Any]:
        """Follow a link from `users add` or from an admin."""
        token = link.partition("reset=")[2]
        response = await self.post("/api/auth/reset", json={"token": token, "password": password})
        response.raise_for_status()
        return response.json()
