"""SQL of the cards of a conversation. The rest of proposals is in `actions/store.py`."""

from collections.abc import Sequence
from uuid import UUID

from assent.actions.proposal import Proposal
from assent.actions.store import COLUMNS, read_proposal
from assent.db.database import Db

LIST_OPEN_OF_CONVERSATION = f"""
SELECT {COLUMNS} FROM proposals
WHERE tenant_id = $1 AND conversation_id = $2 AND state = 'proposed'
  AND expires_at > clock_timestamp()
ORDER BY id
"""
LIST_WITH_SUCCESSORS = f"""
SELECT {COLUMNS} FROM proposals
WHERE tenant_id = $1 AND (id = ANY ($2) OR id IN (
    SELECT superseded_by FROM proposals WHERE tenant_id = $1 AND id = ANY ($2)))
ORDER BY id
"""
TAKE_UNTOLD = """
UPDATE proposals SET told_at = clock_timestamp(), told_by = $3
WHERE tenant_id = $1 AND conversation_id = $2
  AND (decider_id IS NOT NULL OR ($4 AND state IN ('expired', 'voided')))
  AND told_at IS NULL AND state NOT IN ('proposed', 'applying')
"""
LIST_TAKEN = f"""
SELECT {COLUMNS} FROM proposals
WHERE tenant_id = $1 AND conversation_id = $2 AND told_by = $3 AND told_at IS NOT NULL
ORDER BY id
"""
FORGET_TOLD = """
UPDATE proposals SET told_at = NULL
WHERE tenant_id = $1 AND conversation_id = $2 AND told_by = $3
"""
LIST_TOLD = f"""
SELECT {COLUMNS} FROM proposals
WHERE tenant_id = $1 AND conversation_id = $2 AND told_at IS NOT NULL AND NOT tool = ANY ($3)
ORDER BY id
"""
# Whatever is locked is being decided: it goes its way, or is taken the next time.
TAKE_OUTDATED = f"""
SELECT {COLUMNS} FROM proposals
WHERE tenant_id = $1 AND state = 'proposed' AND ($2::uuid IS NULL OR conversation_id = $2)
  AND run_id IS NOT NULL AND EXISTS (
    SELECT FROM messages
    WHERE messages.tenant_id = $1 AND messages.conversation_id = proposals.conversation_id
      AND messages.run_id = proposals.run_id AND messages.superseded_by IS NOT NULL)
ORDER BY id LIMIT $3 FOR UPDATE SKIP LOCKED
"""
TAKE_OPEN = f"""
SELECT {COLUMNS} FROM proposals
WHERE tenant_id = $1 AND conversation_id = $2 AND state = 'proposed'
ORDER BY id FOR UPDATE SKIP LOCKED
"""
FIND_TELLER = "SELECT told_by FROM proposals WHERE tenant_id = $1 AND id = $2"
COUNT_UNTOLD = """
SELECT count(*) FROM proposals
WHERE tenant_id = $1 AND conversation_id = $2
  AND (decider_id IS NOT NULL OR ($3 AND state IN ('expired', 'voided')))
  AND told_at IS NULL AND state NOT IN ('proposed', 'applying')
"""
COUNT_UNDECIDED = """
SELECT count(*) FROM proposals
WHERE tenant_id = $1 AND conversation_id = $2 AND state IN ('proposed', 'applying')
"""


async def list_open_of_conversation(
    db: Db, tenant_id: UUID, conversation_id: UUID
) -> list[Proposal]:
    rows = await db.fetch(LIST_OPEN_OF_CONVERSATION, tenant_id, conversation_id)
    return [read_proposal(row) for row in rows]


async def list_with_successors(
    db: Db, tenant_id: UUID, proposal_ids: Sequence[UUID]
) -> list[Proposal]:
    rows = await db.fetch(LIST_WITH_SUCCESSORS, tenant_id, list(proposal_ids))
    return [read_proposal(row) for row in rows]


async def take_outdated(
    db: Db, tenant_id: UUID, conversation_id: UUID | None, limit: int
) -> list[Proposal]:
    """Open ones of turns that others have taken the place of; in one conversation, or in all."""
    rows = await db.fetch(TAKE_OUTDATED, tenant_id, conversation_id, limit)
    return [read_proposal(row) for row in rows]


async def take_open(db: Db, tenant_id: UUID, conversation_id: UUID) -> list[Proposal]:
    rows = await db.fetch(TAKE_OPEN, tenant_id, conversation_id)
    return [read_proposal(row) for row in rows]


async def take_untold(
    db: Db, tenant_id: UUID, conversation_id: UUID, run_id: UUID, *, undecided: bool
) -> None:
    """Those that ended and the conversation's model was not told of; now this run tells it."""
    await db.execute(TAKE_UNTOLD, tenant_id, conversation_id, run_id, undecided)


async def list_taken(
    db: Db, tenant_id: UUID, conversation_id: UUID, run_id: UUID
) -> list[Proposal]:
    rows = await db.fetch(LIST_TAKEN, tenant_id, conversation_id, run_id)
    return [read_proposal(row) for row in rows]


async def list_told(
    db: Db, tenant_id: UUID, conversation_id: UUID, *, but: Sequence[str]
) -> list[Proposal]:
    rows = await db.fetch(LIST_TOLD, tenant_id, conversation_id, list(but))
    return [read_proposal(row) for row in rows]


async def forget_told(db: Db, tenant_id: UUID, conversation_id: UUID, run_id: UUID) -> None:
    await db.execute(FORGET_TOLD, tenant_id, conversation_id, run_id)


async def find_teller(db: Db, tenant_id: UUID, proposal_id: UUID) -> UUID | None:
    return await db.fetchval(FIND_TELLER, tenant_id, proposal_id)


async def count_untold(db: Db, tenant_id: UUID, conversation_id: UUID, *, undecided: bool) -> int:
    return await db.fetchval(COUNT_UNTOLD, tenant_id, conversation_id, undecided)


async def count_undecided(db: Db, tenant_id: UUID, conversation_id: UUID) -> int:
    """Those that wait for a decision, and those whose change is still under way.

    One that has expired waits until it was ended for that.
    """
    return await db.fetchval(COUNT_UNDECIDED, tenant_id, conversation_id)
