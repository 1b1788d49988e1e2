"""A person's answer to a question card: the card, the message and the run that reads it, at once.

The lock on the conversation decides between answers from two tabs. The message that asked belongs
to whoever drives its run until that is over, so an answer that comes sooner waits for the end.
"""

import asyncio
import time
from dataclasses import replace
from uuid import UUID

from assent.conversations.conversation import NewMessage
from assent.conversations.question import (
    Answers,
    Card,
    Reply,
    check_answers,
    find_card,
    find_typed,
    is_same,
    store_answers,
    write_answers,
)
from assent.conversations.store import messages as message_store
from assent.conversations.store import questions as question_store
from assent.db.database import Database, Db
from assent.errors import AssentError, Conflict, NotFound
from assent.identity.principal import Principal
from assent.ids import new_id
from assent.runs import store
from assent.runs.run import Run
from assent.runs.turn import answer_message, load_run, lock_conversation
from assent.vault.scrubbing import Scrubbing

PATIENCE_SECONDS = 5.0
LOOK_SECONDS = 0.1


async def start_reply(
    database: Database,
    person: Principal,
    conversation_id: UUID,
    reply: Reply,
    *,
    agent: str,
    scrubbing: Scrubbing,
    time_zone: str | None = None,
) -> Run:
    """Store the answer and queue its run; the same answer again gets that run."""
    give_up_at = time.monotonic() + PATIENCE_SECONDS
    while True:
        async with database.transaction() as db:
            scrubber = await scrubbing.load(db, person.tenant_id)
            hidden = replace(reply, value=scrubber.scrub(reply.value))
            begun = await _try(db, person, conversation_id, hidden, agent, time_zone)
        if isinstance(begun, Run):
            return begun
        if time.monotonic() > give_up_at:
            raise begun
        await asyncio.sleep(LOOK_SECONDS)


async def _try(
    db: Db,
    person: Principal,
    conversation_id: UUID,
    reply: Reply,
    agent: str,
    time_zone: str | None,
) -> Run | AssentError:
    """The run; or why there is none, if that may soon be different."""
    conversation = await lock_conversation(db, person, conversation_id)
    # Asked for before the card is: a turn that ends in between has stored it by then.
    active = await store.find_active_run(db, person.tenant_id, conversation.id)
    asking = await question_store.lock_asking_message(
        db, person.tenant_id, conversation.id, reply.part_id
    )
    card = find_card(asking.parts, reply.part_id) if asking else None
    if asking is None or card is None:
        if active is None:
            raise NotFound
        return NotFound()
    answers = check_answers(card, reply.value)
    if card.run_id is not None:
        return await _find_again(db, person, card, answers)
    if asking.is_passed:
        raise Conflict.at("answer.partId", "You have said something else since this was asked.")
    if asking.run_id and await store.is_driven(db, person.tenant_id, asking.run_id):
        return Conflict.at("answer.partId", "The turn that asked this is still under way.")
    run_id = new_id()
    parts = store_answers(asking.parts, card.part_id, answers, run_id)
    await message_store.set_parts(db, person.tenant_id, asking.id, parts)
    message = _build_message(person, card, answers, run_id)
    return await answer_message(db, person, conversation, message, agent=agent, time_zone=time_zone)


async def _find_again(db: Db, person: Principal, card: Card, answers: Answers) -> Run:
    if card.run_id is None or not is_same(card, answers):
        raise Conflict.at("answer.partId", "This was answered already, with something else.")
    return await load_run(db, person.tenant_id, card.run_id)


def _build_message(person: Principal, card: Card, answers: Answers, run_id: UUID) -> NewMessage:
    return NewMessage(
        id=new_id(),
        role="user",
        author=str(person.id),
        content=find_typed(card, answers),
        parts=[{"type": "text", "text": write_answers(card, answers)}],
        run_id=run_id,
    )
