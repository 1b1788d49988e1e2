"""How a conversation stands: what runs in it, and what waits for its person."""

from dataclasses import dataclass
from typing import Literal, TypeAlias
from uuid import UUID

from assent.actions.proposal import Proposal
from assent.actions.waiting import list_waiting
from assent.conversations.conversation import StoredMessage
from assent.conversations.question import Card
from assent.conversations.store import messages as message_store
from assent.conversations.store.questions import list_open_cards
from assent.db.database import Db
from assent.runs import store
from assent.runs.run import Run

Standing: TypeAlias = Literal["idle", "running", "waiting"]


@dataclass(frozen=True, slots=True)
class Overview:
    active: Run | None
    pending: tuple[Proposal, ...]
    questions: tuple[Card, ...]

    @property
    def status(self) -> Standing:
        if self.active is not None:
            return "running"
        return "waiting" if self.pending or self.questions else "idle"


async def load_overview(db: Db, tenant_id: UUID, conversation_id: UUID) -> Overview:
    active = await store.find_active_run(db, tenant_id, conversation_id)
    pending = await list_waiting(db, tenant_id, conversation_id)
    questions = await list_open_cards(db, tenant_id, [conversation_id])
    return Overview(active, tuple(pending), tuple(card for _, card in questions))


async def list_finished_messages(
    db: Db, tenant_id: UUID, conversation_id: UUID, *, before: int | None, limit: int
) -> list[StoredMessage]:
    """Without answers that are still being written: those are followed."""
    active = await store.list_active_runs(db, tenant_id, conversation_id)
    messages = await message_store.list_messages(
        db, tenant_id, conversation_id, before=before, limit=limit
    )
    writing = {run.message_id for run in active}
    return [message for message in messages if message.id not in writing]
