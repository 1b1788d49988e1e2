"""Going on with a run that lost its process, and closing one that nobody goes on with."""

from typing import Any

from assent.actions.waiting.cards import forget_told
from assent.conversations.parts import parse_parts, text_of
from assent.conversations.store import messages as message_store
from assent.db.database import Db
from assent.runs import store
from assent.runs.events import parse_usage
from assent.runs.frames import START
from assent.runs.left import Left, read_left
from assent.runs.run import Run, RunStatus
from assent.work.announce import News, announce


async def load_left(db: Db, run: Run) -> Left:
    """What the attempts before this one have brought about."""
    parts, usage = await message_store.load_answer(db, run.tenant_id, run.message_id)
    journal = await store.read_batches(db, run.tenant_id, run.id, START)
    return read_left(parts, journal, parse_usage(usage) if usage else None)


async def settle_run(
    db: Db, run: Run, status: RunStatus, error: dict[str, Any] | None = None
) -> int | None:
    """End it from outside, with what there is of its answer.

    An owner that still lives says more, and stores that later. Returns how often it was begun, or
    nothing if it was over already.
    """
    attempts = await store.end_run(db, run, status, error)
    if attempts is None:
        return None
    await forget_told(db, run.tenant_id, run.conversation_id, run.id)
    parts = parse_parts((await load_left(db, run)).close())
    await message_store.set_answer(
        db, run.tenant_id, run.message_id, content=text_of(parts), parts=parts
    )
    await announce(db, News(run.tenant_id, "conversation", run.conversation_id))
    return attempts
