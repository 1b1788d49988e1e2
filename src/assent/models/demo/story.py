"""Going through a playbook, as far as the results of its calls go. Pure.

As everywhere in the demo model nothing is remembered between steps: each step goes through the
story anew and recognises what was done by its calls. A story that waits for an answer or for a
decision goes on where it stood, with the results that it had.
"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any, Literal, TypeAlias, cast

from assent.models.demo.ask import OTHER, Question, ask_row
from assent.models.demo.compose import explain_error, read_error, read_summary
from assent.models.demo.fill import fill_object, leave_out, spot_row
from assent.models.demo.lookup import Call, Focus
from assent.models.demo.playbook import Fill, Line, Pick, Playbook, Spot, Step, Use
from assent.models.demo.profile import read_profile
from assent.models.demo.recognize import parse_slot, recognize
from assent.models.demo.refer import (
    build_argument,
    find_path,
    find_value,
    holds,
    is_known,
    write_text,
)
from assent.models.demo.resolve import Row, match_name, name_of
from assent.models.demo.state import Decision, Place, Seen
from assent.models.demo.table import escape
from assent.models.demo.words import join_names
from assent.models.model import OfferedTool
from assent.tools.json_value import same_json
from assent.tools.names import wire_name

MOST_LINES = 20
REQUEST = "request"
"""Under this name a story knows the words of its request."""
State: TypeAlias = Literal["pending", "active", "done", "skipped", "failed"]


@dataclass(frozen=True, slots=True)
class Story:
    """A playbook with what is known so far; `at` is the step to go on with.

    `notes` are what a person should know before they decide about anything, `unused` the words of
    the request that had no part in it.
    """

    playbook: Playbook
    values: Mapping[str, Any]
    at: int = 0
    notes: tuple[str, ...] = ()
    unused: str = ""

    def list_notes(self) -> tuple[str, ...]:
        unused = f"I could not make use of “{escape(self.unused)}”." if self.unused else ""
        return (unused, *self.notes) if unused else self.notes


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a story went: calls to make, questions, or what there is to say.

    `card` is the id of the proposal that it waits for. `failed` where it ended before its end.
    """

    story: Story
    calls: tuple[Call, ...] = ()
    questions: tuple[Question, ...] = ()
    told: str = ""
    card: str = ""
    failed: bool = False

    @property
    def is_over(self) -> bool:
        return not (self.calls or self.questions or self.card)

    @property
    def focus(self) -> Focus | None:
        about = self.story.playbook.about
        name = write_text(about[1], self.story.values) if about else ""
        return Focus(about[0], name) if about and name else None


def open_story(
    text: str, playbooks: Sequence[Playbook], places: Sequence[Place], now: datetime | None
) -> Story | None:
    """The story that a request asks for. It knows the workspace that the prompt names."""
    found = recognize(text, playbooks, now)
    if found is None:
        return None
    here = {one.noun: {"id": one.id, "name": one.name} for one in reversed(places)}
    known = {**here, REQUEST: text, **found.values}
    return Story(found.playbook, known, unused=found.unused)


def answer_story(story: Story, answers: Mapping[str, str], now: datetime | None) -> Story:
    """The same story with what a person answered to its questions."""
    slots = story.playbook.slots
    said = {
        key: parse_slot(slots[key], text, now) if key in slots else text
        for key, text in answers.items()
    }
    return replace(story, values={**story.values, **said})


def resume_story(before: Progress, decisions: Sequence[Decision]) -> Story | None:
    """What comes after the card that a story waited for, if that was applied."""
    for one in decisions:
        if before.card in one.ids and one.outcome == "applied":
            step = before.story.playbook.steps[before.story.at - 1]
            kept = {step.keep: one.result} if step.keep else {}
            return replace(before.story, values={**before.story.values, **kept})
    return None


def advance(story: Story, seen: Sequence[Seen], offered: Collection[str]) -> Progress:
    """Go on until a call has to be made, something has to be asked, or the story is over."""
    story = _fill_defaults(story)
    questions = _ask_missing(story) if story.at == 0 else ()
    if questions:
        return Progress(story, questions=questions)
    absent = _list_absent(story, offered) if not seen else []
    if absent:
        return Progress(story, told=_tell_absent(absent), failed=True)
    return _Walk(story, seen, offered).go()


