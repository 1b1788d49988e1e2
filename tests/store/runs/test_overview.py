"""The list of conversations on Postgres: how each stands, what was read, and at which cost."""

from collections.abc import AsyncGenerator
from dataclasses import dataclass, replace
from typing import Any
from uuid import UUID

import pytest
import pytest_asyncio

from assent.conversations.conversation import (
    Conversation,
    ConversationDraft,
    ConversationQuery,
    NewMessage,
)
from assent.conversations.keep import archive_conversation, open_conversation
from assent.conversations.store.messages import insert_message
from assent.db.database import Database
from assent.errors import NotFound
from assent.identity.first_start import add_tenant, start_first
from assent.identity.principal import Principal
from assent.identity.store.users import insert_user
from assent.ids import new_id
from assent.runs import store as run_store
from assent.runs.overview import store
from assent.runs.overview.line import ConversationLine
from assent.runs.overview.listing import (
    list_conversations,
    list_finished_messages,
    load_overview,
    mark_read,
)
from assent.runs.run import NewRun, Run, RunStatus

ADD_PROPOSAL = """
INSERT INTO proposals (
    id, tenant_id, tool, effect, egress, external, edge, conversation_id, proposer_kind,
    proposer_id, proposer_name, owner_id, payload, payload_hash, preview, basis, reason_code,
    reason, state, expires_at)
VALUES ($1, $2, 'bank.deposit', 'mutate', false, false, 'chat', $3, 'user', $4, 'Ann', $4, '',
        sha256(''), '{"summary": "Deposit"}', '[]', 'mode', 'Asked.', $5,
        clock_timestamp() + make_interval(secs => $6))
"""
FILL = """
WITH made AS (
    INSERT INTO conversations (id, tenant_id, owner_id, next_seq, active_at)
    SELECT gen_random_uuid(), $1, $2, 3, now() - one * interval '1 minute'
    FROM generate_series(1, 10000) AS one RETURNING id
), joined AS (
    INSERT INTO participants (tenant_id, conversation_id, kind, who, role)
    SELECT $1, id, 'user', $2::text, 'owner' FROM made
), said AS (
    INSERT INTO messages (id, tenant_id, conversation_id, seq, role, author, content, parts, run_id)
    SELECT gen_random_uuid(), $1, id, 2, 'assistant', 'assistant', '', '[]', gen_random_uuid()
    FROM made RETURNING id, conversation_id, run_id
)
INSERT INTO runs (
    id, tenant_id, conversation_id, work_id, kind, agent, principal_id, message_id, status)
SELECT run_id, $1, conversation_id, gen_random_uuid(), 'turn', 'assistant', $2, id, 'completed'
FROM said
"""

FILL_PROPOSALS = """
INSERT INTO proposals (
    id, tenant_id, tool, effect, egress, external, edge, conversation_id, proposer_kind,
    proposer_id, proposer_name, owner_id, payload, payload_hash, preview, basis, reason_code,
    reason, state, expires_at)
SELECT gen_random_uuid(), $1, 'bank.deposit', 'mutate', false, false, 'chat', id, 'user', $2,
       'Ann', $2, '', sha256(''), '{}', '[]', 'mode', 'Asked.',
       CASE WHEN random() < 0.1 THEN 'proposed' ELSE 'applied' END, now()
FROM conversations
"""


