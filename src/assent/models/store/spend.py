"""SQL of the spend cap.

The row of `spend` decides: whether there is room is asked of that row only, in the statement that
takes the room, so what a snapshot shows of other rows can never let too much through. A statement
that locks both locks reservations before `spend`; one that locks many skips those that are locked.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from uuid import UUID

from assent.db.database import Db
from assent.models.cap import Cap, Held, Purpose, Spender

RESERVE = """
WITH taken AS (
    INSERT INTO spend AS meter (tenant_id, integration_id, principal_id, window_seconds, reserved,
                                ends, tokens)
    VALUES ($1, $2, $3, $4, $7, '{}', '{}')
    ON CONFLICT (tenant_id, integration_id, principal_id) DO UPDATE
    SET window_seconds = excluded.window_seconds, reserved = meter.reserved + excluded.reserved
    WHERE meter.reserved + excluded.reserved + coalesce((
        SELECT sum(one.tokens)
        FROM unnest(meter.ends, meter.tokens) AS one (ends, tokens)
        WHERE one.ends > clock_timestamp() - make_interval(secs => excluded.window_seconds)
    ), 0) <= $5
    RETURNING 1
)
INSERT INTO spend_reservations
    (tenant_id, integration_id, principal_id, id, worst_case, estimate, purpose, expires_at)
SELECT $1, $2, $3, $6, $7, $8, $9, clock_timestamp() + $10::interval FROM taken
RETURNING expires_at
"""

SETTLE = """
WITH closed AS (
    DELETE FROM spend_reservations
    WHERE tenant_id = $1 AND id = $2
    RETURNING integration_id, principal_id, counted
)
UPDATE spend AS meter
SET reserved = meter.reserved - closed.counted,
    (ends, tokens) = (
        SELECT coalesce(array_agg(kept.ends ORDER BY kept.ends), '{}'),
               coalesce(array_agg(kept.tokens ORDER BY kept.ends), '{}')
        FROM (
            SELECT one.ends, sum(one.tokens)::bigint AS tokens
            FROM (
                SELECT * FROM unnest(meter.ends, meter.tokens)
                UNION ALL
                SELECT date_bin(sixtieth, clock_timestamp(), 'epoch'::timestamptz) + sixtieth,
                       $3::bigint
                FROM make_interval(secs => meter.window_seconds / 60.0) AS sixtieth
            ) AS one (ends, tokens)
            WHERE one.ends > clock_timestamp() - make_interval(secs => meter.window_seconds)
            GROUP BY one.ends
        ) AS kept
        WHERE kept.tokens > 0
    )
FROM closed
WHERE meter.tenant_id = $1
  AND meter.integration_id = closed.integration_id
  AND meter.principal_id = closed.principal_id
RETURNING 1
"""

RENEW = """
UPDATE spend_reservations
SET expires_at = greatest(expires_at, clock_timestamp() + $3::interval),
    estimate = least(coalesce($4, estimate), worst_case)
