"""Titles: made by a model after the first turn, as work of their own (SPEC C12).

Until then, and where no model gives one, the first words of the first message are the title.
"""

import logging
from contextlib import aclosing
from uuid import UUID

from assent.audit.entry import Actor
from assent.conversations.conversation import Conversation
from assent.conversations.store import conversations as conversation_store
from assent.conversations.store import messages as message_store
from assent.conversations.titles import INSTRUCTION, clean_title
from assent.db.database import Db
from assent.errors import AssentError
from assent.identity.authenticate import find_acting
from assent.models.call import Occasion
from assent.models.integration import Wish, choose_model
from assent.models.model import ModelRequest, TextDelta, TextPart, UserMessage
from assent.runs.run import Run
from assent.runs.studio import Studio
from assent.work.announce import News, announce
from assent.work.lease import Handler, Job
from assent.work.queue import enqueue, finish

TITLE_KIND = "runs.title"
LONGEST_MESSAGE = 2_000
log = logging.getLogger("assent.runs")


async def queue_title(db: Db, run: Run) -> None:
    """Once for a conversation that nobody named: when its first turn is over, however it ended."""
    if await conversation_store.needs_title(db, run.tenant_id, run.conversation_id, run.id):
        payload = {"conversationId": str(run.conversation_id), "principalId": str(run.principal_id)}
        await enqueue(db, kind=TITLE_KIND, payload=payload, tenant_id=run.tenant_id)


def build_title_handler(studio: Studio) -> Handler:
    async def write_title(job: Job) -> None:
        await _write(studio, job)

    return write_title


async def _write(studio: Studio, job: Job) -> None:
    tenant_id, payload = job.work.tenant_id, job.work.payload
    if tenant_id is None:
        return
    conversation_id, owner_id = UUID(payload["conversationId"]), UUID(payload["principalId"])
    async with studio.means.database.reading() as db:
        conversation = await conversation_store.find_conversation(
            db, tenant_id, owner_id, conversation_id
        )
        said = await message_store.find_first_said(db, tenant_id, conversation_id)
    if conversation is None or not said:
        return
    title = await _ask(studio, tenant_id, owner_id, conversation, said)
    async with studio.means.database.transaction() as db:
        if title is not None:
            await conversation_store.set_title(
                db, tenant_id, conversation_id, title=title, source="model"
            )
            await announce(db, News(tenant_id, "conversation", conversation_id))
        await finish(db, job.lease)


async def _ask(
    studio: Studio, tenant_id: UUID, owner_id: UUID, conversation: Conversation, message: str
) -> str | None:
    """A failing call gives no title, and nothing else happens."""
    try:
        async with studio.means.database.reading() as db:
            acting = await find_acting(db, tenant_id, Actor("user", owner_id, ""))
            agent = await studio.choose_agent(db, tenant_id, conversation.agent)
            wishes = [
                Wish(conversation.integration_id, conversation.model),
                Wish(agent.integration_id, agent.model),
            ]
            chosen = choose_model(wishes, await studio.list_integrations(db, tenant_id))
            scrubber = await studio.means.scrubbing.load(db, tenant_id)
        if acting is None:
            return None
        occasion = Occasion(conversation.agent, conversation.id)
        model = await studio.models.open(chosen, acting.principal, occasion)
        request = ModelRequest(
            purpose="title",
            model=chosen.model,
            instructions=(INSTRUCTION,),
            messages=(UserMessage((TextPart(scrubber.scrub_text(message)[:LONGEST_MESSAGE]),)),),
            max_tokens=60,
        )
        text = ""
        async with aclosing(model.stream(request)) as answer:
            async for events in answer:
                text += "".join(one.text for one in events if isinstance(one, TextDelta))
    except AssentError as error:
        log.info("No title: %s", error.message)
        return None
    return clean_title(scrubber.scrub_text(text))
