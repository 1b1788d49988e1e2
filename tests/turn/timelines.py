"""Incidents and maintenance windows for tests: a workspace with systems, forms and cards."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any
from uuid import UUID

from assent.testing import Client, RunningServer
from tests.turn.people import Tenant, add_workspace, expect, number
from tests.turn.shop import Shop, open_shop

PROPOSALS = "/api/proposals"


@dataclass(frozen=True, slots=True, kw_only=True)
class Kind:
    """What differs between the two."""

    plugin: str
    resource: str
    path: str
    id_field: str
    draft: Mapping[str, Any]
    end: str
    ended: str

    @property
    def base(self) -> str:
        return f"/api/p/{self.plugin}/{self.path}"


INCIDENT = Kind(
    plugin="incident",
    resource="incident.incident",
    path="incidents",
    id_field="incidentId",
    draft={"severity": "major"},
    end="resolve",
    ended="resolved",
)


WINDOW = Kind(
    plugin="maintenance",
    resource="maintenance.window",
    path="windows",
    id_field="windowId",
    draft={"startsAt": "2126-07-01T20:00:00Z", "endsAt": "2126-07-01T22:00:00Z"},
    end="close",
    ended="closed",
)


@dataclass(frozen=True, slots=True)
class Desk:
    """One person's browser, and a workspace of their own with two systems in it."""

    server: RunningServer
    tenant: Tenant
    client: Client
    shop: Shop
    kind: Kind

    def of(self, client: Client) -> "Desk":
        """The same place, as somebody else sees it."""
        return replace(self, client=client)

    def draft(self, **fields: Any) -> dict[str, Any]:
        place = {"workspaceId": self.shop.workspace_id, "title": f"Trouble {number()}"}
        return {**place, **self.kind.draft, **fields}

    async def open(self, **fields: Any) -> dict[str, Any]:
        """One more of its kind, by the form."""
        return await self.post("", self.draft(**fields))

    def name(self, one: Mapping[str, Any], **more: Any) -> dict[str, Any]:
        """The arguments that name it, for a tool."""
        return {self.kind.id_field: one["id"], **more}

    async def get(self, one: Mapping[str, Any], status: int = 200) -> Any:
        return expect(await self.client.get(f"{self.kind.base}/{one['id']}"), status)

    async def list(self, **query: Any) -> list[str]:
        """The ids of what is listed."""
        asked = {"workspaceId": self.shop.workspace_id, **query}
        answer = await self.client.get(self.kind.base, params=asked)
        return [one["id"] for one in expect(answer, 200)["items"]]

    async def post(self, path: str, body: Mapping[str, Any], status: int = 201) -> Any:
        return expect(await self.client.post(f"{self.kind.base}{path}", json=body), status)

    async def say(self, one: Mapping[str, Any], text: str, code: int = 201, **more: Any) -> Any:
        return await self.post(f"/{one['id']}/updates", {"text": text, **more}, code)

    async def end(self, one: Mapping[str, Any], code: int = 201, **more: Any) -> Any:
        return await self.post(f"/{one['id']}/{self.kind.end}", more, code)

    async def patch(
        self, one: Mapping[str, Any], change: Mapping[str, Any], status: int = 200
    ) -> Any:
        answer = await self.client.patch(f"{self.kind.base}/{one['id']}", json=change)
        return expect(answer, status)

    async def delete(self, path: str, status: int = 204) -> Any:
        return expect(await self.client.delete(f"{self.kind.base}/{path}"), status)

    async def set_address(self, url: str | None, status: int = 200) -> Any:
        at = f"/api/p/{self.kind.plugin}/addresses/{self.shop.workspace_id}"
        return expect(await self.client.put(at, json={"url": url}), status)

    async def read(self, verb: str, given: Mapping[str, Any]) -> Any:
        """What a tool that reads answers."""
        at = f"/api/tools/{self.kind.plugin}.{verb}/call"
        return expect(await self.client.post(at, json={"input": given}), 200)["result"]

    async def propose(self, verb: str, given: Mapping[str, Any], status: int = 201) -> Any:
        body = {"tool": f"{self.kind.plugin}.{verb}", "input": given}
        return expect(await self.client.post(PROPOSALS, json=body), status)

    async def apply(self, card: Mapping[str, Any], status: int = 200) -> Any:
        at = f"{PROPOSALS}/{card['id']}"
        token = expect(await self.client.post(f"{at}/token"), 200)["token"]
        return expect(await self.client.post(f"{at}/apply", json={"token": token}), status)

    async def change(self, verb: str, given: Mapping[str, Any]) -> Any:
        """Propose and apply; what the tool gave back, and the card."""
        card = await self.propose(verb, given)
        applied = await self.apply(card)
        assert applied["state"] == "applied", applied
        return applied

    async def undo(self, applied: Mapping[str, Any]) -> Any:
        """Take an applied change back, by the card that undoing makes."""
        card = expect(await self.client.post(f"{PROPOSALS}/{applied['id']}/undo"), 201)
        done = await self.apply(card)
        assert done["state"] == "applied", done
        return done


async def open_desk(server: RunningServer, tenant: Tenant, kind: Kind) -> Desk:
    workspace_id: UUID = await add_workspace(server, tenant.id)
    shop = await open_shop(tenant.admin.client, workspace_id)
    return Desk(server, tenant, tenant.admin.client, shop, kind)
