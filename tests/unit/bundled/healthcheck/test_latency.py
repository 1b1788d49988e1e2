"""Percentiles from counts are near those of the durations themselves, however these are spread."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assent.bundled.healthcheck.latency import (
    ERROR,
    SHORTEST,
    add_counts,
    find_bucket,
    find_exact,
    find_quantile,
    measure,
    read_percentiles,
)

durations = st.lists(st.floats(SHORTEST, 3_600_000), min_size=1, max_size=200)
shares = st.sampled_from([0.5, 0.95, 0.99])


def count(values: list[float]) -> dict[str, int]:
    counts: dict[str, int] = {}
    for value in values:
        name = str(find_bucket(value))
        counts[name] = counts.get(name, 0) + 1
    return counts


@given(durations, shares)
def test_a_percentile_is_within_its_error(values: list[float], share: float) -> None:
    found = find_quantile(add_counts([count(values)]), share)
    exact = find_exact(values, share)
    assert found is not None
    assert exact is not None
    assert found == pytest.approx(exact, rel=ERROR, abs=0.002)


@given(durations, durations)
def test_hours_add_up(one: list[float], other: list[float]) -> None:
    assert add_counts([count(one), count(other)]) == add_counts([count([*one, *other])])


@given(durations)
def test_percentiles_do_not_cross(values: list[float]) -> None:
    for found in (measure(values), read_percentiles(add_counts([count(values)]))):
        assert found.p50 is not None
        assert found.p95 is not None
        assert found.p99 is not None
        assert found.p50 <= found.p95 <= found.p99


@given(durations, shares)
def test_so_many_runs_took_no_longer(values: list[float], share: float) -> None:
    exact = find_exact(values, share)
    assert exact is not None
    under = sum(round(value, 3) <= exact for value in values)
    assert under >= share * len(values)


def test_without_runs_there_is_none() -> None:
    assert measure([]).p50 is None
    assert read_percentiles({}).p99 is None


def test_extremes_have_their_bucket() -> None:
    assert find_bucket(0) == 0
    assert find_bucket(1e12) == find_bucket(1e15)
