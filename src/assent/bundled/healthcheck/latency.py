"""How long runs take, as counts in buckets that grow with the duration, and percentiles. Pure.

A bucket is as wide as a tenth of where it begins. A percentile that is read from the counts is the
middle of its bucket, and so within five percent of the duration that it stands for; what is under
a tenth of a millisecond counts as that. Counts of several hours are added up, percentiles could
not be.
"""

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from assent.bundled.healthcheck.values import Percentiles

SHORTEST = 0.1
GROWTH = 1.1
ERROR = 0.05
LAST = 200
"""Longer than a quarter of a day."""


def find_bucket(milliseconds: float) -> int:
    if milliseconds <= SHORTEST:
        return 0
    return min(LAST, math.floor(math.log(milliseconds / SHORTEST, GROWTH)))


def read_bucket(bucket: int) -> float:
    """The duration that stands for all in a bucket."""
    low = SHORTEST * GROWTH**bucket
    return 2 * low * GROWTH / (1 + GROWTH)


def add_counts(several: Iterable[Mapping[str, int]]) -> dict[int, int]:
    """Counts of several hours as one, with buckets as numbers again."""
    total: Counter[int] = Counter()
    for counts in several:
        for bucket, count in counts.items():
            total[int(bucket)] += count
    return dict(total)


def find_quantile(counts: Mapping[int, int], share: float) -> float | None:
    """The duration that this share of runs did not exceed."""
    rank = math.ceil(share * sum(counts.values()))
    for bucket in sorted(counts):
        rank -= counts[bucket]
        if rank <= 0 and counts[bucket]:
            return round(read_bucket(bucket), 3)
    return None


def read_percentiles(counts: Mapping[int, int]) -> Percentiles:
    p50, p95, p99 = (find_quantile(counts, share) for share in (0.5, 0.95, 0.99))
    return Percentiles(p50=p50, p95=p95, p99=p99)


def find_exact(durations: Sequence[float], share: float) -> float | None:
    """The same from the durations themselves."""
    if not durations:
        return None
    rank = max(1, math.ceil(share * len(durations)))
    return round(sorted(durations)[rank - 1], 3)


def measure(durations: Sequence[float]) -> Percentiles:
    p50, p95, p99 = (find_exact(durations, share) for share in (0.5, 0.95, 0.99))
    return Percentiles(p50=p50, p95=p95, p99=p99)
