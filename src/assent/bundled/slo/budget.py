"""The error budget of an objective, from how many runs there were and how many failed. Pure.

A target of 99.9 % lets one run in a thousand fail. The budget is spent by the share of runs that
did fail in the window; it burns fast when runs of the last hour fail so often that a full budget
would be gone in less than a fourteenth of the window.
"""

from dataclasses import dataclass

from assent.bundled.slo.values import Budget, State

BURNS_FAST = 14.4
"""At this rate a budget for 30 days is gone after two."""
FEWEST_FAILED = 2
"""One failure in an hour is no trend."""


@dataclass(frozen=True, slots=True)
class Tally:
    runs: int = 0
    failed: int = 0


def weigh_budget(target: float, window: Tally, last_hour: Tally) -> Budget:
    if window.runs == 0:
        return unknown_budget("Nothing ran in this window.")
    allowed = 1 - target / 100
    failing = window.failed / window.runs
    left = round(1 - failing / allowed, 4) + 0.0
    burn = last_hour.failed / last_hour.runs / allowed if last_hour.runs else None
    return Budget(
        state=_judge(left, burn, last_hour),
        runs=window.runs,
        failed=window.failed,
        attained=round(100 * (1 - failing), 4),
        left=left,
        burn=None if burn is None else round(burn, 2),
    )


def unknown_budget(reason: str) -> Budget:
    return Budget(
        state="unknown", runs=0, failed=0, attained=None, left=None, burn=None, reason=reason
    )


def _judge(left: float, burn: float | None, last_hour: Tally) -> State:
    if left <= 0:
        return "exhausted"
    if burn is not None and burn >= BURNS_FAST and last_hour.failed >= FEWEST_FAILED:
        return "burning"
    return "met"
