"""Objectives and what callers send about them. Pure."""

from datetime import datetime
from typing import Annotated, Literal, TypeAlias
from uuid import UUID

from pydantic import AfterValidator, Field

from assent.plugins.api import Name, Named, PageQuery, Text, Value

Version = Annotated[int, Field(ge=1, le=2_147_483_647)]
State: TypeAlias = Literal["unknown", "met", "burning", "exhausted"]


def _round(value: float) -> float:
    return round(value, 3)


Percent = Annotated[float, Field(ge=1, le=99.999), AfterValidator(_round)]
WindowDays = Annotated[int, Field(ge=1, le=90)]


class Budget(Value):
    """How far an objective is attained.

    `attained` is the share of runs that did not fail, in percent; `left` the share of the error
    budget that is left, below zero when more was spent than there was; `burn` how many times faster
    than the budget allows runs failed in the last hour. All are missing where nothing ran, and
    `reason` says why nothing is known.
    """

    state: State
    runs: int
    failed: int
    attained: float | None
    left: float | None
    burn: float | None
    reason: str = ""


class ObjectiveEntry(Named):
    """An objective as it is stored: of one system or of one check."""

    workspace_id: UUID
    description: Text
    system_id: UUID | None
    check_id: UUID | None
    target: float
    window_days: int
    version: int
    created_at: datetime
    updated_at: datetime


class Objective(ObjectiveEntry):
    """An objective with the name of what it is about, where it may be seen, and its budget."""

    about: str | None
    budget: Budget


class ObjectiveQuery(PageQuery):
    workspace_id: UUID | None = Field(default=None, description="Only this workspace.")
    system_id: UUID | None = Field(default=None, description="Only objectives of this system.")
    check_id: UUID | None = Field(default=None, description="Only objectives of this check.")
    q: str = Field(default="", max_length=200, description="Part of the name or the description.")


class ObjectiveDraft(Value):
    """Either `system_id` or `check_id`: what the objective is about decides its workspace."""

    name: Name
    description: Text = ""
    system_id: UUID | None = None
    check_id: UUID | None = None
    target: Percent
    window_days: WindowDays = 30


class ObjectiveRef(Value):
    objective_id: UUID


class ObjectiveChange(ObjectiveRef):
    """A partial change: what is left out stays. `expected_version` guards against overwriting."""

    name: Name | None = None
    description: Text | None = None
    target: Percent | None = None
    window_days: WindowDays | None = None
    expected_version: Version | None = None
