"""Trying the last message again, as it was or written anew (SPEC C18).

The older version stays stored, is shown no more and told to no model. What runs gives way, and
cards that it left open are voided; one that is being applied at this moment goes its way.
"""

from collections.abc import Sequence
from typing import Any
from uuid import UUID

from assent.actions.means import Means
from assent.actions.waiting.outdated import tell_of_voided, void_outdated
from assent.conversations.attach import take_file_parts, use_files
from assent.conversations.conversation import NewMessage, StoredMessage
from assent.conversations.file import list_file_urls
from assent.conversations.store import messages as message_store
from assent.conversations.store import versions as store
from assent.conversations.user_message import Retry
from assent.db.database import Db
from assent.errors import Conflict, Invalid
from assent.identity.principal import Principal
from assent.ids import new_id
from assent.runs.run import Run
from assent.runs.turn import (
    answer_message,
    build_skill_parts,
    build_text_parts,
    find_again,
    lock_conversation,
)


async def start_retry(
    means: Means,
    person: Principal,
    conversation_id: UUID,
    given: Retry,
    *,
    agent: str,
    time_zone: str | None = None,
) -> Run:
    """The run that answers the new version; asked for again with its client id, the same one."""
    async with means.database.transaction() as db:
        conversation = await lock_conversation(db, person, conversation_id)
        again = await find_again(db, person, conversation.id, given.client_id)
        if again is not None:
            return again
        last = await _find_last(db, person, conversation_id, given.message_id)
        scrubber = await means.scrubbing.load(db, person.tenant_id)
        text = read_text(last) if given.text is None else scrubber.scrub_text(given.text)
        file_ids = _list_files(last) if given.file_ids is None else given.file_ids
        message = NewMessage(
            id=new_id(),
            role="user",
            author=str(person.id),
            content=text,
            parts=[
                *(build_skill_parts(given.skill) or keep_skill(last.parts)),
                *await take_file_parts(db, person, file_ids, path="fileIds"),
                *build_text_parts(text),
            ],
            client_id=given.client_id,
            run_id=new_id(),
        )
        if not message.content.strip() and not file_ids:
            raise Invalid.at("text", "Write something, or attach a file.")
        await store.supersede(
            db, person.tenant_id, conversation_id, from_seq=last.seq, by=message.id
        )
        run = await answer_message(
            db, person, conversation, message, agent=agent, time_zone=time_zone
        )
        await use_files(db, person, message.id, file_ids)
        voided = await void_outdated(db, means, person.tenant_id, conversation_id)
    await tell_of_voided(means, person.tenant_id, voided)
    return run


def keep_skill(parts: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    """The skill that the older version was said with."""
    return [part for part in parts if part["type"] == "data-skill"]


def read_text(message: StoredMessage) -> str:
    texts = (part["text"] for part in message.parts if part["type"] == "text")
    return "\n\n".join(texts) or message.content


def _list_files(message: StoredMessage) -> Sequence[UUID]:
    return [UUID(url.rpartition("/")[2]) for url in list_file_urls(message.parts)]


async def _find_last(
    db: Db, person: Principal, conversation_id: UUID, message_id: str | None
) -> StoredMessage:
    last = await message_store.find_last_said(db, person.tenant_id, conversation_id)
    if last is None:
        raise Conflict("Nothing was said here yet.")
    if message_id is not None:
        seq = await store.find_seq(db, person.tenant_id, conversation_id, message_id)
        if seq is None or seq < last.seq:
            raise Conflict.at("messageId", "This is not the last message any more.")
    return last
