"""docs/observe.md lists every measurement, and the dashboard asks for none that is not there."""

import json
import re
from typing import Any

import pytest_asyncio
from opentelemetry.metrics import NoOpMeter

from assent.telemetry import names
from assent.telemetry.instruments import Instruments
from assent.testing import RunningServer
from tests.contract.source import ROOT

PAGE = (ROOT / "docs" / "observe.md").read_text()
DASHBOARD = json.loads((ROOT / "docs" / "grafana" / "assent.json").read_text())
ROW = re.compile(r"^\| `(assent_\w+)` \| (\w+) \| ([^|]+) \| \S", re.MULTILINE)
SERIES = re.compile(r"\b(?:assent|process)_\w+")
GROUPING = re.compile(r"\bby \([^)]*\)")


@pytest_asyncio.fixture
async def exported(server: RunningServer) -> dict[str, str]:
    """Every name that `/metrics` shows, with its kind."""
    client = await server.open_client()
    text = (await client.get("/metrics")).text
    return dict(re.findall(r"^# TYPE (\w+) (\w+)$", text, re.MULTILINE))


def list_expressions() -> list[str]:
    found: list[str] = []

    def walk(one: Any) -> None:
        if isinstance(one, dict):
            found.extend(one[key] for key in ("expr", "definition") if key in one)
            for value in one.values():
                walk(value)
        elif isinstance(one, list):
            for value in one:
                walk(value)

    walk(DASHBOARD)
    return found


def find_family(series: str, exported: dict[str, str]) -> str | None:
    """The metric that a series belongs to: a histogram has several."""
    if series in exported:
        return series if exported[series] != "histogram" else None
    stem = re.sub(r"_(bucket|sum|count)$", "", series)
    return stem if exported.get(stem) == "histogram" else None


async def test_the_page_lists_what_is_exported(exported: dict[str, str]) -> None:
    own = {name: kind for name, kind in exported.items() if name.startswith("assent_")}
    shown = {name: kind for name, kind in own.items() if not name.endswith("_created")}
    assert {name: kind for name, kind, _ in ROW.findall(PAGE)} == shown


async def test_names_say_their_unit(exported: dict[str, str]) -> None:
    for name, kind in exported.items():
        assert (kind == "counter") is name.endswith("_total"), name
        assert kind != "histogram" or name.endswith("_seconds"), name


async def test_the_dashboard_asks_for_what_is_there(exported: dict[str, str]) -> None:
    asked = {series for one in list_expressions() for series in SERIES.findall(one)}
    assert len(asked) > 30
    assert [series for series in sorted(asked) if find_family(series, exported) is None] == []


async def test_the_dashboard_shows_every_measurement_of_ours(exported: dict[str, str]) -> None:
    asked = {series for one in list_expressions() for series in SERIES.findall(one)}
    shown = {find_family(series, exported) for series in asked}
    seldom = {
        "assent_http_requests_total",
        "assent_outbox_waiting",
        "assent_audit_waiting",
        "assent_work_duration_seconds",
        "assent_work_wait_seconds",
    }
    own = {name for name in exported if re.match(r"assent_(?!.*_created$)", name)}
    assert own - shown == seldom


def test_labels_of_the_dashboard_exist() -> None:
    labels = {
        label.strip()
        for _, _, listed in ROW.findall(PAGE)
        for label in re.findall(r"`(\w+)`", listed)
    } | {"le", "job", "instance"}
    grouped = {
        label.strip()
        for one in list_expressions()
        for group in GROUPING.findall(one)
        for label in group.removeprefix("by (").removesuffix(")").split(",")
    }
    assert grouped <= labels


def test_the_dashboard_has_its_rows() -> None:
    rows = [panel["title"] for panel in DASHBOARD["panels"] if panel["type"] == "row"]
    assert rows == ["Turns", "Models", "Tools & approvals", "Queue & database"]
    ids = [panel["id"] for panel in DASHBOARD["panels"]]
    assert len(set(ids)) == len(ids)


def test_the_page_names_every_attribute() -> None:
    attributes = [value for name, value in vars(names).items() if name.isupper()]
    missing = [
        one
        for one in attributes
        if f"`{one}`" not in PAGE
        and not (
            one.startswith("gen_ai.usage.") and f"`{one.removeprefix('gen_ai.usage.')}`" in PAGE
        )
    ]
    assert missing == [names.TOKEN_KIND]


def test_the_page_names_opentelemetrys_measurements() -> None:
    made: list[str] = []

    class Meter(NoOpMeter):
        def create_histogram(self, name: str, *given: Any, **more: Any) -> Any:
            made.append(name)
            return super().create_histogram(name, *given, **more)

    Instruments(Meter("test"))
    assert [name for name in made if f"`{name}`" not in PAGE] == []
