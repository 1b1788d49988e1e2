"""Reading a call's arguments: the shape, no unknown field, and every date with its offset. Pure.

A tool written here is read by its pydantic model, a tool from elsewhere by its JSON Schema; both
get the same answer to unknown fields and to dates (SPEC T7), and the model's structured output is
held to the same `find_issues`.
"""

from collections.abc import Iterable, Sequence
from typing import Any, cast

from pydantic import ValidationError

from assent.errors import Issue
from assent.tools.json_schema import Finding, find_faults
from assent.tools.json_value import Path, Step, encode_path
from assent.tools.tool import Schema, Shape, Tool, ToolValidationError
from assent.value import Value


def shape_of(
    model: type[Value], *, destinations: Sequence[str] = (), output_schema: Schema | None = None
) -> Shape:
    """The shape of a tool whose author takes this value."""
    return Shape(
        input_schema=model.model_json_schema(by_alias=True),
        model=model,
        output_schema=output_schema,
        destinations=tuple(destinations),
    )


def find_issues(schema: Schema, value: Any) -> tuple[Issue, ...]:
    """All that is wrong with a value by its schema, dates and unknown fields included."""
    return _to_issues(find_faults(schema, value))


def parse_input(tool: Tool, arguments: Any) -> Any:
    """What the tool's functions take; raise with all issues, each naming its field."""
    found = find_faults(tool.shape.input_schema, arguments)
    model = tool.shape.model
    if model is None:
        if found:
            raise ToolValidationError(_to_issues(found))
        return arguments
    # The model decides about the shape: it takes some values that its schema does not describe.
    ours = [finding for finding in found if finding.kind != "shape"]
    try:
        # By alias only: under its Python name a date would slip past the schema.
        given = model.model_validate(arguments, by_alias=True, by_name=False)
    except ValidationError as error:
        raise ToolValidationError(_to_issues([*ours, *_read_error(error, arguments)])) from None
    if ours:
        raise ToolValidationError(_to_issues(ours))
    return given


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
