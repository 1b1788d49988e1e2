"""What a process calls itself, and how long it waits for a collector that is away."""

import threading

import pytest

from assent.telemetry import export


def test_the_service_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("OTEL_SERVICE_NAME", "OTEL_RESOURCE_ATTRIBUTES"):
        monkeypatch.delenv(name, raising=False)
    assert export.build_resource().attributes["service.name"] == "assent"


def test_an_operators_name_comes_first(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OTEL_SERVICE_NAME", "desk")
    monkeypatch.setenv("OTEL_RESOURCE_ATTRIBUTES", "deployment.environment.name=test")
    attributes = export.build_resource().attributes
    assert attributes["service.name"] == "desk"
    assert attributes["deployment.environment.name"] == "test"


def test_what_never_ends_is_not_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(export, "CLOSE_SECONDS", 0.01)
    closed, never = threading.Event(), threading.Event()
    export.close_in_time([never.wait, closed.set])
    assert closed.wait(10)
    never.set()
