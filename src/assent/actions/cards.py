"""Proposals as people and programs see them: with their arguments, and whether one may decide."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from assent.actions import store
from assent.actions.decide import load_visible
from assent.actions.means import Means
from assent.actions.payload import open_payload
from assent.actions.proposal import (
    Proposal,
    State,
    check_may_decide,
    decides_everywhere,
)
from assent.db.database import Db
from assent.errors import Altered, Conflict, Forbidden, NotFound
from assent.identity.access import load_granted_rules
from assent.identity.principal import Principal
from assent.tools.secret_field import SecretField


@dataclass(frozen=True, slots=True, kw_only=True)
class Card:
    """`arguments` are missing in lists, and where the stored ones were altered."""

    proposal: Proposal
    title: str
    arguments: Mapping[str, Any] | None
    may_decide: bool
    secrets: tuple[SecretField, ...] = ()


async def load_card(means: Means, principal: Principal, proposal_id: UUID) -> Card:
    async with means.database.transaction(read_only=True) as db:
        proposal = await load_visible(db, means, principal, proposal_id)
        return await show(db, means, principal, proposal)


async def show_card(means: Means, principal: Principal, proposal: Proposal) -> Card:
    async with means.database.transaction(read_only=True) as db:
        return await show(db, means, principal, proposal)


async def list_cards(
    means: Means,
    principal: Principal,
    *,
    state: State | None,
    mine: bool,
    before: UUID | None,
    limit: int,
) -> list[Card]:
    """One's own and, unless only those are wanted, what one may decide for others."""
    async with means.database.transaction(read_only=True) as db:
        found = await store.list_proposals(
            db,
            principal.tenant_id,
            principal_id=principal.id,
            decided_tools=[] if mine else list_decided_tools(means, principal),
            state=state,
            before=before,
            limit=limit,
        )
        granted = await load_granted_rules(db, principal)
    return [_build(means, principal, proposal, granted, None) for proposal in found]


def list_decided_tools(means: Means, principal: Principal) -> Sequence[str]:
    """The tools about whose proposals the person decides for others too."""
    return [
        tool.name
        for tool in means.loaded.tools.by_name.values()
        if decides_everywhere(tool, principal)
    ]


async def show(db: Db, means: Means, principal: Principal, proposal: Proposal) -> Card:
    granted = await load_granted_rules(db, principal)
    try:
        scrubber = await means.scrubbing.load(db, proposal.tenant_id)
        arguments = scrubber.scrub(open_payload(means.vault, proposal))
    except Altered:
        arguments = None
    return _build(means, principal, proposal, granted, arguments)


def _build(
    means: Means,
    principal: Principal,
    proposal: Proposal,
    granted: Collection[str],
    arguments: Mapping[str, Any] | None,
) -> Card:
    tool = means.find_tool(proposal.change.tool)
    return Card(
        proposal=proposal,
        title=tool.title if tool else proposal.change.tool,
        arguments=arguments,
        may_decide=_may_decide(means, principal, proposal, granted),
        secrets=tool.shape.secrets if tool and proposal.present_state == "proposed" else (),
    )


def _may_decide(
    means: Means, principal: Principal, proposal: Proposal, granted: Collection[str]
) -> bool:
    """While it is open; for what was lost sight of, while nobody has said what became of it."""
    tool = means.find_tool(proposal.change.tool)
    undecided = proposal.present_state in ("proposed", "outcome_unknown")
    if tool is None or not undecided or not principal.is_person:
        return False
    try:
        check_may_decide(proposal, tool, principal, granted)
    except (Forbidden, NotFound, Conflict):
        return False
    return True
