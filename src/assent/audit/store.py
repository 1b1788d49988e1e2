"""SQL of the audit log. Entries are only ever added; sealing gives each a place and a link, once.

What is hashed is read as text, so that a value that no program would write cannot break a check.
"""

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

from assent.audit.entry import Entry
from assent.audit.head import Head
from assent.audit.link import Content, Linked
from assent.audit.listing import AuditEntry, AuditFilter, AuditStatus, LastHead
from assent.db.database import Db
from assent.ids import new_id
from assent.work.lease import Backlog, Event

INSERT_ENTRY = """
INSERT INTO audit_entries (
    id, tenant_id, edge, action, effect, status,
    principal_kind, principal_id, principal_name, arguments_hash,
    decider_kind, decider_id, decider_name, conversation_id, run_id, proposal_id
) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16)
"""
INSERT_ENTRY_WITH_EVENTS = f"""
WITH entry AS ({INSERT_ENTRY})
INSERT INTO outbox (id, tenant_id, topic, payload)
SELECT id, $2, topic, payload
FROM unnest($17::uuid[], $18::text[], $19::jsonb[]) AS given (id, topic, payload)
"""

MOMENT = """
to_char({0} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')
|| CASE WHEN {0} < '0001-01-01T00:00:00Z' THEN ' BC' ELSE '' END
"""
CONTENT = f"""
id::text AS "id", tenant_id::text AS "tenantId", {MOMENT.format("occurred_at")} AS "occurredAt",
edge AS "edge", action AS "action", effect AS "effect", status AS "status",
principal_kind AS "actorKind", principal_id::text AS "actorId", principal_name AS "actorName",
decider_kind AS "deciderKind", decider_id::text AS "deciderId", decider_name AS "deciderName",
encode(arguments_hash, 'hex') AS "argumentsHash", conversation_id::text AS "conversationId",
run_id::text AS "runId", proposal_id::text AS "proposalId"
"""
HEAD = f"""
tenant_id, position, entries, link, {MOMENT.format("signed_at")} AS signed_at, key_id, signature
"""

LIST_UNSEALED_TENANTS = """
WITH RECURSIVE found AS (
    (SELECT tenant_id FROM audit_entries WHERE position IS NULL ORDER BY tenant_id LIMIT 1)
    UNION ALL
    SELECT (SELECT tenant_id FROM audit_entries
            WHERE position IS NULL AND tenant_id > found.tenant_id ORDER BY tenant_id LIMIT 1)
    FROM found WHERE found.tenant_id IS NOT NULL
)
SELECT tenant_id FROM found WHERE tenant_id IS NOT NULL
"""
COUNT_LATE = """
SELECT count(*) FROM audit_entries
WHERE position IS NULL AND occurred_at < clock_timestamp() - $1::interval
"""
# No more of them than anybody wants to know, so that asking stays cheap.
MEASURE_UNSEALED = """
SELECT count(*)::int AS count,
       coalesce(extract(epoch FROM clock_timestamp() - min(occurred_at)), 0)::float AS oldest
FROM (SELECT occurred_at FROM audit_entries WHERE position IS NULL LIMIT 10000) AS unsealed
"""
# Idling is not all: whoever freezes between two messages of one statement counts as active. Only
# Postgres 17 and newer can end that too; older ones do not list the second setting.
LIMIT_TIME = """
SELECT set_config(name, $1, true) FROM pg_settings
WHERE name IN ('idle_in_transaction_session_timeout', 'transaction_timeout')
"""
TRY_LOCK = "SELECT pg_try_advisory_xact_lock(hashtextextended('audit of ' || $1::uuid, 0))"
TAKE_UNSEALED = f"""
SELECT {CONTENT} FROM (
    SELECT * FROM audit_entries WHERE tenant_id = $1 AND position IS NULL ORDER BY id LIMIT $2
) AS taken
ORDER BY occurred_at, id
"""
LINK_ENTRIES = """
UPDATE audit_entries SET position = given.position, link = given.link
FROM unnest($2::uuid[], $3::bigint[], $4::bytea[]) AS given (id, position, link)
WHERE tenant_id = $1 AND audit_entries.id = given.id AND audit_entries.position IS NULL
"""
INSERT_HEAD = """
INSERT INTO audit_heads (tenant_id, position, entries, link, signed_at, key_id, signature)
VALUES ($1, $2, $3, $4, $5::text::timestamptz, $6, $7)
"""
FIND_LAST_HEAD = f"""
SELECT {HEAD} FROM audit_heads WHERE tenant_id = $1 ORDER BY position DESC LIMIT 1
"""
FIND_HEAD = f"SELECT {HEAD} FROM audit_heads WHERE tenant_id = $1 AND position = $2"
FIND_LAST_POSITION = "SELECT max(position) FROM audit_entries WHERE tenant_id = $1"
READ_CLOCK = f"SELECT {MOMENT.format('clock_timestamp()')}"

