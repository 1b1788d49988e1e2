"""What `/metrics` shows: what the process has counted, and readings taken when it is asked.

Readings from the database are kept for a few seconds and given up after five, so that asking often
costs nothing and a database that is slow or away leaves the rest readable.
"""

import asyncio
import logging
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from time import monotonic

from prometheus_client import generate_latest
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, Metric

from assent.actions.record import DECIDED
from assent.actions.store import count_waiting
from assent.audit.store import measure_unsealed
from assent.db.database import Database
from assent.errors import AssentError
from assent.plugins.load import Loaded
from assent.runs.studio import Studio
from assent.telemetry.telemetry import Telemetry
from assent.work.lease import Backlog
from assent.work.store import measure_outbox, measure_work

KEPT_SECONDS = 5.0
LIMIT_SECONDS = 5.0

log = logging.getLogger("assent.monitor")


@dataclass(frozen=True, slots=True)
class Readings:
    """What the whole installation's database said. Ages are in seconds."""

    work: Sequence[tuple[str, str, Backlog]]
    outbox: Backlog
    unsealed: Backlog
    proposals: int


class Monitor:
    """One for each process."""

    def __init__(self, telemetry: Telemetry, studio: Studio) -> None:
        self._telemetry = telemetry
        self._studio = studio
        self._database = studio.means.database
        self._topics = list_topics(studio.means.loaded)
        self._readings: Readings | None = None
        self._read_at = -KEPT_SECONDS
        self._reading = asyncio.Lock()

    async def render(self) -> bytes:
        async with self._reading:
            if monotonic() - self._read_at >= KEPT_SECONDS:
                self._readings = await self._read()
                self._read_at = monotonic()
        return generate_latest(self)

    def collect(self) -> Iterator[Metric]:
        yield from self._telemetry.metrics.registry.collect()
        yield from self._collect_process()
        yield _gauge("assent_database_up", "Whether the database answers.", int(self._is_up))
        if self._readings is not None:
            yield from _collect_readings(self._readings)

    @property
    def _is_up(self) -> bool:
        return self._readings is not None

    def _collect_process(self) -> Iterator[Metric]:
        size, idle = self._database.connections
        connections = GaugeMetricFamily(
            "assent_database_connections", "Database connections of the process.", labels=["state"]
        )
        connections.add_metric(["busy"], size - idle)
        connections.add_metric(["idle"], idle)
        yield connections
        yield _gauge(
            "assent_database_waiting", "Who waits for a connection.", self._database.waiting
        )
        studio = self._studio
        yield _gauge("assent_runs_active", "Turns worked on here.", studio.journal.live_runs)
        yield _gauge("assent_followers", "Streams followed here.", studio.copies.followers)
        yield _gauge("assent_event_followers", "Open pages told of changes.", studio.audience.size)
        failures = CounterMetricFamily(
            "assent_vault_failures", "Sealed values that could not be opened."
        )
        failures.add_metric([], studio.means.vault.failures)
        yield failures

    async def _read(self) -> Readings | None:
        try:
            async with asyncio.timeout(LIMIT_SECONDS):
                return await read(self._database, self._topics)
        except (AssentError, OSError, TimeoutError) as error:
            log.warning("The database gives no readings: %s", error)
            return None


def list_topics(loaded: Loaded) -> list[str]:
    """Topics of events that become work; others wait for nobody."""
    return sorted({DECIDED, *loaded.topics})


async def read(database: Database, topics: Sequence[str]) -> Readings:
    async with database.reading() as db:
        return Readings(
            work=await measure_work(db),
            outbox=await measure_outbox(db, topics),
            unsealed=await measure_unsealed(db),
            proposals=await count_waiting(db),
        )


def _collect_readings(readings: Readings) -> Iterator[Metric]:
    waiting = GaugeMetricFamily(
        "assent_work_waiting", "Work that is due, in the whole installation.", labels=["kind"]
    )
    oldest = GaugeMetricFamily(
        "assent_work_oldest_seconds", "How long the oldest of it has waited.", labels=["kind"]
    )
    running = GaugeMetricFamily(
        "assent_work_running", "Work under way, in the whole installation.", labels=["kind"]
    )
    for kind, state, backlog in readings.work:
        if state == "running":
            running.add_metric([kind], backlog.count)
        else:
            waiting.add_metric([kind], backlog.count)
            oldest.add_metric([kind], backlog.oldest)
    yield from (waiting, oldest, running)
    yield from _gauges("assent_outbox", "Events that are not work yet", readings.outbox)
    yield from _gauges("assent_audit", "Audit entries not sealed", readings.unsealed)
    yield _gauge("assent_proposals_waiting", "Cards that wait for a person.", readings.proposals)


def _gauges(name: str, what: str, backlog: Backlog) -> Iterator[Metric]:
    yield _gauge(f"{name}_waiting", f"{what}, in the whole installation.", backlog.count)
    yield _gauge(f"{name}_oldest_seconds", f"{what}: age of the oldest.", backlog.oldest)


def _gauge(name: str, help_text: str, value: float) -> Metric:
    return GaugeMetricFamily(name, help_text, value=value)
