"""Reads the arguments that a model wrote for a tool: JSON, or what can only have meant one. Pure.

Not a guess: where the text could mean two things, or its end is missing because the answer was cut,
the model is asked again (SPEC R8).
"""

import json
import math
import re
from typing import Any, NoReturn

from assent.runs.events import drop_forbidden
from assent.tools.json_value import is_deeper
from assent.value import strip_unstorable

DEEPEST = 100
"""Levels of JSON: well under what any parser on the way can take."""

TIMES_ENCODED = 3

_FENCE = re.compile(r"```[A-Za-z]*\s*")
_TOKEN = re.compile(
    r"""(?P<space>\s+)
    | (?P<string>"(?:[^"\\]|\\.)*")
    | (?P<single>'(?:[^'\\]|\\.)*')
    | (?P<open>"(?:[^"\\]|\\.)*\Z)
    | (?P<mark>[{}\[\],:])
    | (?P<word>[^\s{}\[\],:"']+)
    """,
    re.VERBOSE | re.DOTALL,
)
_IN_SINGLE = re.compile(r"""\\'|\\.|\"""", re.DOTALL)
_WORDS = {"NaN": "null", "None": "null", "True": "true", "False": "false"}
_CLOSING = {"{": "}", "[": "]"}


def parse_arguments(text: str, *, is_cut: bool = False) -> dict[str, Any] | None:
    """The arguments as an object, or `None` if they are not one beyond doubt.

    Of an answer that `is_cut`, only what is whole is read: the rest may have said anything.
    """
    value = _read(text, is_cut=is_cut, times=TIMES_ENCODED)
    if not isinstance(value, dict) or is_deeper(value, DEEPEST):
        return None
    stripped = strip_unstorable(value)
    return stripped if drop_forbidden(stripped) == stripped else None


def _read(text: str, *, is_cut: bool, times: int) -> Any:
    text = text.strip()
    if fence := _FENCE.match(text):
        text = text[fence.end() :].removesuffix("```").rstrip()
    if not text:
        return None if is_cut else {}
    value = _find_json(text)
    if value is _NOTHING:
        value = _find_json(_mend(text, is_cut=is_cut))
    if isinstance(value, str) and times > 1:
        return _read(value, is_cut=is_cut, times=times - 1)
    return {} if value is None else value


_NOTHING = object()
"""Not JSON. `None` is JSON's `null`."""


def _find_json(text: str) -> Any:
    try:
        return json.loads(text, strict=False, parse_float=_parse_float, parse_constant=_refuse)
    except (ValueError, RecursionError):
        return _NOTHING


def _mend(text: str, *, is_cut: bool) -> str:
    """The same text in JSON's own spelling, its brackets closed; still to be parsed."""
    mended: list[str] = []
    missing: list[str] = []
    position = 0
    while match := _TOKEN.match(text, position):
        position = match.end()
        kind, token = str(match.lastgroup), match[0]
        if kind == "space":
            continue
        if token in "}]":
            _drop_comma(mended)
            if missing and missing[-1] == token:
                missing.pop()
        elif token in "{[":
            missing.append(_CLOSING[token])
        mended.append(_spell(kind, token))
    if position < len(text) or (missing and is_cut):
        return ""
    return "".join([*mended, *reversed(missing)])


def _spell(kind: str, token: str) -> str:
    if kind == "single":
        return '"' + _IN_SINGLE.sub(_escape, token[1:-1]) + '"'
    if kind == "open":
        return _close(token)
    return _WORDS.get(token, token) if kind == "word" else token


def _close(token: str) -> str:
    """A string whose end is missing. If it ends like JSON, its quote is missing further inside."""
    return token if token.rstrip().endswith(("}", "]", ",", ":")) else token + '"'


def _escape(match: re.Match[str]) -> str:
    return {r"\'": "'", '"': r"\""}.get(match[0], match[0])


def _drop_comma(mended: list[str]) -> None:
    if len(mended) > 1 and mended[-1] == "," and mended[-2] not in "{[,:":
        mended.pop()


def _parse_float(text: str) -> float:
    number = float(text)
    if not math.isfinite(number):
        raise ValueError
    return number


def _refuse(constant: str) -> NoReturn:
    raise ValueError(constant)
