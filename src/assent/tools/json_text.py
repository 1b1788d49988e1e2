"""Reading JSON that somebody sent: nothing that Postgres could not hold, nothing too deep. Pure."""

import json
import math
from typing import Any

from assent.tools.json_value import is_deeper
from assent.value import is_storable, strip_unstorable

LARGEST_EXACT = 2**53
DEEPEST = 100
"""Levels of JSON: well under what any parser on the way can take."""


class NotJson(ValueError):
    """This is not JSON."""


class TooDeep(ValueError):
    """This is nested too deeply."""


def parse_json(body: bytes) -> Any:
    """The value without NUL and lone surrogates; raise `NotJson` or `TooDeep`."""
    try:
        text = body.decode(json.detect_encoding(body), "surrogatepass")
        parsed: Any = _DECODER.decode(text)
    except (ValueError, RecursionError):
        raise NotJson from None
    if is_deeper(parsed, DEEPEST):
        raise TooDeep
    return parsed if _is_clean(text) else strip_unstorable(parsed)


def _is_clean(text: str) -> bool:
    return is_storable(text) and "\\ud" not in text and "\\uD" not in text


def _refuse(constant: str) -> float:
    """Python reads NaN and Infinity; JSON knows neither."""
    raise ValueError(constant)


def _parse_float(text: str) -> float | int:
    """In JSON 2.0 is an integer too."""
    number = float(text)
    if math.isinf(number):
        raise ValueError(text)
    return int(number) if number.is_integer() and abs(number) < LARGEST_EXACT else number


_DECODER = json.JSONDecoder(parse_float=_parse_float, parse_constant=_refuse)
