"""Working through the clauses of one message, as far as the results of its calls go. Pure.

Nothing is remembered between steps: each step plans everything anew from the messages, and what was
done already is recognised by its calls. After a change lists count only if they are younger.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TypeAlias

from assent.models.demo.ask import Question, read_answers
from assent.models.demo.lookup import Call, Focus, Kit, unique_calls
from assent.models.demo.moments import encode_moment, parse_moment
from assent.models.demo.outcome import Ask, Cannot, Need, Plan, Ready
from assent.models.demo.plan import plan_clause
from assent.models.demo.profile import Profile, read_profile
from assent.models.demo.resolve import list_rows, name_of
from assent.models.demo.state import Seen, list_issues
from assent.models.demo.understand import Clause
from assent.models.model import OfferedTool

MOST_ROUNDS = 4
NO_ANSWERS: Mapping[str, str] = {}
Results: TypeAlias = tuple[tuple[Call, Seen], ...]


@dataclass(frozen=True, slots=True)
class Task:
    """What is to be done: clauses, and answers to what was asked about the first of them."""

    clauses: tuple[Clause, ...] = ()
    answers: Mapping[str, str] = field(default_factory=dict[str, str])
    focus: Focus | None = None


@dataclass(frozen=True, slots=True)
class Done:
    clause: Clause
    ready: Ready
    results: Results


@dataclass(slots=True)
class Work:
    """How far it went. `rest` begins with the first clause that is not done and not refused."""

    done: list[Done] = field(default_factory=list[Done])
    refused: list[Cannot] = field(default_factory=list[Cannot])
    needs: list[Call] = field(default_factory=list[Call])
    calls: list[Call] = field(default_factory=list[Call])
    changing: bool = False
    questions: tuple[Question, ...] = ()
    rest: tuple[Clause, ...] = ()
    focus: Focus | None = None

    @property
    def next_calls(self) -> tuple[Call, ...]:
        return unique_calls(self.needs or self.calls)

    @property
    def waits(self) -> bool:
        """Whether a change is still to be made or decided."""
        return self.changing or any(
            seen.status == "awaiting_operator" for one in self.done for _, seen in one.results
        )


def work(task: Task, kit: Kit, seen: Sequence[Seen]) -> Work:
    state = Work(focus=task.focus)
    barrier = 0
    for at, clause in enumerate(task.clauses):
        answers = task.answers if at == 0 else NO_ANSWERS
        here = replace(kit, focus=state.focus)
        plan = _plan_anywhere(clause, here, seen, answers, barrier)
        if not _take(state, clause, plan, seen):
            state.rest = state.rest or task.clauses[at:]
            break
        if isinstance(plan, Need) or (isinstance(plan, Ready) and not _is_done(plan, seen)):
            state.rest = state.rest or task.clauses[at:]
        barrier = max(barrier, _find_barrier(plan, seen))
    return state


def _plan_anywhere(
    clause: Clause, kit: Kit, seen: Sequence[Seen], answers: Mapping[str, str], barrier: int
) -> Plan:
    """As it was done, with the lists of that time; or as it can be done now."""
    changes = [at for at, one in enumerate(seen, 1) if one.status]
    for start in (0, *changes):
        plan = _plan_with_answers(clause, kit, seen[start:], answers)
        if _is_done(plan, seen):
            return plan
    return _plan_with_answers(clause, kit, seen[barrier:], answers)


def _plan_with_answers(
    clause: Clause, kit: Kit, seen: Sequence[Seen], answers: Mapping[str, str]
) -> Plan:
    """Answers may have come as results of asking."""
    given = dict(answers)
    plan: Plan = Cannot("")
    for _ in range(MOST_ROUNDS):
        plan = plan_clause(clause, kit, seen, given)
        if isinstance(plan, Ready):
            plan = _repair(plan, seen)
        if not isinstance(plan, Ask):
            break
        fresh = read_answers(plan.questions, seen)
        if not fresh or fresh.items() <= given.items():
            break
        given |= fresh
    return plan


def _is_done(plan: Plan, seen: Sequence[Seen]) -> bool:
    return isinstance(plan, Ready) and all(find_result(seen, one) for one in plan.calls)


def _take(state: Work, clause: Clause, plan: Plan, seen: Sequence[Seen]) -> bool:
    """Note what a clause came to; `False` when the following have to wait for it."""
    if isinstance(plan, Need):
        state.needs += plan.calls
        return True
    if isinstance(plan, Ask) or (isinstance(plan, Cannot) and plan.missing and state.waits):
        state.questions = plan.questions if isinstance(plan, Ask) and not state.waits else ()
        return False
    if isinstance(plan, Cannot):
        state.refused.append(plan)
        return True
    results = [(call, find_result(seen, call)) for call in plan.calls]
    if plan.profile.reads and state.waits and not all(result for _, result in results):
        return False
    state.calls += [call for call, result in results if result is None]
    state.changing |= not plan.profile.reads and not all(result for _, result in results)
    if all(result for _, result in results):
        found = tuple((call, result) for call, result in results if result)
        state.done.append(Done(clause, plan, found))
    shown = _find_shown(plan, [result for _, result in results if result])
    state.focus = plan.focus or shown or state.focus
    return True


def _find_shown(plan: Ready, results: Sequence[Seen]) -> Focus | None:
    """The one thing that was read, if it was one."""
    if not plan.profile.reads:
        return None
    shown = [(one.name, row) for one in results for row in list_rows(one.value) or ()]
    if len(shown) != 1:
        return None
    name, row = shown[0]
    profile = read_profile(OfferedTool(name, "", {}))
    return Focus(profile.noun, name_of(row))


def _find_barrier(plan: Plan, seen: Sequence[Seen]) -> int:
    """The place behind the last change that was applied."""
    if not isinstance(plan, Ready):
        return 0
    changes = [
        at
        for at, one in enumerate(seen, 1)
        if one.status == "applied" and any(one.is_call(c.name, c.arguments) for c in plan.calls)
    ]
    return max(changes, default=0)


def find_result(seen: Sequence[Seen], call: Call) -> Seen | None:
    return next((one for one in seen if one.is_call(call.name, call.arguments)), None)


def _repair(plan: Ready, seen: Sequence[Seen]) -> Plan:
    """A call that was refused for its arguments: mend it once, or ask for what is wrong."""
    calls: list[Call] = []
    for call in plan.calls:
        result = find_result(seen, call)
        issues = list_issues(result) if result and result.is_error else []
        question = _ask_again(plan.profile, call, issues)
        if question:
            return Ask((question,))
        calls.append(_mend(plan.profile, call, issues) if issues else call)
    return replace(plan, calls=tuple(calls))


def _mend(profile: Profile, call: Call, issues: Sequence[tuple[str, str]]) -> Call:
    """Without fields that nobody knows, and with an offset where one is missing."""
    kinds = {one.name: one.kind for one in profile.fields}
    arguments = dict(call.arguments)
    for path, message in issues:
        name = path.partition(".")[0]
        value = arguments.get(name)
        if "no such field" in message.casefold() and name in arguments:
            del arguments[name]
        elif kinds.get(name) == "moment" and isinstance(value, str):
            moment = parse_moment(value, None)
            arguments[name] = encode_moment(moment) if moment else value
    return Call(call.name, arguments)


def _ask_again(profile: Profile, call: Call, issues: Sequence[tuple[str, str]]) -> Question | None:
    """The name of something new was refused: ask for another one."""
    naming = profile.naming
    if naming is None or profile.action != "create" or naming.name not in call.arguments:
        return None
    reasons = [message for path, message in issues if path == naming.name]
    if len(issues) != 1 or not reasons:
        return None
    reason = f"{reasons[0].rstrip('.')}."
    return Question(naming.name, f"{reason} What should the {profile.noun} be called instead?")
