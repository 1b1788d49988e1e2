"""Plans and suggested replies of the demo model, where there are tools to show them with. Pure.

A plan is drawn anew in every step from what was asked and done; it is shown when it has changed.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, TypeAlias, cast

from assent.models.demo.lexicon import READS
from assent.models.demo.lookup import Call
from assent.models.demo.profile import SHOW_PLAN, SHOWING, SUGGEST
from assent.models.demo.state import Decision, Outcome, Part, Seen
from assent.models.demo.story import Progress, State, list_states
from assent.models.demo.understand import Clause
from assent.models.demo.work import Work
from assent.models.model import OfferedTool
from assent.tools.json_value import same_json

Steps: TypeAlias = list[tuple[str, State]]

MOST_REPLIES = 3
LONGEST_REPLY = 120


def hide_shown(parts: Sequence[Part]) -> tuple[Part, ...]:
    """The past without what was only shown: it answers nothing."""
    return tuple(
        replace(part, seen=tuple(one for one in part.seen if one.name not in SHOWING))
        for part in parts
    )


def suggest(tools: Sequence[OfferedTool], replies: Sequence[str]) -> tuple[Call, ...]:
    """What could be said next. An address is for people to type."""
    fitting = [one for one in replies if len(one) <= LONGEST_REPLY and "://" not in one]
    fitting = fitting[:MOST_REPLIES]
    if not fitting or not _is_offered(tools, SUGGEST):
        return ()
    return (Call(SUGGEST, {"replies": fitting}),)


@dataclass(frozen=True, slots=True)
class Course:
    """How a message's work stands. `cards` says for which step each card was made, by its id."""

    clauses: Sequence[Clause]
    done: Work
    decisions: Sequence[Decision]
    cards: Mapping[str, str]


def list_cards(done: Work) -> dict[str, str]:
    return {
        value: one.clause.text
        for one in done.done
        for _, seen in one.results
        for value in seen.fields.values()
        if isinstance(value, str)
    }


def show_plan(
    tools: Sequence[OfferedTool], parts: Sequence[Part], course: Course
) -> tuple[Call, ...]:
    """The plan, where there is one and it is not on the page as it stands. `parts` are unhidden."""
    if not _is_offered(tools, SHOW_PLAN):
        return ()
    last = _find_last(parts if course.decisions else parts[-1:])
    return _show(_draw(_read_steps(last) if last else [], course), last)


def show_story(
    tools: Sequence[OfferedTool], parts: Sequence[Part], progress: Progress
) -> tuple[Call, ...]:
    """The steps of a playbook, where they are not on the page as they stand."""
    if not _is_offered(tools, SHOW_PLAN):
        return ()
    return _show(list(list_states(progress)), _find_last(parts))


def _show(steps: Steps, last: Seen | None) -> tuple[Call, ...]:
    if len(steps) < 2:
        return ()
    given = {"steps": [{"text": text, "state": state} for text, state in steps]}
    shown = last is not None and same_json(dict(last.arguments), given)
    return () if shown else (Call(SHOW_PLAN, given),)


def _is_offered(tools: Sequence[OfferedTool], name: str) -> bool:
    return any(one.name == name for one in tools)


def _find_last(parts: Sequence[Part]) -> Seen | None:
    plans = [one for part in parts for one in part.seen if one.name == SHOW_PLAN]
    return plans[-1] if plans and not plans[-1].is_error else None


def _read_steps(seen: Seen) -> Steps:
    listed = cast(Sequence[Mapping[str, Any]], seen.arguments.get("steps", ()))
    return [(str(one.get("text", "")), one.get("state", "pending")) for one in listed]


def _draw(before: Steps, course: Course) -> Steps:
    now = dict(_find_states(course.clauses, course.done))
    if not before:
        changes = any(one.action not in READS for one in course.clauses)
        return list(now.items()) if changes else []
    decided: dict[str, Outcome] = {
        course.cards[key]: one.outcome
        for one in course.decisions
        for key in one.ids
        if key in course.cards
    }
    given_up = any(one.outcome != "applied" for one in course.decisions)
    return [
        (text, now.get(text) or _settle(state, decided.get(text), given_up=given_up))
        for text, state in before
    ]


def _find_states(clauses: Sequence[Clause], done: Work) -> Iterator[tuple[str, State]]:
    """What is neither done nor left was refused; of what is left the first is worked on."""
    finished = {one.clause.text: [seen for _, seen in one.results] for one in done.done}
    left = [one.text for one in done.rest]
    waits = any(one.status == "awaiting_operator" for seen in finished.values() for one in seen)
    for text in (one.text for one in clauses):
        results = finished.get(text)
        if results is None:
            at_work = text in left[:1] and not waits
            yield text, "failed" if text not in left else "active" if at_work else "pending"
        elif any(one.status == "awaiting_operator" for one in results):
            yield text, "active"
        else:
            yield text, "failed" if any(one.is_error for one in results) else "done"


def _settle(state: State, outcome: Outcome | None, *, given_up: bool) -> State:
    """A step that nothing is left to do for: its card was decided, waits, or it was given up."""
    if outcome is not None:
        return _ENDINGS.get(outcome, "active")
    return "skipped" if given_up and state == "pending" else state


_ENDINGS: Mapping[Outcome, State] = {
    "applied": "done",
    "failed": "failed",
    "declined": "skipped",
    "expired": "skipped",
    "replaced": "active",
}
