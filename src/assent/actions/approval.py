"""Which approval rules a change falls under, what is missing, and who may vote (P12). Pure.

Every rule that matches must be met. One person's vote counts for each rule that counts them. What
cannot be judged counts as matching, and whoever is not counted by any rule may not vote.
`owner_id` is always the proposer, or the owner of the application that proposed.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, TypeAlias, cast
from uuid import UUID

from assent.actions.approvals.rule import ApprovalRule, Condition, list_patterns
from assent.audit.entry import Effect
from assent.tools.gate import Reason
from assent.tools.json_value import parse_path, same_json

ABSENT = object()


@dataclass(frozen=True, slots=True, kw_only=True)
class Matter:
    """What is decided about.

    `readings` are the arguments as they were given and as the tool understands them; none at all
    where they cannot be read.
    """

    tool: str
    effect: Effect
    egress: bool
    readings: tuple[Any, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Voter:
    """A person of this moment: which rules name them, and whether they may use the tool."""

    id: UUID
    named_by: frozenset[UUID] = frozenset()
    uses_tool: bool = False


@dataclass(frozen=True, slots=True)
class Vote:
    person_id: UUID
    name: str
    at: datetime


@dataclass(frozen=True, slots=True)
class Tally:
    """One rule, and whose votes count for it."""

    rule: ApprovalRule
    given: tuple[UUID, ...]

    @property
    def missing(self) -> int:
        return max(0, self.rule.needed - len(self.given))


@dataclass(frozen=True, slots=True)
class MayVote:
    """Their vote counts; with `completes`, nobody else's is needed after it."""

    completes: bool


@dataclass(frozen=True, slots=True)
class MayNotVote:
    reason: Reason


Verdict: TypeAlias = MayVote | MayNotVote

NOT_A_PERSON = Reason("not_a_person", "Only a person who is signed in decides.")
OWN = Reason("own_proposal", "You proposed this, so somebody else has to decide.")
NOT_NAMED = Reason("not_named", "An approval rule says who decides about this, and not you.")
VOTED = Reason("voted", "You have assented. Others still have to.")
ENOUGH = Reason("enough", "Enough of those like you have assented. Others still have to.")


def match_rules(rules: Iterable[ApprovalRule], matter: Matter) -> tuple[ApprovalRule, ...]:
    """All rules that hold for this. What only reads, and carries nothing out, falls under none."""
    if matter.effect == "read" and not matter.egress:
        return ()
    return tuple(rule for rule in rules if _matches(rule, matter))


def count_votes(
    rules: Iterable[ApprovalRule], voters: Sequence[Voter], owner_id: UUID
) -> tuple[Tally, ...]:
    return tuple(
        Tally(rule, tuple(one.id for one in voters if counts(rule, one, owner_id)))
        for rule in rules
    )


def counts(rule: ApprovalRule, voter: Voter, owner_id: UUID) -> bool:
    """Whether the rule counts this person's vote."""
    if rule.not_proposer and voter.id == owner_id:
        return False
    return voter.uses_tool if rule.anyone else rule.id in voter.named_by


def is_met(tallies: Iterable[Tally]) -> bool:
    return not any(tally.missing for tally in tallies)


def decide_vote(
    tallies: Sequence[Tally],
    voter: Voter,
    *,
    owner_id: UUID,
    is_person: bool,
    voted: frozenset[UUID],
) -> Verdict:
    """Whether this person may assent now, and why not. `voted` are those who have."""
    if not is_person:
        return MayNotVote(NOT_A_PERSON)
    own = [tally for tally in tallies if counts(tally.rule, voter, owner_id)]
    if not own:
        return MayNotVote(OWN if voter.id == owner_id else NOT_NAMED)
    if is_met(tallies):
        return MayVote(completes=True)
    if voter.id in voted:
        return MayNotVote(VOTED)
    if any(tally.missing for tally in own):
        left = (tally.missing - (tally in own) for tally in tallies)
        return MayVote(completes=all(one <= 0 for one in left))
    return MayNotVote(ENOUGH)


def may_decline(tallies: Iterable[Tally], voter: Voter, *, owner_id: UUID) -> bool:
    """Whoever may vote by any rule, and the person whose proposal it is."""
    return voter.id == owner_id or any(counts(one.rule, voter, owner_id) for one in tallies)


def _matches(rule: ApprovalRule, matter: Matter) -> bool:
    if rule.tool not in list_patterns(matter.tool):
        return False
    if rule.effect is not None and rule.effect != matter.effect:
        return False
    condition = rule.condition
    if condition is None or not matter.readings:
        return True
    return any(_holds(condition, reading) for reading in matter.readings)


def _holds(condition: Condition, reading: Any) -> bool:
    """A list is looked at as a whole, and each of its items."""
    value = _find_value(reading, condition.path)
    if condition.test == "present":
        return value is not ABSENT and value is not None
    found: list[Any] = [value]
    if isinstance(value, list):
        found += cast(list[Any], value)
    return any(same_json(one, wanted) for one in found for wanted in condition.values)


def _find_value(reading: Any, path: str) -> Any:
    found = reading
    for step in parse_path(path):
        if isinstance(found, Mapping):
            found = cast(Mapping[str, Any], found).get(str(step), ABSENT)
        elif isinstance(found, list) and isinstance(step, int):
            items = cast(list[Any], found)
            found = items[step] if step < len(items) else ABSENT
        else:
            return ABSENT
    return found
