"""Arguments become what a tool takes, or issues that a model can repair."""

from datetime import datetime
from typing import Any, Literal
from uuid import UUID

import pytest
from pydantic import AliasChoices, AwareDatetime, BaseModel, Field, model_validator

from assent.errors import Invalid, Issue
from assent.tools.dates import HINT
from assent.tools.schema import find_issues, parse_input, parse_value, shape_of
from assent.tools.tool import Tool, ToolValidationError
from assent.value import Name, Value
from tests.unit.tools.samples import build_tool

SYSTEM = UUID(int=7)


class Window(Value):
    starts_at: datetime
    ends_at: AwareDatetime | None = None


class Loose(BaseModel):
    word: str = ""


class Once(Value):
    kind: Literal["once"]
    at: datetime


class Daily(Value):
    kind: Literal["daily"]
    at: str


class Maintenance(Value):
    title: Name
    system_ids: list[UUID] = []
    windows: list[Window] = []
    by_name: dict[str, datetime] = {}
    pair: tuple[int, datetime] | None = None
    repeat: Once | Daily | None = None
    loose: Loose = Loose()
    deadline: datetime | None = Field(None, validation_alias=AliasChoices("deadline", "due"))

    @model_validator(mode="after")
    def check_title(self) -> "Maintenance":
        if self.title == "forbidden":
            raise ValueError("Choose another title.")
        return self


def a_tool(model: type[Value]) -> Tool:
    return build_tool(
        **{name: getattr(shape_of(model), name) for name in ("input_schema", "model")}
    )


TOOL = a_tool(Maintenance)


def issues_of(arguments: Any, tool: Tool = TOOL) -> dict[str, str]:
    with pytest.raises(ToolValidationError) as caught:
        parse_input(tool, arguments)
    return {issue.path: issue.message for issue in caught.value.issues}


def test_arguments_become_the_authors_value() -> None:
    given = parse_input(
        TOOL,
        {
            "title": " Upgrade ",
            "systemIds": [str(SYSTEM)],
            "windows": [{"startsAt": "2026-07-01T22:00:00+02:00", "endsAt": None}],
            "repeat": {"kind": "daily", "at": "22:00"},
        },
    )
    assert isinstance(given, Maintenance)
    assert given.title == "Upgrade"
    assert given.system_ids == [SYSTEM]
    assert given.windows[0].starts_at.isoformat() == "2026-07-01T22:00:00+02:00"
    assert isinstance(given.repeat, Daily)


@pytest.mark.parametrize(
    ("arguments", "path"),
    [
        ({"windows": [{"startsAt": "2026-07-01"}]}, "windows.0.startsAt"),
        ({"windows": [{"startsAt": "2026-07-01T22:00:00"}]}, "windows.0.startsAt"),
        ({"windows": [{"startsAt": 1719871200}]}, "windows.0.startsAt"),
        ({"windows": [{"startsAt": "1719871200"}]}, "windows.0.startsAt"),
        (
            {"windows": [{"startsAt": "2026-07-01T22:00:00Z", "endsAt": "2026-07-01"}]},
            "windows.0.endsAt",
        ),
        ({"byName": {"first try": "2026-07-01"}}, 'byName."first try"'),
        ({"pair": [1, "2026-07-01"]}, "pair.1"),
        ({"repeat": {"kind": "once", "at": "2026-07-01"}}, "repeat.at"),
        ({"deadline": "2026-07-01"}, "deadline"),
    ],
)
def test_no_date_without_its_offset_reaches_a_tool(arguments: Any, path: str) -> None:
    found = issues_of({"title": "Upgrade", **arguments})
    assert list(found) == [path]
    assert found[path].endswith(HINT)


@pytest.mark.parametrize(
    "arguments",
    [
        {"windows": [{"starts_at": "2026-07-01"}]},
        {"due": "2026-07-01"},
    ],
)
def test_a_date_under_another_name_does_not_slip_through(arguments: Any) -> None:
    found = issues_of({"title": "Upgrade", **arguments})
    assert any("no such field" in message for message in found.values())


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        ({}, {"title": "This field is required."}),
        ({"title": ""}, {"title": "This needs at least 1 characters."}),
        ({"title": " "}, {"title": "String should have at least 1 character"}),
        ({"title": "forbidden"}, {"": "Choose another title."}),
        ({"title": "a", "windows": [{}]}, {"windows.0.startsAt": "This field is required."}),
    ],
)
def test_issues_name_the_field(arguments: Any, expected: dict[str, str]) -> None:
    assert issues_of(arguments) == expected


