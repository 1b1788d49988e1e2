"""Questions for what is missing, and the answers to them. Pure."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias, cast

from assent.models.demo.profile import ASK, Field, Profile
from assent.models.demo.state import Seen
from assent.models.demo.words import fold
from assent.models.model import OfferedTool
from assent.tools.json_schema import find_faults

QuestionKind: TypeAlias = Literal["choice", "choices", "text", "date", "number"]
KIND = "kind"
"""The key of the question which kind of thing is meant."""
OTHER = "None of these"
MOST_OPTIONS = 20
CHOSEN = ("choice", "choices", "flag")
UNANSWERED = "no answer"
"""What the page writes for a question that was left empty."""
_KINDS: Mapping[str, QuestionKind] = {
    "choice": "choice",
    "choices": "choices",
    "flag": "choice",
    "number": "number",
    "moment": "date",
    "day": "date",
}


@dataclass(frozen=True, slots=True)
class Question:
    key: str
    text: str
    kind: QuestionKind = "text"
    options: tuple[str, ...] = ()

    def encode(self) -> dict[str, Any]:
        plain: dict[str, Any] = {"key": self.key, "text": self.text, "kind": self.kind}
        return plain | ({"options": list(self.options)} if self.options else {})


def ask_field(profile: Profile, field: Field, options: Sequence[str] = ()) -> Question:
    """The question for one field that is missing; `options` are names for an id."""
    if field.is_id:
        shown = tuple(options[:MOST_OPTIONS])
        kind = "choice" if 1 < len(options) <= MOST_OPTIONS else "text"
        text = f"Which {field.noun} do you mean?"
        return Question(field.name, text, kind, shown if kind == "choice" else ())
    known = ("Yes", "No") if field.kind == "flag" else field.options[:MOST_OPTIONS]
    kind = _KINDS.get(field.kind, "text") if field.kind not in CHOSEN or len(known) > 1 else "text"
    return Question(field.name, _phrase(profile, field), kind, known if kind in CHOSEN else ())


def _phrase(profile: Profile, field: Field) -> str:
    if field == profile.naming:
        what = f"the {profile.noun}" if profile.action == "create" else "it"
        return f"What should {what} be called?"
    if field.kind == "flag":
        return f"{field.label.capitalize()}?"
    if profile.action == "update":
        return f"What should the {field.label} be?"
    if field.kind == "number" and field.label.endswith("s"):
        return f"How many {field.label}?"
    if field.kind in ("moment", "day"):
        return f"When? I need the {field.label}, for example 2026-07-01 20:00."
    what = f" of the {profile.noun}" if field.label != profile.noun else ""
    return f"What is the {field.label}{what}?"


def ask_which(field: Field, names: Sequence[str]) -> Question:
    return ask_row(field.name, field.noun, names)


def ask_row(key: str, noun: str, names: Sequence[str]) -> Question:
    if len(names) == 1:
        return Question(key, f"Did you mean {names[0]}?", "choice", (names[0], OTHER))
    return Question(key, f"Which {noun} do you mean?", "choice", tuple(names[:MOST_OPTIONS]))


def ask_kind(verb: str, nouns: Sequence[str]) -> Question:
    listed = tuple(dict.fromkeys(nouns))
    return Question(KIND, f"What do you want to {verb}?", "choice", listed)


def find_ask_tool(tools: Sequence[OfferedTool], questions: Sequence[Question]) -> str | None:
    """The tool for asking, if there is one that takes these questions."""
    given = encode_questions(questions)
    fits = [one for one in tools if one.name == ASK and not find_faults(one.input_schema, given)]
    return fits[0].name if fits else None


def encode_questions(questions: Sequence[Question]) -> dict[str, Any]:
    return {"questions": [one.encode() for one in questions]}


def write_questions(questions: Sequence[Question]) -> str:
    """The questions as text, where there is no tool for asking."""
    lines: list[str] = []
    for one in questions:
        listed = "".join(f"\n- {option}" for option in one.options)
        lines.append(f"{one.text}\n{listed}" if listed and OTHER not in one.options else one.text)
    return "\n\n".join(lines)


def read_asked(seen: Sequence[Seen]) -> tuple[Question, ...]:
    """The questions on the card that ended a turn."""
    last = seen[-1] if seen else None
    if last is None or last.name != ASK or last.is_error:
        return ()
    listed = cast(Sequence[Mapping[str, Any]], last.arguments.get("questions", ()))
    return tuple(
        Question(
            str(one.get("key", "")),
            str(one.get("text", "")),
            one.get("kind", "text"),
            tuple(one.get("options", ())),
        )
        for one in listed
    )


def read_answers(questions: Sequence[Question], seen: Sequence[Seen]) -> dict[str, str]:
    """Answers that came back as the result of asking."""
    answers: dict[str, str] = {}
    for one in seen:
        if one.name == ASK and not one.is_error:
            answers |= _collect(questions, one.value)
    return answers


def _collect(questions: Sequence[Question], value: Any) -> dict[str, str]:
    """From `{answers: {key: value}}`, `{key: value}` or a list of keys with values."""
    if isinstance(value, list):
        pairs = [cast(Mapping[str, Any], one) for one in cast(list[Any], value)]
        keyed = {one.get("key"): one.get("value", one.get("answer")) for one in pairs}
        return _collect(questions, keyed)
    if not isinstance(value, Mapping):
        return {}
    given = cast(Mapping[str, Any], value)
    for name in ("answers", "answer", "value"):
        if isinstance(given.get(name), Mapping | list):
            return _collect(questions, given[name])
    if len(questions) == 1 and isinstance(given.get("answer"), str):
        return {questions[0].key: given["answer"]}
    return {one.key: _text(given[one.key]) for one in questions if given.get(one.key) is not None}


def _text(value: Any) -> str:
    if isinstance(value, list):
        return ", ".join(str(one) for one in cast(list[Any], value))
    return str(value)


def read_reply(questions: Sequence[Question], text: str) -> dict[str, str]:
    """Answers in a person's next message: each behind its question, or the whole of it."""
    answers = read_lines(questions, text)
    if not answers and questions:
        answers[questions[0].key] = text.strip()
    return {key: said for key, said in answers.items() if fold(said) != UNANSWERED}


def read_lines(questions: Sequence[Question], text: str) -> dict[str, str]:
    """Lines that repeat a question, or its key, before the answer."""
    answers: dict[str, str] = {}
    for line in text.splitlines():
        for one in questions:
            for start in (one.text, f"{one.key}:"):
                said = line.strip()[len(start) :].strip(" :–-")
                if fold(line).startswith(fold(start)) and said:
                    answers.setdefault(one.key, said)
    return answers
