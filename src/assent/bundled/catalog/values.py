"""Systems, groups, environments and dependencies, and what callers send about them. Pure."""

from datetime import datetime
from typing import Annotated, Literal, TypeAlias
from uuid import UUID

from pydantic import Field

from assent.plugins.api import Name, Named, PageQuery, Text, Value

MOST_IDS = 500
Ids = Annotated[list[UUID], Field(max_length=MOST_IDS)]
Version = Annotated[int, Field(ge=1, le=2_147_483_647)]
Strength: TypeAlias = Literal["hard", "soft"]


class Entry(Value):
    """What everything in the catalog has. `version` grows with every change."""

    id: UUID
    workspace_id: UUID
    version: int
    created_at: datetime
    updated_at: datetime


class NamedEntry(Entry, Named):
    description: Text


class System(NamedEntry):
    group_ids: list[UUID]
    environment_ids: list[UUID]


class Group(NamedEntry):
    system_ids: list[UUID]


class Environment(NamedEntry):
    pass


class Dependency(Entry):
    """`system_id` needs `depends_on_id`: `hard` when it fails without it."""

    system_id: UUID
    depends_on_id: UUID
    strength: Strength
    note: Text


class EntryQuery(PageQuery):
    workspace_id: UUID | None = Field(default=None, description="Only this workspace.")
    q: str = Field(default="", max_length=200, description="Part of the name or the description.")


class SystemQuery(EntryQuery):
    group_id: UUID | None = Field(default=None, description="Only systems of this group.")
    environment_id: UUID | None = Field(
        default=None, description="Only systems in this environment."
    )


class DependencyQuery(PageQuery):
    workspace_id: UUID | None = Field(default=None, description="Only this workspace.")
    system_id: UUID | None = Field(
        default=None, description="Only those with this system at either end."
    )


class Draft(Value):
    workspace_id: UUID
    name: Name
    description: Text = ""


class SystemDraft(Draft):
    group_ids: Ids = []
    environment_ids: Ids = []


class GroupDraft(Draft):
    system_ids: Ids = []


class DependencyDraft(Value):
    system_id: UUID
    depends_on_id: UUID
    strength: Strength = "hard"
    note: Text = ""


class Change(Value):
    """A partial change: what is left out stays. `expected_version` guards against overwriting."""

    name: Name | None = None
    description: Text | None = None
    expected_version: Version | None = None


class SystemRef(Value):
    system_id: UUID


class SystemChange(SystemRef, Change):
    group_ids: Ids | None = None
    environment_ids: Ids | None = None


class GroupRef(Value):
    group_id: UUID


class GroupChange(GroupRef, Change):
    system_ids: Ids | None = None


class EnvironmentRef(Value):
    environment_id: UUID


class EnvironmentChange(EnvironmentRef, Change):
    pass


class DependencyRef(Value):
    dependency_id: UUID


class DependencyChange(DependencyRef):
    strength: Strength | None = None
    note: Text | None = None
    expected_version: Version | None = None
