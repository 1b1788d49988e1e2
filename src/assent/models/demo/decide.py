"""What the demo model does next: say something, or call tools. Pure.

The past is replayed to know what is open: a question that was asked, a part of a request that had
to wait for a decision, what `it` stands for.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import TypeAlias

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
from assent.models.demo.choose import choose, read_vocabulary
from assent.models.demo.compose import WHO, admit, greet, introduce, list_examples
from assent.models.demo.lookup import Call, Kit
from assent.models.demo.moments import find_now
from assent.models.demo.playbook import Playbook
from assent.models.demo.profile import read_profiles
from assent.models.demo.show import (
    Course,
    hide_shown,
    list_cards,
    show_plan,
    show_story,
    suggest,
)
from assent.models.demo.state import (
    Decision,
    Part,
    Seen,
    read_decisions,
    read_parts,
    read_places,
)
from assent.models.demo.story import (
    Progress,
    Story,
    advance,
    answer_story,
    list_examples_of,
    open_story,
    resume_story,
)
from assent.models.demo.table import collect_names
from assent.models.demo.tell import (
    answer_without_tools,
    explain_refused,
    tell_decisions,
    tell_done,
    tell_unused,
)
from assent.models.demo.understand import Talk, find_talk, understand
from assent.models.demo.words import fold
from assent.models.demo.work import NO_ANSWERS, Task, Work, work
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
    story: Story | None = None


@dataclass(frozen=True, slots=True)
class Before:
    """What the message before left open."""

    rest: Task = field(default_factory=Task)
    questions: tuple[Question, ...] = ()
    waiting: bool = False
    story: Progress | None = None


def decide(request: ModelRequest, playbooks: Sequence[Playbook] = ()) -> Step:
    past = read_parts(request.messages)
    parts = hide_shown(past)
    tools = request.callable_tools
    profiles = read_profiles(tools)
    offered = frozenset(one.name for one in request.tools)
    kit = Kit(
        profiles,
        read_places(request.instructions),
        find_now(request.instructions),
        playbooks=tuple(playbooks),
        examples=tuple(list_examples_of(playbooks, offered)),
    )
    if not parts:
        return Say(greet(list_examples(profiles, kit.examples)))
    before, cards = _replay(parts[-REMEMBERED:-1], kit, offered)
    opened = _open(parts[-1], before, kit)
    if opened.story is not None:
        progress = advance(opened.story, parts[-1].seen, offered)
        return _tell_story(tools, past, opened, progress)
    if not tools and parts[-1].seen:
        return Say(answer_without_tools(parts[-1]))
    if opened.talk and not opened.cancelled:
        return _talk(tools, kit, opened.talk, before)
    step = _step(tools, kit, parts, opened)
    done = work(opened.task, kit, parts[-1].seen)
    if done.questions or opened.cancelled:
        return step
    course = Course(opened.task.clauses, done, opened.decisions, cards)
    return _add_plan(step, show_plan(tools, past, course))


def _replay(
    parts: Sequence[Part], kit: Kit, offered: frozenset[str]
) -> tuple[Before, dict[str, str]]:
    """What all that came before has left open, and for which step each card was made."""
    before, cards = Before(), dict[str, str]()
    for part in parts:
        opened = _open(part, before, kit)
        if opened.story is not None:
            progress = advance(opened.story, part.seen, offered)
            before = _leave_story(progress, before)
            continue
        done = work(opened.task, kit, part.seen)
        cards |= list_cards(done)
        before = _leave(opened, done, before, part)
    return before, cards


def _open(part: Part, before: Before, kit: Kit) -> Opened:
    decisions = read_decisions(part.text)
    if decisions:
        story = resume_story(before.story, decisions) if before.story else None
        goes_on = all(one.outcome == "applied" for one in decisions)
        rest = before.rest if goes_on else Task()
        return Opened(rest, decisions=decisions, story=story)
    story = _find_story(part.text, kit)
    if before.questions and story is None and _is_reply(part.text, before.questions, kit):
        return _read_reply(part.text, before, kit)
    if story is not None:
        return Opened(Task(focus=before.rest.focus), story=story)
    understood = understand(part.text, read_vocabulary(kit.profiles))
    task = Task(understood.clauses, focus=before.rest.focus)
    return Opened(task, understood.unclear, understood.talk)


def _find_story(text: str, kit: Kit) -> Story | None:
    """Small talk asks for nothing, whatever a phrase may be read into it."""
    return None if find_talk(text) else open_story(text, kit.playbooks, kit.places, kit.now)


def _leave_story(progress: Progress, before: Before) -> Before:
    focus = progress.focus or before.rest.focus
    return Before(Task(focus=focus), progress.questions, bool(progress.card), progress)


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
    story = before.story if idle and waiting else None
    return Before(Task(rest, answers, focus), questions, waiting, story)


def _is_reply(text: str, questions: Sequence[Question], kit: Kit) -> bool:
    """Whether a message answers, or asks for something else that is clear by itself."""
    options = {fold(option) for one in questions for option in one.options}
    if fold(text.strip().rstrip(".!")) in options or read_lines(questions, text):
        return True
    if find_talk(text) in ("help", "identity", "greeting"):
        return False
    understood = understand(text, read_vocabulary(kit.profiles))
    if not understood.clauses:
        return True
    found = choose(understood.clauses[0], kit.profiles)
    return not found or not found[0].named


def _read_reply(text: str, before: Before, kit: Kit) -> Opened:
    talk = find_talk(text)
    first = before.questions[0]
    if talk == "no" or fold(text.strip()) == fold(OTHER):
        return Opened(cancelled=True)
    said = read_reply(before.questions, text)
    if talk == "yes" and OTHER in first.options:
        said = {first.key: first.options[0]}
    if said.get(first.key) == OTHER:
        return Opened(cancelled=True)
    if before.story is not None:
        return Opened(before.rest, story=answer_story(before.story.story, said, kit.now))
    return Opened(replace(before.rest, answers={**before.rest.answers, **said}))


def _step(
    tools: Sequence[OfferedTool],
    kit: Kit,
    parts: Sequence[Part],
    opened: Opened,
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
    examples = list_examples(kit.profiles, kit.examples)
    return Say(told or admit(examples, opened.unclear))


def _add_plan(step: Step, plan: tuple[Call, ...]) -> Step:
    """The plan comes first, and words after it."""
    if not plan:
        return step
    return Act((*plan, *step.calls), step.text) if isinstance(step, Act) else Act(plan)


def _preface(opened: Opened, done: Work, parts: Sequence[Part]) -> str:
    """What has to be said before the calls: after a card there is room for one sentence only."""
    told = (
        [tell_decisions(opened.decisions, parts)] if opened.decisions and not parts[-1].seen else []
    )
    told += (
        [] if done.needs else [one for one in explain_refused(done) if one not in parts[-1].said]
    )
    return "\n\n".join(told)


def _tell_story(
    tools: Sequence[OfferedTool], past: Sequence[Part], opened: Opened, progress: Progress
) -> Step:
    """The next calls of a story, its questions, or what it came to."""
    part = hide_shown(past)[-1]
    decided = tell_decisions(opened.decisions, past) if opened.decisions and not part.said else ""
    if progress.questions:
        return _ask(tools, progress.questions, part.seen, decided)
    if progress.calls and not tools:
        return Say("I had to stop here, before I was done. Ask me again and I will start over.")
    plan = show_story(tools, past if opened.decisions else past[-1:], progress)
    if progress.calls:
        return _add_plan(Act(progress.calls, decided), plan)
    told = "\n\n".join(one for one in (decided, progress.told) if one)
    return _add_plan(Say(told), plan)


def _talk(tools: Sequence[OfferedTool], kit: Kit, talk: Talk, before: Before) -> Step:
    text = _answer_talk(talk, kit, before)
    asks = talk in ("greeting", "help", "identity")
    examples = list_examples(kit.profiles, kit.examples)
    calls = suggest(tools, examples) if asks and not before.waiting else ()
    return Act(calls, text) if calls else Say(text)


def _answer_talk(talk: Talk, kit: Kit, before: Before) -> str:
    examples = list_examples(kit.profiles, kit.examples)
    if talk in ("help", "identity"):
        return introduce(kit.profiles, examples)
    if talk == "greeting":
        return greet(examples)
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
    told = (
        [tell_decisions(opened.decisions, parts)] if opened.decisions and not parts[-1].said else []
    )
    names = {one.id: one.name for one in kit.places} | collect_names(parts[-1].seen)
    told += tell_done(done.done, kit, names)
    told += [one for one in explain_refused(done) if one not in parts[-1].said]
    dark = [*opened.unclear]
    dark += [_find_dark(opened, at) for at, one in enumerate(done.refused) if not one.text
             and not one.failure]  # fmt: skip
    told += tell_unused(done.done)
    if told and dark:
        told.append(f"I did not understand {' and '.join(f'“{one}”' for one in dark)}.")
    if told and done.rest and not done.questions:
        told.append(f"After that I will go on with: {'; '.join(one.text for one in done.rest)}.")
    return "\n\n".join(one for one in told if one)


def _find_dark(opened: Opened, at: int) -> str:
    clauses = opened.task.clauses
    return clauses[min(at, len(clauses) - 1)].text
