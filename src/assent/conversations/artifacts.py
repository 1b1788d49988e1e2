"""Artifacts: the whole of a result of which a model was shown a part (SPEC T8).

They are for the principal who made the call, as long as they may use the tool that gave it.
"""

from dataclasses import dataclass
from datetime import timedelta
from typing import Any
from uuid import UUID

from assent.conversations.store import artifacts as store
from assent.db.database import Db
from assent.errors import MissingRule, NotFound
from assent.identity.access import load_scope
from assent.identity.principal import Principal
from assent.ids import new_id
from assent.tools.json_value import encode_json
from assent.tools.tool import Tool

LARGEST = 4_000_000
KEPT = timedelta(days=7)


async def keep_artifact(db: Db, principal: Principal, tool: Tool, value: Any) -> UUID | None:
    """Store a result that was too large to show; nothing if it is too large to store as well."""
    if len(encode_json(value)) > LARGEST:
        return None
    artifact_id = new_id()
    await store.insert_artifact(
        db,
        principal.tenant_id,
        artifact_id=artifact_id,
        principal_id=principal.id,
        tool=tool.name,
        rules=tool.rules,
        value=value,
    )
    return artifact_id


@dataclass(frozen=True, slots=True)
class Artifact:
    """`tool` is the one that gave it."""

    tool: str
    value: Any


async def load_artifact(db: Db, principal: Principal, artifact_id: UUID) -> Artifact:
    row = await store.find_artifact(db, principal.tenant_id, principal.id, artifact_id)
    if row is None:
        raise NotFound("There is no such artifact, or it is no longer kept.")
    for rule in row["rules"]:
        if (await load_scope(db, principal, rule)).is_empty:
            raise MissingRule(rule)
    return Artifact(row["tool"], row["value"])


async def purge_artifacts(db: Db, tenant_id: UUID) -> None:
    await store.delete_old_artifacts(db, tenant_id, KEPT)
