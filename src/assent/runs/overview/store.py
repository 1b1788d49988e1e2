"""SQL of how conversations stand."""

from collections.abc import Collection, Sequence
from datetime import datetime
from typing import Any
from uuid import UUID

from assent.conversations.conversation import ConversationQuery
from assent.conversations.store.conversations import COLUMNS
from assent.db.database import Db
from assent.runs.overview.line import ConversationLine, FinishedMessage
from assent.runs.overview.words import HEADLINE, build_words, split_headline

# The newest answer, not any: a scalar subquery looks at one conversation at a time, while the plan
# for EXISTS reads the messages of all of them.
STANDING = """
CASE WHEN EXISTS (
        SELECT FROM runs
        WHERE runs.tenant_id = conversations.tenant_id
          AND runs.conversation_id = conversations.id AND runs.status IN ('queued', 'running')
     ) THEN 'running'
     WHEN EXISTS (
        SELECT FROM proposals
        WHERE proposals.tenant_id = conversations.tenant_id
          AND proposals.conversation_id = conversations.id
          AND proposals.state = 'proposed' AND proposals.expires_at > clock_timestamp()
     ) OR EXISTS (
        SELECT FROM messages
        WHERE messages.tenant_id = conversations.tenant_id
          AND messages.conversation_id = conversations.id AND messages.role = 'assistant'
          AND messages.superseded_by IS NULL
          AND messages.seq > coalesce((
              SELECT said.seq FROM messages AS said
              WHERE said.tenant_id = conversations.tenant_id
                AND said.conversation_id = conversations.id AND said.role = 'user'
                AND said.superseded_by IS NULL
              ORDER BY said.seq DESC LIMIT 1), 0)
          AND messages.parts @? '$[*] ? (@.type == "data-question" && !exists(@.data.answer))'
     ) THEN 'waiting'
     ELSE 'idle' END AS status,
coalesce((
    SELECT messages.seq FROM messages JOIN runs ON runs.id = messages.run_id
    WHERE messages.tenant_id = conversations.tenant_id
      AND messages.conversation_id = conversations.id
      AND messages.role = 'assistant' AND messages.superseded_by IS NULL
      AND runs.status NOT IN ('queued', 'running')
    ORDER BY messages.seq DESC LIMIT 1
) > (
    SELECT read_seq FROM participants
    WHERE participants.tenant_id = conversations.tenant_id
      AND participants.conversation_id = conversations.id
      AND participants.kind = 'user' AND participants.who = conversations.owner_id::text
), false) AS unread
"""
LIST = f"""
SELECT {COLUMNS}, {STANDING} FROM conversations
WHERE tenant_id = $1 AND owner_id = $2 AND archived_at IS NULL AND kind <> 'task' AND next_seq > 1
  AND ($3::uuid IS NULL OR workspace_id = $3)
  AND ($4::text IS NULL OR kind = $4)
  AND ($5::text IS NULL OR agent = $5)
  AND ($6::timestamptz IS NULL OR (active_at, id) < ($6, $7::uuid))
ORDER BY active_at DESC, id DESC LIMIT $8
"""
# Only what one page shows is looked at closely. A message of a hundred thousand characters has
# its snippet from their beginning.
SEARCH = f"""
WITH page AS (
    SELECT {COLUMNS}, {STANDING}, conversations.tenant_id FROM conversations
    WHERE tenant_id = $1 AND owner_id = $2 AND archived_at IS NULL AND kind <> 'task'
      AND next_seq > 1
      AND ($3::uuid IS NULL OR workspace_id = $3)
      AND ($4::text IS NULL OR kind = $4)
      AND ($5::text IS NULL OR agent = $5)
      AND (to_tsvector('simple', title) @@ to_tsquery('simple', $9) OR id IN (
          SELECT messages.conversation_id FROM messages
          WHERE messages.tenant_id = $1 AND messages.superseded_by IS NULL
            AND to_tsvector('simple', content) @@ to_tsquery('simple', $9)
          UNION ALL
          SELECT messages.conversation_id FROM files
          JOIN message_files ON message_files.tenant_id = $1 AND file_id = files.id
          JOIN messages ON messages.tenant_id = $1 AND messages.id = message_id
          WHERE files.tenant_id = $1 AND files.owner_id = $2 AND messages.superseded_by IS NULL
            AND to_tsvector('simple', coalesce(extracted, '')) @@ to_tsquery('simple', $9)))
      AND ($6::timestamptz IS NULL OR (active_at, id) < ($6, $7::uuid))
    ORDER BY active_at DESC, id DESC LIMIT $8
)
SELECT page.*, said.message_id,
       ts_headline('simple', left(said.text, 100000), to_tsquery('simple', $9), $10) AS headline
FROM page LEFT JOIN LATERAL (
        (SELECT 1 AS rank, messages.id AS message_id, content AS text FROM messages
         WHERE messages.tenant_id = $1 AND messages.conversation_id = page.id
           AND messages.superseded_by IS NULL
           AND to_tsvector('simple', content) @@ to_tsquery('simple', $9)
         ORDER BY seq DESC LIMIT 1)
        UNION ALL
        (SELECT 2, messages.id, name || ': ' || extracted FROM files
         JOIN message_files ON message_files.tenant_id = $1 AND file_id = files.id
         JOIN messages ON messages.tenant_id = $1 AND messages.id = message_id
         WHERE files.tenant_id = $1 AND messages.conversation_id = page.id
           AND messages.superseded_by IS NULL
           AND to_tsvector('simple', coalesce(extracted, '')) @@ to_tsquery('simple', $9)
         LIMIT 1)
        ORDER BY rank LIMIT 1
) AS said ON true
ORDER BY active_at DESC, page.id DESC
"""
FIND = f"""
SELECT {COLUMNS}, {STANDING} FROM conversations
WHERE tenant_id = $1 AND owner_id = $2 AND id = $3 AND kind <> 'task'
"""
LIST_CHANGED = f"""
SELECT owner_id, {COLUMNS}, {STANDING} FROM conversations
WHERE tenant_id = $1 AND id = ANY ($2) AND owner_id = ANY ($3) AND kind <> 'task'
  AND (next_seq > 1 OR archived_at IS NOT NULL)
"""
# What a page shows of a person's things, in short: it is different once something has changed.
FIND_MARK = f"""
SELECT md5(concat((
    SELECT string_agg(line::text, ' ') FROM (
        SELECT {COLUMNS}, {STANDING} FROM conversations
        WHERE tenant_id = $1 AND owner_id = $2 AND archived_at IS NULL AND kind <> 'task'
          AND next_seq > 1
        ORDER BY active_at DESC, conversations.id DESC LIMIT 50) AS line
), (
    SELECT string_agg(card::text, ' ') FROM (
        SELECT proposals.id, state, voted_at FROM proposals
        WHERE tenant_id = $1 AND (owner_id = $2 OR proposer_id = $2 OR tool = ANY ($4) OR (
            proposer_kind = 'user' AND conversation_id IS NULL AND tool = ANY ($3)))
        ORDER BY proposals.id DESC LIMIT 50) AS card
)))
"""
# An answer that is still being written cannot have been read.
MARK_READ = """
UPDATE participants SET read_seq = reached.seq
FROM (
    SELECT least(conversations.next_seq - 1, $4::bigint, (
        SELECT min(messages.seq) - 1 FROM runs JOIN messages ON messages.id = runs.message_id
        WHERE runs.tenant_id = $1 AND runs.conversation_id = $3
          AND runs.status IN ('queued', 'running'))) AS seq
    FROM conversations WHERE conversations.tenant_id = $1 AND conversations.id = $3
) AS reached
WHERE participants.tenant_id = $1 AND participants.conversation_id = $3
  AND participants.kind = 'user' AND participants.who = $2 AND participants.read_seq < reached.seq
RETURNING 1
"""
# Only what was said last is said anew, so that all older versions of a message stand between the
# one that is shown before it and itself.
OLDER = """
older.tenant_id = $1 AND older.conversation_id = $2 AND older.superseded_by IS NOT NULL
AND older.seq < messages.seq AND older.seq > coalesce((
    SELECT shown.seq FROM messages AS shown
    WHERE shown.tenant_id = $1 AND shown.conversation_id = $2 AND shown.superseded_by IS NULL
      AND shown.seq < messages.seq
    ORDER BY shown.seq DESC LIMIT 1), 0)
"""
# The place of an answer that gave way to another before it said anything stays empty.
FINISHED = f"""
messages.id, seq, role, author, client_id, content, parts, run_id, messages.created_at,
       runs.status, runs.error,
       CASE WHEN feedback.rating IS NOT NULL THEN jsonb_build_object(
           'rating', feedback.rating, 'reasons', feedback.reasons, 'comment', feedback.comment)
       END AS feedback,
       CASE WHEN messages.role = 'user' THEN 1 + (
           SELECT count(DISTINCT older.superseded_by) FROM messages AS older
           WHERE {OLDER}) ELSE 1 END AS versions
FROM messages LEFT JOIN runs
    ON runs.tenant_id = $1 AND runs.id = messages.run_id AND messages.role = 'assistant'
LEFT JOIN feedback
    ON feedback.tenant_id = $1 AND feedback.message_id = messages.id AND feedback.person_id = $5
WHERE messages.tenant_id = $1 AND messages.conversation_id = $2
  AND (runs.status IS NULL OR runs.status NOT IN ('queued', 'running'))
  AND NOT (messages.parts = '[]' AND runs.status IS NOT DISTINCT FROM 'superseded')
"""
LIST_MESSAGES = f"""
SELECT {FINISHED} AND messages.superseded_by IS NULL AND ($3::bigint IS NULL OR seq < $3)
ORDER BY seq DESC LIMIT $4
"""
LIST_AFTER = f"""
SELECT {FINISHED} AND messages.superseded_by IS NULL AND seq > $3 ORDER BY seq LIMIT $4
"""
COUNT_OLDER = f"""
SELECT (
    SELECT count(DISTINCT older.superseded_by) FROM messages AS older
    WHERE {OLDER} AND messages.role = 'user' AND messages.superseded_by IS NULL
) FROM messages
WHERE messages.tenant_id = $1 AND messages.conversation_id = $2 AND messages.id = $3
"""
LIST_OLDER = f"""
SELECT messages.superseded_by, {FINISHED} AND messages.id IN (
    SELECT older.id FROM messages JOIN messages AS older ON {OLDER}
    WHERE messages.tenant_id = $1 AND messages.conversation_id = $2 AND messages.id = $3
      AND messages.role = 'user' AND messages.superseded_by IS NULL)
ORDER BY seq DESC LIMIT $4
"""


