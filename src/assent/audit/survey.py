"""Verifying a log stretch by stretch, so that one of any length can be checked while others work.

Each stretch starts and ends at a signed head: together they say what one verification of the whole
would. The hashing is done in a thread, and no snapshot outlives its stretch.
"""

import asyncio
from collections.abc import Sequence
from datetime import datetime
from uuid import UUID

from assent.audit import store
from assent.audit.head import Head
from assent.audit.link import Linked
from assent.audit.listing import FoundFault, VerifiedStretch
from assent.audit.signing import Trust
from assent.audit.verify import LogReport, LogVerifier
from assent.audit.walk import walk_log
from assent.db.database import Database, Db
from assent.errors import Invalid

ENOUGH = 4000
"""Entries and heads after which a stretch ends at the next genuine head."""
SHOWN = 50

Rows = Sequence[Linked | Head]


async def verify_stretch(
    database: Database, tenant_id: UUID, trust: Trust, *, after: int, enough: int = ENOUGH
) -> VerifiedStretch:
    async with database.transaction(read_only=True, isolation="repeatable_read") as db:
        start = await _find_start(db, tenant_id, after)
        rows, is_whole = await _take(db, tenant_id, trust, after=after, enough=enough)
    report = await asyncio.to_thread(_verify, tenant_id, trust, after, [*start, *rows])
    return VerifiedStretch(
        after=after,
        through=report.through,
        through_at=_find_moment(rows, report.through),
        heads=report.heads,
        findings=[
            FoundFault(fault=one.fault, first=one.first, last=one.last, message=one.message)
            for one in report.findings[:SHOWN]
        ],
        faults=len(report.findings),
        next_after=None if is_whole else rows[-1].position,
    )


async def _find_start(db: Db, tenant_id: UUID, after: int) -> list[Head]:
    if after == 0:
        return []
    head = await store.find_head(db, tenant_id, after)
    if head is None:
        raise Invalid.at("after", "No head was signed there. Start from 0.")
    return [head]


async def _take(
    db: Db, tenant_id: UUID, trust: Trust, *, after: int, enough: int
) -> tuple[list[Linked | Head], bool]:
    """The rows of a stretch, and whether the log ends with it."""
    rows: list[Linked | Head] = []
    last = await store.find_last_head(db, tenant_id)
    async for row in walk_log(db, tenant_id, after=after):
        rows.append(row)
        if (
            len(rows) >= enough
            and isinstance(row, Head)
            and row != last
            and trust.judge(row) == "valid"
        ):
            return rows, False
    return rows, True


def _verify(tenant_id: UUID, trust: Trust, after: int, rows: Rows) -> LogReport:
    verifier = LogVerifier(tenant_id, trust.judge, after=after)
    for row in rows:
        if isinstance(row, Head):
            verifier.add_head(row)
        else:
            verifier.add_entry(row)
    return verifier.finish()


def _find_moment(rows: Rows, position: int) -> datetime | None:
    """What was changed by hand may hold anything."""
    there = (row for row in reversed(rows) if isinstance(row, Linked) and row.position == position)
    row = next(there, None)
    try:
        return datetime.fromisoformat(row.content["occurredAt"] or "") if row else None
    except (ValueError, KeyError):
        return None
