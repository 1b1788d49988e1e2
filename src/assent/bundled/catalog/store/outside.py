"""SQL on tables of Assent itself, only read, for cards: a workspace's name, a resource's grants."""

from uuid import UUID

from assent.plugins.api import Db

FIND_WORKSPACE_NAME = "SELECT name FROM workspaces WHERE tenant_id = $1 AND id = $2"
LIST_GRANTS = """
SELECT id || ' ' || level AS given FROM grants
WHERE tenant_id = $1 AND resource_kind = $2 AND resource_id = $3
"""


async def load_workspace_name(db: Db, tenant_id: UUID, workspace_id: UUID) -> str:
    """The workspace must be there."""
    return await db.fetchval(FIND_WORKSPACE_NAME, tenant_id, workspace_id)


async def list_grants(db: Db, tenant_id: UUID, kind: str, resource_id: UUID) -> list[str]:
    """Each grant with its level, as a text that changes when the grant does."""
    rows = await db.fetch(LIST_GRANTS, tenant_id, kind, resource_id)
    return [row["given"] for row in rows]
