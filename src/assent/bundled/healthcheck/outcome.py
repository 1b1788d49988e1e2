"""How a run ended, from what was seen, and whether that changes the check's status. Pure."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from assent.bundled.healthcheck.assertion import find_failure
from assent.bundled.healthcheck.values import Assertion, FailedAssertion, Status

LONGEST_REASON = 500


@dataclass(frozen=True, slots=True)
class Outcome:
    """`answered`: the probe came back with a result, so that its duration says something.

    `quotes`: the reason has words of what was looked at, which are anybody's.
    """

    status: Status
    reason: str
    answered: bool
    result: Mapping[str, Any] | None = None
    failed: tuple[FailedAssertion, ...] = ()
    quotes: bool = False


@dataclass(frozen=True, slots=True)
class Turn:
    """The status changes with this run."""

    before: Status
    after: Status
    reason: str
    at: datetime


def decide_answered(
    result: Mapping[str, Any],
    collected: Mapping[str, Mapping[str, Any]],
    assertions: Sequence[Assertion],
    *,
    duration: float,
) -> Outcome:
    """A run whose probe came back: what fails decides, and the worst of it counts."""
    seen: dict[str, Any] = {"durationMs": round(duration, 3), **result}
    for name, values in collected.items():
        seen |= {f"{name}.{field}": value for field, value in values.items()}
    failed = [
        FailedAssertion(
            field=one.field, operator=one.operator, severity=one.severity, message=message
        )
        for one in assertions
        if (message := find_failure(one, seen.get(one.field))) is not None
    ]
    status: Status = "up"
    if failed:
        status = "down" if any(one.severity == "down" for one in failed) else "degraded"
    shown = {**result, **({"collected": dict(collected)} if collected else {})}
    reason = cut(" ".join(one.message for one in failed))
    return Outcome(
        status,
        reason,
        answered=True,
        result=shown,
        failed=tuple(failed),
        quotes=any(has_words(seen.get(one.field)) for one in failed),
    )


def decide_failed(reason: str, *, quotes: bool = False) -> Outcome:
    """A run whose probe found nothing working."""
    return Outcome("down", cut(reason), answered=False, quotes=quotes)


def decide_unchecked(reason: str) -> Outcome:
    """A run that could not look: nothing is known about what it would have seen."""
    return Outcome("unknown", cut(reason), answered=False)


def has_words(seen: object) -> bool:
    """Whether what was seen is more than numbers."""
    return not isinstance(seen, int | float | bool | None)


def find_turn(before: Status, outcome: Outcome, *, at: datetime) -> Turn | None:
    if before == outcome.status:
        return None
    return Turn(before, outcome.status, outcome.reason, at)


def cut(text: str) -> str:
    return text if len(text) <= LONGEST_REASON else f"{text[: LONGEST_REASON - 1]}…"