async def list_conversations(
    db: Db,
    tenant_id: UUID,
    query: ConversationQuery,
    *,
    owner_id: UUID,
    after: tuple[datetime, UUID] | None,
) -> list[ConversationLine]:
    """One more than asked for, the latest used first, without those in which nothing was said."""
    active_at, last = after or (None, None)
    given = query.workspace_id, query.kind, query.agent, active_at, last, query.limit + 1
    if not query.q.strip():
        rows = await db.fetch(LIST, tenant_id, owner_id, *given)
        return [ConversationLine(**row) for row in rows]
    words = build_words(query.q)
    found = await db.fetch(SEARCH, tenant_id, owner_id, *given, words, HEADLINE)
    return [_read_found(dict(row)) for row in found]


async def find_conversation(
    db: Db, tenant_id: UUID, owner_id: UUID, conversation_id: UUID
) -> ConversationLine | None:
    row = await db.fetchrow(FIND, tenant_id, owner_id, conversation_id)
    return ConversationLine(**row) if row else None


async def list_changed(
    db: Db, tenant_id: UUID, conversation_ids: Collection[UUID], *, among: Collection[UUID]
) -> list[tuple[UUID, ConversationLine]]:
    """Those of these people, each with its owner: archived ones too, empty ones not."""
    if not conversation_ids:
        return []
    rows = await db.fetch(LIST_CHANGED, tenant_id, list(conversation_ids), list(among))
    lines = [dict(row) for row in rows]
    return [(line.pop("owner_id"), ConversationLine(**line)) for line in lines]


