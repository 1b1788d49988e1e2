"""Anomalies and what callers send about them. Pure."""

from datetime import datetime
from typing import Annotated, Literal, TypeAlias
from uuid import UUID

from pydantic import Field

from assent.plugins.api import Moment, PageQuery, Value

Version = Annotated[int, Field(ge=1, le=2_147_483_647)]
Note = Annotated[str, Field(max_length=2000)]
Worst: TypeAlias = Literal["degraded", "down"]


class Acknowledged(Value):
    by: str
    at: datetime
    note: str


class Anomaly(Value):
    """A time in which a check was not up. It is open until `closed_at`.

    `worst` is the worst status that it had; `check_name` and `system_ids` are as they were then.
    """

    id: UUID
    workspace_id: UUID
    check_id: UUID
    check_name: str
    system_ids: list[UUID]
    worst: Worst
    opened_at: datetime
    closed_at: datetime | None
    acknowledged: Acknowledged | None
    version: int


class AnomalyQuery(PageQuery):
    workspace_id: UUID | None = Field(default=None, description="Only this workspace.")
    open: bool | None = Field(default=None, description="Only those that are open, or closed.")
    system_id: UUID | None = Field(default=None, description="Only those of this system.")
    check_id: UUID | None = Field(default=None, description="Only those of this check.")
    since: Moment | None = Field(
        default=None, description="Only those that lasted until then or were opened later."
    )


class AnomalyRef(Value):
    anomaly_id: UUID


class Acknowledgement(AnomalyRef):
    """`expected_version` guards against acknowledging what has become something else."""

    note: Note = ""
    expected_version: Version | None = None
