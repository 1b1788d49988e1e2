"""A run: one turn being worked on, as a value. Pure."""

from dataclasses import dataclass
from typing import Any, Literal, TypeAlias
from uuid import UUID

from assent.tools.tool import Phase

RunKind: TypeAlias = Literal["turn", "decision", "headless"]
PrincipalKind: TypeAlias = Literal["user", "application"]
RunStatus: TypeAlias = Literal[
    "queued", "running", "waiting", "completed", "failed", "cancelled", "superseded"
]
ACTIVE: tuple[RunStatus, ...] = ("queued", "running")


@dataclass(frozen=True, slots=True, kw_only=True)
class NewRun:
    """`message_id` is the assistant's message that the run will write.

    `principal_id` is who it acts for, with the rights that they have by then.
    """

    id: UUID
    tenant_id: UUID
    conversation_id: UUID
    work_id: UUID
    kind: RunKind
    agent: str
    principal_id: UUID
    message_id: UUID
    time_zone: str | None = None
    principal_kind: PrincipalKind = "user"


@dataclass(frozen=True, slots=True, kw_only=True)
class Run(NewRun):
    status: RunStatus
    attempt: int
    steps: int
    taint: list[dict[str, Any]]
    phase: Phase
    error: dict[str, Any] | None

    @property
    def is_active(self) -> bool:
        return self.status in ACTIVE
