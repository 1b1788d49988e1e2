"""Values against schemas: what is wrong, where, and that it never takes forever."""

from typing import Any

import jsonschema_rs
import pytest
from hypothesis import given
from hypothesis import strategies as st

from assent.tools.json_schema import DEPTH, TOO_DEEP, find_faults, find_schema_fault
from assent.tools.json_value import encode_path

MOMENT = {"type": "string", "format": "date-time"}
GOOD, BAD = "2026-07-01T22:00:00Z", "2026-07-01T22:00:00"


def places(schema: dict[str, Any], value: Any) -> list[str]:
    return [encode_path(finding.path) for finding in find_faults(schema, value)]


def messages(schema: dict[str, Any], value: Any) -> list[str]:
    return [finding.message for finding in find_faults(schema, value)]


def an_object(**properties: Any) -> dict[str, Any]:
    return {"type": "object", "properties": properties}


@pytest.mark.parametrize(
    ("schema", "value", "expected"),
    [
        ({"type": "string"}, 5, "This must be a string, not an integer."),
        ({"type": "integer"}, True, "This must be an integer, not a boolean."),
        ({"type": "integer"}, 1.5, "This must be an integer, not a number."),
        ({"type": "number"}, float("nan"), "This must be a number, not something else than JSON."),
        ({"type": ["object", "null"]}, [], "This must be an object or null, not an array."),
        ({"enum": ["a", 1]}, True, 'This must be one of "a", 1.'),
        ({"const": 0}, False, "This must be 0."),
        ({"minimum": 3}, 2, "This must be at least 3."),
        ({"maximum": 3}, 3.5, "This must be at most 3."),
        ({"exclusiveMinimum": 3}, 3, "This must be more than 3."),
        ({"exclusiveMaximum": 3}, 3, "This must be less than 3."),
        ({"minLength": 1}, "", "This needs at least 1 characters."),
        ({"maxLength": 1}, "ab", "This may have at most 1 characters."),
        ({"minItems": 1}, [], "This needs at least 1 items."),
        ({"maxItems": 1}, [1, 2], "This may have at most 1 items."),
        ({"minProperties": 1}, {}, "This needs at least 1 fields."),
        ({"maxProperties": 0}, {"a": 1}, "This may have at most 0 fields."),
        ({"items": False}, [1], "Nothing is allowed here."),
        ({"$ref": "https://elsewhere.example/s"}, 1, "which is not in it"),
        ({"$ref": "#/$defs/none"}, 1, "which is not in it"),
        ({"$ref": "#name"}, 1, "which is not in it"),
        ({"$ref": 5}, 1, "which is not in it"),
    ],
)
def test_what_is_wrong(schema: dict[str, Any], value: Any, expected: str) -> None:
    (message,) = messages(schema, value)
    assert expected in message


@pytest.mark.parametrize(
    ("schema", "value"),
    [
        ({"type": "integer"}, 1.0),
        ({"type": "number"}, 1),
        ({"type": "string", "nullable": True}, None),
        ({"type": ["string", "null"]}, None),
        ({"minimum": 3, "maximum": 3}, 3),
        ({"exclusiveMinimum": 3}, 3.5),
        ({"exclusiveMaximum": 3}, 2),
        ({"minLength": 2, "maxLength": 2}, "ab"),
        ({"minItems": 1, "maxItems": 1}, [1]),
        ({"minProperties": 1, "maxProperties": 1}, {"a": 1}),
        ({"minimum": 3, "maxLength": 1}, [1, 2]),
        ({"exclusiveMinimum": True, "minimum": 3}, 3),
        ({"pattern": "^a"}, "b"),
        ({"const": 1}, 1.0),
        ({"items": {"type": "integer"}}, "text"),
        ({"$ref": "#"}, 1),
        ({"anyOf": []}, 1),
        ({"patternProperties": {}}, {"a": 1}),
        (True, 1),
    ],
)
def test_what_is_not(schema: Any, value: Any) -> None:
    assert messages(schema, value) == []


