"""SQL of proposals, decision tokens and the tool budget."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from uuid import UUID

from assent.actions.asking.program import parse_program
from assent.actions.proposal import (
    Change,
    Draft,
    Grounds,
    Outcome,
    Place,
    Proposal,
    State,
    encode_basis,
    parse_basis,
)
from assent.audit.entry import Actor
from assent.db.database import Db, Row
from assent.tools.gate import Reason
from assent.tools.taint import parse_taint

COLUMNS = """
id, tenant_id, tool, effect, egress, external, edge, conversation_id, run_id, call_key,
proposer_kind, proposer_id, proposer_name, owner_id, payload, payload_hash, preview, basis,
reason_code, reason, provenance, taint, state, expires_at <= clock_timestamp() AS is_expired,
begun_at, created_at, expires_at,
expires_at - created_at AS lifetime, decider_id, decider_name, decided_at, finished_at, note,
supersedes, superseded_by, result, error, secrets, client
"""
INSERT = f"""
INSERT INTO proposals (
    id, tenant_id, tool, effect, egress, external, edge, conversation_id, run_id, call_key,
    proposer_kind, proposer_id, proposer_name, owner_id, payload, payload_hash, preview, basis,
    reason_code, reason, provenance, taint, supersedes, client, expires_at
) VALUES (
    $1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21,
    $22, $23, $24, clock_timestamp() + $25::interval
)
ON CONFLICT DO NOTHING
RETURNING {COLUMNS}
"""
FIND = f"SELECT {COLUMNS} FROM proposals WHERE tenant_id = $1 AND id = $2"
LOCK = f"{FIND} FOR UPDATE"
FIND_BY_CALL = f"""
SELECT {COLUMNS} FROM proposals WHERE tenant_id = $1 AND run_id = $2 AND call_key = $3
"""
FIND_ASKED = f"""
SELECT {COLUMNS} FROM proposals WHERE tenant_id = $1 AND run_id IS NULL AND call_key = $2
"""
LIST = f"""
SELECT {COLUMNS} FROM proposals
WHERE tenant_id = $1
  AND (owner_id = $2 OR proposer_id = $2
       OR (proposer_kind = 'user' AND conversation_id IS NULL AND tool = ANY ($3))
       OR tool = ANY ($7))
  AND ($4::text IS NULL OR $4 = CASE
       WHEN state = 'proposed' AND expires_at <= clock_timestamp() THEN 'expired' ELSE state END)
  AND ($5::uuid IS NULL OR id < $5)
ORDER BY id DESC LIMIT $6
"""
CLOSE = f"""
WITH worthless AS (DELETE FROM decision_tokens WHERE tenant_id = $1 AND proposal_id = $2)
UPDATE proposals SET state = $3,
    decider_id = coalesce($4, decider_id), decider_name = coalesce($5, decider_name),
    decided_at = CASE WHEN $4::uuid IS NULL THEN decided_at
                      ELSE coalesce(decided_at, clock_timestamp()) END,
    finished_at = CASE WHEN $3 IN ('applying', 'outcome_unknown') THEN NULL
                       ELSE clock_timestamp() END,
    note = coalesce($6, note), superseded_by = $7, result = $8, error = $9,
    told_at = NULL, told_by = NULL
WHERE tenant_id = $1 AND id = $2
RETURNING {COLUMNS}
"""
TAKE_EXPIRED = f"""
SELECT {COLUMNS} FROM proposals
WHERE tenant_id = $1 AND state = 'proposed' AND expires_at <= clock_timestamp()
ORDER BY id LIMIT $2 FOR UPDATE SKIP LOCKED
"""
TAKE_ORPHANED = f"""
SELECT {COLUMNS} FROM proposals
WHERE tenant_id = $1 AND state = 'proposed' AND NOT EXISTS (
    SELECT 1 FROM applications JOIN users ON users.id = applications.owner_id AND users.active
    WHERE applications.tenant_id = $1 AND applications.id = proposer_id
    UNION ALL
    SELECT 1 FROM users WHERE users.tenant_id = $1 AND users.id = proposer_id AND users.active)
ORDER BY id LIMIT $2 FOR UPDATE SKIP LOCKED
"""
TAKE_STUCK = f"""
SELECT {COLUMNS} FROM proposals
WHERE tenant_id = $1 AND state = 'applying' AND decided_at < clock_timestamp() - $3::interval
ORDER BY id LIMIT $2 FOR UPDATE SKIP LOCKED
"""
START = """
UPDATE proposals SET begun_at = clock_timestamp()
WHERE tenant_id = $1 AND id = $2 AND state = 'applying' AND begun_at IS NULL
RETURNING 1
"""
SET_SECRETS = "UPDATE proposals SET secrets = $3 WHERE tenant_id = $1 AND id = $2"
INSERT_TOKEN = """
INSERT INTO decision_tokens (
    token_hash, tenant_id, proposal_id, person_id, payload_hash, expires_at)
