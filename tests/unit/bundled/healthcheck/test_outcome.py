"""What was seen decides how a run ended, and the worst of what failed counts."""

from typing import Any

import pytest

from assent.bundled.healthcheck.assertion import OPERATORS, find_failure
from assent.bundled.healthcheck.outcome import decide_answered, decide_failed, decide_unchecked
from assent.bundled.healthcheck.values import Assertion, Severity


def expect(field: str, operator: str, value: Any = None, severity: Severity = "down") -> Assertion:
    return Assertion(field=field, operator=operator, value=value, severity=severity)


@pytest.mark.parametrize(
    ("operator", "value", "holds", "fails"),
    [
        ("equals", 200, 200, 201),
        ("equals", 1, 1.0, True),
        ("notEquals", "a", "b", "a"),
        ("notEquals", True, 1, True),
        ("lessThan", 5, 4.9, 5),
        ("atMost", 5, 5, 6),
        ("greaterThan", 5, 6, 5),
        ("atLeast", 5, 5, 4),
        ("contains", "ell", "hello", "world"),
        ("contains", "a", ["a", "b"], ["b"]),
        ("notContains", "a", ["b"], ["a"]),
        ("startsWith", "he", "hello", "ahe"),
        ("endsWith", "lo", "hello", "loo"),
        ("matches", "^h.*o$", "hello", "hell"),
        ("exists", None, 0, None),
        ("absent", None, None, 0),
    ],
)
def test_what_operators_mean(operator: str, value: Any, holds: Any, fails: Any) -> None:
    assert find_failure(expect("x", operator, value), holds) is None
    assert find_failure(expect("x", operator, value), fails) is not None


def test_every_operator_is_in_the_table() -> None:
    assert len(OPERATORS) == 13


@pytest.mark.parametrize(
    "operator", [name for name in OPERATORS if name not in ("exists", "absent")]
)
@pytest.mark.parametrize("seen", [None, {"a": 1}, [], "text", 3, 2.5, True])
@pytest.mark.parametrize("value", ["text", 3, True])
def test_values_of_any_type_never_break_a_comparison(operator: str, seen: Any, value: Any) -> None:
    if operator == "matches" and not isinstance(value, str):
        return
    find_failure(expect("x", operator, value), seen)


def test_failures_say_what_was_seen() -> None:
    assert find_failure(expect("statusCode", "equals", 200), 503) == (
        "statusCode is 503; expected: equals 200."
    )
    assert find_failure(expect("a.value", "lessThan", 5), "x") == "a.value is 'x', which is a text."
    assert find_failure(expect("a.value", "lessThan", 5), None) == "a.value is not there."


@pytest.mark.parametrize(
    ("severities", "status"),
    [([], "up"), (["degraded"], "degraded"), (["degraded", "down"], "down")],
)
def test_the_worst_counts(severities: list[Severity], status: str) -> None:
    failing = [expect("statusCode", "equals", 200, severity) for severity in severities]
    holding = [expect("durationMs", "lessThan", 100), expect("j.value", "equals", "ok")]
    outcome = decide_answered(
        {"statusCode": 500}, {"j": {"value": "ok"}}, [*failing, *holding], duration=12.3456
    )
    assert outcome.status == status
    assert len(outcome.failed) == len(severities)
    assert outcome.answered


def test_who_could_not_look_knows_nothing() -> None:
    assert decide_unchecked("no way").status == "unknown"
    assert decide_failed("refused").status == "down"
    assert not decide_failed("refused").answered
    assert len(decide_failed("x" * 5000).reason) == 500
