"""The SQL of the queue, the outbox and the ticks.

An owner's right to a row changes only by updating that row, so the row's lock puts a takeover
and the old owner's commit in an order. Statements that take rows from others skip locked ones and
never wait for a handler. Whoever writes under many leases again and again (the journal) locks their
rows FOR KEY SHARE: that keeps a takeover out, which takes FOR UPDATE, and lets the heartbeat pass.
The engine works across tenants; `REQUEST_CANCEL` acts for one.
"""

from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from uuid import UUID

from assent.db.database import Db, Row
from assent.work.lease import Backlog, Event, Lease, NewWork, Work

CHANNEL = "assent_work"

NOTIFY = "SELECT pg_notify('assent_work', $1)"

NOTIFY_ALL = """
SELECT pg_notify(channel, payload) FROM unnest($1::text[], $2::text[]) AS given (channel, payload)
"""

INSERT_WORK = """
WITH added AS (
    INSERT INTO work (id, kind, payload, tenant_id, ordering_key, run_after, priority)
    SELECT id, kind, payload, tenant_id, ordering_key, coalesce(run_after, now()), priority
    FROM unnest($1::uuid[], $2::text[], $3::jsonb[], $4::uuid[], $5::text[], $6::timestamptz[],
                $7::integer[])
         WITH ORDINALITY
         AS given (id, kind, payload, tenant_id, ordering_key, run_after, priority, nth)
    ORDER BY nth
    RETURNING kind
)
SELECT pg_notify('assent_work', 'work ' || kind) FROM (SELECT DISTINCT kind FROM added) AS kinds
WHERE $8::boolean
"""

CLAIM = """
WITH next AS (
    SELECT candidate.id
    FROM work AS candidate
    WHERE candidate.state = 'queued'
      AND candidate.run_after <= clock_timestamp()
      AND candidate.kind = ANY($2)
      AND NOT EXISTS (
          SELECT FROM work AS earlier
          WHERE earlier.lane = candidate.lane
            AND earlier.position < candidate.position
            AND earlier.state IN ('queued', 'running')
      )
      AND NOT EXISTS (
          SELECT FROM work AS overtaker
          WHERE overtaker.lane = candidate.lane AND overtaker.state = 'running'
      )
    ORDER BY candidate.priority DESC, candidate.position
    LIMIT $3
    FOR UPDATE SKIP LOCKED
)
UPDATE work
SET state = 'running', owner = $1, attempt = attempt + 1, lease_until = clock_timestamp() + $4
FROM next
WHERE work.id = next.id
RETURNING work.*
"""

# A row locked by its handler's transaction is not renewed, and needs not be: the sweep skips it.
RENEW = """
WITH free AS (
    SELECT id FROM work WHERE id = ANY($2) AND owner = $1 AND state = 'running'
    FOR NO KEY UPDATE SKIP LOCKED
), renewed AS (
    UPDATE work SET lease_until = clock_timestamp() + $3 FROM free WHERE work.id = free.id
)
SELECT id, attempt, cancel_requested_at IS NOT NULL AS cancel_requested
FROM work
WHERE id = ANY($2) AND owner = $1
"""

SWEEP = """
WITH expired AS (
    SELECT id FROM work WHERE state = 'running' AND lease_until < clock_timestamp()
    FOR UPDATE SKIP LOCKED
)
UPDATE work
SET state = CASE WHEN cancel_requested_at IS NOT NULL THEN 'cancelled'
                 WHEN attempt >= max_attempts THEN 'failed'
                 ELSE 'queued' END,
    finished_at = CASE WHEN cancel_requested_at IS NOT NULL OR attempt >= max_attempts
                       THEN clock_timestamp() END,
    error = 'The lease ran out.', owner = NULL, lease_until = NULL
FROM expired
WHERE work.id = expired.id
RETURNING work.*
"""

# The transaction may idle as long as the lease has left, so that an owner who freezes inside it
# loses the row to the next one instead of keeping it locked. Whoever freezes between two messages
# of one statement counts as active: that, only Postgres 17 and newer can end.
FENCE = """
SELECT set_config('idle_in_transaction_session_timeout', greatest(1000, left_ms)::text, true),
       CASE WHEN current_setting('transaction_timeout', true) IS NOT NULL
            THEN set_config('transaction_timeout', greatest(5000, left_ms)::text, true) END
FROM (
    SELECT (extract(epoch FROM lease_until - clock_timestamp()) * 1000)::integer AS left_ms
    FROM work
    WHERE id = $1 AND owner = $2 AND attempt = $3 AND state = 'running'
    FOR UPDATE
) AS held
"""

# A handler may have finished the row in its own transaction already. Whoever can do what waits
# behind it is told. What comes at this very moment and is not seen here, the worker finds: it looks
# again by itself.
FINISH = """
WITH finished AS (
    UPDATE work
    SET state = 'done', finished_at = coalesce(finished_at, clock_timestamp()), error = NULL
    WHERE id = $1 AND owner = $2 AND attempt = $3 AND state IN ('running', 'done')
    RETURNING lane
)
SELECT (SELECT pg_notify('assent_work', 'work ' || behind.kind) FROM work AS behind
        WHERE behind.lane = finished.lane AND behind.state = 'queued'
        ORDER BY behind.position LIMIT 1)
FROM finished
"""

