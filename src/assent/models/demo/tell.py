"""What there is to say about what was done, refused and decided. Pure."""

from collections.abc import Mapping, Sequence
from typing import Any, cast

from assent.models.demo.choose import read_vocabulary
from assent.models.demo.compose import (
    answer_change,
    answer_found,
    answer_read,
    describe_call,
    explain_error,
    react,
    read_summary,
    summarize_cards,
)
from assent.models.demo.lookup import Call, Kit
from assent.models.demo.outcome import Ready
from assent.models.demo.profile import Profile, read_profile
from assent.models.demo.state import Decision, Part, Seen, read_decisions
from assent.models.demo.table import collect_names, escape
from assent.models.demo.understand import Clause, understand
from assent.models.demo.work import Done, Work
from assent.models.model import OfferedTool


def explain_refused(done: Work) -> list[str]:
    return [
        explain_error(one.failure) if one.failure else one.text
        for one in done.refused
        if one.text or one.failure
    ]


def tell_unused(done: Sequence[Done]) -> list[str]:
    """Words that had no part in it: better said than passed over."""
    told: list[str] = []
    for one in done:
        if one.ready.unused and not any(seen.is_error for _, seen in one.results):
            said = " and ".join(f"“{escape(each)}”" for each in one.ready.unused)
            reads = one.ready.profile.reads
            told.append(f"I could not {'narrow this by' if reads else 'make use of'} {said}.")
    return told


def tell_done(done: Sequence[Done], kit: Kit, names: Mapping[str, str]) -> list[str]:
    told: list[str] = []
    cards: list[str] = []
    for one in done:
        profile = one.ready.profile
        if profile.reads:
            told.append(_tell_read(one, kit, names))
            continue
        for call, seen in one.results:
            if seen.status == "awaiting_operator" and not seen.is_error:
                cards.append(read_summary(seen) or describe_call(profile, call))
            else:
                told.append(answer_change(profile, call, seen))
    if len(cards) == 1:
        told.append(f"I prepared this: {cards[0]}. Please confirm it on the card.")
    elif cards:
        told.append(summarize_cards(cards))
    return told


def _tell_read(one: Done, kit: Kit, names: Mapping[str, str]) -> str:
    by_name = {profile.name: profile for profile in kit.profiles}
    call, seen = next(iter(one.results))
    if len(one.results) > 1:
        said = str(next(iter(call.arguments.values()), ""))
        found = [(by_name[each.name], result) for each, result in one.results]
        return answer_found(said, found, names)
    if seen.status == "awaiting_operator":
        return (
            f"I prepared this: {read_summary(seen) or one.ready.profile.label}. Please confirm it."
        )
    return answer_read(one.clause, one.ready, call, seen, names)


def tell_decisions(decisions: Sequence[Decision], parts: Sequence[Part]) -> str:
    """What a person decided, with the summary of the card that it was about."""
    cards = [
        one
        for part in parts
        for one in part.seen
        if one.status and not one.is_error and read_summary(one)
    ]
    told: list[str] = []
    for decision in decisions:
        known = [one for one in cards if _list_ids(one.value) & set(decision.ids)]
        told.append(react(decision, next((read_summary(one) for one in known), "")))
    return "\n\n".join(told)


def _list_ids(value: Any) -> set[str]:
    if not isinstance(value, Mapping):
        return set()
    return {one for one in cast(Mapping[str, Any], value).values() if isinstance(one, str)}


def answer_without_tools(part: Part) -> str:
    """The last step: say what there is, and what is still open."""
    changes = [
        one
        for at, one in enumerate(part.seen)
        if _is_change(one) and not _was_mended(one, part.seen[at + 1 :])
    ]
    last = changes[-1].step if changes else part.seen[-1].step
    reads = [one for one in part.seen if one.step == last and not _is_change(one)]
    shown = [Done(_LISTING, Ready((), _pretend(one)), ((_call(one), one),)) for one in changes]
    shown += [Done(_LISTING, Ready((), _pretend(one)), ((_call(one), one),)) for one in reads]
    kit = Kit(tuple(map(_pretend, part.seen)))
    told = tell_done(shown, kit, collect_names(part.seen))
    if not changes:
        return "\n\n".join(["I had to stop here, so this may not be all.", *told])
    asked = understand(part.text, read_vocabulary(kit.profiles)).clauses
    explained = part.said or read_decisions(part.text)
    left = [one.text for one in asked[len(shown) :] if not explained]
    return "\n\n".join([*told, *([f"Still open: {'; '.join(left)}."] if left else [])])


_CARDS = frozenset({"awaiting_operator", "applied", "failed", "outcome_unknown"})


def _is_change(seen: Seen) -> bool:
    """What led to a card or went wrong; a name alone does not always tell."""
    return not _pretend(seen).reads and (seen.is_error or seen.status in _CARDS)


def _was_mended(seen: Seen, later: Sequence[Seen]) -> bool:
    return seen.is_error and any(one.name == seen.name and not one.is_error for one in later)


_LISTING = Clause("list", "list", (), "list")


def _pretend(seen: Seen) -> Profile:
    """What a tool's name alone says about it."""
    return read_profile(OfferedTool(seen.name, "", {}))


def _call(seen: Seen) -> Call:
    return Call(seen.name, seen.arguments)
