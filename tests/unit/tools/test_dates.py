"""Moments need an offset, and have to exist."""

import json
from datetime import UTC, datetime, timedelta, timezone

import jsonschema_rs
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from assent.tools.dates import HINT, Moment, find_date_fault
from assent.value import Value

standard = jsonschema_rs.Draft202012Validator({"format": "date-time"}, validate_formats=True)
offsets = st.integers(-23 * 60 - 59, 23 * 60 + 59).map(lambda m: timezone(timedelta(minutes=m)))
years = {
    "min_value": datetime(2, 1, 1),  # noqa: DTZ001 - hypothesis wants it without a zone
    "max_value": datetime(9998, 12, 31),  # noqa: DTZ001
}


@pytest.mark.parametrize(
    "text",
    [
        "2026-07-01T22:00:00Z",
        "2026-07-01T22:00:00+02:00",
        "2026-07-01T22:00:00-11:30",
        "2026-07-01T22:00:00+00:00",
        "2026-07-01T22:00:00-00:00",
        "2026-07-01t22:00:00z",
        "2026-07-01T22:00:00.5Z",
        "2026-07-01T22:00:00.123456789012Z",
        "2028-02-29T00:00:00Z",
        "1990-12-31T23:59:60Z",
        "1990-12-31T15:59:60-08:00",
        "1991-01-01T05:29:60.5+05:30",
        "0001-01-01T00:00:00Z",
        "9999-12-31T23:59:59Z",
    ],
)
def test_moments(text: str) -> None:
    assert find_date_fault(text) is None


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("2026-07-01", "A date alone"),
        ("2026-07-01T22:00:00", "offset from UTC is missing"),
        ("2026-07-01 22:00:00", "offset from UTC is missing"),
        ("2026-07-01T22:00", "offset from UTC is missing"),
        ("2026-07-01T22:00:00.5", "offset from UTC is missing"),
        ("2026-02-29T00:00:00Z", "no such moment"),
        ("2026-02-30T00:00:00+01:00", "no such moment"),
        ("2026-13-01T00:00:00Z", "no such moment"),
        ("2026-00-01T00:00:00Z", "no such moment"),
        ("2026-07-00T00:00:00Z", "no such moment"),
        ("2026-07-01T24:00:00Z", "no such moment"),
        ("2026-07-01T23:60:00Z", "no such moment"),
        ("2026-07-01T23:59:61Z", "no such moment"),
        ("2026-07-01T22:00:00+24:00", "no such moment"),
        ("2026-07-01T22:00:00+02:60", "no such moment"),
        ("2026-07-01T22:00:60Z", "no such moment"),
        ("1990-12-30T23:59:60Z", "no such moment"),
        ("1990-12-31T23:59:61Z", "no such moment"),
        ("1990-12-31T23:59:60+01:00", "no such moment"),
        ("0000-01-01T00:00:00Z", "no such moment"),
        ("0001-01-01T00:00:00+01:00", "no such moment"),
        ("9999-12-31T23:59:59-01:00", "no such moment"),
        ("9999-12-31T23:59:60Z", "no such moment"),
        ("2026-07-01 22:00:00Z", "not an RFC 3339"),
        ("2026-07-01T22:00:00 Z", "not an RFC 3339"),
        ("2026-07-01T22:00:00+0200", "not an RFC 3339"),
        ("2026-07-01T22:00:00+02", "not an RFC 3339"),
        ("2026-07-01T22:00Z", "not an RFC 3339"),
        ("2026-07-01T22:00:00.Z", "not an RFC 3339"),
        ("2026-07-01T22:00:00,5Z", "not an RFC 3339"),
        ("2026-07-01T22:00:00Z\n", "not an RFC 3339"),
        ("2026-07-01T22:00:00ZZ", "not an RFC 3339"),
        ("２０２６-07-01T22:00:00Z", "not an RFC 3339"),
        ("+2026-07-01T22:00:00Z", "not an RFC 3339"),
        ("2026-182T22:00:00Z", "not an RFC 3339"),
        ("1719871200", "not an RFC 3339"),
        ("tomorrow", "not an RFC 3339"),
        ("", "not an RFC 3339"),
    ],
)
def test_what_is_no_moment(text: str, expected: str) -> None:
    fault = find_date_fault(text)
    assert fault is not None
    assert expected in fault
    assert fault.endswith(HINT)


@given(st.datetimes(**years, timezones=offsets))
def test_every_moment_that_python_writes(moment: datetime) -> None:
    assert find_date_fault(moment.isoformat()) is None
    assert find_date_fault(moment.astimezone(UTC).isoformat().replace("+00:00", "Z")) is None


@given(st.datetimes(**years))
def test_no_moment_without_an_offset(moment: datetime) -> None:
    assert find_date_fault(moment.isoformat()) is not None
    assert find_date_fault(moment.date().isoformat()) is not None


@given(
    st.from_regex(
        r"[0-9]{2}[0-2][0-9]-[01][0-9]-[0-3][0-9][Tt ][0-2][0-9]:[0-6][0-9]:[0-5][0-9]"
        r"(\.[0-9]{0,3})?([Zz]|[+-][0-2][0-9]:?[0-6][0-9])?",
        fullmatch=True,
    ).filter(lambda text: not text.startswith(("0000", "0001", "9999")))
)
def test_agrees_with_the_standard(text: str) -> None:
    assert (find_date_fault(text) is None) == standard.is_valid(text)


class Appointment(Value):
    at: Moment


@pytest.mark.parametrize("text", ["2026-07-01T22:00:00+02:00", "2026-07-01T20:00:00Z"])
@pytest.mark.parametrize("strict", [True, False])
def test_a_moment_is_kept_in_utc_however_it_is_read(text: str, strict: bool) -> None:
    read = Appointment.model_validate_json(json.dumps({"at": text}), strict=strict)
    assert read.at == datetime(2026, 7, 1, 20, tzinfo=UTC)
    assert read.at.tzinfo is UTC
    assert Appointment.model_validate_strings({"at": text}) == read


@pytest.mark.parametrize(
    "value",
    [
        "2026-07-01",
        "2026-07-01T22:00:00",
        1_782_936_000,
        True,
        None,
        "2026-02-30T00:00:00Z",
        "2026-06-30T23:59:60Z",
    ],
)
def test_what_no_value_takes_for_a_moment(value: object) -> None:
    with pytest.raises(ValidationError):
        Appointment.model_validate_json(json.dumps({"at": value}))
