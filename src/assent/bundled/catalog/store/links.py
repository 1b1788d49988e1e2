"""The lock under which links between systems, groups and environments change.

A link is changed from either end and moves the versions of both. Without one order, two such
changes would wait for each other's rows until Postgres ends one of them.
"""

from uuid import UUID

from assent.plugins.api import Db

LOCK = "SELECT pg_advisory_xact_lock(hashtextextended('catalog ' || $1::uuid::text, 0))"


async def lock_links(db: Db, tenant_id: UUID) -> None:
    """Take it before any row is locked; it ends with the transaction."""
    await db.execute(LOCK, tenant_id)
