from datetime import datetime

import pytest

from assent.models.demo.moments import encode_moment, find_moments, find_now, parse_moment
from assent.models.demo.words import split_text
from assent.tools.dates import find_date_fault

NOW = datetime.fromisoformat("2026-11-15T13:00:00+01:00")


@pytest.mark.parametrize(
    ("text", "moment"),
    [
        ("2026-07-01T20:00:00Z", "2026-07-01T20:00:00Z"),
        ("2026-07-01 20:00", "2026-07-01T20:00:00+01:00"),
        ("2026-07-01 20:00 UTC", "2026-07-01T20:00:00Z"),
        ("2026-07-01", "2026-07-01T00:00:00+01:00"),
        ("tomorrow at 10:30", "2026-11-16T10:30:00+01:00"),
        ("today 5 pm", "2026-11-15T17:00:00+01:00"),
        ("next monday at 12am", "2026-11-16T00:00:00+01:00"),
        ("sunday", "2026-11-22T00:00:00+01:00"),
        ("in 2 hours", "2026-11-15T15:00:00+01:00"),
        ("in a week", "2026-11-22T13:00:00+01:00"),
        ("at 9:15", "2026-11-15T09:15:00+01:00"),
        ("now", "2026-11-15T13:00:00+01:00"),
    ],
)
def test_parse_moment(text: str, moment: str) -> None:
    parsed = parse_moment(text, NOW)
    assert parsed is not None
    assert encode_moment(parsed) == moment
    assert find_date_fault(moment) is None


@pytest.mark.parametrize("text", ["2026-13-01", "tomorrow at 25:00", "soon", "7", "at 5", ""])
def test_no_moment(text: str) -> None:
    assert parse_moment(text, NOW) is None


@pytest.mark.parametrize("text", ["tomorrow", "in 2 hours", "at 10:00"])
def test_without_a_clock_there_is_no_tomorrow(text: str) -> None:
    assert parse_moment(text, None) is None


def test_without_a_zone_it_is_utc() -> None:
    parsed = parse_moment("2026-07-01 20:00", None)
    assert parsed is not None
    assert encode_moment(parsed) == "2026-07-01T20:00:00Z"


def test_finds_moments_among_words() -> None:
    words = split_text("plan it from 2026-07-01 20:00 to 2026-07-01 22:00 for web")
    assert [(one.start, one.end) for one in find_moments(words, NOW)] == [(3, 5), (6, 8)]


@pytest.mark.parametrize(
    ("text", "start", "end"),
    [
        ("tomorrow 22:00 to 23:00", "2026-11-16T22:00:00+01:00", "2026-11-16T23:00:00+01:00"),
        ("from tomorrow 22:00 until 1am", "2026-11-16T22:00:00+01:00", "2026-11-17T01:00:00+01:00"),
        (
            "tomorrow at 22:00 for two hours",
            "2026-11-16T22:00:00+01:00",
            "2026-11-17T00:00:00+01:00",
        ),
        ("now for an hour", "2026-11-15T13:00:00+01:00", "2026-11-15T14:00:00+01:00"),
    ],
)
def test_an_end_belongs_to_its_start(text: str, start: str, end: str) -> None:
    found = find_moments(split_text(text), NOW)
    assert [encode_moment(one.at) for one in found] == [start, end]


def test_finds_now_in_the_prompt() -> None:
    assert find_now(("no time", "It is 2026-11-15T13:00:00+01:00 (Europe/Berlin).")) == NOW
    assert find_now(("2026-11-15",)) is None
    rules = "Write times as 2026-07-01T20:00:00+02:00."
    told = "Time: Sunday, 2026-11-15T13:00+01:00, time zone Europe/Berlin"
    assert find_now((rules, told, rules)) == NOW
    assert find_now((rules, "It is 2026-11-15T13:00:00+01:00.")) == NOW
