"""Whatever is done to a log is found, and named."""

from dataclasses import replace
from uuid import UUID

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assent.audit.link import Linked, extend
from assent.audit.signing import Signing, Trust
from assent.vault.keys import KeyRing
from tests.unit.audit.logs import (
    KEY,
    OTHER_KEY,
    SIGNING,
    TENANT,
    TestLog,
    keep,
    make_content,
    make_log,
    sign,
)

FIELDS = tuple(make_content(1))
batches = st.lists(st.integers(1, 6), min_size=1, max_size=5)


@st.composite
def logs_with_index(draw: st.DrawFn, at_least: int = 1) -> tuple[TestLog, int]:
    log = make_log(draw(batches.filter(lambda sizes: sum(sizes) >= at_least)))
    return log, draw(st.integers(0, len(log.rows) - at_least))


def covers(log: TestLog, *positions: int) -> bool:
    """Whether the findings together name all these positions, and say so in words."""
    findings = log.verify().findings
    assert all(finding.message.endswith(".") for finding in findings)
    return all(any(one.first <= place <= one.last for one in findings) for place in positions)


@given(batches)
def test_an_untouched_log_is_sound(sizes: list[int]) -> None:
    log = make_log(sizes)
    report = log.verify(*(keep(log, index) for index in range(len(sizes))))
    assert report.findings == ()
    assert (report.through, report.heads) == (sum(sizes), len(sizes))


def test_an_empty_log_is_sound() -> None:
    report = TestLog().verify()
    assert (report.findings, report.through, report.unsealed) == ((), 0, 0)


@given(logs_with_index(), st.sampled_from(FIELDS), st.sampled_from(["", "x", None]))
def test_a_changed_field(drawn: tuple[TestLog, int], name: str, value: str | None) -> None:
    log, index = drawn
    if log.rows[index].content[name] == value:
        value = "y"
    log.change(index, **{name: value})
    assert log.faults() == [("changed", index + 1, index + 1)]


@given(logs_with_index(), st.binary(min_size=32, max_size=32))
def test_a_changed_link(drawn: tuple[TestLog, int], link: bytes) -> None:
    log, index = drawn
    log.set_row(index, link=link)
    [finding] = log.verify().findings
    assert (finding.fault, finding.first) == ("changed", index + 1)
    assert "its content is as it was" in finding.message


@given(logs_with_index(), st.integers(1, 60))
def test_a_changed_position(drawn: tuple[TestLog, int], position: int) -> None:
    log, index = drawn
    if position == index + 1:
        position += 100
    log.set_row(index, position=position)
    assert "moved" in {fault for fault, _, _ in log.faults()}


@given(logs_with_index())
def test_a_removed_entry(drawn: tuple[TestLog, int]) -> None:
    log, index = drawn
    del log.rows[index]
    assert log.faults() == [("removed", index + 1, index + 1)]


@given(logs_with_index())
def test_a_removed_entry_with_the_gap_closed(drawn: tuple[TestLog, int]) -> None:
    log, index = drawn
    del log.rows[index]
    log.renumber(index, -1)
    found = log.faults()
    assert ("removed", index + 1, index + 1) in found
    assert {fault for fault, _, _ in found} <= {"removed", "moved"}


@given(logs_with_index(at_least=2), st.data())
def test_several_removed_entries(drawn: tuple[TestLog, int], data: st.DataObject) -> None:
    log, index = drawn
    count = data.draw(st.integers(2, len(log.rows) - index))
    del log.rows[index : index + count]
    gone = {place for _, first, last in log.faults() for place in range(first, last + 1)}
    assert gone == set(range(index + 1, index + 1 + count))
    assert {fault for fault, _, _ in log.faults()} == {"removed"}


@given(logs_with_index(at_least=2), st.data())
def test_two_swapped_entries(drawn: tuple[TestLog, int], data: st.DataObject) -> None:
    """With their links or without them: the rows trade places."""
    log, index = drawn
    other = data.draw(st.integers(index + 1, len(log.rows) - 1))
    one, two = log.rows[index], log.rows[other]
    if data.draw(st.booleans()):
        log.rows[index] = replace(two, position=one.position)
        log.rows[other] = replace(one, position=two.position)
    else:
        log.set_row(index, content=two.content)
        log.set_row(other, content=one.content)
    assert covers(log, index + 1, other + 1)


def test_swapped_neighbours_are_named_as_moved() -> None:
    log = make_log([5])
    one, two = log.rows[1], log.rows[2]
    log.rows[1], log.rows[2] = replace(two, position=2), replace(one, position=3)
    messages = [one.message for one in log.verify().findings]
    assert messages == [
        f"Entry 2 ({UUID(int=3)}) was moved: it belongs at 3.",
        f"Entry 3 ({UUID(int=2)}) was moved: it belongs at 2.",
    ]


@given(logs_with_index(), st.booleans(), st.booleans())
def test_an_inserted_entry(drawn: tuple[TestLog, int], fitting: bool, renumber: bool) -> None:
    """Its link may be made to fit the one before; what follows gives it away."""
    log, index = drawn
    content = make_content(9999)
    before = log.rows[index].link
    link = extend(before, content) if fitting else b"?" * 32
    log.rows.insert(index + 1, Linked(index + 2, link, content))
    if renumber:
        log.renumber(index + 2, 1)
    found = log.faults()
    at_the_end = index + 2 == len(log.rows)
    assert ("unsigned" if at_the_end else "inserted", index + 2, index + 2) in found
    assert {fault for fault, _, _ in found} <= {"inserted", "moved", "unsigned"}


