"""Reading a request's JSON body, after it is known who asks; every complaint names its field."""

import json
import math
from typing import Any, TypeVar, cast

from pydantic import TypeAdapter, ValidationError
from starlette.requests import Request

from assent.errors import Invalid, Issue, WrongMediaType
from assent.tools.json_value import is_deeper
from assent.value import Value, strip_unstorable

V = TypeVar("V", bound=Value)
LARGEST_EXACT = 2**53
DEEPEST = 100
"""Levels of JSON: well under what any parser on the way can take."""


async def read_body(request: Request) -> dict[str, Any]:
    """The JSON object in the body; nothing at all is an empty one."""
    parsed = await read_json(request)
    if not isinstance(parsed, dict):
        raise Invalid.at("body", "Send a JSON object.")
    return cast(dict[str, Any], parsed)


async def read_value(request: Request, model: type[V]) -> V:
    try:
        return model.model_validate_json(
            json.dumps(await read_body(request)), strict=True, by_alias=True, by_name=False
        )
    except ValidationError as error:
        raise explain(error) from None


async def read_values(request: Request, adapter: TypeAdapter[list[V]]) -> list[V]:
    """A JSON array of values."""
    try:
        return adapter.validate_json(
            json.dumps(await read_json(request)), strict=True, by_alias=True, by_name=False
        )
    except ValidationError as error:
        raise explain(error) from None


async def read_json(request: Request) -> Any:
    body = await request.body()
    if not body:
        return {}
    if request.headers.get("content-type", "").split(";")[0].strip().lower() != "application/json":
        raise WrongMediaType
    try:
        parsed: Any = json.loads(body, parse_float=_parse_float, parse_constant=_refuse)
    except (ValueError, RecursionError):
        raise Invalid.at("body", "This is not JSON.") from None
    if is_deeper(parsed, DEEPEST):
        raise Invalid.at("body", "This is nested too deeply.")
    return strip_unstorable(parsed)


def explain(error: ValidationError) -> Invalid:
    return Invalid(
        [
            Issue(
                ".".join(str(part) for part in problem["loc"]) or "body",
                problem["msg"].removeprefix("Value error, "),
            )
            for problem in error.errors(include_url=False, include_input=False)
        ]
    )


def _refuse(constant: str) -> float:
    """Python reads NaN and Infinity; JSON knows neither."""
    raise ValueError(constant)


def _parse_float(text: str) -> float | int:
    """In JSON 2.0 is an integer too."""
    number = float(text)
    if math.isinf(number):
        raise ValueError(text)
    return int(number) if number.is_integer() and abs(number) < LARGEST_EXACT else number
