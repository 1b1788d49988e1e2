"""Removing what has ended: codes, tokens, consents of which nothing is left, old documents."""

from datetime import timedelta

from assent.db.database import Db
from assent.identity.oauth.store import connections, families, programs

TO_BE_TAKEN_UP = timedelta(days=1)
AT_ONCE = timedelta(0)


async def purge(db: Db, *, registration: bool) -> None:
    """Where programs may not register any more, those that nobody has connected go at once."""
    await families.purge(db)
    await connections.purge(db)
    await programs.purge(db, unused_for=TO_BE_TAKEN_UP if registration else AT_ONCE)
