"""What a server and its Postgres spent on a load, and figures about that."""

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from assent.bench.figure import Figure, Target, Unit, find_percentile
from assent.bench.processes import read_family_cpu, read_usage
from assent.bench.stage import Server, Stage

At = Mapping[str, str | int | float]


@dataclass(frozen=True, slots=True)
class Spent:
    """Seconds by the clock, and of CPU where that is known."""

    seconds: float
    cpu: float | None
    postgres_cpu: float | None


class Meter:
    """Begins to count when it is made."""

    def __init__(self, stage: Stage, server: Server) -> None:
        self._postgres_pid = stage.postgres_pid
        self._pid = server.pid
        self._postgres_cpu = read_family_cpu(self._postgres_pid)
        self._usage = read_usage(self._pid)
        self._begun = time.monotonic()

    def read(self) -> Spent:
        seconds = time.monotonic() - self._begun
        usage, postgres_cpu = read_usage(self._pid), read_family_cpu(self._postgres_pid)
        return Spent(
            seconds=seconds,
            cpu=_subtract(usage and usage.cpu, self._usage and self._usage.cpu),
            postgres_cpu=_subtract(postgres_cpu, self._postgres_cpu),
        )

    def read_memory_each(self, count: int) -> float | None:
        """How many kB of memory each of so many has cost since the beginning."""
        usage = read_usage(self._pid)
        grown = _subtract(usage and usage.memory, self._usage and self._usage.memory)
        return None if grown is None else grown / count / 1000


def divide(value: float | None, by: float | None) -> float | None:
    return value / by if value is not None and by else None


def list_costs(name: str, what: str, spent: Spent, count: int, at: At) -> list[Figure]:
    """CPU for one of so many: the server's and, apart from it, that of Postgres."""
    millions = count / 1e6
    return [
        Figure(
            name=f"{name}.cpu",
            title=f"server CPU for {what}",
            value=divide(spent.cpu, millions),
            unit="µs",
            at=at,
        ),
        Figure(
            name=f"{name}.postgresCpu",
            title=f"Postgres CPU for {what}",
            value=divide(spent.postgres_cpu, millions),
            unit="µs",
            at=at,
        ),
    ]


def list_percentiles(
    name: str,
    title: str,
    seconds: Sequence[float],
    at: At,
    target: Target | None = None,
) -> list[Figure]:
    """The median and the 99th percentile in milliseconds; the target is about the latter."""
    unit: Unit = "ms"
    return [
        Figure(
            name=f"{name}.p{percent}",
            title=f"{title}, p{percent}",
            value=1000 * find_percentile(seconds, percent) if seconds else None,
            unit=unit,
            target=target if percent == 99 else None,
            at=at,
        )
        for percent in (50, 99)
    ]


def _subtract(after: float | None, before: float | None) -> float | None:
    return None if after is None or before is None else after - before
