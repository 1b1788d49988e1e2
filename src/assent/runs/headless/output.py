"""The value that a headless run ends with: read from the model's answer, and held to its schema.

Pure. What a provider promises about the shape is never relied on (SPEC G4, T7).
"""

import json
import re
from collections.abc import Sequence
from typing import Any

from assent.agents.prompt import Section
from assent.conversations.parts import text_of
from assent.errors import Issue, OutputInvalid
from assent.runs.transcript import Part
from assent.tools.json_value import encode_json
from assent.tools.schema import find_issues
from assent.tools.tool import Schema

REPAIRS = 2
SHOWN = 20
LARGEST = 200_000
NOT_JSON = Issue("", "This is not one JSON value.")
TOO_LARGE = Issue("", f"This has more than {LARGEST:,} characters.")
FENCED = re.compile(r"\A\s*```[\w-]*\n(.*?)\n?```\s*\Z", re.DOTALL)

UNATTENDED = """\
Nobody reads along, and nobody can answer a question. Decide what you can from what you have, and \
say plainly what is missing. Where a change waits for a decision, end your answer: you go on when \
it was made."""


def build_sections(schema: Schema | None) -> tuple[Section, ...]:
    """What the prompt says besides, in its tail: all before it is as in a chat."""
    alone = Section("Nobody is here", UNATTENDED)
    if schema is None:
        return (alone,)
    shape = (
        "Your last answer, once nothing waits, is one JSON value and nothing else: no words around "
        f"it, no code fence. It has this JSON Schema:\n{encode_json(dict(schema))}"
    )
    return (alone, Section("Output", shape))


def parse_output(schema: Schema, text: str) -> tuple[Any, tuple[Issue, ...]]:
    """The value, and all that is wrong with it."""
    if len(text) > LARGEST:
        return None, (TOO_LARGE,)
    fenced = FENCED.match(text)
    try:
        value = json.loads(fenced[1] if fenced else text, parse_constant=_refuse)
    except (ValueError, RecursionError):
        return None, (NOT_JSON,)
    return value, find_issues(schema, value)


def write_repair_note(issues: Sequence[Issue]) -> str:
    lines = "\n".join(f"- {_locate(one)}: {one.message}" for one in issues[:SHOWN])
    return (
        "[Note from Assent] Your answer does not have the shape that was asked for:\n"
        f"{lines}\nAnswer again with the whole corrected JSON value, and nothing else."
    )


def refuse_output(issues: Sequence[Issue]) -> OutputInvalid:
    first = issues[0]
    return OutputInvalid(
        f"The answer did not have the shape that was asked for. {_locate(first)}: {first.message}"
    )


def find_last_text(parts: Sequence[Part]) -> str:
    """The words of the last step."""
    return text_of(_list_steps(parts)[-1]).strip()


def count_answers(parts: Sequence[Part]) -> int:
    """How many steps at the end were words alone."""
    count = 0
    for step in reversed(_list_steps(parts)):
        if any(part["type"] == "dynamic-tool" for part in step) or not text_of(step).strip():
            break
        count += 1
    return count


def _list_steps(parts: Sequence[Part]) -> list[list[Part]]:
    steps: list[list[Part]] = [[]]
    for part in parts:
        if part["type"] == "step-start":
            steps.append([])
        else:
            steps[-1].append(part)
    return steps


def _locate(issue: Issue) -> str:
    return issue.path or "The whole value"


def _refuse(constant: str) -> Any:
    raise ValueError(constant)
