"""What people change about themselves."""

from assent.audit.entry import Entry, hash_arguments
from assent.audit.store import append_entry
from assent.db.database import Database
from assent.identity.principal import Principal
from assent.identity.store import users as store


async def rename_self(database: Database, principal: Principal, name: str) -> None:
    async with database.transaction() as db:
        await store.update_user(db, principal.tenant_id, principal.id, name=name)
        await append_entry(
            db,
            Entry(
                tenant_id=principal.tenant_id,
                edge="form",
                action="identity.renameSelf",
                effect="mutate",
                status="executed",
                actor=principal.actor,
                arguments_hash=hash_arguments({"name": name}),
            ),
        )
