"""A clock that stands still until it is told to move."""

from datetime import UTC, datetime, timedelta


class FixedClock:
    def __init__(self, now: datetime = datetime(2026, 1, 1, tzinfo=UTC)) -> None:
        self.now = now

    def __call__(self) -> datetime:
        return self.now

    def advance(self, time: timedelta) -> None:
        self.now += time
