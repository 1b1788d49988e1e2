"""A small catalog in one workspace, for tests that ask who can reach it."""

from dataclasses import dataclass
from typing import Any
from uuid import UUID

from assent.testing import Client
from tests.turn.people import expect, number

BASE = "/api/p/catalog"
CHANGES = {
    "update_system": {"description": "x"},
    "update_group": {"description": "x"},
    "update_environment": {"description": "x"},
    "update_dependency": {"note": "x"},
}
"""What a partial change of each kind may say."""


@dataclass(frozen=True, slots=True)
class Shop:
    workspace_id: str
    systems: tuple[str, str]
    group: str
    environment: str
    dependency: str

    @property
    def ids(self) -> set[str]:
        return {*self.systems, self.group, self.environment, self.dependency}

    def fill(self, path: str) -> str:
        """An address of the catalog with this shop's ids in it."""
        return BASE + path.format(
            system_id=self.systems[0],
            group_id=self.group,
            environment_id=self.environment,
            dependency_id=self.dependency,
        )

    def draft(self, name: str) -> dict[str, Any]:
        """What creates one more of each kind."""
        if name == "create_dependency":
            return {"systemId": self.systems[1], "dependsOnId": self.systems[0]}
        return {"workspaceId": self.workspace_id, "name": f"more-{number()}"}


async def open_shop(client: Client, workspace_id: UUID | str) -> Shop:
    async def create(kind: str, **fields: Any) -> str:
        draft = {"workspaceId": str(workspace_id), "name": f"{kind}-{number()}", **fields}
        if kind == "dependencies":
            draft = fields
        return expect(await client.post(f"{BASE}/{kind}", json=draft), 201)["id"]

    group, environment = await create("groups"), await create("environments")
    first = await create("systems", groupIds=[group], environmentIds=[environment])
    second = await create("systems")
    return Shop(
        workspace_id=str(workspace_id),
        systems=(first, second),
        group=group,
        environment=environment,
        dependency=await create("dependencies", systemId=first, dependsOnId=second),
    )
