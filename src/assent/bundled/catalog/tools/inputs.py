"""What the tools that change something take, described for the model. Pure."""

from uuid import UUID

from pydantic import Field

from assent.bundled.catalog.values import (
    Draft,
    GroupDraft,
    GroupRef,
    Ids,
    SystemDraft,
    SystemRef,
)
from assent.plugins.api import Name, Text, Value

WORKSPACE = Field(description="`workspaceId` of what the list tools show.")
SYSTEM = Field(description="`id` of a system from catalog.listSystems.")
GROUP = Field(description="`id` of a group from catalog.listGroups.")
NAME = Field(description="Unique among its kind in the workspace.")
NEW_NAME = Field(None, description="The new name. Leave it out to keep the present one.")
TEXT = Field("", description="What it is for, in a sentence or two.")
NEW_TEXT = Field(
    None,
    description="The whole new description, which replaces the present one. "
    "Leave it out to keep that.",
)


class NewSystem(SystemDraft):
    workspace_id: UUID = WORKSPACE
    name: Name = NAME
    description: Text = TEXT
    group_ids: Ids = Field([], description="Groups that it joins: ids from catalog.listGroups.")
    environment_ids: Ids = Field(
        [], description="Environments that it runs in: ids from catalog.listEnvironments."
    )


class NewGroup(GroupDraft):
    workspace_id: UUID = WORKSPACE
    name: Name = NAME
    description: Text = TEXT
    system_ids: Ids = Field([], description="Systems in it: ids from catalog.listSystems.")


class NewEnvironment(Draft):
    workspace_id: UUID = WORKSPACE
    name: Name = NAME
    description: Text = TEXT


class NewTexts(Value):
    """The part of an update that everything with a name has in common."""

    name: Name | None = NEW_NAME
    description: Text | None = NEW_TEXT


class OldSystem(SystemRef):
    system_id: UUID = SYSTEM


class OldGroup(GroupRef):
    group_id: UUID = GROUP


class SystemUpdate(NewTexts, OldSystem):
    pass


class GroupUpdate(NewTexts, OldGroup):
    pass


class Membership(Value):
    system_id: UUID = SYSTEM
    group_id: UUID = GROUP


class SystemEnvironments(Value):
    system_id: UUID = SYSTEM
    environment_ids: Ids = Field(
        description="All environments that it shall run in, those that stay included: "
        "ids from catalog.listEnvironments. An empty list means none."
    )