def list_examples_of(playbooks: Sequence[Playbook], offered: Collection[str]) -> list[str]:
    """What could be asked for, with the tools that are offered."""
    return [
        one.example
        for one in playbooks
        if one.example and not _list_absent(Story(one, {}), offered)
    ]


def list_states(progress: Progress) -> Iterator[tuple[str, State]]:
    """The steps that have a title, and how each of them stands; one of them is worked on."""
    story = progress.story
    ahead: State = "failed" if progress.failed else "active"
    for at, step in enumerate(story.playbook.steps):
        if not isinstance(step, Use) or not step.title:
            continue
        waits = bool(progress.card) and at == story.at - 1
        if at < story.at and not waits:
            skipped = step.keep and step.keep not in story.values
            yield step.title, "skipped" if skipped else "done"
        else:
            yield step.title, ahead
            ahead = "skipped" if progress.failed else "pending"


def _fill_defaults(story: Story) -> Story:
    values = dict(story.values)
    for name, slot in story.playbook.slots.items():
        if values.get(name) is None and slot.default and is_known(slot.default, values):
            values[name] = parse_slot(slot, str(build_argument(slot.default, values)))
    return replace(story, values={key: one for key, one in values.items() if one is not None})


def _ask_missing(story: Story) -> tuple[Question, ...]:
    return tuple(
        Question(name, slot.asks)
        for name, slot in story.playbook.slots.items()
        if slot.asks and name not in story.values
    )


def _list_absent(story: Story, offered: Collection[str]) -> list[str]:
    """The tools without which it cannot be told, and that are not offered."""
    needed = [
        one.tool
        for one in story.playbook.steps[story.at :]
        if isinstance(one, Use) and not one.optional and not one.when
    ]
    return [one for one in dict.fromkeys(needed) if wire_name(one) not in offered]


def _tell_absent(tools: Sequence[str]) -> str:
    named = join_names(f"`{one}`" for one in tools)
    verb = "is" if len(tools) == 1 else "are"
    return (
        f"I cannot do that here: it needs {named}, which {verb} not among the tools that you may "
        "use in this conversation."
    )


