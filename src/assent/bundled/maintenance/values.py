"""Maintenance windows, and what callers send about them. Pure."""

from datetime import datetime
from typing import Literal, TypeAlias
from uuid import UUID

from pydantic import Field

from assent.bundled.timeline.api import (
    Draft,
    Edit,
    Guarded,
    LinkDraft,
    LinkRef,
    Ref,
    Subject,
    SubjectQuery,
    Timeline,
    UpdateDraft,
    UpdateRef,
    UpdateText,
)
from assent.plugins.api import Moment

Status: TypeAlias = Literal["scheduled", "in_progress", "completed", "closed"]

CLOSED = "Closed early."
STARTS = "When the work begins, with an offset"
ENDS = "When it is over, with an offset; after the beginning"


class Window(Subject):
    """`status` follows from the time, unless the window was closed before its end."""

    status: Status
    starts_at: datetime
    ends_at: datetime
    closed_at: datetime | None


class WindowDetail(Window, Timeline):
    pass


class WindowQuery(SubjectQuery):
    open: bool | None = Field(
        default=None, description="Only those that are not over, or only those that are."
    )
    status: Status | None = Field(default=None, description="Only those with this status.")


class WindowRef(Ref):
    window_id: UUID = Field(description="`id` of a maintenance window from maintenance.list.")

    @property
    def subject_id(self) -> UUID:
        return self.window_id


class WindowDraft(Draft):
    starts_at: Moment = Field(description=f"{STARTS}.")
    ends_at: Moment = Field(description=f"{ENDS}.")


class WindowEdit(WindowRef, Edit):
    starts_at: Moment | None = Field(
        default=None, description=f"{STARTS}. Leave it out to keep the present one."
    )
    ends_at: Moment | None = Field(
        default=None, description=f"{ENDS}. Leave it out to keep the present one."
    )


class WindowChange(WindowEdit, Guarded):
    pass


class WindowUpdate(WindowRef, UpdateDraft):
    reopen: bool = Field(
        default=False, description="Whether a window that was closed early goes on after all."
    )


class Closing(WindowRef, UpdateDraft):
    text: UpdateText = Field(default=CLOSED, description="Why it is over early, or cancelled.")


class WindowUpdateRef(WindowRef, UpdateRef):
    pass


class WindowLink(WindowRef, LinkDraft):
    pass


class WindowLinkRef(WindowRef, LinkRef):
    pass
