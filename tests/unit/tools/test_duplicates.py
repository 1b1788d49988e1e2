"""A run does not make the same change twice, nor the same mistake for ever."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assent.audit.entry import Effect, hash_arguments
from assent.tools.duplicates import (
    Duplicate,
    Fresh,
    Hopeless,
    Outcome,
    PastCall,
    Repetition,
    decide_repetition,
)

NAME = "shop.order"
SAME = hash_arguments({"a": 1, "b": [2]})
OUTCOMES: tuple[Outcome, ...] = ("open", "done", "invalid", "retryable", "failed")


def decide(outcomes: list[Outcome], effect: Effect) -> Repetition:
    past = [PastCall(NAME, SAME, outcome) for outcome in outcomes]
    return decide_repetition(past, tool=NAME, arguments_hash=SAME, effect=effect)


@pytest.mark.parametrize(
    ("outcomes", "effect", "expected"),
    [
        ([], "mutate", Fresh),
        (["done"], "mutate", Duplicate),
        (["open"], "mutate", Duplicate),
        (["done"], "destructive", Duplicate),
        (["invalid"], "mutate", Fresh),
        (["invalid", "invalid", "invalid"], "mutate", Fresh),
        (["retryable", "retryable", "retryable"], "mutate", Fresh),
        (["invalid", "done"], "mutate", Duplicate),
        (["failed"], "mutate", Fresh),
        (["failed", "failed"], "mutate", Hopeless),
        (["failed", "invalid", "failed"], "mutate", Hopeless),
        (["failed", "done"], "mutate", Duplicate),
        (["done", "done", "done"], "read", Fresh),
        (["open", "open"], "read", Fresh),
        (["failed"], "read", Fresh),
        (["failed", "failed"], "read", Hopeless),
        (["failed", "done", "failed"], "read", Fresh),
        (["done", "failed", "failed"], "read", Hopeless),
    ],
)
def test_repetitions(outcomes: list[Outcome], effect: Effect, expected: type[Repetition]) -> None:
    assert isinstance(decide(outcomes, effect), expected)


def test_the_advice_names_the_tool() -> None:
    for verdict in (decide(["done"], "mutate"), decide(["failed", "failed"], "read")):
        assert isinstance(verdict, Duplicate | Hopeless)
        assert NAME in verdict.advice


@pytest.mark.parametrize(
    ("tool", "arguments"),
    [("shop.cancel", {"a": 1, "b": [2]}), (NAME, {"a": 1, "b": [3]}), (NAME, {})],
)
def test_other_calls_do_not_count(tool: str, arguments: dict[str, object]) -> None:
    past = [PastCall(tool, hash_arguments(arguments), "done")]
    found = decide_repetition(past, tool=NAME, arguments_hash=SAME, effect="mutate")
    assert found == Fresh()


def test_the_order_of_fields_makes_no_other_call() -> None:
    assert hash_arguments({"b": [2], "a": 1}) == SAME


@given(st.lists(st.sampled_from(OUTCOMES)))
def test_at_most_one_change_is_let_through(outcomes: list[Outcome]) -> None:
    made: list[Outcome] = []
    for outcome in outcomes:
        if isinstance(decide(made, "mutate"), Fresh):
            made.append(outcome)
    assert sum(outcome in ("open", "done") for outcome in made) <= 1
    assert made.count("failed") <= 2
