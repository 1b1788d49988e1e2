"""The tool budget: so many calls in any such time, per principal, over all processes."""

from dataclasses import dataclass
from datetime import timedelta

from assent.actions import store
from assent.db.database import Database
from assent.errors import TooMany
from assent.identity.principal import Principal

WINDOW = timedelta(seconds=60)


@dataclass(frozen=True, slots=True)
class Budget:
    calls: int
    window: timedelta = WINDOW


async def take_budget(database: Database, principal: Principal, budget: Budget) -> None:
    """Take one call in a statement of its own, or raise with the time to wait."""
    who = principal.tenant_id, principal.id
    async with database.connection() as db:
        if await store.take_budget(db, *who, calls=budget.calls, window=budget.window):
            return
        wait = await store.find_wait(db, *who, budget.window)
    raise TooMany(wait, f"At most {budget.calls} tool calls a minute. Wait {wait} s.")
