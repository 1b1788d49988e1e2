"""What is measured, under the names that `/metrics` shows. One object per process."""

from collections.abc import Mapping

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram

from assent import __version__

BUCKETS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10)


class Metrics:
    def __init__(self) -> None:
        self.registry = registry = CollectorRegistry()
        self._requests = Counter(
            "assent_http_requests",
            "Requests answered.",
            ["method", "route", "status"],
            registry=registry,
        )
        self._seconds = Histogram(
            "assent_http_request_seconds",
            "Time until the response ended.",
            ["method", "route"],
            registry=registry,
            buckets=BUCKETS,
        )
        self._connections = Gauge(
            "assent_database_connections",
            "Database connections of this process.",
            ["state"],
            registry=registry,
        )
        self._work = Gauge(
            "assent_work",
            "Background work in the whole installation.",
            ["state"],
            registry=registry,
        )
        info = Gauge("assent_info", "The version that runs.", ["version"], registry=registry)
        info.labels(__version__).set(1)

    def count_request(self, *, method: str, route: str, status: int, seconds: float) -> None:
        self._requests.labels(method, route, status).inc()
        self._seconds.labels(method, route).observe(seconds)

    def update(self, *, busy: int, idle: int, work: Mapping[str, int]) -> None:
        self._connections.labels("busy").set(busy)
        self._connections.labels("idle").set(idle)
        for state in ("queued", "running", "failed"):
            self._work.labels(state).set(work.get(state, 0))
