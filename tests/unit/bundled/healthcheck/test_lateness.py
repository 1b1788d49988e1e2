"""Runs that come late."""

from datetime import UTC, datetime, timedelta

import pytest

from assent.bundled.healthcheck.lateness import is_worth_it
from tests.unit.bundled.healthcheck.test_given import build_check

DUE = datetime(2026, 11, 16, 12, tzinfo=UTC)


@pytest.mark.parametrize(
    ("late", "changed", "worth_it"),
    [(0, -60, True), (90, -60, True), (91, -60, False), (0, 0, True), (11, 5, False)],
)
def test_late_runs(late: int, changed: int, worth_it: bool) -> None:
    check = build_check().model_copy(
        update={"interval_seconds": 30, "updated_at": DUE + timedelta(seconds=changed)}
    )
    assert is_worth_it(check, DUE, now=DUE + timedelta(seconds=late)) is worth_it