@dataclass(frozen=True, slots=True)
class Stage:
    database: Database
    person: Principal

    async def open(self) -> Conversation:
        conversation, is_new = await open_conversation(
            self.database, self.person, ConversationDraft()
        )
        assert is_new
        return conversation

    async def say(self, conversation: Conversation) -> Run:
        """A message, and the run that answers it."""
        run_id, message_id = new_id(), new_id()
        tenant_id = self.person.tenant_id
        async with self.database.transaction() as db:
            for message in (
                NewMessage(
                    id=new_id(),
                    role="user",
                    author=str(self.person.id),
                    content="Hello",
                    parts=[],
                    run_id=run_id,
                ),
                NewMessage(
                    id=message_id,
                    role="assistant",
                    author="assistant",
                    content="",
                    parts=[],
                    run_id=run_id,
                ),
            ):
                await insert_message(db, tenant_id, conversation.id, message)
            await run_store.insert_run(
                db,
                NewRun(
                    id=run_id,
                    tenant_id=tenant_id,
                    conversation_id=conversation.id,
                    work_id=new_id(),
                    kind="turn",
                    agent="assistant",
                    principal_id=self.person.id,
                    message_id=message_id,
                ),
            )
            run = await run_store.find_run(db, tenant_id, run_id)
        assert run is not None
        return run

    async def end(
        self, run: Run, status: RunStatus = "completed", error: dict[str, Any] | None = None
    ) -> None:
        async with self.database.transaction() as db:
            assert await run_store.end_run(db, run, status, error) is not None

    async def propose(
        self, conversation: Conversation, state: str = "proposed", seconds: int = 60
    ) -> UUID:
        proposal_id = new_id()
        async with self.database.transaction() as db:
            await db.execute(
                ADD_PROPOSAL,
                proposal_id,
                self.person.tenant_id,
                conversation.id,
                self.person.id,
                state,
                seconds,
            )
        return proposal_id

    async def list(self, **query: Any) -> list[ConversationLine]:
        page = await list_conversations(self.database, self.person, ConversationQuery(**query))
        return page.items

    async def find(self, conversation: Conversation) -> ConversationLine:
        [line] = [one for one in await self.list() if one.id == conversation.id]
        return line

    async def read(self, conversation: Conversation, seq: int | None = None) -> ConversationLine:
        return await mark_read(self.database, self.person, conversation.id, seq)


@pytest_asyncio.fixture
async def stage(database: Database) -> AsyncGenerator[Stage]:
    async with database.transaction() as db:
        first = await start_first(db, known_rules=[], workspace=("main", "Main"))
        assert first is not None
    yield Stage(database, first.admin)


async def test_what_is_empty_is_not_listed(stage: Stage) -> None:
    draft = await stage.open()
    assert await stage.list() == []
    again, is_new = await open_conversation(stage.database, stage.person, ConversationDraft())
    assert (again.id, is_new) == (draft.id, False)
    await stage.say(draft)
    assert [one.id for one in await stage.list()] == [draft.id]


async def test_the_latest_used_come_first_page_by_page(stage: Stage) -> None:
    made: list[Conversation] = []
    for _ in range(5):
        made.append(await stage.open())
        await stage.say(made[-1])
    await stage.say(made[1])
    wanted = [made[index].id for index in (1, 4, 3, 2, 0)]
    found: list[UUID] = []
    cursor = None
    while True:
        query = ConversationQuery(limit=2, cursor=cursor)
        page = await list_conversations(stage.database, stage.person, query)
        found += [one.id for one in page.items]
        cursor = page.next_cursor
        if cursor is None:
            break
    assert found == wanted


async def test_a_line_says_what_goes_on(stage: Stage) -> None:
    conversation = await stage.open()
    run = await stage.say(conversation)
    assert (await stage.find(conversation)).status == "running"
    await stage.propose(conversation)
    assert (await stage.find(conversation)).status == "running"
    await stage.end(run)
    assert (await stage.find(conversation)).status == "waiting"
    overview = await load_overview(stage.database, stage.person, conversation.id)
    assert (overview.line.status, len(overview.pending), overview.active) == ("waiting", 1, None)


@pytest.mark.parametrize(("state", "seconds"), [("applied", 60), ("declined", 60), ("proposed", 0)])
async def test_what_nobody_can_decide_waits_for_nobody(
    stage: Stage, state: str, seconds: int
) -> None:
    conversation = await stage.open()
    await stage.end(await stage.say(conversation))
    await stage.propose(conversation, state, seconds)
    assert (await stage.find(conversation)).status == "idle"


@pytest.mark.parametrize("status", ["completed", "failed", "cancelled", "superseded"])
async def test_an_answer_is_unread_once_it_is_finished(stage: Stage, status: RunStatus) -> None:
    conversation = await stage.open()
    run = await stage.say(conversation)
    assert not (await stage.find(conversation)).unread
    await stage.end(run, status)
    assert (await stage.find(conversation)).unread
    assert (await load_overview(stage.database, stage.person, conversation.id)).line.unread
    assert not (await stage.read(conversation)).unread
    assert not (await stage.find(conversation)).unread


