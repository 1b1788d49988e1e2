"""A run in memory against a table that loses, answers or falls silent as it likes."""

from collections.abc import Generator
from uuid import UUID

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assent.errors import LeaseLost, Unavailable
from assent.runs import live as live_module
from assent.runs.frames import Batch
from assent.runs.live import LiveRun
from assent.work.lease import Lease

RUN, TENANT, WORK, OWNER = (UUID(int=number) for number in range(1, 5))
SMALL = 500


def open_live() -> LiveRun:
    return LiveRun(RUN, TENANT, 1, Lease(WORK, OWNER, 1))


@pytest.fixture(autouse=True, scope="module")
def small_memory() -> Generator[None]:
    """Memory is full after a few words."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(live_module, "KEPT_BYTES", SMALL)
        yield


class Table:
    """Takes what follows on what it has, and forgets the end of what is not on the disk."""

    def __init__(self) -> None:
        self.frames: list[bytes] = []
        self.on_disk = 0

    def append(self, batch: Batch, *, durable: bool) -> int:
        if batch.first_seq == len(self.frames) + 1:
            self.frames += batch.frames
        if durable:
            self.on_disk = len(self.frames)
        return len(self.frames)

    def crash(self, lost: int) -> None:
        del self.frames[max(self.on_disk, len(self.frames) - lost) :]


DEEDS = st.one_of(
    st.tuples(st.just("say"), st.integers(1, 400)),
    st.tuples(st.just("flush"), st.booleans()),
    st.tuples(st.just("crash"), st.integers(0, 20)),
)


def flush(live: LiveRun, table: Table, *, is_heard: bool = True) -> None:
    batch = live.take_unstored()
    if batch is None:
        return
    durable = live.is_large
    stored = table.append(batch, durable=durable)
    if is_heard:
        live.confirm(stored, durable=durable)


@given(st.lists(DEEDS, max_size=60))
def test_the_table_has_all_in_the_end(deeds: list[tuple[str, int | bool]]) -> None:
    live, table, said = open_live(), Table(), 0
    for deed, number in deeds:
        if deed == "say":
            live.say(b"x" * number)
            said += 1
        elif deed == "flush":
            flush(live, table, is_heard=bool(number))
        else:
            table.crash(number)
        assert live.unstored == sum(map(len, live.frames[live.stored + 1 - live.first_seq :]))
        assert live.size == sum(map(len, live.frames))
    live.say(b"the end")
    for _ in range(2):
        flush(live, table)
    assert not live.lost
    assert [frame.split(b"\n")[0].split(b":")[-1] for frame in table.frames] == [
        str(number).encode() for number in range(1, said + 2)
    ]


@given(st.lists(st.integers(1, 400), min_size=1, max_size=60))
def test_memory_is_bounded_while_the_table_answers(sizes: list[int]) -> None:
    live, table = open_live(), Table()
    for size in sizes:
        live.say(b"x" * size)
        flush(live, table)
        assert live.size <= SMALL


def test_what_nobody_has_is_not_passed_over() -> None:
    live = open_live()
    while live.first_seq == 1:
        live.say(b"x" * 100)
        live.confirm(live.last.seq, durable=live.is_large)
    live.confirm(live.first_seq - 2)
    assert live.closed
    with pytest.raises(Unavailable):
        live.say(b"more")


async def test_whoever_waits_for_room_learns_of_a_loss() -> None:
    live = open_live()
    live.say(b"x" * 2 * SMALL)
    assert live.is_full
    live.give_up(LeaseLost())
    with pytest.raises(LeaseLost):
        await live.wait_for_room()
