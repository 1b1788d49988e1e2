"""What the tests of the spend cap do again and again, in one word each."""

from dataclasses import dataclass
from datetime import timedelta
from uuid import UUID

from assent.db.database import Database
from assent.ids import new_id
from assent.models.cap import Spender

SHIFT = """
WITH shifted AS (
    UPDATE spend SET ends = ARRAY(SELECT one - $4::interval FROM unnest(ends) AS one ORDER BY one)
    WHERE tenant_id = $1 AND integration_id = $2 AND principal_id = $3
)
UPDATE spend_reservations SET expires_at = expires_at - $4::interval
WHERE tenant_id = $1 AND integration_id = $2 AND principal_id = $3
"""
METER = """
SELECT reserved, ends, tokens,
       (SELECT coalesce(sum(counted), 0)::bigint FROM spend_reservations AS one
        WHERE one.tenant_id = $1 AND one.integration_id = $2 AND one.principal_id = $3) AS counted,
       (SELECT count(*) FROM spend_reservations AS one
        WHERE one.tenant_id = $1 AND one.integration_id = $2 AND one.principal_id = $3) AS rows
FROM spend WHERE tenant_id = $1 AND integration_id = $2 AND principal_id = $3
"""


@dataclass(frozen=True)
class Meter:
    """What the rows of a spender say."""

    reserved: int
    spent: int
    reservations: int
    buckets: int


def new_spender(tenant_id: UUID | None = None) -> Spender:
    return Spender(tenant_id or new_id(), new_id(), new_id())


async def pass_time(database: Database, spender: Spender, time: timedelta) -> None:
    """Make everything so much older, as the database's clock cannot be set."""
    async with database.connection() as db:
        await db.execute(SHIFT, *list_ids(spender), time)


async def read_meter(database: Database, spender: Spender) -> Meter | None:
    async with database.connection() as db:
        row = await db.fetchrow(METER, *list_ids(spender))
    if row is None:
        return None
    assert row["reserved"] == row["counted"]
    return Meter(row["reserved"], sum(row["tokens"]), row["rows"], len(row["ends"]))


def list_ids(spender: Spender) -> tuple[UUID, UUID, UUID]:
    return spender.tenant_id, spender.integration_id, spender.principal_id
