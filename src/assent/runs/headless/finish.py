"""How a headless run ends: waiting for decisions, or with the value that it was asked for."""

from collections.abc import Awaitable, Callable
from typing import Any, TypeAlias

from assent.actions.waiting.cards import has_undecided
from assent.db.database import Database
from assent.runs.answer import Answer
from assent.runs.headless.output import (
    REPAIRS,
    count_answers,
    find_last_text,
    parse_output,
    refuse_output,
    write_repair_note,
)
from assent.runs.headless.task import Task

Repair: TypeAlias = Callable[[str], Awaitable[None]]


async def is_waiting(database: Database, task: Task, cards: int) -> bool:
    """A card of its own that was decided already has queued the turn that tells of it."""
    if cards:
        return True
    async with database.reading() as db:
        return await has_undecided(db, task.tenant_id, task.conversation_id)


async def take_output(task: Task, answer: Answer, repair: Repair) -> Any:
    """The value, or nothing if none was asked for. `repair` has the model answer once more.

    Rounds of an attempt before this one count: what they said is in the answer.
    """
    if task.output_schema is None:
        return None
    rounds = max(0, count_answers(answer.parts) - 1)
    while True:
        value, issues = parse_output(task.output_schema, find_last_text(answer.parts))
        if not issues:
            return value
        if rounds >= REPAIRS:
            raise refuse_output(issues)
        await repair(write_repair_note(issues))
        rounds += 1
