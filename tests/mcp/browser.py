"""A person's browser, as far as connecting a program needs one."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from urllib.parse import urlsplit

from mcp.shared.auth import AuthorizationCodeResult

from assent.testing import Client
from tests.turn.oauth import CONSENT, read_query
from tests.turn.people import expect


@dataclass
class Browser:
    """Opens what a program wants opened, and says yes to these scopes, or to all that are held."""

    person: Client
    scopes: Sequence[str] | None = None
    asked: list[list[str]] = field(default_factory=list[list[str]])
    answered: dict[str, str] = field(default_factory=dict[str, str])

    async def open(self, url: str) -> None:
        await self.visit(url)

    async def visit(self, url: str) -> str:
        """Where the browser is sent in the end."""
        parts = urlsplit(url)
        response = await self.person.get(f"{parts.path}?{parts.query}")
        assert response.status_code == 302, response.text
        location = response.headers["location"]
        assert location.startswith("/connect?"), location
        query = read_query(location)
        asked = expect(await self.person.post(CONSENT, json=query), 201)
        self.asked.append([one["rule"] for one in asked["scopes"]])
        held = [one["rule"] for one in asked["scopes"] if one["held"]]
        chosen = held if self.scopes is None else list(self.scopes)
        body = {**query, "scopes": chosen}
        to = expect(await self.person.post(f"{CONSENT}/allow", json=body), 201)["redirectTo"]
        self.answered = read_query(to)
        return to

    async def come_back(self) -> AuthorizationCodeResult:
        given = self.answered
        return AuthorizationCodeResult(
            code=given["code"], state=given.get("state"), iss=given.get("iss")
        )