VALUES ($1, $2, $3, $4, $5, clock_timestamp() + $6::interval) RETURNING expires_at
"""
LIST_TOKENS = """
SELECT token_hash FROM decision_tokens
WHERE tenant_id = $1 AND proposal_id = $2 AND person_id = $3 AND payload_hash = $4
  AND expires_at > clock_timestamp()
"""
PURGE_TOKENS = """
DELETE FROM decision_tokens WHERE tenant_id = $1 AND expires_at <= clock_timestamp()
"""
# Utility statements: they come before the snapshot, so that it is taken with the lock.
# A process that freezes in the transaction keeps its locks no longer than a tool may take.
LIMIT_TIME = """
SET LOCAL lock_timeout = '3s';
SET LOCAL statement_timeout = '15s';
SET LOCAL idle_in_transaction_session_timeout = '16s'
"""
"""For a transaction: rather give up than hold back others."""
ONLY_READ = "SET LOCAL transaction_read_only = on"
"""Until the end of the transaction, or of the savepoint that is rolled back."""
CHECK_CONSTRAINTS = "SET CONSTRAINTS ALL IMMEDIATE"
"""Look now at what would be looked at when the transaction commits."""
FIND_TIME = "SELECT clock_timestamp() + $1::interval"
# No more of them than anybody wants to know, so that asking stays cheap.
COUNT_WAITING = """
SELECT count(*) FROM (
    SELECT FROM proposals WHERE state = 'proposed' AND expires_at > clock_timestamp() LIMIT 10000
) AS waiting
"""
COUNT_UNKNOWN = "SELECT count(*) FROM proposals WHERE state = 'outcome_unknown'"
TAKE_BUDGET = """
INSERT INTO tool_budget AS budget (tenant_id, principal_id, taken)
VALUES ($1, $2, ARRAY[clock_timestamp()])
ON CONFLICT (tenant_id, principal_id) DO UPDATE
SET taken = ARRAY(
        SELECT one FROM unnest(budget.taken) AS one WHERE one > clock_timestamp() - $4::interval
    ) || clock_timestamp()
WHERE (SELECT count(*) FROM unnest(budget.taken) AS one
       WHERE one > clock_timestamp() - $4::interval) < $3
RETURNING (SELECT version FROM secret_versions WHERE tenant_id = $1) AS vault_version
"""
FIND_WAIT = """
SELECT greatest(1, ceil(extract(epoch FROM min(one) + $3::interval - clock_timestamp())))::int
FROM tool_budget, unnest(taken) AS one
WHERE tenant_id = $1 AND principal_id = $2 AND one > clock_timestamp() - $3::interval
"""


@dataclass(frozen=True, slots=True)
class Reach:
    """Tools whose shared proposals one decides about, and those about which a rule names one."""

    decided: Sequence[str] = ()
    named: Sequence[str] = ()


async def set_secrets(db: Db, proposal: Proposal, secrets: dict[str, str]) -> None:
    await db.execute(SET_SECRETS, proposal.tenant_id, proposal.id, secrets)


async def insert_proposal(db: Db, draft: Draft, payload: bytes) -> Proposal | None:
    """Nothing when this very call of its run was stored before."""
    change, place = draft.change, draft.place
    row = await db.fetchrow(
        INSERT,
        draft.id,
        draft.tenant_id,
        change.tool,
        change.effect,
        change.egress,
        change.external,
        place.edge,
        place.conversation_id,
        place.run_id,
        place.call_key,
        draft.proposer.kind,
        draft.proposer.id,
        draft.proposer.name,
        draft.owner_id,
        payload,
        change.payload_hash,
        change.preview,
        encode_basis(change.basis),
        draft.grounds.reason.code,
        draft.grounds.reason.sentence,
        draft.grounds.provenance,
        draft.grounds.taint.encode(),
        draft.supersedes,
        place.client.encode() if place.client else None,
        draft.lifetime,
    )
    return read_proposal(row) if row else None


async def find_proposal(db: Db, tenant_id: UUID, proposal_id: UUID) -> Proposal | None:
    row = await db.fetchrow(FIND, tenant_id, proposal_id)
    return read_proposal(row) if row else None


async def find_by_call(db: Db, tenant_id: UUID, place: Place) -> Proposal | None:
    if place.run_id is None:
        row = await db.fetchrow(FIND_ASKED, tenant_id, place.call_key)
    else:
        row = await db.fetchrow(FIND_BY_CALL, tenant_id, place.run_id, place.call_key)
    return read_proposal(row) if row else None


async def lock_proposal(db: Db, tenant_id: UUID, proposal_id: UUID) -> Proposal | None:
    row = await db.fetchrow(LOCK, tenant_id, proposal_id)
    return read_proposal(row) if row else None


async def list_proposals(
    db: Db,
    tenant_id: UUID,
    *,
    principal_id: UUID,
    tools: Reach,
    state: State | None,
    before: UUID | None,
    limit: int,
) -> list[Proposal]:
    """One's own, and those of others that may be within reach."""
    rows = await db.fetch(
        LIST,
        tenant_id,
        principal_id,
        list(tools.decided),
        state,
        before,
        limit,
        list(tools.named),
    )
    return [read_proposal(row) for row in rows]


