"""Proposing: what a dry run found becomes a stored card, and nothing else changes."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any
from uuid import UUID

from assent.actions import store
from assent.actions.approvals.weigh import match_call, needs_others
from assent.actions.means import Means
from assent.actions.payload import seal_payload
from assent.actions.proposal import (
    Change,
    Draft,
    Grounds,
    Place,
    Proposal,
    Undoing,
    find_lifetime,
)
from assent.actions.record import build_entry, record_call, record_proposal
from assent.actions.run_tool import build_change, preview_call
from assent.actions.undoing.claim import claim
from assent.actions.undoing.store import link
from assent.audit.entry import hash_arguments
from assent.db.database import Db
from assent.errors import Changed, Conflict, Forbidden, Invalid, NotFound
from assent.identity.authenticate import find_acting
from assent.identity.principal import Principal
from assent.ids import new_id
from assent.tools.tool import Preview, Tool
from assent.vault.scrub.scrubber import Scrubber
from assent.work.announce import News, announce

MOVED_ON = "It has been changed since, so it cannot simply be undone."
MOST_TRIES = 100
"""Each one fails only because the same call was made and told in the middle of it."""


async def propose(
    means: Means,
    principal: Principal,
    tool: Tool,
    *,
    given: Any,
    arguments: Mapping[str, Any],
    place: Place,
    grounds: Grounds,
) -> Proposal:
    """Store a card; the same call of the same run gets the card it got before.

    It is looked for first: once the change was made, a dry run would find something else.
    """
    if place.call_key is not None:
        async with means.database.connection() as db:
            before = await store.find_by_call(db, principal.tenant_id, place)
            if before is not None:
                return await _answer_again(db, means, principal, before, place)
    preview = await _preview(means, tool, principal, given, place.undoing)
    change = build_change(tool, given, preview, hash_arguments(arguments))
    async with means.database.transaction() as db:
        owner_id = await _find_owner(db, principal)
        others = False
        if place.edge == "chat":
            rules = await match_call(db, principal, tool, arguments, given)
            others = await needs_others(db, principal.tenant_id, rules, owner_id)
        draft = Draft(
            id=new_id(),
            tenant_id=principal.tenant_id,
            change=change,
            place=place,
            proposer=principal.actor,
            owner_id=owner_id,
            grounds=grounds,
            lifetime=find_lifetime(tool, preview, place.edge, needs_others=others),
        )
        if place.undoing is not None:
            await claim(db, means, principal.tenant_id, place.undoing.proposal_id)
        stored = await store_proposal(db, means, draft, arguments)
        if place.undoing is not None:
            await link(db, stored.tenant_id, stored.id, place.undoing.proposal_id)
        if stored.id != draft.id:
            return await _answer_again(db, means, principal, stored, place)
        await announce(db, News(stored.tenant_id, "proposal", stored.id))
        return stored


async def _answer_again(
    db: Db, means: Means, principal: Principal, known: Proposal, place: Place
) -> Proposal:
    """A run that goes on makes no new call; a program that asks again does, and only reads."""
    if place.run_id is None:
        entry = build_entry(
            principal,
            place,
            tool=known.change.tool,
            effect="read",
            arguments_hash=known.change.payload_hash,
            status="executed",
        )
        await record_call(db, entry, means.loaded.topics)
    return known


async def _preview(
    means: Means, tool: Tool, principal: Principal, given: Any, undoing: Undoing | None
) -> Preview:
    """What would be done; only what is still as it was left can be taken back."""
    if undoing is None:
        return await preview_call(means, tool, principal, given)
    try:
        preview = await preview_call(means, tool, principal, given)
    except (Conflict, NotFound, Invalid):
        raise Changed(MOVED_ON) from None
    if set(preview.basis) != set(undoing.basis):
        raise Changed(MOVED_ON)
    return preview


async def supersede(
    db: Db, means: Means, old: Proposal, change: Change, arguments: Mapping[str, Any]
) -> Proposal:
    """A fresh card for the same call, in the transaction that closes the old one."""
    draft = Draft(
        id=new_id(),
        tenant_id=old.tenant_id,
        change=change,
        place=Place(
            edge=old.draft.place.edge,
            conversation_id=old.draft.place.conversation_id,
            run_id=old.draft.place.run_id,
            client=old.draft.place.client,
        ),
        proposer=old.draft.proposer,
        owner_id=old.draft.owner_id,
        grounds=old.draft.grounds,
        lifetime=old.draft.lifetime,
        supersedes=old.id,
    )
    return await store_proposal(db, means, draft, arguments)


async def store_proposal(
    db: Db, means: Means, draft: Draft, arguments: Mapping[str, Any]
) -> Proposal:
    """What is shown of it is scrubbed; what is done is sealed as it was given."""
    scrubber = await means.scrubbing.load(db, draft.tenant_id)
    change = replace(draft.change, preview=scrubber.scrub(draft.change.preview))
    draft = replace(draft, change=change, place=_scrub_client(draft.place, scrubber))
    payload = seal_payload(means.vault, draft, arguments)
    for _ in range(MOST_TRIES):
        stored = await store.insert_proposal(db, draft, payload)
        if stored is not None:
            await record_proposal(db, stored, "proposed")
            return stored
        # Whose place was taken may be gone a moment later: its outcome was told.
        known = await store.find_by_call(db, draft.tenant_id, draft.place)
        if known is not None:
            return known
    raise LookupError(draft.place)


def _scrub_client(place: Place, scrubber: Scrubber) -> Place:
    """What a program calls itself is shown to people too."""
    if place.client is None:
        return place
    name = scrubber.scrub_text(place.client.name)
    return replace(place, client=replace(place.client, name=name))


async def _find_owner(db: Db, principal: Principal) -> UUID:
    """The person whose proposal it is."""
    if principal.kind == "user":
        return principal.id
    acting = await find_acting(db, principal.tenant_id, principal.actor)
    if acting is None:
        raise Forbidden
    return acting.owner_id
