"""What the demo model does next: say something, or call tools. Pure.

The past is replayed to know what is open: a question that was asked, a part of a request that had
to wait for a decision, what `it` stands for.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, TypeAlias, cast

from assent.models.demo.ask import (
    ASK,
    OTHER,
    Question,
    encode_questions,
    find_ask_tool,
    read_asked,
    read_lines,
    read_reply,
    write_questions,
)
from assent.models.demo.choose import choose
from assent.models.demo.compose import (
    WHO,
    admit,
    answer_change,
    answer_found,
    answer_read,
    describe_call,
    explain_error,
    greet,
    introduce,
    list_examples,
    react,
    read_summary,
    summarize_cards,
)
from assent.models.demo.lookup import Call, Kit
from assent.models.demo.moments import find_now
from assent.models.demo.outcome import Ready
from assent.models.demo.profile import Profile, read_profile, read_profiles
from assent.models.demo.show import Course, hide_shown, list_cards, show_plan, suggest
from assent.models.demo.state import (
    Decision,
    Part,
    Seen,
    read_decisions,
    read_parts,
    read_places,
)
from assent.models.demo.table import collect_names, escape
from assent.models.demo.understand import Clause, Talk, Vocabulary, find_talk, understand
from assent.models.demo.words import fold
from assent.models.demo.work import NO_ANSWERS, Done, Task, Work, work
from assent.models.model import ModelRequest, OfferedTool

REMEMBERED = 12


@dataclass(frozen=True, slots=True)
class Say:
    text: str


@dataclass(frozen=True, slots=True)
class Act:
    """Calls, with what is said before them."""

    calls: tuple[Call, ...]
    text: str = ""


Step: TypeAlias = Say | Act


@dataclass(frozen=True, slots=True)
class Opened:
    """What a message asks for, in the light of what came before it."""

    task: Task = field(default_factory=Task)
    unclear: tuple[str, ...] = ()
    talk: Talk | None = None
    decisions: tuple[Decision, ...] = ()
    cancelled: bool = False


@dataclass(frozen=True, slots=True)
class Before:
    """What the message before left open."""

    rest: Task = field(default_factory=Task)
    questions: tuple[Question, ...] = ()
    waiting: bool = False


def decide(request: ModelRequest) -> Step:
    past = read_parts(request.messages)
    parts = hide_shown(past)
    tools = request.callable_tools
    profiles = read_profiles(tools)
    if not parts:
        return Say(greet(profiles))
    if not tools and parts[-1].seen:
        return Say(_answer_without_tools(parts[-1]))
    kit = Kit(profiles, read_places(request.instructions), find_now(request.instructions))
    before, cards = Before(), dict[str, str]()
    for part in parts[-REMEMBERED:-1]:
        opened = _open(part, before, kit)
        done = work(opened.task, kit, part.seen)
        cards |= list_cards(done)
        before = _leave(opened, done, before, part)
    opened = _open(parts[-1], before, kit)
    if opened.talk and not opened.cancelled:
        return _talk(tools, kit.profiles, opened.talk, before)
    step = _step(tools, kit, parts, opened, before)
    done = work(opened.task, kit, parts[-1].seen)
    if done.questions or opened.cancelled:
        return step
    course = Course(opened.task.clauses, done, opened.decisions, cards)
    return _add_plan(step, show_plan(tools, past, course))


def _open(part: Part, before: Before, kit: Kit) -> Opened:
    decisions = read_decisions(part.text)
    if decisions:
        goes_on = all(one.outcome == "applied" for one in decisions)
        return Opened(before.rest if goes_on else Task(), decisions=decisions)
    if before.questions and _is_reply(part.text, before.questions, kit):
        return _read_reply(part.text, before)
    understood = understand(part.text, _collect_vocabulary(kit.profiles))
    task = Task(understood.clauses, focus=before.rest.focus)
    return Opened(task, understood.unclear, understood.talk)


def _leave(opened: Opened, done: Work, before: Before, part: Part) -> Before:
    """The card that was shown says best what was asked: failed calls may be gone from history."""
    asked = read_asked(part.seen)
    questions = asked or done.questions
    rest = done.rest or (opened.task.clauses[-1:] if asked else ())
    same = rest == opened.task.clauses
    answers = opened.task.answers if same else NO_ANSWERS
    focus = done.focus or opened.task.focus or before.rest.focus
    idle = not opened.decisions and not opened.task.clauses
    waiting = done.waits or (before.waiting and idle)
    return Before(Task(rest, answers, focus), questions, waiting)


def _collect_vocabulary(profiles: Sequence[Profile]) -> Vocabulary:
    return Vocabulary(
        verbs=frozenset(one.verb for one in profiles),
        nouns=frozenset(noun for one in profiles for noun in (*one.objects, one.namespace)),
    )


def _is_reply(text: str, questions: Sequence[Question], kit: Kit) -> bool:
    """Whether a message answers, or asks for something else that is clear by itself."""
    options = {fold(option) for one in questions for option in one.options}
    if fold(text.strip().rstrip(".!")) in options or read_lines(questions, text):
        return True
    if find_talk(text) in ("help", "identity", "greeting"):
        return False
    understood = understand(text, _collect_vocabulary(kit.profiles))
    if not understood.clauses:
        return True
    found = choose(understood.clauses[0], kit.profiles)
    return not found or not found[0].named


def _read_reply(text: str, before: Before) -> Opened:
    talk = find_talk(text)
    first = before.questions[0]
    if talk == "no" or fold(text.strip()) == fold(OTHER):
        return Opened(cancelled=True)
    said = read_reply(before.questions, text)
    if talk == "yes" and OTHER in first.options:
        said = {first.key: first.options[0]}
    if said.get(first.key) == OTHER:
        return Opened(cancelled=True)
    return Opened(replace(before.rest, answers={**before.rest.answers, **said}))


def _step(
    tools: Sequence[OfferedTool],
    kit: Kit,
    parts: Sequence[Part],
    opened: Opened,
    before: Before,
) -> Step:
    part = parts[-1]
    if opened.cancelled:
        return Say("All right. Nothing was changed.")
    done = work(opened.task, kit, part.seen)
    if done.next_calls:
        return Act(done.next_calls, _preface(opened, done, parts))
    told = _tell(opened, done, kit, parts)
    if done.questions:
        return _ask(tools, done.questions, part.seen, told)
    return Say(told or admit(kit.profiles, opened.unclear))


def _add_plan(step: Step, plan: tuple[Call, ...]) -> Step:
    """The plan comes first, and words after it."""
    if not plan:
        return step
    return Act((*plan, *step.calls), step.text) if isinstance(step, Act) else Act(plan)


def _preface(opened: Opened, done: Work, parts: Sequence[Part]) -> str:
    """What has to be said before the calls: after a card there is room for one sentence only."""
    told = [_react(opened, parts)] if opened.decisions and not parts[-1].seen else []
    told += [] if done.needs else [one for one in _explain(done) if one not in parts[-1].said]
    return "\n\n".join(told)


def _explain(done: Work) -> list[str]:
    return [
        explain_error(one.failure) if one.failure else one.text
        for one in done.refused
        if one.text or one.failure
    ]


def _talk(
    tools: Sequence[OfferedTool], profiles: Sequence[Profile], talk: Talk, before: Before
) -> Step:
    text = _answer_talk(talk, profiles, before)
    asks = talk in ("greeting", "help", "identity")
    calls = suggest(tools, list_examples(profiles)) if asks and not before.waiting else ()
    return Act(calls, text) if calls else Say(text)


def _answer_talk(talk: Talk, profiles: Sequence[Profile], before: Before) -> str:
    if talk in ("help", "identity"):
        return introduce(profiles)
    if talk == "greeting":
        return greet(profiles)
    if talk == "thanks":
        return "You are welcome."
    if before.waiting:
        return "Please decide on the card itself: only you can apply or decline a change."
    if talk == "no":
        return "All right. Nothing was changed."
    return f"There is nothing waiting for an answer. {WHO} Tell me what you would like to do."


def _ask(
    tools: Sequence[OfferedTool], questions: Sequence[Question], seen: Sequence[Seen], told: str
) -> Step:
    """With the tool for asking where there is one, else in words."""
    asked = [one for one in seen if one.name == ASK]
    if any(not one.is_error for one in asked):
        return Say(told or "Please answer the question above, then I will go on.")
    name = None if asked else find_ask_tool(tools, questions)
    if name:
        return Act((Call(name, encode_questions(questions)),), told)
    return Say("\n\n".join(one for one in (told, write_questions(questions)) if one))


def _tell(opened: Opened, done: Work, kit: Kit, parts: Sequence[Part]) -> str:
    """Everything there is to say about what was done, what was not, and what comes next."""
    told = [_react(opened, parts)] if opened.decisions and not parts[-1].said else []
    names = {one.id: one.name for one in kit.places} | collect_names(parts[-1].seen)
    told += _tell_done(done.done, kit, names)
    told += [one for one in _explain(done) if one not in parts[-1].said]
    dark = [*opened.unclear]
    dark += [_find_dark(opened, at) for at, one in enumerate(done.refused) if not one.text
             and not one.failure]  # fmt: skip
    told += _tell_unused(done.done)
    if told and dark:
        told.append(f"I did not understand {' and '.join(f'“{one}”' for one in dark)}.")
    if told and done.rest and not done.questions:
        told.append(f"After that I will go on with: {'; '.join(one.text for one in done.rest)}.")
    return "\n\n".join(one for one in told if one)


def _tell_unused(done: Sequence[Done]) -> list[str]:
    """Words that had no part in it: better said than passed over."""
    told: list[str] = []
    for one in done:
        if one.ready.unused and not any(seen.is_error for _, seen in one.results):
            said = " and ".join(f"“{escape(each)}”" for each in one.ready.unused)
            reads = one.ready.profile.reads
            told.append(f"I could not {'narrow this by' if reads else 'make use of'} {said}.")
    return told


def _find_dark(opened: Opened, at: int) -> str:
    clauses = opened.task.clauses
    return clauses[min(at, len(clauses) - 1)].text


def _tell_done(done: Sequence[Done], kit: Kit, names: Mapping[str, str]) -> list[str]:
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


def _react(opened: Opened, parts: Sequence[Part]) -> str:
    """What a person decided, with the summary of the card that it was about."""
    cards = [
        one
        for part in parts
        for one in part.seen
        if one.status and not one.is_error and read_summary(one)
    ]
    told: list[str] = []
    for decision in opened.decisions:
        known = [one for one in cards if _list_ids(one.value) & set(decision.ids)]
        told.append(react(decision, next((read_summary(one) for one in known), "")))
    return "\n\n".join(told)


def _list_ids(value: Any) -> set[str]:
    if not isinstance(value, Mapping):
        return set()
    return {one for one in cast(Mapping[str, Any], value).values() if isinstance(one, str)}


def _answer_without_tools(part: Part) -> str:
    """The last step: say what there is, and what is still open."""
    changes = [
        one
        for at, one in enumerate(part.seen)
        if not _pretend(one).reads and not _was_mended(one, part.seen[at + 1 :])
    ]
    last = changes[-1].step if changes else part.seen[-1].step
    reads = [one for one in part.seen if one.step == last and _pretend(one).reads]
    shown = [Done(_LISTING, Ready((), _pretend(one)), ((_call(one), one),)) for one in changes]
    shown += [Done(_LISTING, Ready((), _pretend(one)), ((_call(one), one),)) for one in reads]
    kit = Kit(tuple(map(_pretend, part.seen)))
    told = _tell_done(shown, kit, collect_names(part.seen))
    if not changes:
        return "\n\n".join(["I had to stop here, so this may not be all.", *told])
    asked = understand(part.text, _collect_vocabulary(kit.profiles)).clauses
    explained = part.said or read_decisions(part.text)
    left = [one.text for one in asked[len(shown) :] if not explained]
    return "\n\n".join([*told, *([f"Still open: {'; '.join(left)}."] if left else [])])


def _was_mended(seen: Seen, later: Sequence[Seen]) -> bool:
    return seen.is_error and any(one.name == seen.name and not one.is_error for one in later)


_LISTING = Clause("list", "list", (), "list")


def _pretend(seen: Seen) -> Profile:
    """What a tool's name alone says about it."""
    return read_profile(OfferedTool(seen.name, "", {}))


def _call(seen: Seen) -> Call:
    return Call(seen.name, seen.arguments)