RETRY = """
WITH held AS (
    SELECT id FROM work WHERE id = $1 AND owner = $2 AND attempt = $3 AND state = 'running'
    FOR UPDATE
), given_back AS (
    UPDATE work
    SET state = CASE WHEN cancel_requested_at IS NOT NULL THEN 'cancelled'
                     WHEN attempt >= max_attempts THEN 'failed'
                     ELSE 'queued' END,
        finished_at = CASE WHEN cancel_requested_at IS NOT NULL OR attempt >= max_attempts
                           THEN clock_timestamp() END,
        run_after = clock_timestamp() + $5::interval * (0.8 + 0.4 * random()),
        error = $4, owner = NULL, lease_until = NULL
    FROM held
    WHERE work.id = held.id
    RETURNING state, lane
)
SELECT state, CASE WHEN lane IS NOT NULL THEN pg_notify('assent_work', 'work') END FROM given_back
"""

CANCEL = """
WITH cancelled AS (
    UPDATE work SET state = 'cancelled', finished_at = clock_timestamp()
    WHERE id = $1 AND owner = $2 AND attempt = $3 AND state = 'running'
    RETURNING lane
)
SELECT CASE WHEN lane IS NOT NULL THEN pg_notify('assent_work', 'work') END FROM cancelled
"""

# One more attempt is allowed instead of taking this one back: attempts are the fence.
RELEASE = """
WITH held AS (
    SELECT id FROM work WHERE owner = $1 AND state = 'running' FOR UPDATE SKIP LOCKED
), released AS (
    UPDATE work
    SET state = CASE WHEN cancel_requested_at IS NULL THEN 'queued' ELSE 'cancelled' END,
        finished_at = CASE WHEN cancel_requested_at IS NOT NULL THEN clock_timestamp() END,
        max_attempts = max_attempts + 1, owner = NULL, lease_until = NULL
    FROM held
    WHERE work.id = held.id
    RETURNING work.id
)
SELECT id, pg_notify('assent_work', 'work') FROM released
"""

# A process that freezes in a transaction that others wait for loses it.
LIMIT_IDLING = "SET LOCAL idle_in_transaction_session_timeout = '5s'"

REQUEST_CANCEL = """
WITH requested AS (
    UPDATE work
    SET cancel_requested_at = coalesce(cancel_requested_at, clock_timestamp()),
        state = CASE state WHEN 'queued' THEN 'cancelled' ELSE state END,
        finished_at = CASE state WHEN 'queued' THEN clock_timestamp() END
    WHERE id = $2 AND tenant_id IS NOT DISTINCT FROM $1 AND state IN ('queued', 'running')
    RETURNING state
)
SELECT pg_notify('assent_work', CASE state WHEN 'running' THEN 'cancel' ELSE 'work' END)
FROM requested
"""

# Only what an index has: the rows of finished work are many.
MEASURE_WORK = """
SELECT kind, state, count(*)::int AS count,
       coalesce(extract(epoch FROM clock_timestamp() - min(run_after)), 0)::float AS oldest
FROM work
WHERE state = 'running' OR (state = 'queued' AND run_after <= clock_timestamp())
GROUP BY kind, state
"""

MEASURE_OUTBOX = """
SELECT count(*)::int AS count,
       coalesce(extract(epoch FROM clock_timestamp() - min(created_at)), 0)::float AS oldest
FROM outbox
WHERE dispatched_at IS NULL AND topic = ANY($1)
"""

COUNT_WORK = "SELECT state, count(*)::int AS count FROM work GROUP BY state"

INSERT_EVENT = "INSERT INTO outbox (id, tenant_id, topic, payload) VALUES ($1, $2, $3, $4)"

TAKE_EVENTS = """
WITH oldest AS (
    SELECT id FROM outbox WHERE dispatched_at IS NULL AND topic = ANY($1)
    ORDER BY id LIMIT $2 FOR UPDATE SKIP LOCKED
)
UPDATE outbox SET dispatched_at = clock_timestamp()
FROM oldest WHERE outbox.id = oldest.id
RETURNING outbox.id, tenant_id, topic, payload
"""

# Sorted by the caller: whoever meets another process's uncommitted tick waits for it, and two
# that wait for each other would be a deadlock.
INSERT_DUE_TICKS = """
INSERT INTO ticks (schedule, due_at)
SELECT name, date_bin(every, clock_timestamp(), 'epoch'::timestamptz)
FROM unnest($1::text[], $2::interval[]) WITH ORDINALITY AS given (name, every, nth)
ORDER BY nth
ON CONFLICT DO NOTHING
RETURNING schedule, due_at
"""

