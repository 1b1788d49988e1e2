"""SQL of the ledger: every call of a model, and what provided ones take of a tenant's credits.

Whether there are credits left is asked of one row of `credit_use`, in the statement that takes
them, as it is with `spend`.
"""

from uuid import UUID

from assent.db.database import Db
from assent.models.call import Ended, Figures, NewCall

COLUMNS = """
id, tenant_id, expires_at, integration_id, provider, model, purpose, principal_id, agent,
conversation_id, run_id, provided, input_tokens, output_tokens, cost, currency
"""
VALUES = """
$1, $2, now() + $3::interval, $4::uuid, $5, $6, $7, $8, $9, $10::uuid, $11::uuid, $12::boolean,
$13::bigint, $14::bigint, $15::numeric, $16::text
"""
OPEN = f"INSERT INTO model_calls ({COLUMNS}) VALUES ({VALUES})"

OPEN_PROVIDED = f"""
WITH wanted AS (
    SELECT one.unit, one.amount, date_trunc('month', now() AT TIME ZONE 'UTC')::date AS month,
           (SELECT allowed.amount FROM allowances AS allowed
            WHERE allowed.tenant_id = $2 AND allowed.unit = one.unit) AS most
    FROM (VALUES ('tokens', ($13::bigint + $14::bigint)::numeric), ($16::text, $15::numeric))
         AS one (unit, amount)
    WHERE one.unit IS NOT NULL
), limited AS (
    INSERT INTO credit_use AS meter (tenant_id, month, unit, used)
    SELECT $2, month, unit, amount FROM wanted WHERE amount <= most
    ON CONFLICT (tenant_id, month, unit) DO UPDATE SET used = meter.used + excluded.used
    WHERE meter.used + excluded.used <= (SELECT most FROM wanted WHERE most IS NOT NULL)
    RETURNING 1
), admitted AS (
    SELECT WHERE EXISTS (SELECT FROM limited)
        OR NOT EXISTS (SELECT FROM allowances WHERE tenant_id = $2 AND unit IS NOT NULL)
), others AS (
    INSERT INTO credit_use AS meter (tenant_id, month, unit, used)
    SELECT $2, month, unit, amount FROM wanted, admitted WHERE most IS NULL ORDER BY unit
    ON CONFLICT (tenant_id, month, unit) DO UPDATE SET used = meter.used + excluded.used
)
INSERT INTO model_calls ({COLUMNS})
SELECT {VALUES} FROM admitted
RETURNING id
"""

SETTLED = """
UPDATE model_calls
SET ended_at = clock_timestamp(), outcome = $3, estimated = $4, input_tokens = $5,
    output_tokens = $6, cache_read_tokens = $7, cache_write_tokens = $8, reasoning_tokens = $9,
    cleared_tool_uses = $10, cleared_tokens = $11, cost = $12::numeric, currency = $13::text
WHERE tenant_id = $1 AND id = $2 AND outcome IN ('open', 'lost')
"""
CLOSE = SETTLED

# The tokens and the cost of the worst case come as arguments: an UPDATE returns only what is new.
CLOSE_PROVIDED = f"""
WITH closed AS (
    {SETTLED}
    RETURNING date_trunc('month', started_at AT TIME ZONE 'UTC')::date AS month
)
UPDATE credit_use AS meter
SET used = meter.used + CASE meter.unit
    WHEN 'tokens' THEN $5::bigint + $6::bigint - $14::bigint
    ELSE $12::numeric - $15::numeric END
FROM closed
WHERE meter.tenant_id = $1 AND meter.month = closed.month AND meter.unit IN ('tokens', $13::text)
"""

# Late is better than never: whoever comes back after this still says how it ended.
LOSE = """
UPDATE model_calls SET outcome = 'lost', ended_at = clock_timestamp()
WHERE tenant_id = $1 AND outcome = 'open' AND expires_at <= clock_timestamp()
"""


async def open_call(db: Db, call: NewCall) -> bool:
    """`False` when there are not enough credits for it."""
    arguments = (
        call.id,
        call.tenant_id,
        call.lease,
        call.integration_id,
        call.provider,
        call.model,
        call.purpose,
        call.principal_id,
        call.occasion.agent,
        call.occasion.conversation_id,
        call.occasion.run_id,
        call.provided,
        call.worst.input,
        call.worst.output,
        call.bill.cost if call.bill else None,
        call.bill.currency if call.bill else None,
    )
    if call.provided:
        return await db.fetchval(OPEN_PROVIDED, *arguments) is not None
    await db.execute(OPEN, *arguments)
    return True


async def close_call(db: Db, call: NewCall, ended: Ended) -> None:
    arguments = (
        call.tenant_id,
        call.id,
        ended.outcome,
        ended.estimated,
        *_list_figures(ended.figures),
        ended.bill.cost if ended.bill else None,
        ended.bill.currency if ended.bill else None,
    )
    if call.provided:
        held = call.bill.cost if call.bill else None
        await db.execute(CLOSE_PROVIDED, *arguments, call.worst.tokens, held)
    else:
        await db.execute(CLOSE, *arguments)


async def lose_calls(db: Db, tenant_id: UUID) -> None:
    """What nobody ended in its time: it counts as the worst case."""
    await db.execute(LOSE, tenant_id)


def _list_figures(figures: Figures) -> tuple[int, ...]:
    return (
        figures.input,
        figures.output,
        figures.cache_read,
        figures.cache_write,
        figures.reasoning,
        figures.cleared_tool_uses,
        figures.cleared_tokens,
    )
