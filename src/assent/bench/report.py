"""A report as people read it and as programs do. Pure."""

import json
from collections.abc import Iterator
from typing import Any

from assent.bench.figure import Figure, Measured, Report

FORMAT = 1
MARKS = {True: "✓", False: "✗", None: " "}
RELATIONS = {"at least": "≥", "at most": "≤"}


def encode_report(report: Report) -> str:
    body = {
        "format": FORMAT,
        "version": report.version,
        "startedAt": report.started_at,
        "seconds": round(report.seconds, 1),
        "machine": dict(report.machine),
        "measurements": [_encode_measured(one) for one in report.measured],
    }
    return json.dumps(body, indent=2, ensure_ascii=False)


def list_lines(report: Report) -> Iterator[str]:
    """The table: what was measured beside what was aimed at."""
    machine = report.machine
    load = " ".join(f"{one:.1f}" for one in machine["loadBefore"])
    yield f"Assent {report.version}, Postgres {machine['postgres']}, Python {machine['python']}"
    yield f"{machine['cpu']}, {machine['cores']} cores, {machine['memoryBytes'] / 2**30:.0f} GiB"
    yield f"{machine['system']}; load before the start: {load}"
    titles = [figure.title for one in report.measured for figure in one.figures]
    width = max((len(title) for title in titles), default=0)
    for one in report.measured:
        yield ""
        yield one.title
        if one.problem is not None:
            yield f"✗ not measured: {one.problem}"
        for figure in one.figures:
            line = f"{MARKS[figure.is_met]} {figure.title:<{width}}  {_show_value(figure):>14}"
            yield f"{line}   {_show_target(figure)}".rstrip()
    yield ""
    yield f"Measured in {report.seconds:.0f} s."


def _encode_measured(one: Measured) -> dict[str, Any]:
    return {
        "name": one.name,
        "title": one.title,
        "problem": one.problem,
        "figures": [_encode_figure(figure) for figure in one.figures],
    }


def _encode_figure(figure: Figure) -> dict[str, Any]:
    target = figure.target
    return {
        "name": figure.name,
        "at": dict(figure.at),
        "value": None if figure.value is None else round(figure.value, 3),
        "unit": figure.unit,
        "target": target and {"relation": target.relation, "value": target.value},
        "met": figure.is_met,
    }


def _show_value(figure: Figure) -> str:
    if figure.value is None:
        return "not measured"
    return f"{_show_number(figure.value)} {figure.unit}".strip()


def _show_target(figure: Figure) -> str:
    if figure.target is None:
        return ""
    relation = RELATIONS[figure.target.relation]
    return f"{relation} {_show_number(figure.target.value)} {figure.unit}".strip()


def _show_number(value: float) -> str:
    return f"{value:,.0f}" if value >= 100 or value == int(value) else f"{value:.1f}"
