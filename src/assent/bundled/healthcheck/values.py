"""Checks, their runs and their figures, and what callers send about them. Pure."""

from datetime import datetime
from typing import Annotated, Any, Literal, TypeAlias
from uuid import UUID

from pydantic import BeforeValidator, Field

from assent.plugins.api import Name, Named, PageQuery, Text, Value

Status: TypeAlias = Literal["unknown", "up", "degraded", "down"]
Severity: TypeAlias = Literal["degraded", "down"]
Kind = Annotated[str, Field(min_length=1, max_length=60)]
Origin = Annotated[str, Field(min_length=1, max_length=300)]
Version = Annotated[int, Field(ge=1, le=2_147_483_647)]

SHORTEST_INTERVAL, LONGEST_INTERVAL = 5, 86_400
MOST_SYSTEMS, MOST_COLLECTORS, MOST_ASSERTIONS, MOST_ORIGINS = 100, 10, 30, 20


def check_scalar(value: object) -> object:
    if not isinstance(value, str | int | float | None):
        raise ValueError("This must be a text, a number, true or false.")
    return value


Scalar = Annotated[str | int | float | bool | None, BeforeValidator(check_scalar)]
"""One value, and not several: which kind of it, the field says that it is compared with."""


class StrategyDraft(Value):
    """How the check looks: the kind of probe and its configuration."""

    kind: Kind = Field(description="`kind` of a strategy from healthcheck.listCapabilities.")
    version: Version | None = Field(
        None,
        description="Version of the schema that `config` was written for; left out: the newest.",
    )
    config: dict[str, Any] = Field(
        {}, description="As healthcheck.getCapabilitySchema says for this kind."
    )


class CollectorDraft(Value):
    """What is taken from what the strategy saw."""

    id: str = Field(
        min_length=1,
        max_length=40,
        pattern=r"^[a-z][A-Za-z0-9]*$",
        description="Assertions name its fields with this: `id.field`.",
    )
    kind: Kind = Field(description="`kind` of a collector from healthcheck.listCapabilities.")
    version: Version | None = None
    config: dict[str, Any] = Field(
        {}, description="As healthcheck.getCapabilitySchema says for this kind."
    )


class Assertion(Value):
    """What has to hold. If it does not, the check is `severity`."""

    field: str = Field(
        min_length=1,
        max_length=120,
        description="A result field of the strategy, `durationMs`, or `collectorId.field`.",
    )
    operator: str = Field(
        min_length=1, max_length=40, description="One of those that fit the field's type."
    )
    value: Scalar = Field(None, description="What the field is compared with.")
    severity: Severity = "down"


class CheckDraft(Value):
    """A check as somebody wants it to be."""

    workspace_id: UUID = Field(description="The workspace that it belongs to.")
    name: Name = Field(description="Unique among the checks of the workspace.")
    description: Text = Field("", description="What it is for, in a sentence or two.")
    system_ids: list[UUID] = Field(
        [], max_length=MOST_SYSTEMS, description="The systems whose health it shows."
    )
    strategy: StrategyDraft
    collectors: list[CollectorDraft] = Field([], max_length=MOST_COLLECTORS)
    assertions: list[Assertion] = Field(
        [],
        max_length=MOST_ASSERTIONS,
        description="Without any, the strategy's own expectations hold.",
    )
    interval_seconds: int = Field(
        60, ge=SHORTEST_INTERVAL, le=LONGEST_INTERVAL, description="How often it runs."
    )
    timeout_ms: int = Field(
        10_000, ge=100, le=60_000, description="How long one run may take; at most the interval."
    )
    egress: list[Origin] = Field(
        [],
        max_length=MOST_ORIGINS,
        description="Places that it may reach besides those that its strategy names, each as "
        "`scheme://host:port`.",
    )
    enabled: bool = True


class Check(Named):
    """A check as it is. `version` grows with every change, not with runs."""

    workspace_id: UUID
    description: Text
    system_ids: list[UUID]
    strategy: StrategyDraft
    collectors: list[CollectorDraft]
    assertions: list[Assertion]
    interval_seconds: int
    timeout_ms: int
    egress: list[str]
    reaches: list[str] = Field(description="Every place that a run may reach.")
    enabled: bool
    status: Status
    status_since: datetime | None
    reason: str
    quotes: bool = Field(False, description="Whether the reason has words of what was looked at.")
    last_run_at: datetime | None
    next_run_at: datetime
    version: int
    created_at: datetime
    updated_at: datetime


class FailedAssertion(Value):
    """An assertion that did not hold, and why."""

    field: str
    operator: str
    severity: Severity
    message: str


class Run(Value):
    """One run of a check: when it was due, how it ended, and what was seen."""

    due_at: datetime
    started_at: datetime
    duration_ms: float
    status: Status
    reason: str
    result: dict[str, Any] | None
    failed: list[FailedAssertion]


class Hour(Value):
    """Runs of one hour. `buckets` counts those with an answer by how long they took."""

    hour: datetime
    up: int
    degraded: int
    down: int
    unknown: int
    buckets: dict[str, int]


class CheckQuery(PageQuery):
    workspace_id: UUID | None = Field(default=None, description="Only this workspace.")
    system_id: UUID | None = Field(default=None, description="Only checks of this system.")
    status: Status | None = Field(default=None, description="Only checks that are so.")
    q: str = Field(default="", max_length=200, description="Part of the name or the description.")


class CheckRef(Value):
    check_id: UUID = Field(description="`id` of a check from healthcheck.status.")


class RunQuery(CheckRef, PageQuery):
    status: Status | None = Field(default=None, description="Only runs that ended so.")


class StatsQuery(CheckRef):
    hours: int = Field(
        24, ge=1, le=24 * 366, description="How many hours back from now are looked at."
    )


class Percentiles(Value):
    """Milliseconds that runs with an answer took; nothing without such runs."""

    p50: float | None
    p95: float | None
    p99: float | None


class Counts(Value):
    runs: int
    up: int
    degraded: int
    down: int
    unknown: int


class Point(Value):
    """Figures of one hour or one day."""

    at: datetime
    counts: Counts
    availability: float | None
    percentiles: Percentiles


class RunStats(Value):
    """Figures of a check over a time.

    `availability` is the share of runs that were up or degraded, of all that could be made.
    `source` is `runs` where every run was counted, and `hours` where stored hours were: their
    percentiles are within five percent.
    """

    check_id: UUID
    since: datetime
    until: datetime
    source: Literal["runs", "hours"]
    counts: Counts
    availability: float | None
    percentiles: Percentiles
    points: list[Point]


class Capability(Value):
    """A strategy, or a collector with the strategy that it works on."""

    kind: str
    title: str
    description: str
    strategy: str | None


class CapabilityList(Value):
    strategies: list[Capability]
    collectors: list[Capability]


class CapabilityRef(Value):
    kind: Kind = Field(description="`kind` of a strategy or a collector.")


class FieldSchema(Value):
    """A field that assertions may name, and the operators that fit it."""

    name: str
    type: str
    description: str
    operators: list[str]


class CapabilitySchema(Capability):
    """All that is needed to use it. `expects` holds where a check asserts nothing itself."""

    version: int
    config_schema: dict[str, Any]
    fields: list[FieldSchema]
    collectors: list[str]
    expects: list[Assertion]
