"""Question cards: what was asked, what counts as an answer to it, and how that is said. Pure.

A card is a `data-question` part: `{questions: [{key, text, kind, options}]}`, and once it is
answered also `answer`, by key, and `answerRunId`, the run in which the model reads it.
"""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any, TypeAlias, cast
from uuid import UUID

from assent.conversations.parts import Part
from assent.errors import Invalid, Issue
from assent.tools.json_value import encode_path, same_json
from assent.tools.tool import Question
from assent.value import VISIBLE

KIND = "data-question"
ANSWERED = "answered"
LONGEST_ID = 200
LONGEST_TEXT = 4_000
LONGEST_SUMMARY = 200
LARGEST_NUMBER = 2**53

Answers: TypeAlias = dict[str, Any]

_VISIBLE = re.compile(VISIBLE)
_DATE = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")


@dataclass(frozen=True, slots=True)
class Reply:
    """What a person sends; whether it fits is known when the card is."""

    part_id: str
    value: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Card:
    """A question card as it is stored. `part_id` is the id of the call that asked."""

    part_id: str
    questions: tuple[Question, ...]
    answers: Answers | None
    run_id: UUID | None

    @property
    def summary(self) -> str:
        return " ".join(one.text for one in self.questions)[:LONGEST_SUMMARY]


def parse_reply(raw: Any) -> Reply:
    """From the request's `answer`."""
    given = cast(dict[str, Any], raw) if isinstance(raw, dict) else {}
    part_id, value = given.get("partId"), given.get("value")
    issues: list[Issue] = []
    if not isinstance(part_id, str) or not 0 < len(part_id) <= LONGEST_ID:
        issues.append(Issue("answer.partId", "This must be the id of a question."))
    if not isinstance(value, dict):
        issues.append(Issue("answer.value", "This must be an object with an answer for each key."))
    if issues:
        raise Invalid(issues)
    return Reply(cast(str, part_id), cast(dict[str, Any], value))


def parse_card(part_id: str, data: Mapping[str, Any]) -> Card:
    """From the part's data."""
    answered_by = data.get("answerRunId")
    return Card(
        part_id,
        tuple(
            Question(
                key=one["key"],
                text=one["text"],
                kind=one["kind"],
                options=tuple(one.get("options", ())),
            )
            for one in data["questions"]
        ),
        data.get("answer"),
        UUID(answered_by) if answered_by else None,
    )


def find_card(parts: Sequence[Part], part_id: str) -> Card | None:
    for part in parts:
        if part["type"] == KIND and part["id"] == part_id:
            return parse_card(part_id, part["data"])
    return None


def check_answers(card: Card, value: Mapping[str, Any]) -> Answers:
    """An answer for each question and none besides, or raise with all that is wrong."""
    asked = {one.key: one for one in card.questions}
    issues = [_complain(key, "There is no such question.") for key in value if key not in asked]
    for key, question in asked.items():
        fault = _FAULTS[question.kind](value.get(key), question)
        if fault is not None:
            issues.append(_complain(key, fault))
    if issues:
        raise Invalid(issues)
    return {key: value[key] for key in asked}


def is_same(card: Card, answers: Answers) -> bool:
    return same_json(card.answers, answers)


def write_answers(card: Card, answers: Answers) -> str:
    """The answers as the person's message, each behind its question."""
    return "\n".join(
        f"{_lead(one.text)} {_write(answers[one.key])}"
        for one in card.questions
        if one.key in answers
    )


def find_typed(card: Card, answers: Answers) -> str:
    """What the person wrote themselves.

    Questions and options are a model's words: what they name was not named by the person, which
    matters where data may be sent (`tools/destination.py`).
    """
    return "\n\n".join(answers[one.key] for one in card.questions if one.kind == "text")


def store_answers(
    parts: Sequence[Part], part_id: str, answers: Answers, run_id: UUID
) -> list[Part]:
    """The parts of the message that asked: the card has its answer, and so has the call."""
    return list(_store(parts, part_id, answers, run_id))


def _store(parts: Sequence[Part], part_id: str, answers: Answers, run_id: UUID) -> Iterator[Part]:
    for part in parts:
        if part["type"] == KIND and part["id"] == part_id:
            data = part["data"] | {"answer": answers, "answerRunId": str(run_id)}
            yield part | {"data": data}
        elif part["type"] == "dynamic-tool" and part["toolCallId"] == part_id:
            yield part | {"output": {"status": ANSWERED, "answers": answers}}
        else:
            yield part


def _complain(key: str, message: str) -> Issue:
    return Issue(encode_path(("answer", "value", key)), message)


def _lead(text: str) -> str:
    text = " ".join(text.split())
    return text if text.endswith(("?", ":", ".", "!", "…")) else f"{text}:"


def _write(answer: Any) -> str:
    return ", ".join(cast(list[str], answer)) if isinstance(answer, list) else str(answer)


def _find_choice_fault(answer: Any, question: Question) -> str | None:
    fits = isinstance(answer, str) and answer in question.options
    return None if fits else "Choose one of the options."


def _find_choices_fault(answer: Any, question: Question) -> str | None:
    if not isinstance(answer, list) or not answer:
        return "Choose at least one of the options."
    chosen = cast(list[Any], answer)
    known = all(isinstance(one, str) and one in question.options for one in chosen)
    return None if known and len(set(chosen)) == len(chosen) else "Choose from the options."


def _find_text_fault(answer: Any, _: Question) -> str | None:
    if not isinstance(answer, str) or not _VISIBLE.search(answer):
        return "Write an answer."
    too_long = len(answer) > LONGEST_TEXT
    return f"An answer may have at most {LONGEST_TEXT:,} characters." if too_long else None


def _find_date_fault(answer: Any, _: Question) -> str | None:
    try:
        if isinstance(answer, str) and _DATE.fullmatch(answer):
            date.fromisoformat(answer)
            return None
    except ValueError:
        return "There is no such date."
    return "Give a date like 2026-07-01."


def _find_number_fault(answer: Any, _: Question) -> str | None:
    is_number = isinstance(answer, int | float) and not isinstance(answer, bool)
    return None if is_number and abs(answer) <= LARGEST_NUMBER else "Give a number."


_FAULTS: Mapping[str, Callable[[Any, Question], str | None]] = {
    "choice": _find_choice_fault,
    "choices": _find_choices_fault,
    "text": _find_text_fault,
    "date": _find_date_fault,
    "number": _find_number_fault,
}
