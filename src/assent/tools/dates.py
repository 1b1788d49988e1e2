"""Moments as RFC 3339 writes them, always with an explicit offset (SPEC T7). Pure."""

import re
from datetime import UTC, datetime, timedelta
from typing import Annotated

from pydantic import AfterValidator, BeforeValidator, TypeAdapter, ValidationError

HINT = (
    "Write date and time with an explicit offset, "
    "for example 2026-07-01T22:00:00+02:00 or 2026-07-01T20:00:00Z."
)

_DATE = r"[0-9]{4}-[0-9]{2}-[0-9]{2}"
_MOMENT = re.compile(
    r"([0-9]{4})-([0-9]{2})-([0-9]{2})[Tt]([0-9]{2}):([0-9]{2}):([0-9]{2})(?:\.[0-9]+)?"
    r"(?:[Zz]|([+-])([0-9]{2}):([0-9]{2}))"
)
_DATE_ONLY = re.compile(_DATE)
_ANY_DATE = TypeAdapter(datetime)
_WITHOUT_OFFSET = re.compile(_DATE + r"[Tt ][0-9]{2}:[0-9]{2}(:[0-9]{2}(\.[0-9]+)?)?")


def find_date_fault(text: str) -> str | None:
    """What is wrong with a `date-time`, said so that a model can repair it."""
    match = _MOMENT.fullmatch(text)
    if match is not None:
        return None if _exists(match) else f"There is no such moment. {HINT}"
    if _DATE_ONLY.fullmatch(text):
        return f"A date alone does not say when. {HINT}"
    if _WITHOUT_OFFSET.fullmatch(text):
        return f"The offset from UTC is missing. {HINT}"
    return f"This is not an RFC 3339 date-time. {HINT}"


def _parse_moment(value: object) -> object:
    """Read here, because forms are read strictly: after this a text would be no moment any more."""
    if isinstance(value, datetime):
        return value
    fault = find_date_fault(value) if isinstance(value, str) else HINT
    if fault:
        raise ValueError(fault)
    try:
        return _ANY_DATE.validate_python(value)
    except ValidationError:
        raise ValueError(f"This moment cannot be kept. {HINT}") from None


def _to_utc(value: datetime) -> datetime:
    return value.astimezone(UTC)


Moment = Annotated[datetime, BeforeValidator(_parse_moment), AfterValidator(_to_utc)]
"""A moment in what callers send: the same kind of text everywhere, kept in UTC."""


def _exists(match: re.Match[str]) -> bool:
    year, month, day, hour, minute, second = (int(match[part]) for part in range(1, 7))
    sign = -1 if match[7] == "-" else 1
    offset_hour, offset_minute = int(match[8] or 0), int(match[9] or 0)
    if second > 60 or offset_hour > 23 or offset_minute > 59:
        return False
    try:
        local = datetime(year, month, day, hour, minute, tzinfo=UTC)
        utc = local - sign * timedelta(hours=offset_hour, minutes=offset_minute)
        return second < 60 or _ends_a_month(utc)
    except (ValueError, OverflowError):
        return False


def _ends_a_month(utc: datetime) -> bool:
    """Leap seconds come only after the last minute of a month, in UTC."""
    following = utc + timedelta(minutes=1)
    return (following.day, following.hour, following.minute) == (1, 0, 0)
