"""SQL of approval rules and of votes. The rest of proposals is in `actions/store.py`."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import Literal
from uuid import UUID

from assent.actions.approval import Vote
from assent.actions.approvals.rule import (
    ApprovalRule,
    ApprovalRuleDraft,
    StoredRule,
    list_patterns,
)
from assent.actions.proposal import Proposal
from assent.audit.entry import Actor
from assent.db.database import Db, Row

COLUMNS = """
rules.id, rules.title, rules.note, rules.tool, rules.effect, rules.condition, rules.needed,
rules.anyone, rules.role_ids, rules.user_ids, rules.not_proposer, rules.version
"""
# A role that is held in one workspace only names nobody: a rule is about the whole tenant.
NAMES = """
(users.id = ANY (rules.user_ids) OR EXISTS (
    SELECT 1 FROM memberships WHERE memberships.tenant_id = rules.tenant_id
      AND memberships.user_id = users.id AND memberships.workspace_id IS NULL
      AND memberships.role_id = ANY (rules.role_ids)))
"""
COUNTED = f"""
CASE WHEN NOT rules.anyone THEN (
    SELECT count(*) FROM users
    WHERE users.tenant_id = rules.tenant_id AND users.active AND {NAMES}) END
"""
LIST_RULES = f"""
SELECT {COLUMNS}, {COUNTED} AS people FROM approval_rules AS rules
WHERE rules.tenant_id = $1 ORDER BY lower(rules.title), rules.id
"""
FIND_RULE = f"""
SELECT {COLUMNS}, {COUNTED} AS people FROM approval_rules AS rules
WHERE rules.tenant_id = $1 AND rules.id = $2
"""
LIST_ABOUT = f"""
SELECT {COLUMNS} FROM approval_rules AS rules
WHERE rules.tenant_id = $1 AND ($2::text[] IS NULL OR rules.tool = ANY ($2))
ORDER BY lower(rules.title), rules.id
"""
INSERT_RULE = """
INSERT INTO approval_rules (
    id, tenant_id, title, note, tool, effect, condition, needed, anyone, role_ids, user_ids,
    not_proposer
) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)
"""
UPDATE_RULE = """
UPDATE approval_rules SET title = $3, note = $4, tool = $5, effect = $6, condition = $7,
    needed = $8, anyone = $9, role_ids = $10, user_ids = $11, not_proposer = $12,
    version = version + 1
WHERE tenant_id = $1 AND id = $2 AND version = $13 RETURNING 1
"""
DELETE_RULE = "DELETE FROM approval_rules WHERE tenant_id = $1 AND id = $2 RETURNING 1"
LIST_NAMED = f"""
SELECT rules.id AS rule_id, users.id AS person_id
FROM approval_rules AS rules JOIN users ON users.tenant_id = rules.tenant_id AND users.active
WHERE rules.tenant_id = $1 AND rules.id = ANY ($2) AND users.id = ANY ($3) AND {NAMES}
"""
COUNT_STUCK = f"""
SELECT count(*) FROM approval_rules AS rules WHERE {COUNTED} < rules.needed
"""
COUNT_PEOPLE = f"""
SELECT rules.id, {COUNTED} AS people FROM approval_rules AS rules
WHERE rules.tenant_id = $1 AND rules.id = ANY ($2)
"""
LIST_ROLE_NAMES = "SELECT id, name FROM roles WHERE tenant_id = $1 AND id = ANY ($2)"
LIST_USER_NAMES = "SELECT id, name FROM users WHERE tenant_id = $1 AND id = ANY ($2)"
LIST_VOTES = """
SELECT decisions.proposal_id, person_id, person_name, decisions.decided_at FROM decisions
JOIN proposals ON proposals.id = proposal_id AND proposals.payload_hash = decisions.payload_hash
WHERE decisions.tenant_id = $1 AND proposal_id = ANY ($2) AND kind = 'apply'
ORDER BY decisions.decided_at, person_id
"""
# The proposal's row is written too: whoever waits for it has to look again, and sees the vote.
INSERT_VOTE = """
WITH told AS (
    UPDATE proposals SET voted_at = clock_timestamp(),
        expires_at = greatest(expires_at, created_at + $7::interval)
    WHERE tenant_id = $1 AND id = $2
)
INSERT INTO decisions (tenant_id, proposal_id, person_id, person_name, kind, payload_hash)
VALUES ($1, $2, $3, $4, $5, $6)
ON CONFLICT (proposal_id, person_id) DO UPDATE SET kind = excluded.kind,
    payload_hash = excluded.payload_hash, decided_at = clock_timestamp()
