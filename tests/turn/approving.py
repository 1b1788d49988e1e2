"""What tests of approval rules do: make rules, people whom they name, and vote."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from assent.identity.store import users
from assent.identity.user import Membership
from assent.testing import Client, RunningServer
from tests.bank.desk import Desk
from tests.turn.people import Person, add_person, add_role, execute, expect

RULES = "/api/admin/approval-rules"


@dataclass(frozen=True, slots=True)
class Panel:
    """A role, and people who hold it and nothing else."""

    role_id: UUID
    people: tuple[Person, ...]


async def seat(desk: Desk, count: int, rules: Sequence[str] = ()) -> Panel:
    server, tenant_id = desk.server, desk.tenant.id
    role_id = await add_role(server, tenant_id, rules)
    people = [await add_person(server, tenant_id) for _ in range(count)]
    for person in people:
        await give_role(server, person, role_id)
    return Panel(role_id, tuple(people))


async def give_role(
    server: RunningServer, person: Person, *role_ids: UUID, workspace_id: UUID | None = None
) -> None:
    """These roles and no others."""
    held = [Membership(role_id=one, workspace_id=workspace_id) for one in role_ids]
    async with server.database.transaction() as db:
        await users.replace_memberships(db, person.tenant_id, person.id, held)


async def add_rule(desk: Desk, **given: Any) -> dict[str, Any]:
    draft = {"title": "Four eyes", "tool": "bank.deposit", **given}
    return expect(await desk.client.post(RULES, json=draft), 201)


async def clear(desk: Desk) -> None:
    """No rule, and nothing that waits."""
    await execute(desk.server, "DELETE FROM approval_rules")
    await execute(desk.server, "UPDATE proposals SET state = 'voided' WHERE state = 'proposed'")


async def show(client: Client, proposal_id: str) -> dict[str, Any]:
    return expect(await client.get(f"/api/proposals/{proposal_id}"), 200)


async def list_waiting(client: Client) -> list[str]:
    listed = expect(await client.get("/api/proposals?waiting=true"), 200)
    return [one["id"] for one in listed["items"]]