async def find_mark(
    db: Db, tenant_id: UUID, person_id: UUID, *, decided: Sequence[str], named: Sequence[str]
) -> str:
    """Changes with anything that the person's lists show; `decided` and `named` are tools."""
    return await db.fetchval(FIND_MARK, tenant_id, person_id, list(decided), list(named))


async def mark_read(
    db: Db, tenant_id: UUID, *, person_id: UUID, conversation_id: UUID, seq: int | None
) -> bool:
    """Through that message, or through the last one that is finished; whether that is news."""
    marked = await db.fetchval(MARK_READ, tenant_id, str(person_id), conversation_id, seq)
    return marked is not None


async def list_messages(
    db: Db,
    tenant_id: UUID,
    conversation_id: UUID,
    *,
    before: int | None,
    limit: int,
    person_id: UUID,
) -> list[FinishedMessage]:
    """The newest finished ones before that number, oldest first, with what the person thinks."""
    rows = await db.fetch(LIST_MESSAGES, tenant_id, conversation_id, before, limit, person_id)
    return [FinishedMessage(**row) for row in reversed(rows)]


async def list_after(
    db: Db,
    tenant_id: UUID,
    conversation_id: UUID,
    *,
    after: int,
    limit: int,
    person_id: UUID,
) -> list[FinishedMessage]:
    """The first finished ones after that number."""
    rows = await db.fetch(LIST_AFTER, tenant_id, conversation_id, after, limit, person_id)
    return [FinishedMessage(**row) for row in rows]


async def list_older(
    db: Db, tenant_id: UUID, conversation_id: UUID, message_id: UUID, *, limit: int, person_id: UUID
) -> list[tuple[UUID, FinishedMessage]]:
    """The newest messages of older versions, oldest first, each with what took its place."""
    given = tenant_id, conversation_id, message_id
    rows = [dict(row) for row in await db.fetch(LIST_OLDER, *given, limit, person_id)]
    return [(row.pop("superseded_by"), FinishedMessage(**row)) for row in reversed(rows)]


async def count_older(
    db: Db, tenant_id: UUID, conversation_id: UUID, message_id: UUID
) -> int | None:
    """How many versions of a message that is shown others took the place of, if it is there."""
    return await db.fetchval(COUNT_OLDER, tenant_id, conversation_id, message_id)


def _read_found(row: dict[str, Any]) -> ConversationLine:
    headline = row.pop("headline")
    row.pop("tenant_id")
    return ConversationLine(**row, snippet=split_headline(headline) if headline else None)
