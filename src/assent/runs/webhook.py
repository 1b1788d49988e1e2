"""Telling a webhook of turns (SPEC A9): queued with the end of a turn, sent as work of its own.

At least once, with an id that stays the same; never while a turn waits for it. What is sent is
scrubbed like everything that leaves, and goes only where the URL guard lets it.
"""

import json
import time
from collections.abc import Iterable
from datetime import timedelta
from typing import Any
from uuid import UUID

from assent.conversations.conversation import StoredMessage
from assent.conversations.store import conversations as conversation_store
from assent.conversations.store import messages as message_store
from assent.db.database import Db
from assent.errors import Unavailable, Unreachable
from assent.ids import new_id
from assent.models.store import webhooks
from assent.models.webhook import Event, sign
from assent.net.exchange import Request
from assent.net.policy import Limits
from assent.runs import store
from assent.runs.run import Run
from assent.runs.studio import Studio
from assent.vault.secrets import reveal_secret
from assent.work.lease import Handler, Job, Payload
from assent.work.queue import enqueue, finish

WEBHOOK_KIND = "runs.webhook"
TRIES = 4
PAUSE = timedelta(hours=1)
ROUNDS = 48
"""A receiver that is away for two days misses nothing: so often it is tried again, hourly."""
MOST_MESSAGES = 200
"""The newest ones of a conversation that is sent."""
LIMITS = Limits(seconds=5.0, body_bytes=16 * 1024)
"""A receiver that takes longer keeps a worker from other work."""


async def queue_webhook(db: Db, run: Run) -> None:
    """With the end of a turn, if the tenant wants to be told."""
    for event in await webhooks.list_events(db, run.tenant_id):
        payload = {"event": event, "runId": str(run.id), "id": str(new_id())}
        await enqueue(db, kind=WEBHOOK_KIND, payload=payload, tenant_id=run.tenant_id)


def build_webhook_handler(studio: Studio) -> Handler:
    async def tell(job: Job) -> None:
        await _tell(studio, job)

    return tell


async def _tell(studio: Studio, job: Job) -> None:
    tenant_id, payload = job.work.tenant_id, job.work.payload
    if tenant_id is None:
        return
    request = await _build(studio, tenant_id, payload)
    rounds = payload.get("rounds", 0)
    try:
        if request is not None:
            await _send(studio, request)
    except (Unavailable, Unreachable):
        if job.lease.attempt < TRIES or rounds >= ROUNDS:
            raise
        later = {**payload, "rounds": rounds + 1}
        async with studio.means.database.transaction() as db:
            await enqueue(
                db,
                kind=WEBHOOK_KIND,
                payload=later,
                tenant_id=tenant_id,
                run_after=studio.now() + PAUSE,
            )
            await finish(db, job.lease)


async def _send(studio: Studio, request: Request) -> None:
    answer = await studio.means.procedures.outside.http.opened().fetch(request, LIMITS)
    if not 200 <= answer.status < 300:
        raise Unavailable(f"The webhook answered {answer.status}.")


async def _build(studio: Studio, tenant_id: UUID, payload: Payload) -> Request | None:
    """What is sent; nothing if it was switched off in the meantime, or its run is gone."""
    event: Event = payload["event"]
    async with studio.means.database.reading() as db:
        webhook = await webhooks.find_webhook(db, tenant_id)
        secret_id = await webhooks.find_secret(db, tenant_id)
        run = await store.find_run(db, tenant_id, UUID(payload["runId"]))
        if run is None or secret_id is None or event not in webhook.events or not webhook.enabled:
            return None
        told = await _describe(db, run, event)
        scrubber = await studio.means.scrubbing.load(db, tenant_id)
        secret = await reveal_secret(
            db, studio.means.vault, tenant_id=tenant_id, secret_id=secret_id
        )
    named = {"id": payload["id"], "type": event, **_name(run)}
    body = json.dumps({**named, **scrubber.scrub(told)}, ensure_ascii=False).encode()
    headers = {
        "content-type": "application/json",
        "x-assent-event": event,
        "x-assent-event-id": payload["id"],
        "x-assent-signature": sign(secret, at=int(time.time()), body=body),
    }
    return Request(url=webhook.url, method="POST", headers=headers, body=body)


def _name(run: Run) -> dict[str, Any]:
    return {
        "tenantId": str(run.tenant_id),
        "conversationId": str(run.conversation_id),
        "runId": str(run.id),
        "personId": str(run.principal_id),
    }


async def _describe(db: Db, run: Run, event: Event) -> dict[str, Any]:
    if event == "chat.message":
        parts, _ = await message_store.load_answer(db, run.tenant_id, run.message_id)
        return {
            "agent": run.agent,
            "status": run.status,
            "tools": list_tools(parts),
            "models": await webhooks.sum_run(db, run.tenant_id, run.id),
        }
    conversation = await conversation_store.find_conversation(
        db, run.tenant_id, run.principal_id, run.conversation_id
    )
    messages = await message_store.list_messages(
        db, run.tenant_id, run.conversation_id, before=None, limit=MOST_MESSAGES
    )
    return {
        "title": conversation.title if conversation else None,
        "messages": [_show(one) for one in messages],
    }


def _show(message: StoredMessage) -> dict[str, Any]:
    return {
        "id": str(message.id),
        "role": message.role,
        "author": message.author,
        "createdAt": message.created_at.isoformat(),
        "text": message.content,
        "tools": list_tools(message.parts),
    }


def list_tools(parts: Iterable[dict[str, Any]]) -> list[str]:
    """The names of the tools that were called, in their order."""
    return [
        str(part.get("toolName") or part["type"].removeprefix("tool-"))
        for part in parts
        if part["type"] == "dynamic-tool" or part["type"].startswith("tool-")
    ]
