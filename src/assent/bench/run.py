"""The whole of `assent bench`: what is measured, in which order, each on servers of its own."""

import asyncio
import signal
import time
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import cast

import uvloop

from assent import __version__
from assent.bench.changes import measure_changes
from assent.bench.database import load_version
from assent.bench.figure import Figure, Measured, Report
from assent.bench.first_token import measure_first_token
from assent.bench.followers import measure_active_followers, measure_idle_followers
from assent.bench.machine import describe_machine
from assent.bench.resume import measure_resume
from assent.bench.site import Site, open_site
from assent.bench.size import Size
from assent.bench.stage import Ground, open_ground, open_stage
from assent.bench.streams import measure_streams
from assent.bench.tool_calls import measure_tool_calls
from assent.db.operating_system import raise_open_files
from assent.errors import AssentError


@dataclass(frozen=True, slots=True)
class Measurement:
    title: str
    measure: Callable[[Site, Size], Awaitable[list[Figure]]]
    servers: int = 1


MEASUREMENTS = {
    "streams": Measurement(
        "Live streams at 10 words a second, one follower each, one process", measure_streams
    ),
    "idle-followers": Measurement(
        "Followers of a run that is silent", measure_idle_followers, servers=2
    ),
    "active-followers": Measurement(
        "Followers of a run that says 10 words a second", measure_active_followers
    ),
    "first-token": Measurement(
        "Time to the first token, beyond the provider's own", measure_first_token
    ),
    "resume": Measurement(
        "Coming back to a run of 2,000 events, all of them", measure_resume, servers=2
    ),
    "changes": Measurement("Changes: proposal, token, application", measure_changes),
    "tool-calls": Measurement("Tool calls that read", measure_tool_calls),
}


def run_bench(
    names: Sequence[str],
    size: Size,
    *,
    database_url: str | None,
    binaries: Path | None,
    tell: Callable[[str], None],
) -> Report:
    """Measure what is named, or everything; a measurement that fails holds back no other."""
    signal.signal(signal.SIGTERM, _interrupt)
    signal.signal(signal.SIGINT, signal.default_int_handler)
    raise_open_files()
    machine, started_at, begun = describe_machine(), datetime.now(UTC), time.monotonic()
    chosen = [name for name in MEASUREMENTS if not names or name in names]
    with open_ground(database_url, binaries) as ground:
        machine["postgres"] = asyncio.run(load_version(ground.url))
        measured: list[Measured] = []
        for name in chosen:
            tell(MEASUREMENTS[name].title)
            measured.append(uvloop.run(_measure(name, ground, size)))
    return Report(
        version=__version__,
        started_at=started_at.isoformat(timespec="seconds"),
        seconds=time.monotonic() - begun,
        machine=machine,
        measured=tuple(measured),
    )


def _interrupt(*_: object) -> None:
    """Whoever tells us to go wants what Ctrl-C does."""
    signal.raise_signal(signal.SIGINT)


async def _measure(name: str, ground: Ground, size: Size) -> Measured:
    one = MEASUREMENTS[name]
    figures: list[Figure] = []
    problem: str | None = None
    try:
        async with open_stage(ground, servers=one.servers) as stage, open_site(stage) as site:
            figures = await one.measure(site, size)
    except* (AssentError, OSError) as failed:
        problem = _describe(failed)
    return Measured(name=name, title=one.title, figures=tuple(figures), problem=problem)


def _describe(failed: BaseExceptionGroup[Exception]) -> str:
    """The first of what went wrong at once."""
    error: BaseException = failed
    while isinstance(error, BaseExceptionGroup):
        error = cast(BaseExceptionGroup[BaseException], error).exceptions[0]
    return str(error)
