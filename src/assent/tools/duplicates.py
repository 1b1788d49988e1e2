"""Calls that a run makes twice (SPEC T9). Pure: the run's earlier calls are given, in order.

Two calls are the same when tool and canonical arguments are; the audit log's hash tells.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal, TypeAlias

from assent.audit.entry import Effect

Outcome: TypeAlias = Literal["open", "done", "invalid", "retryable", "failed"]
"""`open` is not known yet; `done` took effect or waits for a decision; `failed` was for good."""

HOPELESS_AFTER = 2


@dataclass(frozen=True, slots=True)
class PastCall:
    tool: str
    arguments_hash: bytes
    outcome: Outcome


@dataclass(frozen=True, slots=True)
class Fresh:
    """Go on."""


@dataclass(frozen=True, slots=True)
class Duplicate:
    """The same change was made or proposed in this run."""

    advice: str


@dataclass(frozen=True, slots=True)
class Hopeless:
    """The same call failed for good, and then again."""

    advice: str


Repetition: TypeAlias = Fresh | Duplicate | Hopeless


def decide_repetition(
    past: Iterable[PastCall],
    *,
    tool: str,
    arguments_hash: bytes,
    effect: Effect,
    once: bool = False,
) -> Repetition:
    """`once`: what it gave the first time is still there to be read."""
    outcomes: list[Outcome] = [
        call.outcome for call in past if (call.tool, call.arguments_hash) == (tool, arguments_hash)
    ]
    if effect != "read" and ("open" in outcomes or "done" in outcomes):
        return Duplicate(
            f"{tool} was already called with these arguments in this run. Do not repeat it: tell "
            "the person what happened, or change the arguments if something else is meant."
        )
    if once and ("open" in outcomes or "done" in outcomes):
        return Duplicate(f"{tool} was already called with these arguments: use what it gave above.")
    if _failures_in_a_row(outcomes) >= HOPELESS_AFTER:
        return Hopeless(
            f"{tool} failed {HOPELESS_AFTER} times with these arguments and was not tried again. "
            "Use other arguments or another tool, or tell the person what is in the way."
        )
    return Fresh()


def _failures_in_a_row(outcomes: list[Outcome]) -> int:
    failures = 0
    for outcome in outcomes:
        failures = 0 if outcome == "done" else failures + (outcome == "failed")
    return failures
