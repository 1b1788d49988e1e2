"""SQL of the agents that tenants have of their own."""

from uuid import UUID

from assent.agents.agent import Agent
from assent.agents.profile import AgentChange, AgentDraft, AgentProfile
from assent.db.database import Db, Row

COLUMNS = "id, slug, name, prompt, integration_id, model, tools, step_cap, enabled, version"
LIST = f"SELECT {COLUMNS} FROM agents WHERE tenant_id = $1 ORDER BY slug"
FIND = f"SELECT {COLUMNS} FROM agents WHERE tenant_id = $1 AND id = $2"
INSERT = f"""
INSERT INTO agents (
    id, tenant_id, slug, name, prompt, integration_id, model, tools, step_cap, enabled)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)
ON CONFLICT (tenant_id, slug) DO NOTHING RETURNING {COLUMNS}
"""
UPDATE = f"""
UPDATE agents SET
    name = coalesce($3, name), prompt = coalesce($4, prompt),
    integration_id = CASE WHEN 'integration_id' = ANY($11) THEN $5 ELSE integration_id END,
    model = CASE WHEN 'model' = ANY($11) THEN $6 ELSE model END,
    tools = CASE WHEN 'tools' = ANY($11) THEN $7 ELSE tools END,
    step_cap = coalesce($8, step_cap), enabled = coalesce($9, enabled), version = version + 1
WHERE tenant_id = $1 AND id = $2 AND ($10::bigint IS NULL OR version = $10)
RETURNING {COLUMNS}
"""
DELETE = "DELETE FROM agents WHERE tenant_id = $1 AND id = $2 RETURNING 1"


async def list_profiles(db: Db, tenant_id: UUID) -> list[AgentProfile]:
    return [_profile(row) for row in await db.fetch(LIST, tenant_id)]


async def list_agents(db: Db, tenant_id: UUID) -> list[Agent]:
    return [profile.agent for profile in await list_profiles(db, tenant_id)]


async def find_profile(db: Db, tenant_id: UUID, agent_id: UUID) -> AgentProfile | None:
    row = await db.fetchrow(FIND, tenant_id, agent_id)
    return _profile(row) if row else None


async def insert_agent(
    db: Db, tenant_id: UUID, draft: AgentDraft, agent_id: UUID
) -> AgentProfile | None:
    """Nothing if the slug is taken."""
    row = await db.fetchrow(
        INSERT,
        agent_id,
        tenant_id,
        draft.slug,
        draft.name,
        draft.prompt,
        draft.integration_id,
        draft.model,
        draft.tools,
        draft.step_cap,
        draft.enabled,
    )
    return _profile(row) if row else None


async def update_agent(db: Db, tenant_id: UUID, change: AgentChange) -> AgentProfile | None:
    row = await db.fetchrow(
        UPDATE,
        tenant_id,
        change.agent_id,
        change.name,
        change.prompt,
        change.integration_id,
        change.model,
        change.tools,
        change.step_cap,
        change.enabled,
        change.expected_version,
        sorted(change.model_fields_set),
    )
    return _profile(row) if row else None


async def delete_agent(db: Db, tenant_id: UUID, agent_id: UUID) -> bool:
    return await db.fetchval(DELETE, tenant_id, agent_id) is not None


def _profile(row: Row) -> AgentProfile:
    return AgentProfile(**row)
