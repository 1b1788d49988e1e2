"""SQL of the audit log. Entries are only ever added."""

from assent.audit.entry import Entry
from assent.db.database import Db
from assent.ids import new_id

INSERT_ENTRY = """
INSERT INTO audit_entries (
    id, tenant_id, edge, action, effect, status,
    principal_kind, principal_id, principal_name, arguments_hash,
    decider_id, decider_name, conversation_id, run_id, proposal_id
) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15)
"""


async def append_entry(db: Db, entry: Entry) -> None:
    """Record what happened, in the transaction in which it happens."""
    await db.execute(
        INSERT_ENTRY,
        new_id(),
        entry.tenant_id,
        entry.edge,
        entry.action,
        entry.effect,
        entry.status,
        entry.actor.kind,
        entry.actor.id,
        entry.actor.name,
        entry.arguments_hash,
        entry.decider.id if entry.decider else None,
        entry.decider.name if entry.decider else None,
        entry.trace.conversation_id,
        entry.trace.run_id,
        entry.trace.proposal_id,
    )
