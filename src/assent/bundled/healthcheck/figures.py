"""Figures of many runs, from the runs themselves or from stored hours. Pure."""

from collections.abc import Iterable, Sequence
from datetime import datetime, timedelta
from itertools import groupby

from assent.bundled.healthcheck.latency import add_counts, read_percentiles
from assent.bundled.healthcheck.values import Counts, Hour, Point, Status

MOST_HOURLY = timedelta(days=7)


def count_statuses(statuses: Iterable[Status]) -> Counts:
    listed = list(statuses)
    return Counts(
        runs=len(listed),
        up=listed.count("up"),
        degraded=listed.count("degraded"),
        down=listed.count("down"),
        unknown=listed.count("unknown"),
    )


def add_hours(hours: Sequence[Hour]) -> Counts:
    return Counts(
        runs=sum(one.up + one.degraded + one.down + one.unknown for one in hours),
        up=sum(one.up for one in hours),
        degraded=sum(one.degraded for one in hours),
        down=sum(one.down for one in hours),
        unknown=sum(one.unknown for one in hours),
    )


def find_availability(counts: Counts) -> float | None:
    """The share that was up or degraded, of all runs that could look."""
    looked = counts.up + counts.degraded + counts.down
    return round((counts.up + counts.degraded) / looked, 6) if looked else None


def build_points(hours: Sequence[Hour], *, span: timedelta) -> list[Point]:
    """A point for each hour that has runs, or for each day where that would be too many."""
    daily = span > MOST_HOURLY

    def begin(hour: Hour) -> datetime:
        return hour.hour.replace(hour=0) if daily else hour.hour

    return [_build_point(at, list(group)) for at, group in groupby(hours, key=begin)]


def _build_point(at: datetime, hours: Sequence[Hour]) -> Point:
    counts = add_hours(hours)
    return Point(
        at=at,
        counts=counts,
        availability=find_availability(counts),
        percentiles=read_percentiles(add_counts(one.buckets for one in hours)),
    )
