"""Any sequence of deeds agrees with a reference that keeps every spend and its time.

Time passes in whole minutes, and the sums of the window are kept by the minute: the reference
therefore says exactly what must be refused, and with one minute more what must be let through.
"""

from dataclasses import dataclass, field
from datetime import timedelta
from typing import TypeAlias

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from assent.db.database import Database
from assent.errors import LeaseLost, TooMany
from assent.models.cap import Cap, Reservation
from assent.models.spend import release, renew, reserve, settle
from assent.models.sweep import sweep
from tests.store.models.steps import new_spender, pass_time, read_meter

CAP, WINDOW, LEASE = 100, 60, 5


@dataclass(frozen=True)
class Reserve:
    worst_case: int
    estimate: int | None


@dataclass(frozen=True)
class Settle:
    nth: int
    tokens: int


@dataclass(frozen=True)
class Release:
    nth: int


@dataclass(frozen=True)
class Renew:
    nth: int
    estimate: int | None


@dataclass(frozen=True)
class Wait:
    minutes: int


@dataclass(frozen=True)
class Sweep:
    pass


Step: TypeAlias = Reserve | Settle | Release | Renew | Wait | Sweep

nth = st.integers(0, 7)
estimates = st.none() | st.integers(0, 60)
steps = st.lists(
    st.builds(Reserve, st.integers(1, CAP), estimates)
    | st.builds(Reserve, st.integers(1, 40), estimates)
    | st.builds(Settle, nth, st.integers(0, 60))
    | st.builds(Release, nth)
    | st.builds(Renew, nth, estimates)
    | st.builds(Wait, st.sampled_from([1, LEASE - 1, LEASE, 20, WINDOW - 1, WINDOW]))
    | st.builds(Sweep),
    max_size=40,
)


@dataclass
class Call:
    """A reservation as the reference sees it."""

    handle: Reservation
    worst_case: int
    estimate: int
    expires_at: int
    closed: bool = False


@dataclass
class Reference:
    now: int = 0
    calls: list[Call] = field(default_factory=list[Call])
    spends: list[tuple[int, int]] = field(default_factory=list[tuple[int, int]])

    def count(self, *, window: int) -> int:
        spent = sum(tokens for time, tokens in self.spends if self.now - time < window)
        return spent + sum(self.count_call(call) for call in self.calls if not call.closed)

    def count_call(self, call: Call) -> int:
        if self.now < call.expires_at:
            return call.worst_case
        return call.estimate if self.now < call.expires_at + WINDOW else 0

    def must_settle(self, call: Call) -> bool:
        return not call.closed and self.now < call.expires_at + WINDOW

    def must_renew(self, call: Call) -> bool:
        if call.estimate == call.worst_case:
            return self.must_settle(call)
        return not call.closed and self.now < call.expires_at


class Bench:
    """Does each step on the database and on the reference, and compares."""

    def __init__(self, database: Database) -> None:
        self.database = database
        self.spender = new_spender()
        self.reference = Reference()

    async def do(self, step: Step) -> None:
        match step:
            case Reserve():
                await self.reserve(step)
            case Wait(minutes):
                await pass_time(self.database, self.spender, timedelta(minutes=minutes))
                self.reference.now += minutes
            case Sweep():
                await sweep(self.database, self.spender.tenant_id)
            case Settle() | Release() | Renew():
                if self.reference.calls:
                    call = self.reference.calls[step.nth % len(self.reference.calls)]
                    await (self.renew if isinstance(step, Renew) else self.close)(call, step)
        meter = await read_meter(self.database, self.spender)
        assert meter is None or meter.buckets <= WINDOW + 2

    async def reserve(self, step: Reserve) -> None:
        reference = self.reference
        try:
            handle = await reserve(
                self.database,
                self.spender,
                Cap(CAP, timedelta(minutes=WINDOW)),
                worst_case=step.worst_case,
                purpose="turn",
                lease=timedelta(minutes=LEASE),
                estimate=step.estimate,
            )
        except TooMany as refused:
            assert reference.count(window=WINDOW + 1) + step.worst_case > CAP
            assert 1 <= refused.retry_after <= (WINDOW + 1) * 60
            return
        assert reference.count(window=WINDOW) + step.worst_case <= CAP
        estimate = step.worst_case if step.estimate is None else step.estimate
        estimate = min(estimate, step.worst_case)
        reference.calls.append(Call(handle, step.worst_case, estimate, reference.now + LEASE))

    async def close(self, call: Call, step: Step) -> None:
        tokens = step.tokens if isinstance(step, Settle) else 0
        if isinstance(step, Settle):
            done = await settle(self.database, call.handle, tokens)
        else:
            done = await release(self.database, call.handle)
        assert not (done and call.closed)
        assert done or not self.reference.must_settle(call)
        if done:
            self.reference.spends.append((self.reference.now, tokens))
        call.closed = True

    async def renew(self, call: Call, step: Step) -> None:
        assert isinstance(step, Renew)
        try:
            await renew(
                self.database,
                call.handle,
                lease=timedelta(minutes=LEASE),
                estimate=step.estimate,
            )
        except LeaseLost:
            assert not self.reference.must_renew(call)
            return
        assert not call.closed
        call.expires_at = self.reference.now + LEASE
        if step.estimate is not None:
            call.estimate = min(step.estimate, call.worst_case)


async def run(database: Database, sequence: list[Step]) -> None:
    bench = Bench(database)
    for step in sequence:
        await bench.do(step)


@given(steps)
@settings(
    max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
async def test_deeds_agree_with_the_reference(database: Database, sequence: list[Step]) -> None:
    await run(database, sequence)


@pytest.mark.deep
@given(steps)
@settings(
    max_examples=1_500, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
async def test_many_deeds_agree_with_the_reference(
    database: Database, sequence: list[Step]
) -> None:
    await run(database, sequence)