@dataclass(slots=True)
class _Walk:
    """One story, step after step, along the results of one window."""

    story: Story
    seen: Sequence[Seen]
    offered: Collection[str]
    cursor: int = 0
    values: dict[str, Any] = field(default_factory=dict[str, Any])

    def go(self) -> Progress:
        self.values = dict(self.story.values)
        for at, step in enumerate(self.story.playbook.steps):
            if at < self.story.at or (step.when and not holds(step.when, self.values)):
                continue
            end = self._take(at, step)
            if end is not None:
                return end
        done = self._stand(len(self.story.playbook.steps))
        return Progress(done, told=_write_answer(done))

    def _take(self, at: int, step: Step) -> Progress | None:
        if isinstance(step, Pick):
            return self._pick(at, step)
        if isinstance(step, Spot):
            return self._spot(step)
        return self._fill(at, step) if isinstance(step, Fill) else self._use(at, step)

    def _spot(self, step: Spot) -> None:
        rows = cast(Sequence[Row], find_value(step.rows, self.values) or ())
        request = str(self.values.get(REQUEST, ""))
        for name in self.story.playbook.slots:
            request = request.replace(str(self.values.get(name, "")) or " ", " ")
        found = spot_row(rows, step.names, request, step.otherwise)
        if found is not None:
            self.values[step.keep] = dict(found.row)
            unused = leave_out(self.story.unused, found.said)
            self.story = replace(self.story, unused=unused)

    def _fill(self, at: int, step: Fill) -> Progress | None:
        schema = cast(Mapping[str, Any], find_value(step.schema, self.values) or {})
        filled = fill_object(schema, self.values, key=step.keep, about=step.about)
        if isinstance(filled, tuple):
            return Progress(self._stand(at), questions=filled)
        self.values[step.keep] = filled
        return None

    def _stand(self, at: int) -> Story:
        return replace(self.story, values=self.values, at=at)

    def _end(self, at: int, told: str) -> Progress:
        return Progress(self._stand(at), told=told, failed=True)

    def _pick(self, at: int, step: Pick) -> Progress | None:
        rows = cast(Sequence[Row], find_value(step.rows, self.values) or ())
        name = str(self.values.get(step.named, ""))
        if name == OTHER:
            return self._end(at, "All right. Nothing was changed.")
        match = match_name([name], rows)
        if match.kind == "none" and step.optional:
            note = f"I found no {step.noun} called “{escape(name)}” and left that out."
            self.story = replace(self.story, notes=(*self.story.notes, note))
            return None
        if match.kind == "none":
            return self._end(at, f"I found no {step.noun} called “{escape(name)}”.")
        if match.kind == "exact":
            self.values[step.keep] = dict(match.rows[0])
            return None
        question = ask_row(step.named, step.noun, [name_of(row) for row in match.rows])
        return Progress(self._stand(at), questions=(question,))

    def _use(self, at: int, step: Use) -> Progress | None:
        arguments = cast(Mapping[str, Any], build_argument(step.arguments, self.values))
        call = Call(wire_name(step.tool), arguments)
        result = self._find(call)
        if result is None:
            return self._make(at, step, call)
        if result.is_error:
            return None if step.optional else self._end(at, self._explain(step, result))
        if "proposalId" in result.fields:
            return self._follow_proposal(at, step, result)
        value = result.value
        for path, expected in step.expects.items():
            if not same_json(find_path(path, {"": value, **result.fields}), expected):
                self._keep(step, value)
                return None if step.optional else self._end(at, self._explain(step, result))
        self._keep(step, value)
        return None

    def _find(self, call: Call) -> Seen | None:
        for at, one in enumerate(self.seen[self.cursor :], self.cursor + 1):
            if one.is_call(call.name, call.arguments):
                self.cursor = at
                return one
        return None

    def _make(self, at: int, step: Use, call: Call) -> Progress | None:
        if call.name in self.offered:
            return Progress(self._stand(at), calls=(call,))
        return None if step.optional else self._end(at, _tell_absent([step.tool]))

    def _keep(self, step: Use, value: Any) -> None:
        if step.keep:
            self.values[step.keep] = value

    def _explain(self, step: Use, result: Seen) -> str:
        error = read_error(result) if result.is_error else ""
        if step.otherwise:
            return write_text(step.otherwise, {**self.values, "error": error})
        profile = read_profile(OfferedTool(result.name, "", {}))
        return explain_error(result, profile) if error else f"“{profile.label}” went wrong."

    def _follow_proposal(self, at: int, step: Use, result: Seen) -> Progress | None:
        if result.status == "applied":
            self._keep(step, result.fields.get("result"))
            return None
        summary = read_summary(result) or step.title or f"`{step.tool}`"
        if result.status == "awaiting_operator":
            said = [_write_line(one, self.values) for one in step.prepared]
            card = f"I prepared this: {summary}. Please confirm it on the card."
            told = "\n\n".join(one for one in (*said, card, *self.story.list_notes()) if one)
            waiting = replace(self._stand(at + 1), notes=(), unused="")
            return Progress(waiting, told=told, card=str(result.fields["proposalId"]))
        return self._end(at, f"This did not come about, as far as I can tell: {summary}.")


def _write_answer(story: Story) -> str:
    told = [_write_line(one, story.values) for one in story.playbook.says]
    told += story.list_notes()
    return "\n\n".join(one for one in told if one)


def _write_line(line: Line, values: Mapping[str, Any], depth: int = 0) -> str:
    untold = any(holds(one, values) for one in line.unless)
    if untold or (line.when and not holds(line.when, values)):
        return ""
    if not line.each:
        return write_text(line.text, values)
    rows = cast(Sequence[Any], find_value(line.each, values) or ())
    listed: list[str] = []
    for row in rows[:MOST_LINES]:
        known = {**values, "row": row}
        listed.append(f"{'  ' * depth}- {write_text(line.text, known)}")
        listed += [_write_line(line.inner, known, depth + 1)] if line.inner else []
    if len(rows) > MOST_LINES:
        listed.append(f"{'  ' * depth}- and {len(rows) - MOST_LINES} more")
    return "\n".join(one for one in listed if one)
