"""A cap says what it allows, and how long a spender waits for room."""

from datetime import timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assent.errors import ConfigurationError, TooLarge
from assent.models.cap import Cap, Held, check_fits, find_wait

HOUR = timedelta(hours=1)


@pytest.mark.parametrize(
    ("cap", "text"),
    [
        (Cap(1_000_000, timedelta(days=1)), "1,000,000 tokens in 1 day"),
        (Cap(500, timedelta(days=30)), "500 tokens in 30 days"),
        (Cap(500, timedelta(hours=36)), "500 tokens in 36 hours"),
        (Cap(500, timedelta(minutes=90)), "500 tokens in 90 minutes"),
        (Cap(500, timedelta(seconds=61)), "500 tokens in 61 seconds"),
        (Cap(500, timedelta(seconds=1)), "500 tokens in 1 second"),
        (Cap(500, timedelta(seconds=1.5)), "500 tokens in 2 seconds"),
    ],
)
def test_a_cap_in_words(cap: Cap, text: str) -> None:
    assert str(cap) == text


@pytest.mark.parametrize(("tokens", "window"), [(0, HOUR), (-1, HOUR), (1, HOUR / 10_000)])
def test_a_cap_that_allows_nothing_is_refused(tokens: int, window: timedelta) -> None:
    with pytest.raises(ConfigurationError):
        Cap(tokens, window)


def test_a_call_that_can_never_fit_is_refused() -> None:
    check_fits(Cap(1_000, HOUR), 1_000)
    with pytest.raises(TooLarge, match=r"1,001 tokens; the spend cap is 1,000 tokens in 1 hour"):
        check_fits(Cap(1_000, HOUR), 1_001)


@pytest.mark.parametrize(
    ("held", "seconds"),
    [
        ([], 1),
        ([Held(100, 0.2)], 1),
        ([Held(100, 30)], 30),
        ([Held(50, 50), Held(50, 30.1)], 31),
        ([Held(30, 50), Held(40, 20), Held(30, 70)], 50),
        ([Held(90, 40), Held(10, 20)], 40),
        ([Held(200, 99), Held(10, 20)], 99),
    ],
)
def test_the_wait_for_half_of_the_cap(held: list[Held], seconds: int) -> None:
    assert find_wait(Cap(100, HOUR), 50, held) == seconds


@given(
    st.integers(1, 100),
    st.lists(st.builds(Held, st.integers(1, 60), st.integers(1, 500).map(float)), max_size=12),
)
def test_the_wait_is_as_long_as_it_has_to_be(worst_case: int, held: list[Held]) -> None:
    cap = Cap(100, HOUR)

    def fits_after(seconds: int) -> bool:
        return worst_case + sum(one.tokens for one in held if one.gone_in > seconds) <= cap.tokens

    wait = find_wait(cap, worst_case, held)
    assert fits_after(wait)
    assert wait == 1 or not fits_after(wait - 1)
