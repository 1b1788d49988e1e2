"""Proposals as people and programs see them: with their arguments, and whether one may decide."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any
from uuid import UUID

from assent.actions import store
from assent.actions.approvals.rule import list_patterns
from assent.actions.approvals.store import (
    Names,
    count_people,
    list_about,
    list_named,
    load_names,
)
from assent.actions.approvals.weigh import Approvals, weigh, weigh_all
from assent.actions.decide import load_visible
from assent.actions.means import Means
from assent.actions.payload import open_payload
from assent.actions.proposal import (
    Proposal,
    State,
    check_may_decide,
    check_may_see,
    decides_everywhere,
)
from assent.actions.undoing.store import Standing, find_standing
from assent.db.database import Db
from assent.errors import Altered, Conflict, Forbidden, NotFound
from assent.identity.access import load_granted_rules
from assent.identity.principal import Principal
from assent.tools.registry import may_use
from assent.tools.secret_field import SecretField
from assent.tools.tool import Tool


@dataclass(frozen=True, slots=True)
class Asked:
    """Whom the rules of a card name: the names, and how many people that is for each rule."""

    names: Names
    people: Mapping[UUID, int | None]


@dataclass(frozen=True, slots=True)
class Undo:
    """How an applied change stands with taking it back, and whether the person may ask for it."""

    standing: Standing
    may_undo: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Card:
    """`arguments` are missing in lists, and where the stored ones were altered.

    `approvals` are there where an approval rule holds, `asked` with them on a whole card. Only
    there is said what can take it back, and what it takes back.
    """

    proposal: Proposal
    title: str
    arguments: Mapping[str, Any] | None
    may_decide: bool
    may_decline: bool
    approvals: Approvals | None = None
    asked: Asked | None = None
    undo: Undo | None = None
    secrets: tuple[SecretField, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Wanted:
    """Which ones to list: `waiting` for the person's decision, only their own, in one state."""

    state: State | None = None
    mine: bool = False
    waiting: bool = False


async def load_card(means: Means, principal: Principal, proposal_id: UUID) -> Card:
    async with means.database.reading() as db:
        proposal = await load_visible(db, means, principal, proposal_id)
        return await show(db, means, principal, proposal)


async def show_card(means: Means, principal: Principal, proposal: Proposal) -> Card:
    async with means.database.connection() as db:
        return await show(db, means, principal, proposal)


async def list_cards(
    means: Means, principal: Principal, *, wanted: Wanted, before: UUID | None, limit: int
) -> list[Card]:
    """One's own and, unless only those are wanted, what one may decide for others."""
    cards: list[Card] = []
    async with means.database.reading() as db:
        granted = await load_granted_rules(db, principal)
        reach = store.Reach()
        if not wanted.mine:
            reach = await find_reach(db, means, principal)
        state: State | None = "proposed" if wanted.waiting else wanted.state
        while len(cards) < limit:
            found = await store.list_proposals(
                db,
                principal.tenant_id,
                principal_id=principal.id,
                tools=reach,
                state=state,
                before=before,
                limit=limit,
            )
            approvals = await weigh_all(db, means, found, principal)
            shown = (
                _build(means, principal, one, granted, approvals=approvals.get(one.id))
                for one in found
                if _may_list(means, one, principal, approvals.get(one.id))
            )
            cards += [one for one in shown if not wanted.waiting or one.may_decide]
            if len(found) < limit:
                break
            before = found[-1].id
    return cards[:limit]


def _may_list(
    means: Means, proposal: Proposal, principal: Principal, approvals: Approvals | None
) -> bool:
    if approvals is not None and approvals.is_named:
        return True
    try:
        check_may_see(proposal, means.find_tool(proposal.change.tool), principal)
    except NotFound:
        return False
    return True


async def find_reach(db: Db, means: Means, person: Principal) -> store.Reach:
    """The tools about which the person may see proposals of others."""
    named = await _list_named_tools(db, means, person)
    return store.Reach(list_decided_tools(means, person), named)


