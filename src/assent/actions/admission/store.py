"""SQL that looks up a credential and takes a call of its budget, in one statement."""

from collections.abc import Sequence
from datetime import timedelta

from assent.db.database import Db, Row
from assent.identity.oauth.store.connections import FIND_ACCESS
from assent.identity.store.principals import FIND_KEY

TAKEN = """
taken AS (
    INSERT INTO tool_budget AS budget (tenant_id, principal_id, taken)
    SELECT tenant_id, {principal}, ARRAY[clock_timestamp()] FROM found LIMIT 1
    ON CONFLICT (tenant_id, principal_id) DO UPDATE
    SET taken = ARRAY(
            SELECT one FROM unnest(budget.taken) AS one WHERE one > clock_timestamp() - $3::interval
        ) || clock_timestamp()
    WHERE (SELECT count(*) FROM unnest(budget.taken) AS one
           WHERE one > clock_timestamp() - $3::interval) < $2
    RETURNING tenant_id
)
"""
TOLD = """
found.*, EXISTS (SELECT FROM taken) AS is_taken,
(SELECT version FROM secret_versions
 WHERE secret_versions.tenant_id = found.tenant_id) AS vault_version
"""
ADMIT_KEY = f"""
WITH found AS ({FIND_KEY}), {TAKEN.format(principal="application_id")} SELECT {TOLD} FROM found
"""
ADMIT_TOKEN = f"""
WITH found AS ({FIND_ACCESS} AND resource = $4), {TAKEN.format(principal="user_id")}
SELECT {TOLD} FROM found
"""


async def admit_key(db: Db, key_hash: bytes, *, calls: int, window: timedelta) -> Sequence[Row]:
    """As `find_key`, with whether a call was taken, and the version of the tenant's vault."""
    return await db.fetch(ADMIT_KEY, key_hash, calls, window)


async def admit_token(
    db: Db, token_hash: bytes, *, calls: int, window: timedelta, resource: str
) -> Sequence[Row]:
    """As `find_access`, of a token for this resource."""
    return await db.fetch(ADMIT_TOKEN, token_hash, calls, window, resource)
