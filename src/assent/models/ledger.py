"""The ledger: a row for every call of a model, there before the call and completed after it.

What a call may take at the most counts from its beginning on, so that no sum is ever too small. A
call that nobody ends, because its process was lost, keeps that and is marked by the sweep.
"""

import asyncio
import logging
from collections import deque
from contextlib import suppress
from dataclasses import dataclass

from assent.db.database import Database
from assent.errors import CreditsExhausted, Unavailable
from assent.models.call import Ended, NewCall
from assent.models.cap import Reservation
from assent.models.spend import settle
from assent.models.store import ledger as store

MOST_LATE = 10_000
"""Of a database that is away for long; what is forgotten stays the worst case."""

NOT_ENOUGH = (
    "What is left of this month's credits is not enough for this. Ask an admin, or choose "
    "another model."
)

log = logging.getLogger("assent.models")


@dataclass(frozen=True, slots=True)
class Opened:
    """A call that is under way, with the room it has under a spend cap."""

    call: NewCall
    reservation: Reservation | None


class Ledger:
    """Made once by `Models`: remembers what could not be written yet."""

    def __init__(self, database: Database) -> None:
        self.database = database
        self._late: deque[tuple[Opened, Ended]] = deque(maxlen=MOST_LATE)

    async def open(self, call: NewCall) -> None:
        """Raise when there are not enough credits."""
        async with self.database.connection() as db:
            if not await store.open_call(db, call):
                raise CreditsExhausted(NOT_ENOUGH)

    async def close(self, opened: Opened, ended: Ended) -> None:
        """Never raises for a database that is away: it is caught up with as soon as it is back."""
        try:
            await self._write(opened, ended)
        except Unavailable:
            log.warning("What a model call took is written later: the database is away.")
            self._late.append((opened, ended))
        except asyncio.CancelledError:
            self._late.append((opened, ended))
            raise
        else:
            with suppress(Unavailable):
                await self.catch_up()

    async def catch_up(self) -> None:
        """Write what is late."""
        while self._late:
            late = self._late.popleft()
            try:
                await self._write(*late)
            except BaseException:
                self._late.appendleft(late)
                raise

    async def _write(self, opened: Opened, ended: Ended) -> None:
        if opened.reservation is not None:
            await settle(self.database, opened.reservation, ended.figures.tokens)
        async with self.database.connection() as db:
            await store.close_call(db, opened.call, ended)
