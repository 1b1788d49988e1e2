"""The tool budget: so many calls in any such time, per principal, over all processes."""

from dataclasses import dataclass
from datetime import timedelta
from uuid import UUID

from assent.actions import store
from assent.db.database import Database
from assent.errors import TooMany
from assent.identity.principal import Principal

WINDOW = timedelta(seconds=60)


@dataclass(frozen=True, slots=True)
class Budget:
    calls: int
    window: timedelta = WINDOW


@dataclass(frozen=True, slots=True)
class Taken:
    """One call that was counted, and the version of the tenant's vault at that moment."""

    vault_version: UUID | None


async def take_budget(database: Database, principal: Principal, budget: Budget) -> Taken:
    """Take one call in a statement of its own, or raise with the time to wait.

    Also tells the version of the tenant's vault, by which the call's result is scrubbed: a way to
    Postgres of its own would cost as much as the budget.
    """
    who = principal.tenant_id, principal.id
    async with database.connection() as db:
        taken = await store.take_budget(db, *who, calls=budget.calls, window=budget.window)
        if taken is not None:
            return Taken(taken["vault_version"])
        wait = await store.find_wait(db, *who, budget.window)
    raise TooMany(wait, f"At most {budget.calls} tool calls a minute. Wait {wait} s.")
