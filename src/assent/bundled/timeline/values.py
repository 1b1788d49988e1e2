"""What has a timeline, what stands on it, and what callers send about it. Pure."""

from datetime import datetime
from typing import Annotated, Literal, TypeAlias
from uuid import UUID

from pydantic import Field

from assent.plugins.api import Name, PageQuery, Text, Value

MOST_SYSTEMS = 50
MOST_UPDATES = 500
MOST_LINKS = 50
SystemIds = Annotated[list[UUID], Field(max_length=MOST_SYSTEMS)]
Version = Annotated[int, Field(ge=1, le=2_147_483_647)]
UpdateText = Annotated[str, Field(min_length=1, max_length=4000, pattern=r"\S")]
LinkUrl = Annotated[str, Field(max_length=2000, pattern=r"^https://[^\s/?#@\\]+([/?#]\S*)?$")]
AddressUrl = Annotated[str, Field(max_length=500, pattern=r"^https?://[^\s/?#@\\]+([/?#]\S*)?$")]
DeliveryState: TypeAlias = Literal["waiting", "sent", "failed"]

NEW = "Leave it out to keep the present one."
SYSTEMS = "Systems that are affected: ids from catalog.listSystems, of the same workspace."
NOTIFY = (
    "Whether to send this to the workspace's notification address as well, which is outside: a "
    "person always decides about that. Only if they asked for it."
)


class Subject(Value):
    """What has a timeline. `version` grows with every change of it or of what is on the timeline.

    A system that was deleted since stays in `system_ids`: it was affected then.
    """

    id: UUID
    workspace_id: UUID
    title: Name
    description: Text
    system_ids: list[UUID]
    version: int
    created_at: datetime
    updated_at: datetime


class Update(Value):
    """What somebody said, and the status from then on."""

    id: UUID
    text: str
    status: str
    author: str
    author_id: UUID
    created_at: datetime


class Link(Value):
    id: UUID
    label: str
    url: str


class Delivery(Value):
    """A notification: `waiting` is tried again, `reason` says why the last try went wrong.

    `origin` is where it goes, without the path, which may be known to few.
    """

    id: UUID
    update_id: UUID | None
    event: str
    origin: str
    state: DeliveryState
    tries: int
    reason: str
    created_at: datetime
    tried_at: datetime | None


class Timeline(Value):
    """The newest updates and deliveries first, links by label."""

    updates: list[Update]
    links: list[Link]
    deliveries: list[Delivery]


class Address(Value):
    """Where a plugin's notifications of a workspace go; nowhere without a URL."""

    workspace_id: UUID
    url: str | None


class SubjectQuery(PageQuery):
    workspace_id: UUID | None = Field(default=None, description="Only this workspace.")
    system_id: UUID | None = Field(default=None, description="Only what affects this system.")
    q: str = Field(default="", max_length=200, description="Part of the title or the description.")


class Ref(Value):
    """Names what has the timeline, by a field that each plugin calls as it likes."""

    @property
    def subject_id(self) -> UUID:
        raise NotImplementedError


class Notifying(Value):
    notify: bool = Field(default=False, description=NOTIFY)


class Draft(Notifying):
    workspace_id: UUID = Field(description="`workspaceId` of what the list tools show.")
    title: Name = Field(description="What is the matter, in a few words.")
    description: Text = Field(default="", description="What is known, in a few sentences.")
    system_ids: SystemIds = Field(default=[], description=SYSTEMS)


class Edit(Ref, Notifying):
    """A partial change: what is left out stays."""

    title: Name | None = Field(default=None, description=NEW)
    description: Text | None = Field(default=None, description=f"The whole new text. {NEW}")
    system_ids: SystemIds | None = Field(
        default=None, description=f"{SYSTEMS} The list replaces the present one. {NEW}"
    )


class Guarded(Value):
    expected_version: Version | None = Field(
        default=None, description="Guards against overwriting what somebody else has changed."
    )


class UpdateDraft(Ref, Notifying):
    text: UpdateText = Field(description="What is new, for those who follow it.")


class UpdateRef(Ref):
    update_id: UUID = Field(description="`id` of one of its updates.")


class LinkDraft(Ref):
    label: Name = Field(description="What is to be found there.")
    url: LinkUrl = Field(description="Where: an address that begins with https://.")


class LinkRef(Ref):
    link_id: UUID = Field(description="`id` of one of its links.")


class AddressRef(Value):
    workspace_id: UUID


class AddressChange(AddressRef):
    url: AddressUrl | None = Field(description="A web address that takes POST; null for none.")
