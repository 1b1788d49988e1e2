"""Cancelling a headless run: what runs is stopped, what waits is over, open cards are withdrawn.

A card that somebody decides about at this moment goes its way, and nobody goes on from there.
"""

from uuid import UUID

from assent.actions.proposal import Proposal
from assent.actions.waiting.outdated import tell_of_voided, void_open
from assent.conversations.store.conversations import lock_conversation
from assent.errors import NotFound
from assent.identity.principal import Principal
from assent.runs import store as run_store
from assent.runs.headless import store
from assent.runs.resume import settle_run
from assent.runs.studio import Studio
from assent.work.announce import News, announce
from assent.work.queue import request_cancel


async def cancel_task(studio: Studio, principal: Principal, run_id: UUID) -> None:
    """Nothing happens to what is over; somebody else's is not there."""
    means, tenant_id = studio.means, principal.tenant_id
    async with means.database.transaction() as db:
        found = await store.find_line(db, tenant_id, principal.id, run_id)
        if found is None:
            raise NotFound
        conversation_id = found[0].conversation_id
        await lock_conversation(db, tenant_id, conversation_id)
        active = await run_store.list_active_runs(db, tenant_id, conversation_id)
        for run in active:
            await request_cancel(db, tenant_id, run.work_id)
            if run.status == "queued":
                await settle_run(db, run, "cancelled")
        # Whoever was ending waits no longer for the work's lock: what it left is seen now.
        was_waiting = await store.end_waiting(db, tenant_id, conversation_id, "cancelled")
        voided: list[Proposal] = []
        if active or was_waiting:
            voided = await void_open(db, means, tenant_id, conversation_id)
            await announce(db, News(tenant_id, "conversation", conversation_id))
    await tell_of_voided(means, tenant_id, voided)


async def void_left(studio: Studio, tenant_id: UUID) -> None:
    """Withdraw what a run prepared in the moment in which it was cancelled."""
    means = studio.means
    async with means.database.transaction() as db:
        voided = [
            card
            for conversation_id in await store.list_left_open(db, tenant_id)
            for card in await void_open(db, means, tenant_id, conversation_id)
        ]
    await tell_of_voided(means, tenant_id, voided)