LIST_LINKED = f"""
SELECT position, link, {CONTENT} FROM audit_entries
WHERE tenant_id = $1 AND position > $2 ORDER BY position LIMIT $3
"""
LIST_HEADS = f"""
SELECT {HEAD} FROM audit_heads
WHERE tenant_id = $1 AND position > $2 ORDER BY position LIMIT $3
"""
LIST_UNSEALED = f"""
SELECT {CONTENT} FROM audit_entries
WHERE tenant_id = $1 AND position IS NULL AND ($2::uuid IS NULL OR id > $2) ORDER BY id LIMIT $3
"""
FIND_START = f"""
SELECT {HEAD} FROM audit_heads
WHERE tenant_id = $1 AND position < coalesce(
    (SELECT min(position) FROM audit_entries WHERE tenant_id = $1 AND occurred_at >= $2),
    (SELECT max(position) + 1 FROM audit_heads WHERE tenant_id = $1))
ORDER BY position DESC LIMIT 1
"""

LIST_ENTRIES = """
SELECT id, occurred_at, edge, action, effect, status, principal_kind, principal_id, principal_name,
    decider_kind, decider_id, decider_name, encode(arguments_hash, 'hex') AS arguments_hash,
    conversation_id, run_id, proposal_id, position, position IS NOT NULL AS sealed
FROM audit_entries
WHERE tenant_id = $1
  AND ($2::text IS NULL OR edge = $2) AND ($3::text IS NULL OR status = $3)
  AND ($4::text IS NULL OR effect = $4)
  AND ($5 = '' OR strpos(lower(action), lower($5)) > 0)
  AND ($6::uuid IS NULL OR principal_id = $6) AND ($7::uuid IS NULL OR proposal_id = $7)
  AND ($8::timestamptz IS NULL OR occurred_at >= $8)
  AND ($9::timestamptz IS NULL OR occurred_at < $9)
  AND ($10::timestamptz IS NULL OR (occurred_at, id) < ($10, $11::uuid))
ORDER BY occurred_at DESC, id DESC LIMIT $12
"""
COUNT_UNSEALED = """
SELECT count(*) FROM (
    SELECT 1 FROM audit_entries WHERE tenant_id = $1 AND position IS NULL LIMIT $2
) AS found
"""
FIND_STATUS = """
SELECT heads.position, encode(heads.link, 'hex') AS link, heads.signed_at, entries.occurred_at
FROM audit_heads AS heads
LEFT JOIN audit_entries AS entries
    ON entries.tenant_id = heads.tenant_id AND entries.position = heads.position
WHERE heads.tenant_id = $1 ORDER BY heads.position DESC LIMIT 1
"""


async def append_entry(
    db: Db, entry: Entry, events: Sequence[Event] = (), *, entry_id: UUID | None = None
) -> None:
    """Record what happened, in the transaction in which it happens.

    `events` are the tenant's and tell of the same: they go to the outbox with the entry. Under an
    `entry_id` it is recorded once, however often that is tried.
    """
    values = (entry_id or new_id(), *_list_values(entry))
    if not events:
        await db.execute(INSERT_ENTRY, *values)
        return
    await db.execute(
        INSERT_ENTRY_WITH_EVENTS,
        *values,
        [event.id for event in events],
        [event.topic for event in events],
        [event.payload for event in events],
    )


async def list_unsealed_tenants(db: Db) -> list[UUID]:
    return [row["tenant_id"] for row in await db.fetch(LIST_UNSEALED_TENANTS)]


async def count_late(db: Db, age: timedelta) -> int:
    """Entries of all tenants that should have been sealed long ago."""
    return await db.fetchval(COUNT_LATE, age)


async def measure_unsealed(db: Db) -> Backlog:
    """Entries that wait for the sealer, over all tenants; of very many not all are looked at."""
    row = await db.fetchrow(MEASURE_UNSEALED)
    return Backlog(row["count"], row["oldest"]) if row else Backlog(0, 0)


