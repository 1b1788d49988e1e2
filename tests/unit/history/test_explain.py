"""What is said about a conversation's rows, and what is not."""

from typing import Any
from uuid import UUID

import pytest

from assent.history.explain import Row, examine_rows, examine_summary, explain_replay
from assent.history.kept import parse_kept
from assent.history.replay import Present
from assent.history.summary import Summary
from tests.unit.history.samples import WIRES, Chance, fits

PRESENT = Present(wire_names=WIRES, fits=fits)
SUMMARY = Summary(turns=1, record="Secret plan").encode()


def row(seq: int, role: str = "assistant", parts: Any = None, *, is_over: bool = True) -> Row:
    return Row(
        id=UUID(int=seq),
        seq=seq,
        role=role,
        content="Secret plan",
        parts=[] if parts is None else parts,
        run_id=None,
        is_over=is_over,
    )


def call(**keys: Any) -> dict[str, Any]:
    part = {"type": "dynamic-tool", "toolName": "shop.list", "toolCallId": "a"}
    return part | {"state": "output-available", "input": {}, "output": "Secret plan"} | keys


OPEN = call(state="input-available")


@pytest.mark.parametrize(
    ("parts", "expected", "repaired"),
    [
        ({"a": 1}, "Message 2: its parts are no list.", 0),
        (
            [call(), 7, {"type": "?"}],
            "Message 2: 2 of 3 parts cannot be read or are there twice.",
            1,
        ),
        ([OPEN], "Message 2: 1 calls wait for a result, and nobody makes them.", 1),
    ],
)
def test_broken_rows(parts: Any, expected: str, repaired: int) -> None:
    [remark] = examine_rows([row(1, "user"), row(2, parts=parts)])
    assert (remark.verdict, remark.what) == ("problem", expected)
    assert remark.repair is not None and len(remark.repair) == repaired
    assert list(examine_rows([row(2, parts=remark.repair)])) == []


def test_a_call_that_is_being_made_is_not_broken() -> None:
    assert list(examine_rows([row(2, parts=[OPEN], is_over=False)])) == []


@pytest.mark.parametrize(
    ("stored", "marker", "expected"),
    [
        (None, None, "none, all messages are replayed"),
        (SUMMARY, 2, "of 1 turns, up to message 2"),
        (None, 2, "the marker says 2, and there is none"),
        (SUMMARY, None, "it does not say how far it goes"),
        ({"turns": "x"}, 2, "it cannot be read"),
        (SUMMARY, 9, "it goes up to message 9, and the last one is 4"),
        (SUMMARY, 3, "it ends inside a turn, at message 3"),
    ],
)
def test_summaries_and_their_markers(stored: Any, marker: int | None, expected: str) -> None:
    rows = [row(1, "user"), row(2), row(3, "user"), row(4)]
    remark = examine_summary(parse_kept(stored, marker), stored, rows)
    assert expected in remark.what
    assert "Secret" not in remark.what


def test_why_calls_are_not_replayed() -> None:
    parts = [
        call(),
        OPEN,
        call(input=None),
        call(toolName="shop.gone"),
        call(toolName="shop.gone"),
        call(input={"bad": 1}),
    ]
    [remark] = explain_replay([row(2, parts=parts)], PRESENT)
    assert remark.what == (
        "Message 2: not replayed: a call of shop.list without a result; "
        "a call of shop.list without an input; "
        "a call of shop.gone, which is not offered any more (2 times); "
        "a call of shop.list whose input does not fit any more."
    )


def test_whatever_is_stored_can_be_told_and_repaired() -> None:
    for seed in range(500):
        chance = Chance(seed)
        rows = [row(one.seq, one.role, one.parts) for one in chance.history()]
        list(explain_replay(rows, PRESENT))
        for remark in examine_rows(rows):
            assert remark.repair is not None
            assert list(examine_rows([row(1, parts=remark.repair)])) == []
