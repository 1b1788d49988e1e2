"""SQL of what takes changes back."""

from dataclasses import dataclass
from uuid import UUID

from assent.actions.proposal import State, encode_basis, parse_basis
from assent.db.database import Db
from assent.tools.tool import Basis

INSERT_PLAN = """
INSERT INTO undo_plans (proposal_id, tenant_id, tool, payload, basis) VALUES ($1, $2, $3, $4, $5)
"""
FIND_PLAN = """
SELECT tool, payload, basis FROM undo_plans WHERE tenant_id = $1 AND proposal_id = $2
"""
LINK = "UPDATE proposals SET undoes = $3 WHERE tenant_id = $1 AND id = $2"
FIND_UNDONE = "SELECT undoes FROM proposals WHERE tenant_id = $1 AND id = $2"
FIND_STANDING = """
SELECT proposals.undoes, undo_plans.tool, later.id AS by_id,
       CASE WHEN later.state = 'proposed' AND later.expires_at <= clock_timestamp()
            THEN 'expired' ELSE later.state END AS by_state
FROM proposals
LEFT JOIN undo_plans ON undo_plans.tenant_id = $1 AND undo_plans.proposal_id = proposals.id
LEFT JOIN proposals AS later ON later.tenant_id = $1 AND later.undoes = proposals.id
    AND later.state IN ('proposed', 'applying', 'applied', 'outcome_unknown')
WHERE proposals.tenant_id = $1 AND proposals.id = $2
"""


@dataclass(frozen=True, slots=True)
class StoredPlan:
    """The arguments are sealed."""

    tool: str
    payload: bytes
    basis: tuple[Basis, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Standing:
    """How a change stands: what it takes back, which tool would take it back, and what does."""

    undoes: UUID | None
    tool: str | None
    by_id: UUID | None
    by_state: State | None


async def insert_plan(db: Db, tenant_id: UUID, proposal_id: UUID, plan: StoredPlan) -> None:
    await db.execute(
        INSERT_PLAN, proposal_id, tenant_id, plan.tool, plan.payload, encode_basis(plan.basis)
    )


async def find_plan(db: Db, tenant_id: UUID, proposal_id: UUID) -> StoredPlan | None:
    row = await db.fetchrow(FIND_PLAN, tenant_id, proposal_id)
    return StoredPlan(row["tool"], row["payload"], parse_basis(row["basis"])) if row else None


async def link(db: Db, tenant_id: UUID, proposal_id: UUID, undoes: UUID) -> None:
    await db.execute(LINK, tenant_id, proposal_id, undoes)


async def find_undone(db: Db, tenant_id: UUID, proposal_id: UUID) -> UUID | None:
    """The proposal whose change this one takes back."""
    return await db.fetchval(FIND_UNDONE, tenant_id, proposal_id)


async def find_standing(db: Db, tenant_id: UUID, proposal_id: UUID) -> Standing:
    row = await db.fetchrow(FIND_STANDING, tenant_id, proposal_id)
    if row is None:
        raise LookupError(proposal_id)
    return Standing(**row)
