"""SQL of webhooks, and of what a run's calls came to for them."""

from decimal import Decimal
from typing import Any
from uuid import UUID

from assent.db.database import Db, Row
from assent.models.webhook import Event, Webhook, WebhookChange

COLUMNS = """
hook.url, hook.secret_id IS NOT NULL AS has_secret, hook.events, hook.enabled, hook.version
"""
FIND = f"SELECT {COLUMNS} FROM webhooks AS hook WHERE hook.tenant_id = $1"
FIND_SECRET = "SELECT secret_id FROM webhooks WHERE tenant_id = $1"
LOCK_SECRET = f"{FIND_SECRET} FOR UPDATE"
LIST_EVENTS = "SELECT events FROM webhooks WHERE tenant_id = $1 AND enabled"
SET = f"""
INSERT INTO webhooks AS hook (tenant_id, url, secret_id, events, enabled)
VALUES ($1, $2, $3, $4, $5)
ON CONFLICT (tenant_id) DO UPDATE SET
    url = excluded.url, secret_id = coalesce(excluded.secret_id, hook.secret_id),
    events = excluded.events, enabled = excluded.enabled, version = hook.version + 1
WHERE $6::bigint IS NULL OR hook.version = $6
RETURNING {COLUMNS}
"""
SUM_RUN = """
SELECT provider, model, currency, count(*) AS calls,
       sum(input_tokens)::bigint AS input, sum(output_tokens)::bigint AS output,
       sum(cache_read_tokens)::bigint AS cache_read,
       sum(cache_write_tokens)::bigint AS cache_write,
       sum(reasoning_tokens)::bigint AS reasoning,
       sum(cost) AS cost, bool_or(estimated) AS estimated
FROM model_calls
WHERE tenant_id = $1 AND run_id = $2
GROUP BY provider, model, currency
ORDER BY provider, model, currency
"""


async def find_webhook(db: Db, tenant_id: UUID) -> Webhook:
    row = await db.fetchrow(FIND, tenant_id)
    return Webhook(**row) if row else Webhook()


async def find_secret(db: Db, tenant_id: UUID) -> UUID | None:
    return await db.fetchval(FIND_SECRET, tenant_id)


async def lock_secret(db: Db, tenant_id: UUID) -> UUID | None:
    """The same, and nobody else changes the webhook until the transaction ends."""
    return await db.fetchval(LOCK_SECRET, tenant_id)


async def list_events(db: Db, tenant_id: UUID) -> list[Event]:
    """What is told of a turn; nothing where it is off."""
    return await db.fetchval(LIST_EVENTS, tenant_id) or []


async def set_webhook(
    db: Db, tenant_id: UUID, change: WebhookChange, secret_id: UUID | None
) -> Webhook | None:
    row = await db.fetchrow(
        SET,
        tenant_id,
        change.url,
        secret_id,
        list(dict.fromkeys(change.events)),
        change.enabled,
        change.expected_version,
    )
    return Webhook(**row) if row else None


async def sum_run(db: Db, tenant_id: UUID, run_id: UUID) -> list[dict[str, Any]]:
    """What the calls of a run took, for each model."""
    return [_sum(row) for row in await db.fetch(SUM_RUN, tenant_id, run_id)]


def _sum(row: Row) -> dict[str, Any]:
    cost: Decimal | None = row["cost"]
    return {
        "provider": row["provider"],
        "model": row["model"],
        "calls": row["calls"],
        "tokens": {
            "input": row["input"],
            "output": row["output"],
            "cacheRead": row["cache_read"],
            "cacheWrite": row["cache_write"],
            "reasoning": row["reasoning"],
        },
        "cost": None
        if cost is None
        else {"currency": row["currency"], "amount": f"{cost.normalize():f}"},
        "estimated": row["estimated"],
    }
