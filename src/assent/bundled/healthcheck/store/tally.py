"""SQL of counts over many checks at once, from the hours that runs are counted in."""

from collections.abc import Sequence
from datetime import datetime
from uuid import UUID

from assent.plugins.api import Db, Row, Scope

LIST_CHECKS = """
SELECT id, name, system_ids FROM healthcheck.checks
WHERE tenant_id = $1
  AND ($2::boolean OR workspace_id = ANY ($3::uuid[]) OR id = ANY ($4::uuid[]))
  AND (id = ANY ($5::uuid[]) OR system_ids && $6::uuid[])
ORDER BY id
"""
COUNT = """
SELECT given.since, check_id, sum(up + degraded + down)::bigint AS runs, sum(down)::bigint AS failed
FROM unnest($3::timestamptz[]) AS given (since)
JOIN healthcheck.hours ON hours.tenant_id = $1 AND hours.check_id = ANY ($2::uuid[])
    AND hours.hour >= date_trunc('hour', given.since, 'UTC')
GROUP BY given.since, check_id
"""


async def list_checks(
    db: Db,
    tenant_id: UUID,
    scope: Scope,
    *,
    check_ids: Sequence[UUID],
    system_ids: Sequence[UUID],
) -> Sequence[Row]:
    return await db.fetch(
        LIST_CHECKS,
        tenant_id,
        scope.everywhere,
        list(scope.workspace_ids),
        list(scope.resource_ids),
        check_ids,
        system_ids,
    )


async def count_runs(
    db: Db, tenant_id: UUID, check_ids: Sequence[UUID], since: Sequence[datetime]
) -> Sequence[Row]:
    return await db.fetch(COUNT, tenant_id, check_ids, since)
