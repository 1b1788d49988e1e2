"""The value of a headless run: read from an answer and held to its schema."""

import json
from typing import Any

import pytest

from assent.runs.headless.output import (
    build_sections,
    count_answers,
    find_last_text,
    parse_output,
    write_repair_note,
)

SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {
        "at": {"type": "string", "format": "date-time"},
        "items": {"type": "array", "items": {"properties": {"count": {"type": "integer"}}}},
    },
    "required": ["at"],
}
AT = "2026-07-01T20:00:00Z"
START = {"type": "step-start"}
CALL = {"type": "dynamic-tool", "toolName": "a.b", "toolCallId": "c", "state": "output-available"}


def say(text: str) -> dict[str, Any]:
    return {"type": "text", "text": text}


@pytest.mark.parametrize(
    "text", [json.dumps({"at": AT}), f' {{"at": "{AT}"}}\n', f'```json\n{{"at": "{AT}"}}\n```']
)
def test_what_fits(text: str) -> None:
    assert parse_output(SCHEMA, text) == ({"at": AT}, ())


@pytest.mark.parametrize(
    ("text", "path"),
    [
        ("", ""),
        ("Here: {}", ""),
        ("{}{}", ""),
        ("NaN", ""),
        ("[" * 100_000, ""),
        (json.dumps("x" * 300_000), ""),
        ("[]", ""),
        ("{}", "at"),
        ('{"at": "2026-07-01"}', "at"),
        ('{"at": "2026-07-01T20:00:00"}', "at"),
        (json.dumps({"at": AT, "more": 1}), "more"),
        (json.dumps({"at": AT, "items": [{"count": 1}, {"count": "2"}]}), "items.1.count"),
    ],
)
def test_what_does_not_says_where(text: str, path: str) -> None:
    _, issues = parse_output(SCHEMA, text)
    assert [one.path for one in issues] == [path]
    assert f"- {path or 'The whole value'}: " in write_repair_note(issues)


@pytest.mark.parametrize(
    ("parts", "count", "last"),
    [
        ([], 0, ""),
        ([START, say("One")], 1, "One"),
        ([START, say("I look."), CALL], 0, "I look."),
        ([START, CALL, START, say("One"), START, say(" Two ")], 2, "Two"),
        ([START, say("One"), START, {"type": "reasoning", "text": "Hm"}], 0, ""),
    ],
)
def test_answers_at_the_end(parts: list[dict[str, Any]], count: int, last: str) -> None:
    assert (count_answers(parts), find_last_text(parts)) == (count, last)


def test_the_schema_is_told_only_where_there_is_one() -> None:
    assert [one.heading for one in build_sections(None)] == ["Nobody is here"]
    assert json.dumps(SCHEMA, separators=(",", ":")) in build_sections(SCHEMA)[1].text