DELETE_FINISHED = """
DELETE FROM work
WHERE finished_at < now() - CASE state WHEN 'failed' THEN interval '30 days'
                                       ELSE interval '1 day' END
"""

DELETE_EVENTS = """
DELETE FROM outbox
WHERE dispatched_at < now() - interval '1 day' OR created_at < now() - interval '30 days'
"""

# The newest tick of a schedule stays: without it, its slot would be due again.
DELETE_TICKS = """
DELETE FROM ticks AS old
WHERE old.due_at < now() - interval '1 day'
  AND EXISTS (SELECT FROM ticks AS newer
              WHERE newer.schedule = old.schedule AND newer.due_at > old.due_at)
"""


async def notify(db: Db, what: str) -> None:
    await db.execute(NOTIFY, what)


async def notify_all(db: Db, given: Sequence[tuple[str, str]]) -> None:
    """Each channel with its payload."""
    await db.execute(NOTIFY_ALL, [channel for channel, _ in given], [text for _, text in given])


async def insert_work(db: Db, works: Sequence[NewWork], *, wake: bool = True) -> None:
    """Workers of these kinds hear of it when the transaction commits, or look by themselves."""
    await db.execute(
        INSERT_WORK,
        [work.id for work in works],
        [work.kind for work in works],
        [work.payload for work in works],
        [work.tenant_id for work in works],
        [work.ordering_key for work in works],
        [work.run_after for work in works],
        [work.priority for work in works],
        wake,
    )


async def claim(
    db: Db, *, owner: UUID, kinds: Sequence[str], limit: int, lease: timedelta
) -> list[Work]:
    return [Work.from_row(row) for row in await db.fetch(CLAIM, owner, kinds, limit, lease)]


async def renew(
    db: Db, *, owner: UUID, work_ids: Sequence[UUID], lease: timedelta
) -> dict[Lease, bool]:
    """Return the leases that still hold, each with whether a cancel was requested."""
    rows = await db.fetch(RENEW, owner, work_ids, lease)
    return {Lease(row["id"], owner, row["attempt"]): row["cancel_requested"] for row in rows}


async def sweep(db: Db) -> list[Work]:
    return [Work.from_row(row) for row in await db.fetch(SWEEP)]


async def lock(db: Db, lease: Lease) -> bool:
    row = await db.fetchrow(FENCE, lease.work_id, lease.owner, lease.attempt)
    return row is not None


async def finish(db: Db, lease: Lease) -> bool:
    row = await db.fetchrow(FINISH, lease.work_id, lease.owner, lease.attempt)
    return row is not None


async def retry(db: Db, lease: Lease, *, error: str, delay: timedelta) -> str | None:
    """Return the state that followed, or nothing when the lease was lost."""
    return await db.fetchval(RETRY, lease.work_id, lease.owner, lease.attempt, error, delay)


async def cancel(db: Db, lease: Lease) -> bool:
    row = await db.fetchrow(CANCEL, lease.work_id, lease.owner, lease.attempt)
    return row is not None


async def release(db: Db, owner: UUID) -> int:
    return len(await db.fetch(RELEASE, owner))


async def request_cancel(db: Db, tenant_id: UUID | None, work_id: UUID) -> bool:
    return await db.fetchrow(REQUEST_CANCEL, tenant_id, work_id) is not None


async def insert_event(db: Db, event: Event) -> None:
    await db.execute(INSERT_EVENT, event.id, event.tenant_id, event.topic, event.payload)


async def take_events(db: Db, topics: Sequence[str], limit: int) -> list[Event]:
    """Events that nobody has dispatched: if this commits, they are."""
    return [Event.from_row(row) for row in await db.fetch(TAKE_EVENTS, topics, limit)]


async def insert_due_ticks(
    db: Db, every_by_schedule: Mapping[str, timedelta]
) -> list[tuple[str, datetime]]:
    names = sorted(every_by_schedule)
    rows = await db.fetch(INSERT_DUE_TICKS, names, [every_by_schedule[name] for name in names])
    return [(row["schedule"], row["due_at"]) for row in rows]


async def delete_old(db: Db) -> None:
    for statement in (DELETE_FINISHED, DELETE_EVENTS, DELETE_TICKS):
        await db.execute(statement)


async def count_work(db: Db) -> dict[str, int]:
    """How much there is in each state, over all tenants: for measurements."""
    return {row["state"]: row["count"] for row in await db.fetch(COUNT_WORK)}


async def measure_work(db: Db) -> list[tuple[str, str, Backlog]]:
    """Kind, state and how much there is, of what is due or under way, over all tenants."""
    return [(row["kind"], row["state"], _measure(row)) for row in await db.fetch(MEASURE_WORK)]


async def measure_outbox(db: Db, topics: Sequence[str]) -> Backlog:
    """Events of these topics that have not become work yet, over all tenants."""
    row = await db.fetchrow(MEASURE_OUTBOX, topics)
    return _measure(row) if row else Backlog(0, 0)


def _measure(row: Row) -> Backlog:
    return Backlog(row["count"], row["oldest"])
