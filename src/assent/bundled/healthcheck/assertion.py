"""What an operator means: which fields it fits, what it takes, and whether it holds. Pure.

Patterns are matched in linear time, whoever wrote them.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, TypeAlias, cast

import re2

from assent.bundled.healthcheck.capability import ResultField
from assent.bundled.healthcheck.values import Assertion

Holds: TypeAlias = Callable[[Any, Any], bool]

_re2: Any = re2
PatternError = cast(type[Exception], _re2.error)

NUMBERS = frozenset({"integer", "number"})
TEXTS = frozenset({"string"})
LONGEST_PATTERN = 500
LONGEST_SHOWN = 120
KINDS: Mapping[type, str] = {
    type(None): "null",
    bool: "boolean",
    int: "integer",
    float: "number",
    str: "string",
    list: "array",
    tuple: "array",
}


@dataclass(frozen=True, slots=True)
class Operator:
    """`fits`: types of fields. `takes`: types of what they are compared with; maybe none."""

    words: str
    fits: frozenset[str]
    takes: frozenset[str]
    holds: Holds


def _same(seen: Any, wanted: Any) -> bool:
    return isinstance(seen, bool) == isinstance(wanted, bool) and seen == wanted


def _differs(seen: Any, wanted: Any) -> bool:
    return not _same(seen, wanted)


def _contains(seen: Any, wanted: Any) -> bool:
    return wanted in seen


def _matches(seen: Any, wanted: Any) -> bool:
    return compile_pattern(wanted).search(seen) is not None


def compile_pattern(pattern: str) -> Any:
    options = _re2.Options()
    options.log_errors = False
    return _re2.compile(pattern, options)


SCALARS = NUMBERS | TEXTS | {"boolean"}
ANY = SCALARS | {"array", "object"}
OPERATORS: Mapping[str, Operator] = {
    "equals": Operator("equals", SCALARS, SCALARS, _same),
    "notEquals": Operator("does not equal", SCALARS, SCALARS, _differs),
    "lessThan": Operator("is less than", NUMBERS, NUMBERS, lambda seen, wanted: seen < wanted),
    "atMost": Operator("is at most", NUMBERS, NUMBERS, lambda seen, wanted: seen <= wanted),
    "greaterThan": Operator("is more than", NUMBERS, NUMBERS, lambda seen, wanted: seen > wanted),
    "atLeast": Operator("is at least", NUMBERS, NUMBERS, lambda seen, wanted: seen >= wanted),
    "contains": Operator("contains", TEXTS | {"array"}, SCALARS, _contains),
    "notContains": Operator(
        "does not contain", TEXTS | {"array"}, SCALARS, lambda seen, wanted: wanted not in seen
    ),
    "startsWith": Operator(
        "starts with", TEXTS, TEXTS, lambda seen, wanted: seen.startswith(wanted)
    ),
    "endsWith": Operator("ends with", TEXTS, TEXTS, lambda seen, wanted: seen.endswith(wanted)),
    "matches": Operator("matches", TEXTS, TEXTS, _matches),
    "exists": Operator("is there", ANY, frozenset(), lambda seen, _: seen is not None),
    "absent": Operator("is not there", ANY, frozenset(), lambda seen, _: seen is None),
}


def list_operators(field: ResultField) -> tuple[str, ...]:
    """Those that fit the field's type."""
    return tuple(
        name
        for name, operator in OPERATORS.items()
        if (field.type == "any" or field.type in operator.fits)
        and (operator.takes or field.nullable)
    )


def find_value_fault(field: ResultField, operator: Operator, value: Any) -> str | None:
    """What is wrong with the value that a field of this type would be compared with."""
    if not operator.takes:
        return None if value is None else "This operator takes no value."
    kind = kind_of(value)
    if kind not in operator.takes:
        return f"This must be {_either(operator.takes)}, not {_name(kind)}."
    if field.type in SCALARS and not _comparable(field.type, kind):
        return f"{field.name} is {_name(field.type)}; this must be too, not {_name(kind)}."
    return find_pattern_fault(value) if operator.holds is _matches else None


def find_failure(assertion: Assertion, seen: Any) -> str | None:
    """Why the assertion does not hold for what was seen, in a sentence, or nothing if it does."""
    operator = OPERATORS[assertion.operator]
    if operator.takes and not _fits(operator, seen, assertion.value):
        if seen is None:
            return f"{assertion.field} is not there."
        return f"{assertion.field} is {_show(seen)}, which is {_name(kind_of(seen))}."
    if operator.holds(seen, assertion.value):
        return None
    wanted = f" {_show(assertion.value)}" if operator.takes else ""
    return f"{assertion.field} is {_show(seen)}; expected: {operator.words}{wanted}."


def kind_of(value: Any) -> str:
    """As JSON Schema has it."""
    return KINDS.get(type(cast(object, value)), "object")


def _fits(operator: Operator, seen: Any, wanted: Any) -> bool:
    """Whether the two can be compared at all: fields of any type are known only now."""
    kind = kind_of(seen)
    if kind not in operator.fits:
        return False
    if kind == "array" or operator.holds in (_same, _differs):
        return True
    return _comparable(kind, kind_of(wanted))


def _comparable(one: str, other: str) -> bool:
    return one == other or {one, other} <= NUMBERS


def find_pattern_fault(pattern: str) -> str | None:
    if len(pattern) > LONGEST_PATTERN:
        return f"This may have at most {LONGEST_PATTERN} characters."
    try:
        compile_pattern(pattern)
    except PatternError as error:
        said = ", ".join(
            one.decode(errors="replace") if isinstance(one, bytes) else str(one)
            for one in error.args
        )
        return f"This is not a pattern: {said}."
    return None


def _either(kinds: frozenset[str]) -> str:
    names = ["a number" if one == "number" else _name(one) for one in sorted(kinds - {"integer"})]
    return " or ".join(names)


def _name(kind: str) -> str:
    return {"string": "a text", "integer": "an integer", "array": "a list", "null": "nothing"}.get(
        kind, f"{'an' if kind[0] in 'aio' else 'a'} {kind}"
    )


def _show(value: Any) -> str:
    if value is None:
        return "not there"
    if isinstance(value, bool):
        return str(value).lower()
    text = repr(value) if isinstance(value, str) else str(value)
    return text if len(text) <= LONGEST_SHOWN else f"{text[:LONGEST_SHOWN]}…"
