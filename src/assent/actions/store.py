"""SQL of the tool budget."""

from datetime import timedelta
from uuid import UUID

from assent.db.database import Db

TAKE_BUDGET = """
INSERT INTO tool_budget AS budget (tenant_id, principal_id, taken)
VALUES ($1, $2, ARRAY[clock_timestamp()])
ON CONFLICT (tenant_id, principal_id) DO UPDATE
SET taken = ARRAY(
        SELECT one FROM unnest(budget.taken) AS one WHERE one > clock_timestamp() - $4::interval
    ) || clock_timestamp()
WHERE (SELECT count(*) FROM unnest(budget.taken) AS one
       WHERE one > clock_timestamp() - $4::interval) < $3
RETURNING 1
"""
FIND_WAIT = """
SELECT greatest(1, ceil(extract(epoch FROM min(one) + $3::interval - clock_timestamp())))::int
FROM tool_budget, unnest(taken) AS one
WHERE tenant_id = $1 AND principal_id = $2 AND one > clock_timestamp() - $3::interval
"""


async def take_budget(
    db: Db, tenant_id: UUID, principal_id: UUID, *, calls: int, window: timedelta
) -> bool:
    """Take one call if there is room. The row's lock decides between callers at once."""
    taken = await db.fetchval(TAKE_BUDGET, tenant_id, principal_id, calls, window)
    return taken is not None


async def find_wait(db: Db, tenant_id: UUID, principal_id: UUID, window: timedelta) -> int:
    """Seconds until the oldest call that counts falls out of the window."""
    return await db.fetchval(FIND_WAIT, tenant_id, principal_id, window) or 1
