"""Removing what has ended: codes, tokens, consents of which nothing is left, old documents."""

from assent.db.database import Db
from assent.identity.oauth.store import connections, families, programs


async def purge(db: Db) -> None:
    await families.purge(db)
    await connections.purge(db)
    await programs.purge(db)
