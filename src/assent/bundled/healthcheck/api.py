"""What health checks let other plugins use; they name `healthcheck` in `requires`."""

from assent.bundled.healthcheck.capability import ProbeFailed
from assent.bundled.healthcheck.checks import create_check, get_check, list_checks
from assent.bundled.healthcheck.declaration import COLLECTOR, READ, STRATEGY
from assent.bundled.healthcheck.given import GivenCheck
from assent.bundled.healthcheck.history import get_run_stats, list_runs
from assent.bundled.healthcheck.origin import Host, Port, WebAddress, build_origin, origin_of
from assent.bundled.healthcheck.reach import Reach
from assent.bundled.healthcheck.strategies.http import HttpResult
from assent.bundled.healthcheck.tally import CheckTally, RunCount, tally_checks
from assent.bundled.healthcheck.values import (
    Assertion,
    Check,
    CheckQuery,
    CheckRef,
    Run,
    RunQuery,
    RunStats,
    StatsQuery,
)

__all__ = [
    "COLLECTOR",
    "READ",
    "STRATEGY",
    "Assertion",
    "Check",
    "CheckQuery",
    "CheckRef",
    "CheckTally",
    "GivenCheck",
    "Host",
    "HttpResult",
    "Port",
    "ProbeFailed",
    "Reach",
    "Run",
    "RunCount",
    "RunQuery",
    "RunStats",
    "StatsQuery",
    "WebAddress",
    "build_origin",
    "create_check",
    "get_check",
    "get_run_stats",
    "list_checks",
    "list_runs",
    "origin_of",
    "tally_checks",
]
