"""Recording a change that succeeded, in the transaction in which it happens."""

from uuid import UUID

from assent.audit.entry import Actor, Edge, Effect, Entry, hash_arguments
from assent.audit.store import append_entry
from assent.db.database import Db


async def record(
    db: Db,
    tenant_id: UUID,
    actor: Actor,
    *,
    edge: Edge,
    action: str,
    effect: Effect = "mutate",
    arguments: object = None,
) -> None:
    await append_entry(
        db,
        Entry(
            tenant_id=tenant_id,
            edge=edge,
            action=action,
            effect=effect,
            status="executed",
            actor=actor,
            arguments_hash=hash_arguments(arguments or {}),
        ),
    )
