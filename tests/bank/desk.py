"""A server with the bank's tools, and people who propose and decide over real HTTP."""

from collections.abc import AsyncGenerator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from assent.bundled.catalog import plugin as catalog
from assent.plugins import administration, assistant
from assent.plugins.load import Loaded, load_plugins
from assent.testing import Client, Databases, RunningServer, run_server
from tests.bank import plugin as bank
from tests.bank.accounts import open_account
from tests.turn.people import Person, Tenant, expect, fetch, find_tenant

MANY = 100_000
"""Tool calls a minute, for tests that are not about the budget."""


def load_bank() -> Loaded:
    return load_plugins([administration.plugin, assistant.plugin], [catalog, bank], {})


@dataclass(frozen=True, slots=True)
class Desk:
    server: RunningServer
    tenant: Tenant

    @property
    def client(self) -> Client:
        return self.tenant.admin.client

    async def open_account(self, *, balance: int = 0) -> UUID:
        return await open_account(self.server.database, self.tenant.id, balance=balance)

    async def propose(
        self, tool: str, given: Mapping[str, Any], *, client: Client | None = None
    ) -> dict[str, Any]:
        body = {"tool": tool, "input": dict(given)}
        return expect(await (client or self.client).post("/api/proposals", json=body), 201)

    async def propose_deposit(
        self,
        account_id: UUID,
        amount: int = 5,
        *,
        reference: str = "",
        client: Client | None = None,
    ) -> dict[str, Any]:
        given = {"accountId": str(account_id), "amount": amount, "reference": reference}
        return await self.propose("bank.deposit", given, client=client)

    async def list_statuses(self, proposal_id: str) -> list[str]:
        """What the audit log has about a proposal, in order."""
        rows = await fetch(
            self.server,
            "SELECT status FROM audit_entries WHERE proposal_id = $1 ORDER BY occurred_at",
            UUID(proposal_id),
        )
        return [row["status"] for row in rows]


@asynccontextmanager
async def open_desk(databases: Databases, **settings: Any) -> AsyncGenerator[Desk]:
    given: dict[str, Any] = {"background_work": False, "tool_calls": MANY, **settings}
    async with (
        databases.copy() as url,
        run_server(url, loaded=load_bank(), **given) as running,
    ):
        yield Desk(running, await find_tenant(running))


async def ask_token(client: Client, proposal_id: str) -> str:
    return expect(await client.post(f"/api/proposals/{proposal_id}/token"), 200)["token"]


async def apply(client: Client, proposal_id: str, status: int = 200) -> Any:
    """Ask for a token and apply with it."""
    token = await ask_token(client, proposal_id)
    return await apply_with(client, proposal_id, token, status)


async def apply_with(client: Client, proposal_id: str, token: str, status: int = 200) -> Any:
    url = f"/api/proposals/{proposal_id}/apply"
    return expect(await client.post(url, json={"token": token}), status)


async def decline(
    client: Client, proposal_id: str, status: int = 200, *, reason: str | None = None
) -> Any:
    body = {"token": await ask_token(client, proposal_id), "reason": reason}
    return expect(await client.post(f"/api/proposals/{proposal_id}/decline", json=body), status)


async def add_key(person: Person, *rules: str) -> str:
    """The key of a new application of this person."""
    draft = {"name": "robot", "rules": list(rules)}
    made = expect(await person.client.post("/api/applications", json=draft), 201)
    keys = f"/api/applications/{made['id']}/keys"
    return expect(await person.client.post(keys, json={}), 201)["key"]
