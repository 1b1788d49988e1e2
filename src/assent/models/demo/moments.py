"""Points in time as people write them, as RFC 3339 with an offset. Pure.

What is said in relation to now can be read only when the prompt says when now is.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta

from assent.models.demo.words import Word

_STAMP = re.compile(
    r"\d{4}-\d{2}-\d{2}[Tt ]\d{2}:\d{2}(?::\d{2})?(?:\.\d+)?(?:[Zz]|[+-]\d{2}:\d{2})"
)
_CLOCK = r"(?:(?P<hour>\d{1,2})(?::(?P<minute>\d{2})(?::\d{2})?)? ?(?P<half>am|pm)?)"
_DAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
_DAY = rf"(?P<day>\d{{4}}-\d{{2}}-\d{{2}}|today|tonight|tomorrow|(?:next )?(?:{'|'.join(_DAYS)}))"
_DATED = re.compile(
    rf"{_DAY}(?:(?:t| at | )?{_CLOCK})?(?: ?(?P<zone>z|utc|gmt|[+-]\d{{2}}:\d{{2}}))?"
)
_TIMED = re.compile(rf"(?:at )?{_CLOCK}")
_AHEAD = re.compile(r"in (?P<count>\d+|an?) (?P<unit>minute|hour|day|week)s?")
_LASTING = re.compile(r"for (?P<count>\d+|an?|two|three) (?P<unit>minute|hour|day|week)s?")
_COUNTS = {"a": 1, "an": 1, "two": 2, "three": 3}
_TELLS_TIME = re.compile(r"\W*(?:the )?(?:current )?(?:time|now)\b", re.I)
_LONGEST = 5


@dataclass(frozen=True, slots=True)
class Moment:
    """A point in time and the words that said it."""

    at: datetime
    start: int
    end: int


def encode_moment(at: datetime) -> str:
    return at.isoformat(timespec="seconds").replace("+00:00", "Z")


def find_now(texts: Iterable[str]) -> datetime | None:
    """What the prompt says that the time is; else the last time stamp in it, not an example."""
    lines = [line for text in texts for line in text.splitlines()]
    found = [(line, match) for line in lines for match in _STAMP.finditer(line)]
    told = [match for line, match in found if _TELLS_TIME.match(line)]
    last = (told or [match for _, match in found])[-1:]
    return datetime.fromisoformat(last[0][0].upper()) if last else None


def find_moments(words: Sequence[Word], now: datetime | None) -> list[Moment]:
    found: list[Moment] = []
    at = 0
    while at < len(words):
        moment = _read_end(words, at, found[-1].at) if found else None
        moment = moment or _read_at(words, at, now)
        if moment:
            found.append(moment)
        at = moment.end if moment else at + 1
    return found


def parse_moment(text: str, now: datetime | None) -> datetime | None:
    plain = " ".join(text.casefold().replace(",", " ").split())
    try:
        if _STAMP.fullmatch(plain):
            return datetime.fromisoformat(plain.upper())
        return _parse_dated(plain, now) or _parse_relative(plain, now)
    except ValueError:
        return None


def _read_at(words: Sequence[Word], at: int, now: datetime | None) -> Moment | None:
    for length in range(min(_LONGEST, len(words) - at), 0, -1):
        text = " ".join(word.text for word in words[at : at + length])
        moment = parse_moment(text, now)
        if moment:
            return Moment(moment, at, at + length)
    return None


def _read_end(words: Sequence[Word], at: int, start: datetime) -> Moment | None:
    """What ends a time that began: `22:00` is on the same day or the next, `for two hours`."""
    for length in (3, 2, 1):
        text = " ".join(word.text for word in words[at : at + length]).casefold()
        match = _TIMED.fullmatch(text)
        if match and (match["minute"] or match["half"]):
            end = datetime.combine(start.date(), _read_clock(match), tzinfo=start.tzinfo)
            return Moment(end if end > start else end + timedelta(days=1), at, at + length)
        if match := _LASTING.fullmatch(text):
            return Moment(start + _read_span(match), at, at + length)
    return None


def _read_span(match: re.Match[str]) -> timedelta:
    count = _COUNTS.get(match["count"]) or int(match["count"])
    return timedelta(**{f"{match['unit']}s": count})


def _parse_dated(text: str, now: datetime | None) -> datetime | None:
    match = _DATED.fullmatch(text)
    day = _find_day(match["day"], now) if match else None
    if match is None or day is None:
        return None
    zone = now.tzinfo if now else UTC
    if match["zone"]:
        named = match["zone"].upper().replace("UTC", "Z").replace("GMT", "Z")
        zone = datetime.fromisoformat(f"2000-01-01T00:00:00{named}").tzinfo
    return datetime.combine(day, _read_clock(match), tzinfo=zone)


def _parse_relative(text: str, now: datetime | None) -> datetime | None:
    if now is None:
        return None
    if text == "now":
        return now.replace(microsecond=0)
    if match := _AHEAD.fullmatch(text):
        return now.replace(microsecond=0) + _read_span(match)
    match = _TIMED.fullmatch(text)
    if match and (match["minute"] or match["half"]):
        return datetime.combine(now.date(), _read_clock(match), tzinfo=now.tzinfo)
    return None


def _find_day(text: str, now: datetime | None) -> date | None:
    if text[0].isdigit():
        return datetime.fromisoformat(text).date()
    if now is None:
        return None
    if text in ("today", "tonight"):
        return now.date()
    if text == "tomorrow":
        return now.date() + timedelta(days=1)
    wanted = _DAYS.index(text.removeprefix("next "))
    return now.date() + timedelta(days=(wanted - now.weekday() - 1) % 7 + 1)


def _read_clock(match: re.Match[str]) -> time:
    hour = int(match["hour"] or 0)
    if match["half"]:
        hour = hour % 12 + (12 if match["half"] == "pm" else 0)
    return time(hour, int(match["minute"] or 0))
