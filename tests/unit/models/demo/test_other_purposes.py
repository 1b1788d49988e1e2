from typing import Any

import pytest

from assent.models.demo.other_purposes import answer_purpose, build_value
from assent.models.model import AssistantMessage, ModelRequest, TextPart, UserMessage
from assent.tools.json_schema import find_faults


def ask(purpose: Any, *texts: str, schema: Any = None) -> str:
    messages = [UserMessage((TextPart(text),)) for text in texts]
    return answer_purpose(
        ModelRequest(
            purpose=purpose,
            model="demo",
            instructions=(),
            messages=tuple(messages),
            max_tokens=100,
            output_schema=schema,
        )
    )


@pytest.mark.parametrize(
    ("text", "title"),
    [
        ("add a system called billing", "Add a system called billing"),
        (
            "Please, could you list all the systems that we have here?",
            "List all the systems that we",
        ),
        ('rename "Größe" to **x**.', "Rename Größe to x"),
        ("hi", "Hi"),
        ("", "New conversation"),
        ("x" * 200, "X" + "x" * 59),
        ("delete billing!", "Delete billing"),
    ],
)
def test_title(text: str, title: str) -> None:
    assert ask("title", text) == title


def test_summary_is_an_extract() -> None:
    summary = ask("summarize", "list systems", "delete " + "x" * 500)
    assert summary.startswith("- Asked: list systems\n- Asked: delete xxx")
    assert len(summary) < 400


def test_summary_tells_the_answers() -> None:
    messages = (UserMessage((TextPart("hi"),)), AssistantMessage((TextPart("Hello!"),)))
    request = ModelRequest(
        purpose="summarize", model="demo", instructions=(), messages=messages, max_tokens=100
    )
    assert answer_purpose(request) == "- Asked: hi Answered: Hello!"


@pytest.mark.parametrize(
    ("schema", "answer"),
    [
        (
            {
                "type": "object",
                "properties": {"onTopic": {"type": "boolean"}},
                "required": ["onTopic"],
            },
            '{"onTopic":true}',
        ),
        (
            {
                "type": "object",
                "properties": {"off_topic": {"type": "boolean"}},
                "required": ["off_topic"],
            },
            '{"off_topic":false}',
        ),
        ({"enum": ["off_topic", "on_topic"]}, '"on_topic"'),
        (None, "on topic"),
    ],
)
def test_everything_counts_as_on_topic(schema: Any, answer: str) -> None:
    assert ask("classify", "who won the match?", schema=schema) == answer


SCHEMAS: list[dict[str, Any]] = [
    {"type": "string", "minLength": 3},
    {"type": "string", "format": "date-time"},
    {"type": "integer", "minimum": 3},
    {"type": "integer", "exclusiveMinimum": 3},
    {"type": "number", "maximum": -2},
    {"type": "array", "minItems": 2, "items": {"type": "boolean"}},
    {"anyOf": [{"type": "null"}, {"type": "string"}]},
    {"type": ["null", "integer"]},
    {"const": 7},
    {
        "type": "object",
        "properties": {
            "severity": {"enum": ["low", "high"]},
            "nested": {"$ref": "#/$defs/nested"},
            "optional": {"type": "string"},
        },
        "required": ["severity", "nested"],
        "$defs": {
            "nested": {
                "type": "object",
                "properties": {"a": {"type": "integer"}},
                "required": ["a"],
            }
        },
    },
]


@pytest.mark.parametrize("schema", SCHEMAS)
def test_builds_a_valid_value(schema: dict[str, Any]) -> None:
    assert find_faults(schema, build_value(schema)) == ()


def test_leaves_out_what_is_optional() -> None:
    assert build_value(SCHEMAS[-1]) == {"severity": "low", "nested": {"a": 0}}


def test_ends_in_a_schema_that_contains_itself() -> None:
    schema: dict[str, Any] = {
        "$defs": {
            "node": {
                "type": "object",
                "properties": {"next": {"$ref": "#/$defs/node"}},
                "required": ["next"],
            }
        },
        "$ref": "#/$defs/node",
    }
    assert isinstance(build_value(schema), dict)
