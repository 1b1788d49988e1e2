"""How a person's conversations stand: the list of them, one of them, and what was read."""

from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from assent.actions.proposal import Proposal
from assent.actions.waiting.cards import list_waiting
from assent.conversations.conversation import ConversationQuery
from assent.conversations.keep import load_conversation
from assent.conversations.question import Card
from assent.conversations.store.questions import list_open_cards
from assent.db.database import Database, Db
from assent.errors import NotFound
from assent.identity.principal import Principal
from assent.runs.overview import store
from assent.runs.overview.line import ConversationLine, FinishedMessage, OlderVersion
from assent.runs.overview.versions import build_versions
from assent.runs.run import Run
from assent.runs.store import find_active_run
from assent.value import Page, build_page, parse_cursor, parse_cursor_id, parse_cursor_time
from assent.work.announce import News, announce

MOST_OLDER = 200
"""Messages of older versions in one answer."""


@dataclass(frozen=True, slots=True)
class Overview:
    line: ConversationLine
    active: Run | None
    pending: tuple[Proposal, ...]
    questions: tuple[Card, ...]


async def list_conversations(
    database: Database, person: Principal, query: ConversationQuery
) -> Page[ConversationLine]:
    async with database.reading() as db:
        rows = await store.list_conversations(
            db, person.tenant_id, query, owner_id=person.id, after=_parse_position(query.cursor)
        )
    return build_page(rows, query.limit, lambda one: (one.active_at.isoformat(), str(one.id)))


async def load_line(db: Db, person: Principal, conversation_id: UUID) -> ConversationLine:
    found = await store.find_conversation(db, person.tenant_id, person.id, conversation_id)
    if found is None:
        raise NotFound
    return found


async def load_overview(database: Database, person: Principal, conversation_id: UUID) -> Overview:
    """One moment's view: the status says what the run and the cards beside it say."""
    async with database.transaction(read_only=True, isolation="repeatable_read") as db:
        line = await load_line(db, person, conversation_id)
        active = await find_active_run(db, person.tenant_id, conversation_id)
        pending = await list_waiting(db, person.tenant_id, conversation_id)
        asked = await list_open_cards(db, person.tenant_id, [conversation_id])
    return Overview(line, active, tuple(pending), tuple(card for _, card in asked))


async def mark_read(
    database: Database, person: Principal, conversation_id: UUID, seq: int | None
) -> ConversationLine:
    """Through that message, or through all that is finished; never back."""
    async with database.transaction() as db:
        await load_conversation(db, person, conversation_id)
        is_news = await store.mark_read(
            db,
            person.tenant_id,
            person_id=person.id,
            conversation_id=conversation_id,
            seq=seq,
        )
        if is_news:
            await announce(db, News(person.tenant_id, "conversation", conversation_id))
        return await load_line(db, person, conversation_id)


async def list_finished_messages(
    database: Database, person: Principal, conversation_id: UUID, *, before: int | None, limit: int
) -> list[FinishedMessage]:
    """Without answers that are still being written: those are followed."""
    async with database.reading() as db:
        await load_conversation(db, person, conversation_id, tasks=True)
        return await store.list_messages(
            db,
            person.tenant_id,
            conversation_id,
            before=before,
            limit=limit,
            person_id=person.id,
        )


async def list_older_versions(
    database: Database, person: Principal, conversation_id: UUID, message_id: UUID
) -> list[OlderVersion]:
    """Of a person's message that is shown, oldest first; very many are cut to the newest."""
    async with database.transaction(read_only=True, isolation="repeatable_read") as db:
        await load_conversation(db, person, conversation_id)
        count = await store.count_older(db, person.tenant_id, conversation_id, message_id)
        if count is None:
            raise NotFound("There is no such message.")
        found = await store.list_older(
            db,
            person.tenant_id,
            conversation_id,
            message_id,
            limit=MOST_OLDER,
            person_id=person.id,
        )
    return build_versions(found, count)


def _parse_position(cursor: str | None) -> tuple[datetime, UUID] | None:
    parsed = parse_cursor(cursor, 2)
    return (parse_cursor_time(parsed[0]), parse_cursor_id(parsed[1])) if parsed else None
