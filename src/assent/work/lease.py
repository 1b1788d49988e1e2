"""The values of the queue: work, the lease on it, the job that a handler is given, events.

Pure. Who holds a lease is decided in the database alone (`store.py`).
"""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, TypeAlias
from uuid import UUID

Payload: TypeAlias = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class NewWork:
    """Work as it is handed in."""

    id: UUID
    kind: str
    payload: Payload
    tenant_id: UUID | None = None
    ordering_key: str | None = None
    run_after: datetime | None = None
    priority: int = 0


@dataclass(frozen=True, slots=True)
class Lease:
    """Names one taking of a row. The attempt only ever grows, so no lease comes twice."""

    work_id: UUID
    owner: UUID
    attempt: int


@dataclass(frozen=True, slots=True)
class Work:
    """A row of the queue. A tenant of `None` is the installation itself."""

    id: UUID
    tenant_id: UUID | None
    kind: str
    ordering_key: str | None
    payload: Payload
    state: str
    attempt: int
    created_at: datetime
    run_after: datetime | None = None

    @classmethod
    def from_row(cls, row: Mapping[str, Any]) -> "Work":
        return cls(
            id=row["id"],
            tenant_id=row["tenant_id"],
            kind=row["kind"],
            ordering_key=row["ordering_key"],
            payload=row["payload"],
            state=row["state"],
            attempt=row["attempt"],
            created_at=row["created_at"],
            run_after=row["run_after"],
        )

    def log_fields(self) -> dict[str, object]:
        return {
            "work_id": str(self.id),
            "work_kind": self.kind,
            "tenant_id": str(self.tenant_id) if self.tenant_id else None,
            "attempt": self.attempt,
        }


@dataclass(frozen=True, slots=True)
class Job:
    """What a handler gets: the work, and the lease to fence its writes with."""

    work: Work
    lease: Lease


@dataclass(frozen=True, slots=True)
class Event:
    """A row of the outbox."""

    id: UUID
    tenant_id: UUID | None
    topic: str
    payload: Payload

    @classmethod
    def from_row(cls, row: Mapping[str, Any]) -> "Event":
        return cls(
            id=row["id"], tenant_id=row["tenant_id"], topic=row["topic"], payload=row["payload"]
        )


@dataclass(frozen=True, slots=True)
class Backlog:
    """How much waits, and since how many seconds the oldest of it."""

    count: int
    oldest: float


Handler: TypeAlias = Callable[[Job], Awaitable[None]]
