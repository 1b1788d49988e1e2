"""What was measured: figures with their targets, and how a target is judged. Pure.

The names of figures and their fields are what `--json` promises (docs/bench.md).
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, TypeAlias

Unit: TypeAlias = Literal["", "%", "kB", "ms", "µs", "/s"]


@dataclass(frozen=True, slots=True)
class Target:
    relation: Literal["at least", "at most"]
    value: float

    def is_met(self, value: float) -> bool:
        return value >= self.value if self.relation == "at least" else value <= self.value


@dataclass(frozen=True, slots=True, kw_only=True)
class Figure:
    """One number, or nothing where this machine cannot tell it; `at` has the conditions."""

    name: str
    title: str
    value: float | None
    unit: Unit = ""
    target: Target | None = None
    at: Mapping[str, str | int | float] = field(default_factory=dict[str, str | int | float])

    @property
    def is_met(self) -> bool | None:
        if self.target is None or self.value is None:
            return None
        return self.target.is_met(self.value)


@dataclass(frozen=True, slots=True, kw_only=True)
class Measured:
    """One measurement: its figures, or the problem that kept it from having any."""

    name: str
    title: str
    figures: tuple[Figure, ...] = ()
    problem: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Report:
    version: str
    started_at: str
    seconds: float
    machine: Mapping[str, Any]
    measured: tuple[Measured, ...]

    @property
    def is_whole(self) -> bool:
        return all(one.problem is None for one in self.measured)


def at_least(value: float) -> Target:
    return Target("at least", value)


def at_most(value: float) -> Target:
    return Target("at most", value)


def find_percentile(values: Sequence[float], percent: float) -> float:
    """The smallest value that so many percent of them do not exceed."""
    ordered = sorted(values)
    return ordered[max(0, math.ceil(len(ordered) * percent / 100) - 1)]
