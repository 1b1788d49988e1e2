"""SQL of what is read of the ledger."""

from collections.abc import Mapping
from datetime import datetime
from uuid import UUID

from assent.db.database import Db
from assent.models.usage import CallQuery, Days, Group, ModelCall, UsageLine

# Names are looked up for what the groups come to, not for each call.
SUM = """
WITH sums AS (
    SELECT CASE $4
               WHEN 'day' THEN (started_at AT TIME ZONE 'UTC')::date::text
               WHEN 'person' THEN principal_id::text
               WHEN 'agent' THEN agent
               WHEN 'model' THEN model
               WHEN 'integration' THEN integration_id::text
               ELSE purpose
           END AS key,
           CASE WHEN $5 THEN (started_at AT TIME ZONE 'UTC')::date END AS day,
           currency,
           count(*) AS calls,
           count(*) FILTER (WHERE estimated) AS estimated_calls,
           sum(input_tokens)::bigint AS input_tokens,
           sum(output_tokens)::bigint AS output_tokens,
           sum(cache_read_tokens)::bigint AS cache_read_tokens,
           sum(cache_write_tokens)::bigint AS cache_write_tokens,
           sum(reasoning_tokens)::bigint AS reasoning_tokens,
           sum(cleared_tool_uses)::bigint AS cleared_tool_uses,
           sum(cleared_tokens)::bigint AS cleared_tokens,
           sum(cost) AS cost
    FROM model_calls
    WHERE tenant_id = $1 AND started_at >= $2 AND started_at < $3
    GROUP BY 1, 2, 3
)
SELECT sums.*, CASE $4
    WHEN 'person' THEN (SELECT name FROM users
                        WHERE users.tenant_id = $1 AND users.id::text = sums.key)
    WHEN 'integration' THEN (SELECT name FROM integrations AS one
                             WHERE one.tenant_id = $1 AND one.id::text = sums.key)
    END AS name
FROM sums
ORDER BY day, key, currency
"""

LIST = """
SELECT call.id, call.started_at, call.ended_at, call.integration_id, call.provider, call.model,
       call.purpose, call.principal_id, call.agent, call.conversation_id, call.run_id,
       call.input_tokens, call.output_tokens, call.cache_read_tokens, call.cache_write_tokens,
       call.reasoning_tokens, call.cleared_tool_uses, call.cleared_tokens, call.cost,
       call.currency, call.outcome, call.estimated,
       users.name AS principal_name, integrations.name AS integration_name
FROM model_calls AS call
LEFT JOIN users ON users.tenant_id = call.tenant_id AND users.id = call.principal_id
LEFT JOIN integrations
    ON integrations.tenant_id = call.tenant_id AND integrations.id = call.integration_id
WHERE call.tenant_id = $1 AND call.started_at >= $2 AND call.started_at < $3
  AND ($4::uuid IS NULL OR call.principal_id = $4)
  AND ($5::uuid IS NULL OR call.run_id = $5)
  AND ($6::timestamptz IS NULL OR (call.started_at, call.id) < ($6, $7))
ORDER BY call.started_at DESC, call.id DESC
LIMIT $8
"""


async def sum_usage(
    db: Db, tenant_id: UUID, days: Days, *, group: Group, daily: bool
) -> list[UsageLine]:
    """One line for each group and currency, and for each day if that is asked for."""
    rows = await db.fetch(SUM, tenant_id, days.begin, days.end, group, daily and group != "day")
    return [_line(row) for row in rows]


async def list_calls(
    db: Db,
    tenant_id: UUID,
    days: Days,
    query: CallQuery,
    *,
    before: tuple[datetime, UUID] | None,
) -> list[ModelCall]:
    """Newest first, one more than the limit if there is more."""
    rows = await db.fetch(
        LIST,
        tenant_id,
        days.begin,
        days.end,
        query.person_id,
        query.run_id,
        *(before or (None, None)),
        query.limit + 1,
    )
    return [ModelCall(**row) for row in rows]


def _line(row: Mapping[str, object]) -> UsageLine:
    found = dict(row)
    currency, cost = found.pop("currency"), found.pop("cost")
    costs = [{"currency": currency, "amount": cost}] if currency else []
    return UsageLine.model_validate({**found, "costs": costs})