async def test_an_answer_under_way_cannot_be_read(stage: Stage) -> None:
    conversation = await stage.open()
    run = await stage.say(conversation)
    for seq in (None, 2, 1000):
        await stage.read(conversation, seq)
    await stage.end(run)
    assert (await stage.find(conversation)).unread


async def test_reading_never_goes_back(stage: Stage) -> None:
    conversation = await stage.open()
    await stage.end(await stage.say(conversation))
    assert (await stage.read(conversation, 1)).unread
    assert not (await stage.read(conversation, 2)).unread
    for seq in (1, 0, 2, None):
        assert not (await stage.read(conversation, seq)).unread


async def test_whoever_answers_has_read(stage: Stage) -> None:
    conversation = await stage.open()
    await stage.end(await stage.say(conversation))
    run = await stage.say(conversation)
    assert not (await stage.find(conversation)).unread
    await stage.end(run)
    assert (await stage.find(conversation)).unread


async def test_nobody_else_sees_it_or_reads_it(stage: Stage) -> None:
    conversation = await stage.open()
    await stage.end(await stage.say(conversation))
    other, foreign = new_id(), stage.person.id
    async with stage.database.transaction() as db:
        await insert_user(
            db, stage.person.tenant_id, user_id=other, email="b@example.com", name="Bea"
        )
        tenant = await add_tenant(db, slug="other", name="Other", known_rules=[])
    for stranger in (
        replace(stage.person, id=other),
        replace(stage.person, id=foreign, tenant_id=tenant.id),
    ):
        page = await list_conversations(stage.database, stranger, ConversationQuery())
        assert page.items == []
        with pytest.raises(NotFound):
            await mark_read(stage.database, stranger, conversation.id, None)
        with pytest.raises(NotFound):
            await load_overview(stage.database, stranger, conversation.id)
    assert (await stage.find(conversation)).unread


async def test_what_is_archived_is_not_listed(stage: Stage) -> None:
    conversation = await stage.open()
    await stage.end(await stage.say(conversation))
    async with stage.database.transaction() as db:
        await archive_conversation(db, stage.person, conversation.id)
    assert await stage.list() == []


async def test_messages_say_how_their_runs_ended(stage: Stage) -> None:
    conversation = await stage.open()
    error = {"code": "unavailable", "message": "The model does not answer."}
    for status, told in (("completed", None), ("failed", error), ("cancelled", None)):
        await stage.end(await stage.say(conversation), status, told)
    await stage.say(conversation)
    found = await list_finished_messages(
        stage.database, stage.person, conversation.id, before=None, limit=10
    )
    assert [(one.role, one.status) for one in found] == [
        ("user", None),
        ("assistant", "completed"),
        ("user", None),
        ("assistant", "failed"),
        ("user", None),
        ("assistant", "cancelled"),
        ("user", None),
    ]
    assert [one.error and one.error.model_dump() for one in found if one.error] == [error]


async def test_a_page_of_messages_is_full_while_an_answer_is_written(stage: Stage) -> None:
    conversation = await stage.open()
    for _ in range(3):
        await stage.end(await stage.say(conversation))
    await stage.say(conversation)
    found = await list_finished_messages(
        stage.database, stage.person, conversation.id, before=None, limit=4
    )
    assert [one.seq for one in found] == [4, 5, 6, 7]


async def test_a_page_costs_a_page_however_many_there_are(stage: Stage) -> None:
    given = (stage.person.tenant_id, stage.person.id)
    nothing = (None, None, None, None, None, 51)
    async with stage.database.connection() as db:
        await db.execute(FILL, *given)
        await db.execute(FILL_PROPOSALS, *given)
        await db.execute("ANALYZE")
        rows = await db.fetch(f"EXPLAIN {store.LIST}", *given, *nothing)
    plan = "\n".join(row["QUERY PLAN"] for row in rows)
    assert "Seq Scan" not in plan, plan
    assert "Sort" not in plan, plan
    assert "conversations_of_owner" in plan
    assert len(await stage.list(limit=200)) == 200