@pytest.mark.parametrize(
    ("schema", "value", "expected"),
    [
        ({**an_object(a={}), "required": ["a", "b"]}, {"a": 1}, ["b"]),
        (an_object(a=an_object(b={"type": "string"})), {"a": {"b": 1}}, ["a.b"]),
        ({"items": {"type": "integer"}}, [1, "2", 3, "4"], ["1", "3"]),
        (
            {"prefixItems": [{"type": "string"}], "items": {"type": "integer"}},
            [1, 1, ""],
            ["0", "2"],
        ),
        ({"items": [{"type": "string"}], "additionalItems": False}, ["", 1], ["1"]),
        ({"additionalProperties": {"type": "integer"}}, {"a": 1, "b": ""}, ["b"]),
        ({"patternProperties": {"^x": {"type": "integer"}}}, {"x1": ""}, ["x1"]),
        ({"allOf": [{"required": ["a"]}, {"required": ["b"]}]}, {}, ["a", "b"]),
        ({"if": {"required": ["a"]}, "then": {"required": ["b"]}}, {"a": 1}, ["b"]),
        ({"if": {"required": ["a"]}, "else": {"required": ["b"]}}, {}, ["b"]),
        ({"$defs": {"a/b~": {"type": "null"}}, "items": {"$ref": "#/$defs/a~1b~0"}}, [0], ["0"]),
        ({"allOf": [{"type": "null"}], "items": {"$ref": "#/allOf/0"}}, [0], ["", "0"]),
    ],
)
def test_where_it_is(schema: dict[str, Any], value: Any, expected: list[str]) -> None:
    assert sorted(places(schema, value)) == sorted(expected)


OPEN_OBJECT = {"type": "object"}
BASE = {"base": {"type": "object", "properties": {"a": {}}}}


@pytest.mark.parametrize(
    ("schema", "expected"),
    [
        (an_object(a={}), ["other"]),
        (an_object(), ["a", "other"]),
        ({**an_object(a={}), "additionalProperties": False}, ["other"]),
        ({**an_object(a={}), "additionalProperties": True}, []),
        ({**an_object(a={}), "additionalProperties": {"type": "integer"}}, []),
        ({**an_object(a={}), "unevaluatedProperties": False}, ["other"]),
        ({**an_object(a={}), "unevaluatedProperties": True}, []),
        ({**an_object(a={}), "patternProperties": {"o": True}}, []),
        (OPEN_OBJECT, []),
        ({}, []),
        ({"$defs": BASE, "$ref": "#/$defs/base"}, ["other"]),
        ({"$defs": BASE, "allOf": [{"$ref": "#/$defs/base"}, an_object(other={})]}, []),
        ({"anyOf": [an_object(a={}), an_object(other={})]}, []),
        ({"anyOf": [an_object(a={}), {"type": "null"}]}, ["other"]),
        ({"anyOf": [an_object(a={}), OPEN_OBJECT]}, []),
        ({**an_object(a={}), "anyOf": [{"required": ["a"]}, {"required": ["b"]}]}, ["other"]),
        ({**an_object(a={}), "if": {}, "then": an_object(other={})}, []),
    ],
)
def test_unknown_fields(schema: dict[str, Any], expected: list[str]) -> None:
    assert places(schema, {"a": 1, "other": 2}) == expected
    inside = {"$defs": BASE, "items": schema}
    assert places(inside, [{"a": 1, "other": 2}]) == [f"0.{one}" for one in expected]


def test_an_unknown_field_is_told_with_the_known_ones() -> None:
    (message,) = messages(an_object(name={}, color={}), {"colour": 1})
    assert message == "There is no such field. Known are: color, name."