async def limit_time(db: Db, limit: timedelta) -> None:
    """End this transaction if it is not over by then."""
    await db.execute(LIMIT_TIME, str(int(limit.total_seconds() * 1000)))


async def try_lock(db: Db, tenant_id: UUID) -> bool:
    """Be the only one who seals this tenant's log, until the transaction ends."""
    return await db.fetchval(TRY_LOCK, tenant_id)


async def take_unsealed(db: Db, tenant_id: UUID, limit: int) -> list[Content]:
    return [dict(row) for row in await db.fetch(TAKE_UNSEALED, tenant_id, limit)]


async def link_entries(db: Db, tenant_id: UUID, rows: Sequence[Linked]) -> int:
    done = await db.execute(
        LINK_ENTRIES,
        tenant_id,
        [row.id for row in rows],
        [row.position for row in rows],
        [row.link for row in rows],
    )
    return int(done.removeprefix("UPDATE "))


async def insert_head(db: Db, head: Head) -> None:
    await db.execute(
        INSERT_HEAD,
        head.tenant_id,
        head.position,
        head.entries,
        head.link,
        head.signed_at,
        head.key_id,
        head.signature,
    )


async def find_last_head(db: Db, tenant_id: UUID) -> Head | None:
    row = await db.fetchrow(FIND_LAST_HEAD, tenant_id)
    return Head(**row) if row else None


async def find_head(db: Db, tenant_id: UUID, position: int) -> Head | None:
    row = await db.fetchrow(FIND_HEAD, tenant_id, position)
    return Head(**row) if row else None


async def find_last_position(db: Db, tenant_id: UUID) -> int:
    return await db.fetchval(FIND_LAST_POSITION, tenant_id) or 0


async def read_clock(db: Db) -> str:
    return await db.fetchval(READ_CLOCK)


async def list_linked(db: Db, tenant_id: UUID, *, after: int, limit: int) -> list[Linked]:
    rows = await db.fetch(LIST_LINKED, tenant_id, after, limit)
    return [_linked(dict(row)) for row in rows]


async def list_heads(db: Db, tenant_id: UUID, *, after: int, limit: int) -> list[Head]:
    return [Head(**row) for row in await db.fetch(LIST_HEADS, tenant_id, after, limit)]


async def list_unsealed(db: Db, tenant_id: UUID, *, after: str | None, limit: int) -> list[Content]:
    return [dict(row) for row in await db.fetch(LIST_UNSEALED, tenant_id, after, limit)]


async def find_start(db: Db, tenant_id: UUID, since: datetime) -> Head | None:
    """The last head before everything that happened since then."""
    row = await db.fetchrow(FIND_START, tenant_id, since)
    return Head(**row) if row else None


async def list_entries(
    db: Db,
    tenant_id: UUID,
    wanted: AuditFilter,
    *,
    before: tuple[datetime, UUID] | None,
    limit: int,
) -> list[AuditEntry]:
    """Newest first."""
    rows = await db.fetch(
        LIST_ENTRIES,
        tenant_id,
        wanted.edge,
        wanted.status,
        wanted.effect,
        wanted.action,
        wanted.principal_id,
        wanted.proposal_id,
        wanted.since,
        wanted.until,
        *(before or (None, None)),
        limit,
    )
    return [AuditEntry.from_row(row) for row in rows]


async def load_status(db: Db, tenant_id: UUID, *, most: int) -> AuditStatus:
    unsealed: int = await db.fetchval(COUNT_UNSEALED, tenant_id, most)
    row = await db.fetchrow(FIND_STATUS, tenant_id)
    if row is None:
        return AuditStatus(sealed_through=None, unsealed=unsealed, last_head=None)
    head = LastHead(position=row["position"], link=row["link"], signed_at=row["signed_at"])
    return AuditStatus(sealed_through=row["occurred_at"], unsealed=unsealed, last_head=head)


def _list_values(entry: Entry) -> tuple[object, ...]:
    actor, decider, trace = entry.actor, entry.decider, entry.trace
    return (
        entry.tenant_id,
        entry.edge,
        entry.action,
        entry.effect,
        entry.status,
        actor.kind,
        actor.id,
        actor.name,
        entry.arguments_hash,
        decider.kind if decider else None,
        decider.id if decider else None,
        decider.name if decider else None,
        trace.conversation_id,
        trace.run_id,
        trace.proposal_id,
    )


def _linked(row: dict[str, Any]) -> Linked:
    position, link = row.pop("position"), row.pop("link")
    return Linked(position, link, row)
