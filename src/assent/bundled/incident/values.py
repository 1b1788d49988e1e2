"""Incidents, and what callers send about them. Pure."""

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

Severity: TypeAlias = Literal["minor", "major", "critical"]
OpenStatus: TypeAlias = Literal["investigating", "identified", "monitoring"]
Status: TypeAlias = Literal["investigating", "identified", "monitoring", "resolved"]

RESOLVED = "Resolved."
SEVERITY = "How bad: `minor`, `major` or `critical`."
STARTED = "When it began, with an offset"


class Incident(Subject):
    severity: Severity
    status: Status
    started_at: datetime
    resolved_at: datetime | None


class IncidentDetail(Incident, Timeline):
    pass


class IncidentQuery(SubjectQuery):
    open: bool | None = Field(
        default=None, description="Only those that are not resolved, or only those that are."
    )
    status: Status | None = Field(default=None, description="Only those with this status.")
    severity: Severity | None = Field(default=None, description="Only those of this severity.")


class IncidentRef(Ref):
    incident_id: UUID = Field(description="`id` of an incident from incident.list.")

    @property
    def subject_id(self) -> UUID:
        return self.incident_id


class IncidentDraft(Draft):
    severity: Severity = Field(description=SEVERITY)
    status: OpenStatus = Field(default="investigating", description="How far people have come.")
    started_at: Moment | None = Field(default=None, description=f"{STARTED}; now if left out.")


class IncidentEdit(IncidentRef, Edit):
    severity: Severity | None = Field(
        default=None, description=f"{SEVERITY} Leave it out to keep the present one."
    )
    started_at: Moment | None = Field(
        default=None, description=f"{STARTED}. Leave it out to keep the present one."
    )


class IncidentChange(IncidentEdit, Guarded):
    pass


class IncidentUpdate(IncidentRef, UpdateDraft):
    status: Status | None = Field(
        default=None,
        description="The status from now on, if it changes. Another one than `resolved` opens a "
        "resolved incident again.",
    )


class Resolution(IncidentRef, UpdateDraft):
    text: UpdateText = Field(default=RESOLVED, description="What solved it.")


class IncidentUpdateRef(IncidentRef, UpdateRef):
    pass


class IncidentLink(IncidentRef, LinkDraft):
    pass


class IncidentLinkRef(IncidentRef, LinkRef):
    pass
