"""SQL of what a tenant is allowed, and of what its month has used."""

from decimal import Decimal
from uuid import UUID

from assent.db.database import Db, Row
from assent.models.credits import Allowance, AllowanceChange, Credits, Standing

COLUMNS = "allowed.unit, allowed.amount, allowed.chat_enabled, allowed.version"
FIND = f"SELECT {COLUMNS} FROM allowances AS allowed WHERE tenant_id = $1"
LOAD_STANDING = f"""
SELECT {COLUMNS}, coalesce(meter.used, 0) AS used
FROM allowances AS allowed
LEFT JOIN credit_use AS meter
    ON meter.tenant_id = allowed.tenant_id AND meter.unit = allowed.unit
   AND meter.month = date_trunc('month', now() AT TIME ZONE 'UTC')::date
WHERE allowed.tenant_id = $1
"""
SET = f"""
INSERT INTO allowances AS allowed (tenant_id, unit, amount, chat_enabled)
VALUES ($1, $2, $3, $4)
ON CONFLICT (tenant_id) DO UPDATE SET
    unit = excluded.unit, amount = excluded.amount, chat_enabled = excluded.chat_enabled,
    version = allowed.version + 1
WHERE $5::bigint IS NULL OR allowed.version = $5
RETURNING {COLUMNS}
"""


async def find_allowance(db: Db, tenant_id: UUID) -> Allowance:
    return _allowance(await db.fetchrow(FIND, tenant_id))


async def load_standing(db: Db, tenant_id: UUID) -> Standing:
    row = await db.fetchrow(LOAD_STANDING, tenant_id)
    return Standing(_allowance(row), row["used"] if row else Decimal(0))


async def set_allowance(db: Db, tenant_id: UUID, change: AllowanceChange) -> Allowance | None:
    given = change.credits
    row = await db.fetchrow(
        SET,
        tenant_id,
        given.unit if given else None,
        given.amount if given else None,
        change.chat_enabled,
        change.expected_version,
    )
    return _allowance(row) if row else None


def _allowance(row: Row | None) -> Allowance:
    if row is None:
        return Allowance()
    found = Credits(unit=row["unit"], amount=row["amount"]) if row["unit"] else None
    return Allowance(credits=found, chat_enabled=row["chat_enabled"], version=row["version"])