@given(logs_with_index())
def test_a_copied_entry(drawn: tuple[TestLog, int]) -> None:
    log, index = drawn
    log.rows.insert(index + 1, replace(log.rows[index]))
    assert covers(log, index + 1)
    assert {fault for fault, _, _ in log.faults()} <= {"inserted", "unsigned"}


@given(logs_with_index())
def test_links_made_anew_to_the_end(drawn: tuple[TestLog, int]) -> None:
    log, index = drawn
    log.change(index, action="nothing.happened")
    log.relink(index, len(log.rows))
    assert covers(log, index + 1)
    first = log.verify().findings[0]
    assert first.fault == "rewritten"
    assert first.first <= index + 1 <= first.last


@given(logs_with_index(at_least=2), st.data())
def test_some_links_made_anew(drawn: tuple[TestLog, int], data: st.DataObject) -> None:
    log, index = drawn
    log.change(index, action="nothing.happened")
    log.relink(index, data.draw(st.integers(index + 1, len(log.rows))))
    assert log.verify().findings


CHANGES = {
    "position": lambda head: head.position + 1,
    "entries": lambda head: head.entries + 1,
    "link": lambda _: b"?" * 32,
    "signed_at": lambda _: "2026-01-02T03:05:00.000001Z",
    "tenant_id": lambda _: UUID(int=8),
    "signature": lambda head: bytes(64),
    "key_id": lambda _: "0" * 16,
}


@pytest.mark.parametrize("name", CHANGES)
@given(batches, st.data())
def test_a_changed_head(name: str, sizes: list[int], data: st.DataObject) -> None:
    log = make_log(sizes)
    index = data.draw(st.integers(0, len(sizes) - 1))
    changed = replace(log.heads[index], **{name: CHANGES[name](log.heads[index])})
    log.heads[index] = changed
    assert "head" in {fault for fault, _, _ in log.faults()}
    assert covers(log, changed.position)


@given(batches.filter(lambda sizes: len(sizes) > 1), st.data())
def test_a_removed_head(sizes: list[int], data: st.DataObject) -> None:
    log = make_log(sizes)
    index = data.draw(st.integers(0, len(sizes) - 1))
    gone = log.heads.pop(index)
    start = gone.position - gone.entries
    if index == len(sizes) - 1:
        assert log.faults() == [("unsigned", start + 1, gone.position)]
    else:
        assert log.faults() == [("head", start + 1, log.heads[index].position)]


def test_a_head_of_somebody_elses_log() -> None:
    log = make_log([2])
    foreign = SIGNING.sign(replace(log.heads[0], tenant_id=UUID(int=8)))
    log.heads = [foreign]
    assert [fault for fault, _, _ in log.faults()] == ["head", "unsigned"]


def test_a_head_that_comes_again() -> None:
    log = make_log([2, 2])
    log.heads.append(log.heads[0])
    assert log.faults() == [("head", 2, 2)]


@given(batches.filter(lambda sizes: len(sizes) > 1), st.data())
def test_a_log_cut_back_to_an_older_head(sizes: list[int], data: st.DataObject) -> None:
    """Nothing in it gives it away: only a head that was kept elsewhere does."""
    log = make_log(sizes)
    kept = keep(log, len(sizes) - 1)
    left = data.draw(st.integers(1, len(sizes) - 1))
    del log.heads[left:]
    end = log.heads[-1].position
    del log.rows[end:]
    assert log.faults() == []
    assert log.faults(kept) == [("cut_off", end + 1, kept.position)]


def test_a_log_written_anew_with_the_master_key() -> None:
    """Whoever has database and key can do this; again a kept head tells."""
    kept = keep(make_log([3, 3]), 0)
    log = make_log([3, 3])
    log.change(1, action="nothing.happened")
    log.relink(1, 6)
    log.heads = [sign(3, 3, log.rows[2].link), sign(6, 3, log.rows[5].link)]
    assert log.faults() == []
    assert log.faults(kept) == [("kept_head", 3, 3)]


def make_part(*, anchored: bool = True) -> TestLog:
    log = make_log([2, 3, 4])
    log.after = 5
    log.rows, log.heads = log.rows[5:], log.heads[1 if anchored else 2 :]
    return log


def test_a_log_from_a_head_on() -> None:
    report = make_part().verify()
    assert (report.findings, report.after, report.through, report.heads) == ((), 5, 9, 1)
    whole = make_log([2, 3, 4])
    assert make_part().faults(keep(whole, 1), keep(whole, 2)) == []
    assert make_part().faults(keep(whole, 0)) == [("kept_head", 2, 2)]
    assert make_part().faults(replace(keep(whole, 1), link=b"?" * 32)) == [("kept_head", 5, 5)]


def test_a_start_that_no_head_vouches_for() -> None:
    assert ("head", 5, 5) in make_part(anchored=False).faults()


def test_entries_that_are_not_sealed_yet() -> None:
    log = make_log([2])
    log.unsealed = [make_content(4), make_content(3)]
    report = log.verify()
    assert (report.findings, report.unsealed) == ((), 2)
    assert report.oldest_unsealed == "2026-01-02T03:04:03.000000Z"


def test_keys_change_on_the_way() -> None:
    later = Signing(lambda: KeyRing(OTHER_KEY, (KEY,)))
    log = make_log([2])
    row = Linked(3, extend(log.rows[-1].link, make_content(3)), make_content(3))
    log.rows.append(row)
    log.heads.append(sign(3, 1, row.link, later))
    both = Trust(later.list_public_keys())
    assert log.verify(trust=both).findings == ()
    one = Trust({}, tuple(SIGNING.list_public_keys().values()))
    assert [finding.fault for finding in log.verify(trust=one).findings] == ["head", "unsigned"]


def test_the_tenant_of_the_test_is_in_its_entries() -> None:
    assert make_content(1)["tenantId"] == str(TENANT)
