"""What people change about themselves."""

from assent.audit.record import record
from assent.db.database import Database
from assent.identity.principal import Principal
from assent.identity.store import users as store


async def rename_self(database: Database, principal: Principal, name: str) -> None:
    async with database.transaction() as db:
        await store.update_user(db, principal.tenant_id, principal.id, name=name)
        await record(
            db,
            principal.tenant_id,
            principal.actor,
            edge="form",
            action="identity.renameSelf",
            arguments={"name": name},
        )
