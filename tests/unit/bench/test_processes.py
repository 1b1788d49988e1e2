"""CPU time and memory from what the operating system writes."""

import os
import time

import pytest

from assent.bench.processes import PAGE, TICKS, Usage, parse_ps, parse_stat, read_usage

STAT = (
    "4711 (a (very) odd name) S 42 4711 4711 0 -1 4194304 2151 0 7 0 "
    "150 50 30 20 20 0 1 0 12345 98765432 1000 18446744073709551615 1 1 0"
)


def test_proc_has_it_after_the_name() -> None:
    assert parse_stat(STAT) == Usage(
        pid=4711, parent=42, cpu=200 / TICKS, memory=1000 * PAGE, ended_cpu=50 / TICKS
    )


@pytest.mark.parametrize(
    ("clock", "seconds"),
    [("0:00.25", 0.25), ("1:02.50", 62.5), ("2:00:01", 7201), ("1-02:00:01", 93601)],
)
def test_ps_has_it_in_columns(clock: str, seconds: float) -> None:
    assert parse_ps(f"  4711    42 {clock}  2048") == Usage(4711, 42, seconds, 2048 * 1024)


def test_work_shows() -> None:
    before = read_usage(os.getpid())
    assert before is not None and before.parent == os.getppid() and before.memory > 2**20
    end = time.process_time() + 0.05
    while time.process_time() < end:
        pass
    after = read_usage(os.getpid())
    assert after is not None and 0.03 < after.cpu - before.cpu < 5


def test_nobody_has_used_nothing() -> None:
    assert read_usage(2**22 + 1) is None
