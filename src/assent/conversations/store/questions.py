"""SQL of question cards, which are parts of the messages that asked."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from assent.conversations.question import Card, parse_card
from assent.db.database import Db

LOCK_ASKING = """
SELECT id, run_id, parts, EXISTS (
    SELECT 1 FROM messages AS later
    WHERE later.tenant_id = $1 AND later.conversation_id = $2 AND later.role = 'user'
      AND later.seq > messages.seq AND later.superseded_by IS NULL) AS is_passed
FROM messages
WHERE tenant_id = $1 AND conversation_id = $2 AND role = 'assistant' AND superseded_by IS NULL
  AND parts @> jsonb_build_array(jsonb_build_object('type', 'data-question', 'id', $3::text))
ORDER BY seq DESC LIMIT 1 FOR NO KEY UPDATE
"""
# What was said last is found once for a conversation: for each message it would take ever longer.
LIST_OPEN = """
SELECT conversation_id, part ->> 'id' AS part_id, part -> 'data' AS data
FROM unnest($2::uuid[]) AS wanted (id)
CROSS JOIN LATERAL (
    SELECT coalesce((
        SELECT said.seq FROM messages AS said
        WHERE said.tenant_id = $1 AND said.conversation_id = wanted.id
          AND said.role = 'user' AND said.superseded_by IS NULL
        ORDER BY said.seq DESC LIMIT 1), 0) AS seq OFFSET 0
) AS last
JOIN messages ON conversation_id = wanted.id AND messages.seq > last.seq
CROSS JOIN LATERAL jsonb_array_elements(parts) AS part
WHERE tenant_id = $1 AND role = 'assistant' AND superseded_by IS NULL
  AND part ->> 'type' = 'data-question' AND NOT (part -> 'data') ? 'answer'
ORDER BY messages.seq
"""


@dataclass(frozen=True, slots=True)
class AskingMessage:
    """A message with a card. It is passed when the person has said something since."""

    id: UUID
    run_id: UUID | None
    parts: list[dict[str, Any]]
    is_passed: bool


async def lock_asking_message(
    db: Db, tenant_id: UUID, conversation_id: UUID, part_id: str
) -> AskingMessage | None:
    """The newest one that asked under this id; nobody else writes it until the transaction ends."""
    row = await db.fetchrow(LOCK_ASKING, tenant_id, conversation_id, part_id)
    return AskingMessage(**row) if row else None


async def list_open_cards(
    db: Db, tenant_id: UUID, conversation_ids: Sequence[UUID]
) -> list[tuple[UUID, Card]]:
    """Cards that wait, with their conversations: not answered, and nothing was said since."""
    rows = await db.fetch(LIST_OPEN, tenant_id, list(conversation_ids))
    return [(row["conversation_id"], parse_card(row["part_id"], row["data"])) for row in rows]
