"""Ticks: work that falls due by the clock, once per slot however many processes look.

Slots are aligned to the epoch and the database's clock decides. Only the slot that has begun last
is ever created, so what was missed while nothing ran collapses into one.
"""

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import TypeAlias
from uuid import UUID

from assent.db.database import Db
from assent.errors import ConfigurationError
from assent.ids import new_id
from assent.work import store
from assent.work.lease import NewWork

ListTenants: TypeAlias = Callable[[Db], Awaitable[Sequence[UUID]]]


@dataclass(frozen=True, slots=True)
class Schedule:
    """Work of this kind each `every`, once for the installation or once for each tenant."""

    name: str
    every: timedelta
    kind: str
    per_tenant: bool = False

    def __post_init__(self) -> None:
        if self.every <= timedelta():
            raise ConfigurationError(f"The schedule {self.name} needs a positive interval.")


async def create_due_ticks(db: Db, schedules: Sequence[Schedule], list_tenants: ListTenants) -> int:
    """Create the ticks that are due and their work in one transaction; return how many ticks."""
    by_name = {schedule.name: schedule for schedule in schedules}
    ticks = await store.insert_due_ticks(db, {name: by_name[name].every for name in by_name})
    if not ticks:
        return 0
    for name, due_at in ticks:
        await store.insert_work(db, await _plan(db, by_name[name], due_at, list_tenants))
    return len(ticks)


async def _plan(
    db: Db, schedule: Schedule, due_at: datetime, list_tenants: ListTenants
) -> list[NewWork]:
    tenants: Sequence[UUID | None] = await list_tenants(db) if schedule.per_tenant else [None]
    payload = {"schedule": schedule.name, "dueAt": due_at.isoformat()}
    return [
        NewWork(id=new_id(), kind=schedule.kind, payload=payload, tenant_id=tenant)
        for tenant in tenants
    ]
