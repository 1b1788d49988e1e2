"""SQL of artifacts."""

from collections.abc import Sequence
from datetime import timedelta
from typing import Any
from uuid import UUID

from assent.db.database import Db, Row

INSERT_ARTIFACT = """
INSERT INTO artifacts (id, tenant_id, principal_id, tool, rules, value)
VALUES ($1, $2, $3, $4, $5, $6)
"""
FIND_ARTIFACT = """
SELECT tool, rules, value FROM artifacts WHERE tenant_id = $1 AND principal_id = $2 AND id = $3
"""
DELETE_OLD_ARTIFACTS = """
DELETE FROM artifacts WHERE tenant_id = $1 AND created_at < clock_timestamp() - $2::interval
"""


async def insert_artifact(
    db: Db,
    tenant_id: UUID,
    *,
    artifact_id: UUID,
    principal_id: UUID,
    tool: str,
    rules: Sequence[str],
    value: Any,
) -> None:
    await db.execute(
        INSERT_ARTIFACT, artifact_id, tenant_id, principal_id, tool, list(rules), value
    )


async def find_artifact(
    db: Db, tenant_id: UUID, principal_id: UUID, artifact_id: UUID
) -> Row | None:
    return await db.fetchrow(FIND_ARTIFACT, tenant_id, principal_id, artifact_id)


async def delete_old_artifacts(db: Db, tenant_id: UUID, age: timedelta) -> None:
    await db.execute(DELETE_OLD_ARTIFACTS, tenant_id, age)