def test_what_a_value_would_take_besides_its_schema_is_refused() -> None:
    found = issues_of({"title": "a", "pair": ["1", "2026-07-01"]})
    assert found["pair.0"] == "This must be an integer, not a string."
    assert found["pair.1"].endswith(HINT)


def test_all_issues_come_at_once_and_each_place_only_once() -> None:
    found = issues_of(
        {"systemIds": ["no"], "colour": 1, "windows": [{"startsAt": "no"}], "loose": {"wrd": 1}}
    )
    assert set(found) == {"title", "systemIds.0", "colour", "windows.0.startsAt", "loose.wrd"}
    assert found["loose.wrd"] == "There is no such field. Known are: word."
    assert found["windows.0.startsAt"].endswith(HINT)


@pytest.mark.parametrize("repeat", [{"kind": "never", "at": "x"}, {"at": "x"}, 5])
def test_members_of_a_union_are_not_part_of_the_path(repeat: Any) -> None:
    found = issues_of({"title": "a", "repeat": repeat})
    assert found
    assert set(found) <= {"repeat", "repeat.kind", "repeat.at"}


@pytest.mark.parametrize("arguments", [None, [], "text", 5])
def test_arguments_are_an_object(arguments: Any) -> None:
    assert list(issues_of(arguments)) == [""]
    assert list(issues_of(arguments, build_tool())) == [""]


def test_a_tool_from_elsewhere_takes_the_json_itself() -> None:
    schema = {
        "type": "object",
        "properties": {"at": {"type": "string", "format": "date-time"}, "n": {"type": "integer"}},
        "required": ["n"],
    }
    tool = build_tool(input_schema=schema)
    arguments = {"n": 1, "at": "2026-07-01T22:00:00Z"}
    assert parse_input(tool, arguments) is arguments
    found = issues_of({"at": "2026-07-01", "m": 1}, tool)
    assert set(found) == {"n", "at", "m"}


def test_structured_output_is_held_to_the_same() -> None:
    schema = Window.model_json_schema(by_alias=True)
    (issue,) = find_issues(schema, {"startsAt": "2026-07-01T22:00:00"})
    assert issue == Issue("startsAt", f"The offset from UTC is missing. {HINT}")
    assert find_issues(schema, {"startsAt": "2026-07-01T22:00:00Z"}) == ()


def test_feedback_for_the_model() -> None:
    with pytest.raises(ToolValidationError) as caught:
        parse_input(TOOL, {})
    assert caught.value.feedback("maintenance.create") == {
        "kind": "validation",
        "tool": "maintenance.create",
        "issues": [{"path": "title", "message": "This field is required."}],
    }


class Count(Value):
    count: int
    counts: list[int] = []


@pytest.mark.parametrize("number", [2**53 - 1, -(2**53) + 1, 0])
def test_numbers_that_a_card_shows_exactly(number: int) -> None:
    assert parse_input(a_tool(Count), {"count": number}).count == number


@pytest.mark.parametrize("number", [2**53, -(2**53), 10**30])
def test_numbers_that_a_browser_would_round(number: int) -> None:
    found = issues_of({"count": number, "counts": [1, number]}, a_tool(Count))
    assert set(found) == {"count", "counts.1"}


class Shelf(Value):
    name: Name
    rows: int = Field(ge=1)


def test_a_value_is_held_to_its_schema_first() -> None:
    assert parse_value(Shelf, {"name": "a", "rows": 2}) == Shelf(name="a", rows=2)
    with pytest.raises(Invalid) as by_schema:
        parse_value(Shelf, {"name": " ", "rows": 0, "colour": "red"})
    assert [(one.path, one.message) for one in by_schema.value.issues] == [
        ("rows", "This must be at least 1."),
        ("colour", "There is no such field. Known are: name, rows."),
    ]
    with pytest.raises(Invalid) as by_value:
        parse_value(Shelf, {"name": " ", "rows": 1})
    assert [one.path for one in by_value.value.issues] == ["name"]
