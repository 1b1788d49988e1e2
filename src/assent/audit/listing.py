"""The audit log as pages and programs see it: entries, the filters of a list, how far it is sealed.

Pure.
"""

from collections.abc import Mapping
from datetime import datetime
from typing import Any, Literal
from uuid import UUID

from pydantic import Field

from assent.audit.entry import Edge, Effect, Status
from assent.audit.finding import Fault
from assent.value import PageQuery, Value

Kind = Literal["user", "application", "service"]


class ListedActor(Value):
    kind: Kind
    id: UUID | None
    name: str


class AuditEntry(Value):
    """One thing that happened. `decider` is who decided, where that was not the actor alone.

    `edge` and `status` are open texts: a newer version beside this one may write new ones.
    """

    id: UUID
    occurred_at: datetime
    edge: str
    action: str
    effect: Effect
    status: str
    actor: ListedActor
    decider: ListedActor | None
    arguments_hash: str
    conversation_id: UUID | None
    run_id: UUID | None
    proposal_id: UUID | None
    sealed: bool
    position: int | None = Field(description="Its place in the sealed log, counted from 1.")

    @classmethod
    def from_row(cls, row: Mapping[str, Any]) -> "AuditEntry":
        same = {name: row[name] for name in cls.model_fields if name not in ("actor", "decider")}
        decider = row["decider_name"]
        return cls(
            **same,
            actor=ListedActor(
                kind=row["principal_kind"], id=row["principal_id"], name=row["principal_name"]
            ),
            decider=ListedActor(
                kind=row["decider_kind"] or "user", id=row["decider_id"], name=decider
            )
            if decider is not None
            else None,
        )


class AuditFilter(Value):
    edge: Edge | None = Field(None, description="Where it came in.")
    status: Status | None = Field(None, description="What became of it.")
    effect: Effect | None = None
    action: str = Field("", max_length=200, description="Part of the action's name.")
    principal_id: UUID | None = Field(None, description="Who did it.")
    proposal_id: UUID | None = None
    since: datetime | None = Field(None, description="From this moment on.")
    until: datetime | None = Field(None, description="Before this moment.")


class AuditQuery(AuditFilter, PageQuery):
    pass


class LastHead(Value):
    position: int
    link: str
    signed_at: datetime


class AuditStatus(Value):
    """How far the log is sealed. `sealed_through` is when the last sealed entry happened."""

    sealed_through: datetime | None
    unsealed: int = Field(description="Entries not sealed yet; 10000 stands for that or more.")
    last_head: LastHead | None


class FoundFault(Value):
    """What is wrong with the entries from `first` to `last`."""

    fault: Fault
    first: int
    last: int
    message: str


class VerifiedStretch(Value):
    """What was found in a stretch of the log, from the position `after` on."""

    after: int
    through: int = Field(description="The last position that a signature vouches for.")
    through_at: datetime | None = Field(description="When the entry there happened.")
    heads: int = Field(description="Signed heads that were checked.")
    findings: list[FoundFault] = Field(description="The first fifty.")
    faults: int = Field(description="How many findings there are.")
    next_after: int | None = Field(description="Go on from here; null at the end of the log.")
