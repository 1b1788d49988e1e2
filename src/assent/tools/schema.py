"""Reading a call's arguments: the shape, no unknown field, and every date with its offset. Pure.

The schema that the model was shown is what holds, for every tool and on the JSON itself; only then
does a tool's own value read it, so that nothing it would take besides gets past (SPEC T7). The
model's structured output is held to the same `find_issues`.
"""

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, TypeVar, cast

from pydantic import ValidationError

from assent.errors import Invalid, Issue
from assent.tools.json_schema import Finding, find_faults
from assent.tools.json_value import Path, Step, encode_path
from assent.tools.secret_field import find_secret_fields, leave_out
from assent.tools.tool import Schema, Shape, Tool, ToolValidationError
from assent.value import Value

V = TypeVar("V", bound=Value)
LARGEST_EXACT = 2**53 - 1


def shape_of(
    model: type[Value], *, destinations: Sequence[str] = (), output_schema: Schema | None = None
) -> Shape:
    """The shape of a tool whose author takes this value."""
    schema = model.model_json_schema(by_alias=True)
    secrets = find_secret_fields(schema)
    return Shape(
        input_schema=leave_out(schema, secrets) if secrets else schema,
        model=model,
        output_schema=output_schema,
        destinations=tuple(destinations),
        secrets=secrets,
    )


def find_issues(schema: Schema, value: Any) -> tuple[Issue, ...]:
    """All that is wrong with a value by its schema, dates and unknown fields included."""
    return _to_issues(find_faults(schema, value))


def parse_input(tool: Tool, arguments: Any) -> Any:
    """What the tool's functions take; raise with all issues, each naming its field."""
    found = [*find_faults(tool.shape.input_schema, arguments), *_find_inexact(arguments)]
    given = arguments
    if tool.shape.model is not None:
        try:
            # By alias only: the schema does not know the Python names.
            given = tool.shape.model.model_validate(arguments, by_alias=True, by_name=False)
        except ValidationError as error:
            found += _read_error(error, arguments)
    if found:
        raise ToolValidationError(_to_issues(found))
    return given


def parse_value(model: type[V], given: Any) -> V:
    """A value from JSON; raise with all that is wrong by its schema, else with all that it finds.

    Who is shown the schema and held to it first is told the same as who comes here directly.
    """
    issues = find_issues(model.model_json_schema(by_alias=True), given)
    if issues:
        raise Invalid(issues)
    try:
        return model.model_validate(given, by_alias=True, by_name=False)
    except ValidationError as error:
        raise Invalid(_to_issues(_read_error(error, given))) from None


def _find_inexact(value: Any, path: Path = ()) -> Iterator[Finding]:
    """Numbers that a browser would round: a card must show exactly what is applied."""
    if isinstance(value, dict):
        for key, one in cast(dict[str, Any], value).items():
            yield from _find_inexact(one, (*path, key))
    elif isinstance(value, list):
        for index, one in enumerate(cast(list[Any], value)):
            yield from _find_inexact(one, (*path, index))
    elif isinstance(value, int) and abs(value) > LARGEST_EXACT:
        yield Finding(path, "This number is too large to be shown exactly.")


def _to_issues(findings: Iterable[Finding]) -> tuple[Issue, ...]:
    """One issue for a place: the first one found there."""
    issues: dict[str, Issue] = {}
    for finding in findings:
        path = encode_path(finding.path)
        issues.setdefault(path, Issue(path, finding.message))
    return tuple(issues.values())


def _read_error(error: ValidationError, arguments: Any) -> list[Finding]:
    return [
        Finding(
            _locate(problem["loc"], arguments, missing=problem["type"] == "missing"),
            problem["msg"].removeprefix("Value error, "),
        )
        for problem in error.errors(include_url=False, include_context=False, include_input=False)
    ]


def _locate(steps: Sequence[Step], value: Any, *, missing: bool) -> Path:
    """The path in the arguments: pydantic also names the members of unions on its way."""
    path: list[Step] = []
    for number, step in enumerate(steps, 1):
        if isinstance(value, dict) and step in value:
            value = cast(dict[Step, Any], value)[step]
        elif isinstance(value, list) and isinstance(step, int):
            value = cast(list[Any], value)[step]
        elif not (missing and number == len(steps)):
            continue
        path.append(step)
    return tuple(path)
