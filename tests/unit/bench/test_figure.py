"""Percentiles and targets."""

import pytest

from assent.bench.figure import Figure, Measured, Report, at_least, at_most, find_percentile


@pytest.mark.parametrize(
    ("values", "percent", "expected"),
    [
        ([7.0], 50, 7.0),
        ([7.0], 99, 7.0),
        ([3.0, 1.0, 2.0], 50, 2.0),
        ([4.0, 1.0, 3.0, 2.0], 50, 2.0),
        (list(range(1, 101)), 99, 99),
        (list(range(1, 51)), 99, 50),
    ],
)
def test_a_percentile_is_one_of_the_values(
    values: list[float], percent: float, expected: float
) -> None:
    assert find_percentile(values, percent) == expected


@pytest.mark.parametrize(
    ("value", "target", "met"),
    [
        (40.0, at_most(40), True),
        (40.1, at_most(40), False),
        (1000.0, at_least(1000), True),
        (999.0, at_least(1000), False),
        (None, at_most(40), None),
        (40.0, None, None),
    ],
)
def test_a_target_is_met_or_missed_or_there_is_none(
    value: float | None, target: object, met: bool | None
) -> None:
    assert Figure(name="a", title="a", value=value, target=target).is_met is met


@pytest.mark.parametrize(("problem", "whole"), [(None, True), ("The server hung up.", False)])
def test_a_missed_target_is_no_problem(problem: str | None, whole: bool) -> None:
    missed = Figure(name="a", title="a", value=1, target=at_least(2))
    measured = Measured(name="m", title="m", figures=(missed,), problem=problem)
    report = Report(version="1", started_at="", seconds=1, machine={}, measured=(measured,))
    assert report.is_whole is whole
