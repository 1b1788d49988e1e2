"""Counts of attempts, in Postgres for all processes: who makes too many has to wait."""

import hashlib
from collections.abc import Iterable
from datetime import timedelta

from assent.db.database import Database
from assent.errors import TooMany
from assent.identity.store import sessions as store


def name_subject(*parts: str) -> bytes:
    """What is counted, without saying who it is."""
    return hashlib.sha256("\n".join(parts).encode("utf-8", "surrogatepass")).digest()


async def count_attempts(
    database: Database, limits: Iterable[tuple[bytes, int]], window: timedelta
) -> None:
    """Count one more for each subject; raise if one of them has passed its limit."""
    async with database.transaction() as db:
        counted = [
            (await store.count_attempt(db, subject, window), limit)
            for subject, limit in sorted(limits)
        ]
    waits = [wait for (count, wait), limit in counted if count > limit]
    if waits:
        raise TooMany(max(waits), "Too many attempts. Wait, then try again.")


async def forgive_attempts(database: Database, subjects: Iterable[bytes]) -> None:
    """Take back one count of each: it was no failure."""
    async with database.transaction() as db:
        for subject in sorted(subjects):
            await store.forgive_attempt(db, subject)