async def _list_named_tools(db: Db, means: Means, principal: Principal) -> list[str]:
    """Tools about which a rule lets the person decide, under some circumstances at least."""
    if not principal.is_person:
        return []
    rules = await list_about(db, principal.tenant_id, None)
    if not rules:
        return []
    named = await list_named(db, principal.tenant_id, [one.id for one in rules], [principal.id])
    own = named.get(principal.id, frozenset())
    patterns = {one.tool for one in rules if one.anyone or one.id in own}
    every = means.loaded.tools.by_name
    return [name for name in every if not patterns.isdisjoint(list_patterns(name))]


def list_decided_tools(means: Means, principal: Principal) -> Sequence[str]:
    """The tools about whose proposals the person decides for others too."""
    return [
        tool.name
        for tool in means.loaded.tools.by_name.values()
        if decides_everywhere(tool, principal)
    ]


async def show(db: Db, means: Means, principal: Principal, proposal: Proposal) -> Card:
    tool = means.find_tool(proposal.change.tool)
    granted = await load_granted_rules(db, principal, tool.rules if tool else ())
    try:
        scrubber = await means.scrubbing.load(db, proposal.tenant_id)
        arguments = scrubber.scrub(open_payload(means.vault, proposal))
    except Altered:
        arguments = None
    approvals = await weigh(db, means, proposal, principal)
    card = _build(means, principal, proposal, granted, approvals=approvals)
    asked = None
    if approvals is not None:
        rules = [tally.rule for tally in approvals.tallies]
        names = await load_names(db, proposal.tenant_id, rules)
        people = await count_people(db, proposal.tenant_id, [rule.id for rule in rules])
        asked = Asked(names, people)
    undo = await _load_undo(db, means, principal, proposal)
    return replace(card, arguments=arguments, asked=asked, undo=undo)


async def _load_undo(db: Db, means: Means, principal: Principal, proposal: Proposal) -> Undo:
    standing = await find_standing(db, proposal.tenant_id, proposal.id)
    tool = means.find_tool(standing.tool) if standing.tool else None
    if tool is None or proposal.state != "applied" or not principal.is_person:
        return Undo(standing, may_undo=False)
    open_again = standing.by_state in (None, "expired")
    granted = await load_granted_rules(db, principal, tool.rules)
    return Undo(standing, may_undo=open_again and may_use(tool, principal, granted))


def _list_open_fields(tool: Tool | None, proposal: Proposal) -> tuple[SecretField, ...]:
    """Those that nobody has typed yet."""
    is_open = tool is not None and proposal.present_state == "proposed" and not proposal.secrets
    return tool.shape.secrets if tool and is_open else ()


def _build(
    means: Means,
    principal: Principal,
    proposal: Proposal,
    granted: Collection[str],
    *,
    approvals: Approvals | None,
) -> Card:
    tool = means.find_tool(proposal.change.tool)
    decides, declines = _may_decide(means, principal, proposal, granted, approvals)
    return Card(
        proposal=proposal,
        title=tool.title if tool else proposal.change.tool,
        arguments=None,
        may_decide=decides,
        may_decline=declines,
        approvals=approvals,
        secrets=_list_open_fields(tool, proposal),
    )


def _may_decide(
    means: Means,
    principal: Principal,
    proposal: Proposal,
    granted: Collection[str],
    approvals: Approvals | None,
) -> tuple[bool, bool]:
    """To assent, and to decline; for what was lost sight of, to say what became of it."""
    tool = means.find_tool(proposal.change.tool)
    undecided = proposal.present_state in ("proposed", "outcome_unknown")
    if tool is None or not undecided or not principal.is_person:
        return False, False
    if approvals is not None:
        unknown = proposal.state == "outcome_unknown"
        return approvals.may_decline if unknown else approvals.may_vote, approvals.may_decline
    try:
        check_may_decide(proposal, tool, principal, granted)
    except (Forbidden, NotFound, Conflict):
        return False, False
    return True, True
