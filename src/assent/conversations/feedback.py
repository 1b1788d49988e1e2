"""What a person thinks of an answer: up or down, with reasons and a comment (SPEC C14)."""

from uuid import UUID

from assent.conversations.rating import Feedback
from assent.conversations.store import feedback as store
from assent.db.database import Database
from assent.errors import Invalid, NotFound
from assent.identity.principal import Principal
from assent.vault.scrubbing import Scrubbing


async def give_feedback(
    database: Database,
    person: Principal,
    message_id: UUID,
    given: Feedback,
    *,
    scrubbing: Scrubbing,
) -> Feedback:
    """In the place of what they said of it before."""
    async with database.transaction() as db:
        role = await store.find_role(db, person.tenant_id, person.id, message_id)
        if role is None:
            raise NotFound
        if role != "assistant":
            raise Invalid.at("messageId", "Only answers can be rated.")
        scrubber = await scrubbing.load(db, person.tenant_id)
        kept = given.model_copy(
            update={
                "reasons": list(dict.fromkeys(given.reasons)),
                "comment": scrubber.scrub_text(given.comment.strip()),
            }
        )
        await store.set_feedback(
            db,
            person.tenant_id,
            message_id=message_id,
            person_id=person.id,
            rating=kept.rating,
            reasons=kept.reasons,
            comment=kept.comment,
        )
    return kept


async def take_back_feedback(database: Database, person: Principal, message_id: UUID) -> None:
    """Doing it twice is doing it once."""
    async with database.transaction() as db:
        if await store.find_role(db, person.tenant_id, person.id, message_id) is None:
            raise NotFound
        await store.delete_feedback(
            db, person.tenant_id, message_id=message_id, person_id=person.id
        )
