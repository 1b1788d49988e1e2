"""SQL of scripts that checks had before, by their digests."""

from datetime import datetime
from uuid import UUID

from assent.plugins.api import Db

REMEMBER = """
INSERT INTO healthcheck.sources (tenant_id, check_id, kind, digest, used_until)
SELECT tenant_id, id, strategy ->> 'kind',
       sha256(convert_to(strategy #>> '{config,source}', 'UTF8')), $3
FROM healthcheck.checks
WHERE tenant_id = $1 AND id = $2 AND strategy #>> '{config,source}' IS NOT NULL
ON CONFLICT (check_id, kind, digest) DO UPDATE SET used_until = excluded.used_until
"""
FIND = """
SELECT used_until FROM healthcheck.sources
WHERE tenant_id = $1 AND check_id = $2 AND kind = $3
  AND digest = sha256(convert_to($4::text, 'UTF8'))
"""


async def remember_source(db: Db, tenant_id: UUID, check_id: UUID, *, at: datetime) -> None:
    """Note the script that the check has at this moment, if it has one."""
    await db.execute(REMEMBER, tenant_id, check_id, at)


async def find_source(
    db: Db, tenant_id: UUID, check_id: UUID, *, kind: str, source: str
) -> datetime | None:
    """Until when the check had this script, if it ever had."""
    return await db.fetchval(FIND, tenant_id, check_id, kind, source)
