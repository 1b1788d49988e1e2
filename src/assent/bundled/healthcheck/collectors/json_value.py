"""A value in a JSON body."""

import json
import re
from typing import Annotated, Any, cast

from pydantic import AfterValidator, Field

from assent.bundled.healthcheck.capability import ProbeFailed
from assent.bundled.healthcheck.declaration import COLLECTOR, plugin
from assent.bundled.healthcheck.strategies.http import HttpResult
from assent.plugins.api import Value

STEP = re.compile(r"(?:^|\.)(?:\"((?:[^\"\\]|\\.)*)\"|([^.\[\]\"]+))|\[(\d{1,6})\]")
LONGEST = 2000


def parse_steps(path: str) -> list[str | int]:
    """`checks[0].status` as its steps; a key with a dot stands in quotes. Raise ValueError."""
    steps: list[str | int] = []
    position = 0
    while position < len(path):
        match = STEP.match(path, position)
        if match is None:
            raise ValueError("This is not a path such as checks[0].status.")
        quoted, plain, index = match.groups()
        steps.append(int(index) if index is not None else plain or json.loads(f'"{quoted}"'))
        position = match.end()
    return steps


def _check_path(path: str) -> str:
    parse_steps(path)
    return path


class JsonConfig(Value):
    path: Annotated[str, AfterValidator(_check_path)] = Field(
        max_length=300, description="Such as `checks[0].status`; empty: the whole body."
    )


class JsonResult(Value):
    found: bool
    value: Any = Field(description="A list or an object is there, but only its `size` is kept.")
    size: int | None = Field(description="How many items a list or fields an object has.")


def take_value(value: Any, config: JsonConfig) -> JsonResult:
    """What is at the path."""
    for step in parse_steps(config.path):
        if isinstance(value, dict) and step in value:
            value = cast(dict[str, Any], value)[str(step)]
        elif isinstance(value, list) and isinstance(step, int) and step < len(value):  # pyright: ignore[reportUnknownArgumentType]
            value = cast(list[Any], value)[step]
        else:
            return JsonResult(found=False, value=None, size=None)
    if isinstance(value, dict | list):
        return JsonResult(found=True, value=None, size=len(cast(list[Any], value)))
    kept = value[:LONGEST] if isinstance(value, str) else value
    return JsonResult(found=True, value=kept, size=None)


@plugin.contribute(COLLECTOR, "json")
class JsonCollector:
    """Take one value of a JSON body. A body that is not JSON means that the check is down."""

    strategy = "http"
    title = "Value in JSON"
    Config = JsonConfig
    Result = JsonResult

    def collect(self, observed: HttpResult, config: JsonConfig) -> JsonResult:
        try:
            value = json.loads(observed.body)
        except (ValueError, RecursionError):
            raise ProbeFailed("The body is not JSON.") from None
        return take_value(value, config)
