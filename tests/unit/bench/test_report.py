"""The table and the JSON of one report."""

import json

from assent.bench.figure import Figure, Measured, Report, at_least, at_most
from assent.bench.report import encode_report, list_lines

REPORT = Report(
    version="0.1.0",
    started_at="2026-11-15T12:00:00+00:00",
    seconds=61.26,
    machine={
        "cores": 2,
        "cpu": "Some CPU",
        "memoryBytes": 8 * 2**30,
        "system": "Linux 6",
        "python": "3.11.7",
        "postgres": "18.6",
        "loadBefore": [0.5, 1, 2],
    },
    measured=(
        Measured(
            name="streams",
            title="Live streams",
            figures=(
                Figure(
                    name="streams.perCore",
                    title="streams that one core carries",
                    value=1234.5678,
                    target=at_least(1000),
                    at={"streams": 1000},
                ),
                Figure(name="streams.p99", title="p99", value=41.26, unit="ms", target=at_most(40)),
                Figure(name="streams.cpu", title="CPU", value=None, unit="µs"),
            ),
        ),
        Measured(name="resume", title="Coming back", problem="The server hung up."),
    ),
)


def test_the_table_has_target_and_measured_side_by_side() -> None:
    assert list(list_lines(REPORT)) == [
        "Assent 0.1.0, Postgres 18.6, Python 3.11.7",
        "Some CPU, 2 cores, 8 GiB",
        "Linux 6; load before the start: 0.5 1.0 2.0",
        "",
        "Live streams",
        "✓ streams that one core carries           1,235   ≥ 1,000",
        "✗ p99                                   41.3 ms   ≤ 40 ms",
        "  CPU                              not measured",
        "",
        "Coming back",
        "✗ not measured: The server hung up.",
        "",
        "Measured in 61 s.",
    ]


def test_programs_get_the_same_with_names_that_stay() -> None:
    body = json.loads(encode_report(REPORT))
    assert list(body) == ["format", "version", "startedAt", "seconds", "machine", "measurements"]
    assert body["machine"] == dict(REPORT.machine)
    assert body["seconds"] == 61.3
    streams, resume = body["measurements"]
    assert resume == {
        "name": "resume",
        "title": "Coming back",
        "problem": "The server hung up.",
        "figures": [],
    }
    assert streams["figures"][0] == {
        "name": "streams.perCore",
        "at": {"streams": 1000},
        "value": 1234.568,
        "unit": "",
        "target": {"relation": "at least", "value": 1000},
        "met": True,
    }
    assert streams["figures"][2] | {"value": 0} == {
        "name": "streams.cpu",
        "at": {},
        "value": 0,
        "unit": "µs",
        "target": None,
        "met": None,
    }
