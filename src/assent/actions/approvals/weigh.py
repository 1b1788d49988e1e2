"""What approval rules and votes mean for proposals at this moment, loaded and judged.

Rules, roles, people and votes are read each time: nothing about who may decide is stored.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from assent.actions.approval import (
    Matter,
    MayNotVote,
    MayVote,
    Tally,
    Verdict,
    Vote,
    Voter,
    count_votes,
    counts,
    decide_vote,
    is_met,
    match_rules,
    may_decline,
)
from assent.actions.approvals import store
from assent.actions.approvals.rule import ApprovalRule
from assent.actions.means import Sight
from assent.actions.payload import open_payload
from assent.actions.proposal import Proposal
from assent.audit.entry import Actor
from assent.db.database import Db
from assent.errors import Altered, Invalid
from assent.identity.access import load_granted_rules
from assent.identity.authenticate import find_acting
from assent.identity.principal import Principal
from assent.identity.rules import holds
from assent.tools.registry import find_missing_rule
from assent.tools.schema import parse_input
from assent.tools.tool import Tool, find_effect, find_egress
from assent.value import Value


@dataclass(frozen=True, slots=True, kw_only=True)
class Approvals:
    """How a proposal stands with the rules that it falls under, and what one person may do."""

    tallies: tuple[Tally, ...]
    votes: tuple[Vote, ...]
    verdict: Verdict
    may_decline: bool
    is_named: bool

    @property
    def is_met(self) -> bool:
        return is_met(self.tallies)

    @property
    def may_vote(self) -> bool:
        return isinstance(self.verdict, MayVote)

    @property
    def why_not(self) -> str | None:
        return self.verdict.reason.sentence if isinstance(self.verdict, MayNotVote) else None

    @property
    def valid(self) -> frozenset[UUID]:
        """Whose votes count for anything."""
        return frozenset(one for tally in self.tallies for one in tally.given)

    @property
    def missing(self) -> int:
        """How many more are needed at least: one vote may count for several rules."""
        return max(tally.missing for tally in self.tallies)


def read_arguments(
    tool: Tool, arguments: Mapping[str, Any] | None, given: Any = None
) -> tuple[Any, ...]:
    """As they were given, and as the tool reads them, with what it adds by itself."""
    if arguments is None:
        return ()
    try:
        read = given if given is not None else parse_input(tool, arguments)
    except Invalid:
        return (arguments,)
    if not isinstance(read, Value):
        return (arguments,)
    return (arguments, read.model_dump(mode="json", by_alias=True))


async def find_rules(
    db: Db, sight: Sight, proposals: Sequence[Proposal]
) -> dict[UUID, tuple[ApprovalRule, ...]]:
    """The rules that each falls under; those without any are left out."""
    if not proposals:
        return {}
    names = {proposal.change.tool for proposal in proposals}
    about = names.pop() if len(names) == 1 else None
    rules = await store.list_about(db, proposals[0].tenant_id, about)
    if not rules:
        return {}
    found = {one.id: match_rules(rules, _read_matter(sight, one)) for one in proposals}
    return {proposal_id: matching for proposal_id, matching in found.items() if matching}


async def weigh_all(
    db: Db, sight: Sight, proposals: Sequence[Proposal], viewer: Principal
) -> dict[UUID, Approvals]:
    """How each stands that falls under a rule, for this person."""
    matching = await find_rules(db, sight, proposals)
    if not matching:
        return {}
    tenant_id = viewer.tenant_id
    votes = await store.list_votes(db, tenant_id, list(matching))
    people = {one.person_id for given in votes.values() for one in given} | {viewer.id}
    rule_ids = {rule.id for rules in matching.values() for rule in rules}
    named = await store.list_named(db, tenant_id, list(rule_ids), people)
    open_to_all = any(rule.anyone for rules in matching.values() for rule in rules)
    users = await _load_users(db, viewer, people) if open_to_all else {}
    granted = {one.id: await load_granted_rules(db, one) for one in users.values()}
    known = _People(sight=sight, named=named, users=users, granted=granted)
    return {
        one.id: _judge(known, one, matching[one.id], votes.get(one.id, ()), viewer)
        for one in proposals
        if one.id in matching
    }


async def weigh(db: Db, sight: Sight, proposal: Proposal, viewer: Principal) -> Approvals | None:
    """Nothing where no rule holds."""
    return (await weigh_all(db, sight, [proposal], viewer)).get(proposal.id)


async def find_named(
    db: Db, sight: Sight, proposals: Sequence[Proposal], people: Collection[Principal]
) -> dict[UUID, frozenset[UUID]]:
    """Of these people, those whom a rule lets decide about each proposal."""
    matching = await find_rules(db, sight, proposals)
    if not matching or not people:
        return {}
    tenant_id = proposals[0].tenant_id
    rule_ids = {rule.id for rules in matching.values() for rule in rules}
    named = await store.list_named(db, tenant_id, list(rule_ids), [one.id for one in people])
    known = _People(sight=sight, named=named, users={one.id: one for one in people}, granted={})
    return {
        one.id: frozenset(
            person.id
            for person in people
            if any(
                counts(rule, known.find(one, person.id), one.draft.owner_id)
                for rule in matching.get(one.id, ())
            )
        )
        for one in proposals
    }


async def match_call(
    db: Db, principal: Principal, tool: Tool, arguments: Mapping[str, Any], given: Any
) -> tuple[ApprovalRule, ...]:
    """The rules that a call falls under that was not proposed yet."""
    rules = await store.list_about(db, principal.tenant_id, tool.name)
    if not rules:
        return ()
    matter = Matter(
        tool=tool.name,
        effect=find_effect(tool, given),
        egress=find_egress(tool, given),
        readings=read_arguments(tool, arguments, given),
    )
    return match_rules(rules, matter)


async def needs_others(
    db: Db, tenant_id: UUID, rules: Sequence[ApprovalRule], owner_id: UUID
) -> bool:
    """Whether more than the assent of the person whose proposal it is will be needed."""
    if not rules:
        return False
    named = await store.list_named(db, tenant_id, [one.id for one in rules], [owner_id])
    owner = Voter(id=owner_id, named_by=named.get(owner_id, frozenset()), uses_tool=True)
    return not is_met(count_votes(rules, [owner], owner_id))


@dataclass(frozen=True, slots=True, kw_only=True)
class _People:
    """What was read about people: the rules that name them, and what they may use."""

    sight: Sight
    named: Mapping[UUID, frozenset[UUID]]
    users: Mapping[UUID, Principal]
    granted: Mapping[UUID, Collection[str]]

    def find(self, proposal: Proposal, person_id: UUID) -> Voter:
        return Voter(
            id=person_id,
            named_by=self.named.get(person_id, frozenset()),
            uses_tool=self._uses_tool(proposal, person_id),
        )

    def _uses_tool(self, proposal: Proposal, person_id: UUID) -> bool:
        """Everywhere; for whose proposal it is, what is changed is checked again anyway."""
        tool = self.sight.find_tool(proposal.change.tool)
        user = self.users.get(person_id)
        if tool is None or user is None or user.kind != "user":
            return False
        if person_id == proposal.draft.owner_id:
            return find_missing_rule(tool, user, self.granted.get(person_id, ())) is None
        return all(holds(user.rules, rule) for rule in tool.rules)


def _judge(
    people: _People,
    proposal: Proposal,
    rules: Sequence[ApprovalRule],
    votes: tuple[Vote, ...],
    viewer: Principal,
) -> Approvals:
    owner_id = proposal.draft.owner_id
    voters = [people.find(proposal, vote.person_id) for vote in votes]
    tallies = count_votes(rules, voters, owner_id)
    own = people.find(proposal, viewer.id)
    is_named = any(counts(rule, own, owner_id) for rule in rules)
    return Approvals(
        tallies=tallies,
        votes=votes,
        verdict=decide_vote(
            tallies,
            own,
            owner_id=owner_id,
            is_person=viewer.is_person,
            voted=frozenset(vote.person_id for vote in votes),
        ),
        may_decline=viewer.is_person and may_decline(tallies, own, owner_id=owner_id),
        is_named=viewer.is_person and (is_named or own.id in {one.person_id for one in votes}),
    )


async def _load_users(db: Db, viewer: Principal, people: Collection[UUID]) -> dict[UUID, Principal]:
    """With the rules of this moment; whoever may not act any more is not there."""
    users = {viewer.id: viewer}
    for person_id in people:
        if person_id != viewer.id:
            acting = await find_acting(db, viewer.tenant_id, Actor("user", person_id, ""))
            if acting is not None:
                users[person_id] = acting.principal
    return users


def _read_matter(sight: Sight, proposal: Proposal) -> Matter:
    """What cannot be opened falls under every rule about its tool."""
    tool = sight.find_tool(proposal.change.tool)
    try:
        arguments = open_payload(sight.vault, proposal)
    except Altered:
        arguments = None
    change = proposal.change
    return Matter(
        tool=change.tool,
        effect=change.effect,
        egress=change.egress,
        readings=read_arguments(tool, arguments) if tool else (),
    )
