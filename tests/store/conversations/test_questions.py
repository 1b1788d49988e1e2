"""Question cards on Postgres: which wait, and in which message one was asked."""

from dataclasses import dataclass
from typing import Any
from uuid import UUID

import pytest_asyncio

from assent.conversations.conversation import ConversationDraft, NewMessage, Role
from assent.conversations.store.conversations import insert_conversation
from assent.conversations.store.messages import insert_message
from assent.conversations.store.questions import list_open_cards, lock_asking_message
from assent.db.database import Database
from assent.identity.first_start import start_first
from assent.ids import new_id

TEXT = {"type": "text", "text": "Hello"}


def ask(part_id: str, **more: Any) -> dict[str, Any]:
    question = {"key": "a", "text": f"Question {part_id}?", "kind": "text", "options": []}
    return {"type": "data-question", "id": part_id, "data": {"questions": [question], **more}}


@dataclass(frozen=True, slots=True)
class Place:
    database: Database
    tenant_id: UUID
    owner_id: UUID

    async def open(self) -> UUID:
        async with self.database.transaction() as db:
            made = await insert_conversation(
                db,
                self.tenant_id,
                ConversationDraft(),
                conversation_id=new_id(),
                owner_id=self.owner_id,
            )
        return made.id

    async def say(self, conversation_id: UUID, role: Role, *parts: dict[str, Any]) -> UUID:
        message = NewMessage(id=new_id(), role=role, author="x", content="", parts=list(parts))
        async with self.database.transaction() as db:
            await insert_message(db, self.tenant_id, conversation_id, message)
        return message.id

    async def list_open(
        self, *conversation_ids: UUID, tenant_id: UUID | None = None
    ) -> list[tuple[UUID, str]]:
        async with self.database.transaction(read_only=True) as db:
            found = await list_open_cards(db, tenant_id or self.tenant_id, conversation_ids)
        return [(conversation_id, card.part_id) for conversation_id, card in found]


@pytest_asyncio.fixture
async def place(database: Database) -> Place:
    async with database.transaction() as db:
        first = await start_first(db, known_rules=[], workspace=("main", "Main"))
    assert first is not None
    return Place(database, first.admin.tenant_id, first.admin.id)


async def test_cards_wait_until_they_are_answered_or_something_is_said(place: Place) -> None:
    one, other, third = [await place.open() for _ in range(3)]
    await place.say(one, "user", TEXT)
    await place.say(one, "assistant", TEXT, ask("passed"))
    await place.say(one, "user", TEXT)
    await place.say(one, "assistant", ask("q1"), ask("q2", answer={"a": "x"}))
    await place.say(one, "assistant", TEXT, ask("q3"))
    await place.say(other, "assistant", ask("q1"))
    await place.say(third, "assistant", ask("q1"))
    await place.say(third, "user", TEXT)
    assert sorted(await place.list_open(one, other, third)) == sorted(
        [(one, "q1"), (one, "q3"), (other, "q1")]
    )
    assert await place.list_open(one) == [(one, "q1"), (one, "q3")]
    assert await place.list_open() == []
    assert await place.list_open(one, tenant_id=new_id()) == []


async def test_the_newest_message_that_asked_counts(place: Place) -> None:
    conversation = await place.open()
    await place.say(conversation, "assistant", ask("q"))
    await place.say(conversation, "user", ask("q"))
    newest = await place.say(conversation, "assistant", TEXT, ask("q"))
    await place.say(conversation, "assistant", TEXT)
    async with place.database.transaction() as db:
        found = await lock_asking_message(db, place.tenant_id, conversation, "q")
        assert found is not None
        assert (found.id, found.is_passed) == (newest, False)
        assert await lock_asking_message(db, place.tenant_id, conversation, "Hello") is None
        assert await lock_asking_message(db, new_id(), conversation, "q") is None
    await place.say(conversation, "user", TEXT)
    async with place.database.transaction() as db:
        found = await lock_asking_message(db, place.tenant_id, conversation, "q")
    assert found is not None
    assert found.is_passed