"""
PROLONG = """
UPDATE proposals SET expires_at = greatest(expires_at, created_at + $3::interval)
WHERE tenant_id = $1 AND id = $2
"""


@dataclass(frozen=True, slots=True)
class Names:
    """Of the roles and people that rules speak of; one that is gone has none."""

    roles: Mapping[UUID, str]
    people: Mapping[UUID, str]


async def list_rules(db: Db, tenant_id: UUID) -> list[StoredRule]:
    return [StoredRule.model_validate(dict(row)) for row in await db.fetch(LIST_RULES, tenant_id)]


async def find_rule(db: Db, tenant_id: UUID, rule_id: UUID) -> StoredRule | None:
    row = await db.fetchrow(FIND_RULE, tenant_id, rule_id)
    return StoredRule.model_validate(dict(row)) if row else None


async def list_about(db: Db, tenant_id: UUID, tool: str | None) -> list[ApprovalRule]:
    """The rules that speak of this tool, or all."""
    patterns = list_patterns(tool) if tool else None
    return [_rule(row) for row in await db.fetch(LIST_ABOUT, tenant_id, patterns)]


async def insert_rule(db: Db, tenant_id: UUID, draft: ApprovalRuleDraft, rule_id: UUID) -> None:
    await db.execute(INSERT_RULE, rule_id, tenant_id, *_encode(draft))


async def update_rule(db: Db, tenant_id: UUID, rule: ApprovalRule) -> bool:
    """False when it has another version by now."""
    written = await db.fetchval(UPDATE_RULE, tenant_id, rule.id, *_encode(rule), rule.version)
    return written is not None


async def delete_rule(db: Db, tenant_id: UUID, rule_id: UUID) -> bool:
    return await db.fetchval(DELETE_RULE, tenant_id, rule_id) is not None


async def list_named(
    db: Db, tenant_id: UUID, rule_ids: Sequence[UUID], people: Collection[UUID]
) -> dict[UUID, frozenset[UUID]]:
    """Of these people, who may act: the rules that name them."""
    rows = await db.fetch(LIST_NAMED, tenant_id, list(rule_ids), list(people))
    named: dict[UUID, frozenset[UUID]] = {}
    for row in rows:
        named[row["person_id"]] = named.get(row["person_id"], frozenset()) | {row["rule_id"]}
    return named


async def count_stuck(db: Db) -> int:
    """Rules, of all tenants, that name fewer people than they need."""
    return await db.fetchval(COUNT_STUCK)


async def load_names(db: Db, tenant_id: UUID, rules: Sequence[ApprovalRuleDraft]) -> Names:
    role_ids = sorted({one for rule in rules for one in rule.role_ids})
    user_ids = sorted({one for rule in rules for one in rule.user_ids})
    return Names(
        {row["id"]: row["name"] for row in await db.fetch(LIST_ROLE_NAMES, tenant_id, role_ids)},
        {row["id"]: row["name"] for row in await db.fetch(LIST_USER_NAMES, tenant_id, user_ids)},
    )


async def count_people(db: Db, tenant_id: UUID, rule_ids: Sequence[UUID]) -> dict[UUID, int | None]:
    """How many each rule names at the moment; nothing for one that lets anyone decide."""
    rows = await db.fetch(COUNT_PEOPLE, tenant_id, list(rule_ids))
    return {row["id"]: row["people"] for row in rows}


async def list_votes(
    db: Db, tenant_id: UUID, proposal_ids: Sequence[UUID]
) -> dict[UUID, tuple[Vote, ...]]:
    """Assents to what each proposal still is, oldest first."""
    votes: dict[UUID, tuple[Vote, ...]] = {}
    for row in await db.fetch(LIST_VOTES, tenant_id, list(proposal_ids)):
        vote = Vote(row["person_id"], row["person_name"], row["decided_at"])
        votes[row["proposal_id"]] = (*votes.get(row["proposal_id"], ()), vote)
    return votes


async def insert_vote(
    db: Db,
    proposal: Proposal,
    person: Actor,
    kind: Literal["apply", "decline"],
    *,
    lifetime: timedelta,
) -> None:
    """Keep what somebody said about a locked proposal, which then waits at least that long."""
    await db.execute(
        INSERT_VOTE,
        proposal.tenant_id,
        proposal.id,
        person.id,
        person.name,
        kind,
        proposal.change.payload_hash,
        lifetime,
    )


async def prolong(db: Db, proposal: Proposal, lifetime: timedelta) -> None:
    """Let it wait at least that long."""
    await db.execute(PROLONG, proposal.tenant_id, proposal.id, lifetime)


def _rule(row: Row) -> ApprovalRule:
    return ApprovalRule.model_validate(dict(row))


def _encode(draft: ApprovalRuleDraft) -> tuple[object, ...]:
    condition = draft.condition
    return (
        draft.title,
        draft.note,
        draft.tool,
        draft.effect,
        condition.model_dump(mode="json", by_alias=True) if condition else None,
        draft.needed,
        draft.anyone,
        draft.role_ids,
        draft.user_ids,
        draft.not_proposer,
    )
