"""A client that behaves like one of our pages: cookie, CSRF header, JSON."""

from typing import Any

import httpx2

CSRF = {"x-assent-csrf": "1"}


class Client(httpx2.AsyncClient):
    """Speaks real HTTP to a running server, as a person or, with a key, as an application."""

    def __init__(self, url: str, *, key: str | None = None, **options: Any) -> None:
        headers = {"authorization": f"Bearer {key}"} if key else CSRF
        super().__init__(base_url=url, headers=headers, timeout=60, **options)

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
