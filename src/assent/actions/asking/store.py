"""SQL of what programs are told: states that were used, and calls whose outcome was told."""

from datetime import timedelta
from uuid import UUID

from assent.db.database import Db

SPEND = """
INSERT INTO spent_states (tenant_id, id, expires_at)
VALUES ($1, $2, clock_timestamp() + $3::interval)
ON CONFLICT DO NOTHING RETURNING 1
"""
IS_SPENT = "SELECT EXISTS (SELECT FROM spent_states WHERE tenant_id = $1 AND id = $2)"
PURGE = "DELETE FROM spent_states WHERE tenant_id = $1 AND expires_at <= clock_timestamp()"
RELEASE = """
UPDATE proposals SET call_key = NULL, told_at = clock_timestamp()
WHERE tenant_id = $1 AND id = $2 AND run_id IS NULL
"""


async def spend_state(db: Db, tenant_id: UUID, state_id: UUID, *, lifetime: timedelta) -> bool:
    """Whether it was good: of any number who come with it at once, one hears so."""
    return await db.fetchval(SPEND, tenant_id, state_id, lifetime) is not None


async def is_spent(db: Db, tenant_id: UUID, state_id: UUID) -> bool:
    return await db.fetchval(IS_SPENT, tenant_id, state_id)


async def purge_states(db: Db, tenant_id: UUID) -> None:
    await db.execute(PURGE, tenant_id)


async def release_call(db: Db, tenant_id: UUID, proposal_id: UUID) -> None:
    """Its outcome was told: the call that led to it is a new one from now on."""
    await db.execute(RELEASE, tenant_id, proposal_id)
