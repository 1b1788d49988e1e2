"""Reading a request's JSON body, after it is known who asks; every complaint names its field."""

import json
from typing import Any, TypeVar, cast

from pydantic import TypeAdapter, ValidationError
from starlette.requests import Request

from assent.errors import Invalid, Issue, WrongMediaType
from assent.tools.json_text import NotJson, TooDeep, parse_json
from assent.value import Value

V = TypeVar("V", bound=Value)


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
        return parse_json(body)
    except (NotJson, TooDeep) as error:
        raise Invalid.at("body", type(error).__doc__ or "") from None


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
