"""What the database's errors are in our words."""

import asyncpg
import pytest

from assent.db.database import explain
from assent.errors import Busy, Conflict, Unavailable


@pytest.mark.parametrize(
    ("error", "ours"),
    [
        (asyncpg.UniqueViolationError("x"), Conflict),
        (asyncpg.ForeignKeyViolationError("x"), Conflict),
        (asyncpg.DiskFullError("x"), Unavailable),
        (asyncpg.OutOfMemoryError("x"), Unavailable),
        (asyncpg.TooManyConnectionsError("x"), Unavailable),
        (asyncpg.AdminShutdownError("x"), Unavailable),
        (asyncpg.CannotConnectNowError("x"), Unavailable),
        (asyncpg.DeadlockDetectedError("x"), Busy),
        (asyncpg.SerializationError("x"), Busy),
    ],
)
def test_what_a_caller_can_do_something_about_has_our_name(
    error: asyncpg.PostgresError, ours: type[Exception]
) -> None:
    assert type(explain(error)) is ours


def test_anything_else_stays_what_it_is() -> None:
    error = asyncpg.UndefinedTableError("x")
    assert explain(error) is error
