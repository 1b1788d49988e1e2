"""How a proposal stands with approval rules, on the wire."""

from collections.abc import Mapping
from datetime import datetime
from uuid import UUID

from assent.actions.approval import Tally, Vote
from assent.actions.approvals.weigh import Approvals
from assent.actions.cards import Asked, Card
from assent.value import Value


class GivenVote(Value):
    """Somebody's assent; it does not count while no rule counts that person any more."""

    person_id: UUID
    name: str
    at: datetime
    counts: bool


class ApprovalSummary(Value):
    """`missing`: how many more have to assent at least; `whyNot` the person who asks may not."""

    needed: int
    given: list[GivenVote]
    missing: int
    may_vote: bool
    why_not: str | None


class HoldingRule(Value):
    """A rule that a proposal falls under.

    `people`: how many it names at the moment; nothing where anyone who may use the tool decides.
    """

    id: UUID
    title: str
    note: str
    needed: int
    given: int
    missing: int
    anyone: bool
    roles: list[str]
    users: list[str]
    people: int | None
    not_proposer: bool


def encode_approvals(approvals: Approvals | None) -> ApprovalSummary | None:
    if approvals is None:
        return None
    given = [_encode_vote(vote, approvals) for vote in approvals.votes]
    return ApprovalSummary(
        needed=sum(one.counts for one in given) + approvals.missing,
        given=given,
        missing=approvals.missing,
        may_vote=approvals.may_vote,
        why_not=approvals.why_not,
    )


def encode_rules(card: Card) -> list[HoldingRule]:
    if card.approvals is None or card.asked is None:
        return []
    return [_encode_rule(tally, card.asked) for tally in card.approvals.tallies]


def _encode_vote(vote: Vote, approvals: Approvals) -> GivenVote:
    return GivenVote(
        person_id=vote.person_id,
        name=vote.name,
        at=vote.at,
        counts=vote.person_id in approvals.valid,
    )


def _encode_rule(tally: Tally, asked: Asked) -> HoldingRule:
    rule = tally.rule
    return HoldingRule(
        id=rule.id,
        title=rule.title,
        note=rule.note,
        needed=rule.needed,
        given=len(tally.given),
        missing=tally.missing,
        anyone=rule.anyone,
        roles=_name_all(rule.role_ids, asked.names.roles),
        users=_name_all(rule.user_ids, asked.names.people),
        people=asked.people.get(rule.id),
        not_proposer=rule.not_proposer,
    )


def _name_all(ids: list[UUID], names: Mapping[UUID, str]) -> list[str]:
    return sorted(names[one] for one in ids if one in names)
