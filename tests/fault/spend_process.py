"""A spender in a process of its own, for tests that kill it.

It is told one word and does that. `calls` is the provider's bill: what was truly
spent and when, written by a process that holds the room for it; `refusals` has when there was no
room. One that calls for ever may die between reserving and settling, before the bill or after it.
"""

import asyncio
import os
import random
import signal
from contextlib import suppress
from datetime import timedelta
from multiprocessing.connection import Connection as Pipe
from uuid import UUID

from assent.db.database import Database, open_database
from assent.errors import TooMany, Unavailable
from assent.models.cap import Cap, Reservation, Spender
from assent.models.spend import reserve, settle

TOKENS = 200_000
TURN = 10_000
LEASE = timedelta(minutes=10)
# Over well before the window is, so that a call lost with it would be missing from the sum.
SHORT_LEASE = timedelta(seconds=0.5)
CALLERS = 4
# Less than what the callers of two processes reserve at once: however slow the machine is, the cap
# is what holds them back.
ROLLING = Cap(TURN * CALLERS * 3 // 2, timedelta(seconds=1))
TABLES = """
CREATE TABLE calls (tokens integer, at timestamptz);
CREATE TABLE refusals (at timestamptz DEFAULT clock_timestamp())
"""
# A provider is only called while the lease holds: frozen for longer, a process must stop.
BILL = """
INSERT INTO calls
SELECT $1, clock_timestamp() WHERE clock_timestamp() < $2::timestamptz
"""


class SpendingProcess:
    def __init__(self, database: Database, spender: Spender) -> None:
        self._database = database
        self._spender = spender

    async def fill(self, *, estimate: int | None) -> int:
        """Try 16 calls at once under a cap of an hour; return how many were let through."""
        cap = Cap(TOKENS, timedelta(hours=1))
        tries = [self._reserve(cap, LEASE, estimate=estimate) for _ in range(16)]
        return sum(one is not None for one in await asyncio.gather(*tries))

    async def call_for_ever(self, *, deadly: bool) -> None:
        while True:
            try:
                reservation = await self._reserve(ROLLING, SHORT_LEASE)
                if reservation is None:
                    await self._write("INSERT INTO refusals DEFAULT VALUES")
            except Unavailable:
                reservation = None
            if reservation is None:
                await asyncio.sleep(0.02)
            else:
                await self._call(reservation, risk=0.1 if deadly else 0)

    async def _reserve(
        self, cap: Cap, lease: timedelta, *, estimate: int | None = None
    ) -> Reservation | None:
        try:
            return await reserve(
                self._database,
                self._spender,
                cap,
                worst_case=TURN,
                purpose="turn",
                lease=lease,
                estimate=estimate,
            )
        except TooMany:
            return None

    async def _call(self, reservation: Reservation, *, risk: float) -> None:
        tokens = random.randint(TURN // 2, TURN)
        await asyncio.sleep(random.random() / 5)
        perhaps_die(risk)
        with suppress(Unavailable):
            await self._write(BILL, tokens, reservation.expires_at)
        perhaps_die(risk)
        await asyncio.sleep(random.random() / 5)
        while True:
            try:
                await settle(self._database, reservation, tokens)
            except Unavailable:
                await asyncio.sleep(0.05)
            else:
                return

    async def _write(self, statement: str, *values: object) -> None:
        async with self._database.connection() as db:
            await db.execute(statement, *values)


def perhaps_die(risk: float) -> None:
    if random.random() < risk:
        os.kill(os.getpid(), signal.SIGKILL)


def spend(url: str, ids: list[UUID], pipe: Pipe) -> None:
    asyncio.run(_spend(url, ids, pipe))


async def _spend(url: str, ids: list[UUID], pipe: Pipe) -> None:
    spending = SpendingProcess(await open_database(url, pool_size=4), Spender(*ids))
    pipe.send("ready")
    word = await asyncio.to_thread(pipe.recv)
    if word in ("call", "die"):
        async with asyncio.TaskGroup() as group:
            for _ in range(CALLERS):
                group.create_task(spending.call_for_ever(deadly=word == "die"))
    pipe.send(await spending.fill(estimate=0 if word == "prepare" else None))
    await asyncio.sleep(3600)
