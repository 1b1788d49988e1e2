"""The error budget: what is left of it, how fast it burns, and what that is called."""

import pytest

from assent.bundled.slo.budget import BURNS_FAST, Tally, unknown_budget, weigh_budget
from assent.bundled.slo.values import ObjectiveDraft, State

QUIET = Tally(60, 0)


@pytest.mark.parametrize(
    ("target", "window", "attained", "left"),
    [
        (99.0, Tally(1000, 0), 100.0, 1.0),
        (99.0, Tally(1000, 5), 99.5, 0.5),
        (99.0, Tally(1000, 10), 99.0, 0.0),
        (99.0, Tally(1000, 30), 97.0, -2.0),
        (50.0, Tally(4, 1), 75.0, 0.5),
        (99.9, Tally(1, 1), 0.0, -999.0),
    ],
)
def test_what_is_left(target: float, window: Tally, attained: float, left: float) -> None:
    budget = weigh_budget(target, window, QUIET)
    assert (budget.attained, budget.left) == (attained, pytest.approx(left, abs=1e-4))
    assert (budget.runs, budget.failed) == (window.runs, window.failed)


@pytest.mark.parametrize(
    ("window", "last_hour", "state"),
    [
        (Tally(100_000, 0), QUIET, "met"),
        (Tally(100_000, 999), QUIET, "met"),
        (Tally(100_000, 1000), QUIET, "exhausted"),
        (Tally(100_000, 9), Tally(60, 9), "burning"),
        (Tally(100_000, 8), Tally(60, 8), "met"),
        (Tally(100_000, 2), Tally(5, 1), "met"),
        (Tally(100_000, 2), Tally(5, 2), "burning"),
        (Tally(100_000, 2), Tally(0, 0), "met"),
        (Tally(100, 60), Tally(60, 60), "exhausted"),
    ],
)
def test_what_it_is_called(window: Tally, last_hour: Tally, state: State) -> None:
    assert weigh_budget(99.0, window, last_hour).state == state


def test_how_fast_it_burns() -> None:
    assert weigh_budget(99.0, Tally(100_000, 1), Tally(100, 1)).burn == 1.0
    assert weigh_budget(99.9, Tally(100_000, 1), Tally(100, 1)).burn == 10.0
    assert weigh_budget(99.9, Tally(100_000, 1), Tally()).burn is None
    assert BURNS_FAST > 1


def test_without_runs_nothing_is_claimed() -> None:
    budget = weigh_budget(99.0, Tally(), Tally())
    assert (budget.state, budget.attained, budget.left, budget.burn) == (
        "unknown",
        None,
        None,
        None,
    )
    assert budget.reason == "Nothing ran in this window."
    assert unknown_budget("why").reason == "why"


@pytest.mark.parametrize(("given", "kept"), [(99.9, 99.9), (99.99949, 99.999), (1, 1.0)])
def test_targets_have_three_decimals(given: float, kept: float) -> None:
    if given > 99.999:
        with pytest.raises(ValueError, match="less than or equal"):
            ObjectiveDraft(name="x", target=given)
        return
    assert ObjectiveDraft(name="x", target=given).target == kept