DATES: list[tuple[dict[str, Any], Any, str]] = [
    ({"$defs": {"at": MOMENT}, **an_object(a={"$ref": "#/$defs/at"})}, {"a": BAD}, "a"),
    (an_object(a={"anyOf": [MOMENT, {"type": "null"}]}), {"a": BAD}, "a"),
    (an_object(a={"anyOf": [{"type": "null"}, MOMENT]}), {"a": BAD}, "a"),
    (an_object(a={"oneOf": [MOMENT, {"type": "integer"}]}), {"a": BAD}, "a"),
    (an_object(a={"allOf": [{"type": "string"}, MOMENT]}), {"a": BAD}, "a"),
    (an_object(a={"type": "array", "items": MOMENT}), {"a": [GOOD, BAD]}, "a.1"),
    (an_object(a={"prefixItems": [{}, MOMENT]}), {"a": [BAD, BAD]}, "a.1"),
    (an_object(a={"additionalProperties": MOMENT}), {"a": {"x.y": BAD}}, 'a."x.y"'),
    (an_object(a={"patternProperties": {"^x": MOMENT}}), {"a": {"x": BAD}}, "a.x"),
    (an_object(a={**MOMENT, "nullable": True}), {"a": BAD}, "a"),
    (an_object(a={"type": ["string", "null"], "format": "date-time"}), {"a": BAD}, "a"),
    (an_object(a={"format": "date-time"}), {"a": BAD}, "a"),
    (an_object(a=MOMENT), {"a": 1719871200}, "a"),
    (an_object(a={"anyOf": [MOMENT, {"type": "null"}]}), {"a": 1719871200}, "a"),
    ({"if": {"required": ["a"]}, "then": an_object(a=MOMENT)}, {"a": BAD}, "a"),
    (
        {
            "anyOf": [
                {**an_object(kind={"const": "once"}, at=MOMENT), "required": ["kind", "at"]},
                {**an_object(kind={"const": "daily"}, at={"type": "string"}), "required": ["kind"]},
            ]
        },
        {"kind": "once", "at": BAD},
        "at",
    ),
]


@pytest.mark.parametrize(("schema", "value", "expected"), DATES)
def test_dates_are_found_wherever_they_are(
    schema: dict[str, Any], value: Any, expected: str
) -> None:
    (finding,) = find_faults(schema, value)
    assert encode_path(finding.path) == expected
    assert finding.kind == "date"
    assert "2026-07-01T22:00:00+02:00" in finding.message


@pytest.mark.parametrize(
    ("schema", "value"),
    [
        (an_object(a={"anyOf": [MOMENT, {"type": "null"}]}), {"a": None}),
        (an_object(a={"anyOf": [MOMENT, {"type": "integer"}]}), {"a": 5}),
        (
            an_object(a={"anyOf": [MOMENT, {"type": "string", "format": "date"}]}),
            {"a": "2026-07-01"},
        ),
        (an_object(a={"anyOf": [MOMENT, {"const": "now"}]}), {"a": "now"}),
        (an_object(a={**MOMENT, "nullable": True}), {"a": None}),
        (an_object(a={"format": "date-time"}), {"a": 5}),
        (an_object(a={"type": "string", "format": "date"}), {"a": "2026-07-01"}),
        (DATES[-1][0], {"kind": "daily", "at": "22:00"}),
    ],
)
def test_what_is_no_date_is_left_alone(schema: dict[str, Any], value: Any) -> None:
    assert find_faults(schema, value) == ()