async def close_proposal(
    db: Db, proposal: Proposal, state: State, outcome: Outcome | None = None
) -> Proposal:
    """Write the next state of a locked proposal; its tokens are worthless from now on."""
    ended = outcome or Outcome()
    row = await db.fetchrow(
        CLOSE,
        proposal.tenant_id,
        proposal.id,
        state,
        ended.decider.id if ended.decider else None,
        ended.decider.name if ended.decider else None,
        ended.note,
        ended.superseded_by,
        ended.result,
        ended.error,
    )
    if row is None:
        raise LookupError(proposal.id)
    return read_proposal(row)


async def take_expired(db: Db, tenant_id: UUID, limit: int) -> list[Proposal]:
    return [read_proposal(row) for row in await db.fetch(TAKE_EXPIRED, tenant_id, limit)]


async def take_orphaned(db: Db, tenant_id: UUID, limit: int) -> list[Proposal]:
    """Open ones whose proposer may no longer act."""
    return [read_proposal(row) for row in await db.fetch(TAKE_ORPHANED, tenant_id, limit)]


async def take_stuck(db: Db, tenant_id: UUID, limit: int, *, after: timedelta) -> list[Proposal]:
    """Being applied for longer than anything takes."""
    return [read_proposal(row) for row in await db.fetch(TAKE_STUCK, tenant_id, limit, after)]


async def start(db: Db, tenant_id: UUID, proposal_id: UUID) -> bool:
    """Say that the change outside begins; `False` if it was said before, or is over."""
    return await db.fetchval(START, tenant_id, proposal_id) is not None


async def count_waiting(db: Db) -> int:
    """Cards that wait for a decision, over all tenants; of very many not all are counted."""
    return await db.fetchval(COUNT_WAITING)


async def count_unknown(db: Db) -> int:
    """Changes outside, of all tenants, of which nobody knows what became of them."""
    return await db.fetchval(COUNT_UNKNOWN)


async def insert_token(
    db: Db, proposal: Proposal, *, person_id: UUID, token_hash: bytes, lifetime: timedelta
) -> datetime:
    return await db.fetchval(
        INSERT_TOKEN,
        token_hash,
        proposal.tenant_id,
        proposal.id,
        person_id,
        proposal.change.payload_hash,
        lifetime,
    )


async def list_token_hashes(db: Db, proposal: Proposal, person_id: UUID) -> list[bytes]:
    """Of this person, for what they saw, and not too old."""
    rows = await db.fetch(
        LIST_TOKENS, proposal.tenant_id, proposal.id, person_id, proposal.change.payload_hash
    )
    return [row["token_hash"] for row in rows]


async def purge_tokens(db: Db, tenant_id: UUID) -> None:
    await db.execute(PURGE_TOKENS, tenant_id)


async def find_time(db: Db, later: timedelta) -> datetime:
    """By the database's clock."""
    return await db.fetchval(FIND_TIME, later)


async def take_budget(
    db: Db, tenant_id: UUID, principal_id: UUID, *, calls: int, window: timedelta
) -> Row | None:
    """Take one call if there is room. The row's lock decides between callers at once."""
    return await db.fetchrow(TAKE_BUDGET, tenant_id, principal_id, calls, window)


async def find_wait(db: Db, tenant_id: UUID, principal_id: UUID, window: timedelta) -> int:
    """Seconds until the oldest call that counts falls out of the window."""
    return await db.fetchval(FIND_WAIT, tenant_id, principal_id, window) or 1


def read_proposal(row: Row) -> Proposal:
    decider = row["decider_id"]
    return Proposal(
        draft=_draft(row),
        payload=row["payload"],
        state=row["state"],
        is_expired=row["is_expired"],
        begun_at=row["begun_at"],
        created_at=row["created_at"],
        expires_at=row["expires_at"],
        secrets={name: UUID(one) for name, one in row["secrets"].items()},
        outcome=Outcome(
            decider=Actor("user", decider, row["decider_name"]) if decider else None,
            decided_at=row["decided_at"],
            finished_at=row["finished_at"],
            note=row["note"],
            superseded_by=row["superseded_by"],
            result=row["result"],
            error=row["error"],
        ),
    )


def _draft(row: Row) -> Draft:
    return Draft(
        id=row["id"],
        tenant_id=row["tenant_id"],
        change=Change(
            tool=row["tool"],
            effect=row["effect"],
            egress=row["egress"],
            external=row["external"],
            preview=row["preview"],
            basis=parse_basis(row["basis"]),
            payload_hash=row["payload_hash"],
        ),
        place=Place(
            edge=row["edge"],
            conversation_id=row["conversation_id"],
            run_id=row["run_id"],
            call_key=row["call_key"],
            client=parse_program(row["client"]),
        ),
        proposer=Actor(row["proposer_kind"], row["proposer_id"], row["proposer_name"]),
        owner_id=row["owner_id"],
        grounds=Grounds(
            Reason(row["reason_code"], row["reason"]), row["provenance"], parse_taint(row["taint"])
        ),
        lifetime=row["lifetime"],
        supersedes=row["supersedes"],
    )
