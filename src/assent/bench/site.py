"""Who and what a measurement needs on its servers, all of it made over HTTP as people do it."""

import asyncio
from collections.abc import AsyncGenerator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any

from assent.bench.client import (
    Caller,
    Credential,
    Stream,
    build_key,
    build_session,
    encode_request,
    open_stream,
)
from assent.bench.script import Script
from assent.bench.stage import Server, Stage
from assent.errors import MeasurementFailed

PASSWORD = "no secret: gone in a minute"
PATIENCE = 60


@dataclass(frozen=True, slots=True)
class Site:
    """A stage with an integration for its provider and somebody who is signed in as admin."""

    stage: Stage
    admin: Caller

    @property
    def owner(self) -> Server:
        return self.stage.owner

    async def open_conversation(self) -> str:
        """A new one each time: an empty one without a title would be used again."""
        made = (await self.admin.ask("POST", "/api/conversations", {})).parse(200, 201)
        path = f"/api/conversations/{made['id']}"
        (await self.admin.ask("PATCH", path, {"title": "Bench"})).parse(200)
        return made["id"]

    async def start_run(self, script: Script) -> tuple[str, Stream]:
        """A turn whose first word has come, with the stream that it answers."""
        stream = await open_stream(
            self.owner.port, self.encode_turn(await self.open_conversation(), script)
        )
        await wait_for_words([stream], min(script.words, 1))
        return stream.run_id, stream

    def encode_turn(self, conversation_id: str, script: Script) -> bytes:
        body = {"conversationId": conversation_id, "message": {"text": str(script)}}
        return encode_request("POST", "/api/chat", self.admin.who, body)

    def encode_follow(self, run_id: str) -> bytes:
        return encode_request("GET", f"/api/runs/{run_id}/stream", self.admin.who)

    async def add_systems(self, count: int) -> list[str]:
        workspaces = (await self.admin.ask("GET", "/api/workspaces")).parse(200)["items"]
        made: list[str] = []
        for number in range(count):
            draft = {"workspaceId": workspaces[0]["id"], "name": f"system {number}"}
            answer = await self.admin.ask("POST", "/api/p/catalog/systems", draft)
            made.append(answer.parse(201)["id"])
        return made

    async def add_people(self, count: int) -> list[Credential]:
        """Admins of their own: what is counted for a person must not meet at one row."""
        roles = (await self.admin.ask("GET", "/api/roles")).parse(200)["items"]
        role_id = next(role["id"] for role in roles if role["slug"] == "admin")
        return [await self._add_person(number, role_id) for number in range(count)]

    async def add_keys(self, count: int, rules: Sequence[str]) -> list[Credential]:
        keys: list[Credential] = []
        for number in range(count):
            draft: dict[str, Any] = {"name": f"program {number}", "rules": list(rules)}
            made = (await self.admin.ask("POST", "/api/applications", draft)).parse(201)
            path = f"/api/applications/{made['id']}/keys"
            keys.append(build_key((await self.admin.ask("POST", path, {})).parse(201)["key"]))
        return keys

    async def _add_person(self, number: int, role_id: str) -> Credential:
        draft = {
            "email": f"person-{number}@example.com",
            "name": f"Person {number}",
            "memberships": [{"roleId": role_id}],
        }
        link = (await self.admin.ask("POST", "/api/users", draft)).parse(201)["link"]
        async with Caller.open(self.owner.port, Credential()) as stranger:
            body = {"token": link.partition("reset=")[2], "password": PASSWORD}
            answer = await stranger.ask("POST", "/api/auth/reset", body)
        return build_session(answer.cookie)


@asynccontextmanager
async def open_site(stage: Stage) -> AsyncGenerator[Site]:
    async with Caller.open(stage.owner.port, Credential()) as stranger:
        answer = await stranger.ask("GET", f"/login?token={stage.token}")
    async with Caller.open(stage.owner.port, build_session(answer.cookie)) as admin:
        draft = {
            "name": "Bench",
            "baseUrl": stage.provider_url,
            "key": "no secret either",
            "defaultModel": "bench",
            "classifier": False,
        }
        (await admin.ask("POST", "/api/admin/integrations", draft)).parse(201)
        yield Site(stage, admin)


def check_open(streams: Sequence[Stream]) -> None:
    """Figures about streams mean nothing when some of them broke off."""
    broken = sum(not stream.is_open for stream in streams)
    if broken:
        raise MeasurementFailed(f"{broken:,} of {len(streams):,} streams broke off.")


async def wait_for_words(streams: Sequence[Stream], count: int) -> None:
    """Until each has so many; one that ended before that, or is too slow, ends the measurement."""
    try:
        async with asyncio.timeout(PATIENCE):
            for stream in streams:
                await stream.wait_words(count)
    except TimeoutError:
        raise MeasurementFailed(f"Nothing came for {PATIENCE} s.") from None
    for stream in streams:
        if stream.words < count:
            raise MeasurementFailed(f"A stream ended: {stream.head[:300].decode(errors='replace')}")