scalars = st.sampled_from([None, True, 0, 1, 2.5, "", "a", "ab"])
small_values: st.SearchStrategy[Any] = st.recursive(
    scalars,
    lambda inside: (
        st.lists(inside, max_size=3) | st.dictionaries(st.sampled_from("ab"), inside, max_size=2)
    ),
    max_leaves=6,
)
kinds = st.sampled_from(["null", "boolean", "integer", "number", "string", "array", "object"])
leaves: st.SearchStrategy[Any] = st.one_of(
    st.booleans(),
    st.just({}),
    kinds.map(lambda kind: {"type": kind}),
    st.lists(kinds, min_size=1, max_size=2, unique=True).map(lambda some: {"type": some}),
    st.builds(
        lambda word, n: {word: n}, st.sampled_from(["minimum", "exclusiveMaximum"]), st.just(1)
    ),
    st.sampled_from(["minLength", "maxLength", "minItems", "maxItems", "minProperties"]).map(
        lambda word: {word: 1}
    ),
    scalars.map(lambda value: {"const": value}),
    st.lists(scalars, min_size=1, max_size=2).map(lambda some: {"enum": some}),
    st.just({"required": ["a"]}),
    st.just({"$ref": "#/$defs/one"}),
)
schemas: st.SearchStrategy[Any] = st.recursive(
    leaves,
    lambda inside: st.one_of(
        st.dictionaries(st.sampled_from("ab"), inside, max_size=2).flatmap(
            lambda some: st.one_of(st.booleans(), inside).map(
                lambda rest: {"properties": some, "additionalProperties": rest}
            )
        ),
        inside.map(lambda one: {"items": one}),
        st.lists(inside, min_size=1, max_size=2).map(lambda some: {"prefixItems": some}),
        st.lists(inside, min_size=1, max_size=2).map(lambda some: {"allOf": some}),
        st.lists(inside, min_size=1, max_size=3).map(lambda some: {"anyOf": some}),
        st.builds(lambda a, b, c: {"if": a, "then": b, "else": c}, inside, inside, inside),
    ),
    max_leaves=6,
)


@given(schemas, leaves.filter(lambda one: one != {"$ref": "#/$defs/one"}), small_values)
def test_agrees_with_the_standard(schema: Any, one: Any, value: Any) -> None:
    whole = {"$defs": {"one": one}, "allOf": [schema]}
    expected = jsonschema_rs.Draft202012Validator(whole).is_valid(value)
    assert (find_faults(whole, value) == ()) == expected
    assert find_schema_fault(whole) is None


def nest(depth: int, inside: Any) -> Any:
    for _ in range(depth):
        inside = [inside]
    return inside


def test_a_date_cannot_hide_in_the_depth() -> None:
    schema = {"anyOf": [MOMENT, {"type": "array", "items": {"$ref": "#"}}]}
    assert find_faults(schema, nest(10, GOOD)) == ()
    assert [finding.kind for finding in find_faults(schema, nest(10, BAD))] == ["date"]
    (finding,) = find_faults(schema, nest(400, BAD))
    assert finding.message == TOO_DEEP
    assert len(finding.path) < DEPTH


def test_a_schema_that_refers_to_itself_ends() -> None:
    assert find_faults({"$ref": "#"}, 1) == ()
    assert find_faults({"allOf": [{"$ref": "#"}], "type": "string"}, 1) != ()
    assert find_faults({"properties": {"a": {"$ref": "#"}}}, {"a": {"a": {"b": 1}}}) != ()


def test_a_schema_that_branches_at_every_level_is_looked_at_once() -> None:
    schema = {
        "anyOf": [
            {"type": "array", "items": {"$ref": "#"}, "minItems": 2},
            {"type": "array", "items": {"$ref": "#"}, "maxItems": 1},
            {"type": "array", "prefixItems": [{"$ref": "#"}]},
        ]
    }
    assert find_faults(schema, nest(20, 1)) != ()


@pytest.mark.parametrize(
    "schema",
    [
        {"properties": []},
        {"properties": {"a": 5}},
        {"properties": {"a": {"required": True}}},
        {"required": "a"},
        {"required": [1]},
        {"type": {"a": 1}},
        {"type": "nonsense"},
        {"type": []},
        {"properties": {"a": {"type": ["string", "text"]}}},
        {"enum": "ab"},
        {"items": [{"anyOf": {}}]},
        {"items": "string"},
        {"allOf": [{"$defs": 1}]},
        {"additionalProperties": {"oneOf": 1}},
        {"if": {"prefixItems": {}}},
        "string",
    ],
)
def test_schemas_that_are_written_wrongly(schema: Any) -> None:
    assert find_schema_fault(schema) is not None