WHERE tenant_id = $1 AND id = $2 AND NOT lapsed
RETURNING expires_at
"""

# One that would give nothing back does not lapse: its owner may still return and renew it.
COLLECT = """
WITH due AS (
    SELECT id, expires_at <= clock_timestamp() - make_interval(secs => $4) AS is_over
    FROM spend_reservations
    WHERE tenant_id = $1 AND integration_id = $2 AND principal_id = $3
      AND (expires_at <= clock_timestamp() - make_interval(secs => $4)
           OR expires_at <= clock_timestamp() AND NOT lapsed AND estimate < worst_case)
    FOR UPDATE SKIP LOCKED
), removed AS (
    DELETE FROM spend_reservations AS one USING due
    WHERE one.id = due.id AND due.is_over
    RETURNING one.counted AS freed
), reduced AS (
    UPDATE spend_reservations AS one SET lapsed = true FROM due
    WHERE one.id = due.id AND NOT due.is_over
    RETURNING one.worst_case - one.estimate AS freed
)
UPDATE spend
SET reserved = spend.reserved - total.freed
FROM (
    SELECT sum(freed)::bigint AS freed
    FROM (SELECT freed FROM removed UNION ALL SELECT freed FROM reduced) AS one
) AS total
WHERE tenant_id = $1 AND integration_id = $2 AND principal_id = $3 AND total.freed > 0
RETURNING 1
"""

# An open reservation is expected to be settled, for less, before its lease is over.
LIST_HELD = """
SELECT held.tokens, extract(epoch FROM held.gone_at - clock_timestamp())::float8 AS gone_in
FROM (
    SELECT one.tokens, one.ends + make_interval(secs => $4) AS gone_at
    FROM spend, unnest(ends, tokens) AS one (ends, tokens)
    WHERE tenant_id = $1 AND integration_id = $2 AND principal_id = $3
    UNION ALL
    SELECT counted, CASE WHEN expires_at > clock_timestamp() THEN expires_at
                         ELSE expires_at + make_interval(secs => $4) END
    FROM spend_reservations
    WHERE tenant_id = $1 AND integration_id = $2 AND principal_id = $3
) AS held
WHERE held.gone_at > clock_timestamp()
"""

LIST_DUE = """
SELECT DISTINCT integration_id, principal_id, window_seconds
FROM spend_reservations
JOIN spend USING (tenant_id, integration_id, principal_id)
WHERE tenant_id = $1 AND expires_at <= clock_timestamp()
"""

# Waits for whoever is about to reserve, and then finds `reserved` above zero.
DELETE_IDLE = """
DELETE FROM spend AS idle
WHERE tenant_id = $1 AND reserved = 0
  AND NOT EXISTS (
      SELECT FROM unnest(ends) AS one
      WHERE one > clock_timestamp() - make_interval(secs => window_seconds)
  )
  AND NOT EXISTS (
      SELECT FROM spend_reservations AS held
      WHERE held.tenant_id = idle.tenant_id
        AND held.integration_id = idle.integration_id
        AND held.principal_id = idle.principal_id
  )
"""


@dataclass(frozen=True, slots=True)
class Wanted:
    """A reservation that is asked for."""

    id: UUID
    purpose: Purpose
    worst_case: int
    estimate: int
    lease: timedelta


async def reserve(db: Db, spender: Spender, cap: Cap, wanted: Wanted) -> datetime | None:
    """Take the room if there is any, and return until when it is held."""
    return await db.fetchval(
        RESERVE,
        spender.tenant_id,
        spender.integration_id,
        spender.principal_id,
        cap.seconds,
        cap.tokens,
        wanted.id,
        wanted.worst_case,
        wanted.estimate,
        wanted.purpose,
        wanted.lease,
    )


async def settle(db: Db, tenant_id: UUID, reservation_id: UUID, tokens: int) -> bool:
    return await db.fetchval(SETTLE, tenant_id, reservation_id, tokens) is not None


async def renew(
    db: Db, tenant_id: UUID, reservation_id: UUID, *, lease: timedelta, estimate: int | None
) -> datetime | None:
    return await db.fetchval(RENEW, tenant_id, reservation_id, lease, estimate)


async def collect(db: Db, spender: Spender, window_seconds: int) -> bool:
    """Count what ran out as its estimate, forget what fell out; return whether that made room."""
    freed = await db.fetchval(
        COLLECT, spender.tenant_id, spender.integration_id, spender.principal_id, window_seconds
    )
    return freed is not None


async def list_held(db: Db, spender: Spender, window_seconds: int) -> list[Held]:
    rows = await db.fetch(
        LIST_HELD, spender.tenant_id, spender.integration_id, spender.principal_id, window_seconds
    )
    return [Held(row["tokens"], row["gone_in"]) for row in rows]


async def list_due(db: Db, tenant_id: UUID) -> Sequence[tuple[Spender, int]]:
    """Spenders with a lease that is over, each with the seconds of its window."""
    return [
        (Spender(tenant_id, row["integration_id"], row["principal_id"]), row["window_seconds"])
        for row in await db.fetch(LIST_DUE, tenant_id)
    ]


async def delete_idle(db: Db, tenant_id: UUID) -> None:
    await db.execute(DELETE_IDLE, tenant_id)
