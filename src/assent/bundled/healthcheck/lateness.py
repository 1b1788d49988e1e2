"""How late a run may come and still say something about when it was due. Pure."""

from datetime import datetime, timedelta

from assent.bundled.healthcheck.values import Check

GRACE = timedelta(minutes=1)


def is_worth_it(check: Check, due_at: datetime, *, now: datetime) -> bool:
    """Whether a run is made even though a later one was."""
    latest = due_at + timedelta(seconds=check.interval_seconds) + GRACE
    return check.updated_at <= due_at and now <= latest
