from uuid import UUID

import pytest

from assent.actions.proposal import State
from assent.agents.notes import CUT_ANSWER, EMPTY_ANSWER, Decided, write_decision_note
from assent.models.demo.state import read_decisions, read_parts, read_places
from assent.models.model import (
    AssistantMessage,
    CallPart,
    ImagePart,
    ResultPart,
    TextPart,
    ToolMessage,
    UserMessage,
)
from tests.unit.models.demo.world import WORKSPACE, make_id

ONE, TWO = make_id("proposal", 1), make_id("proposal", 2)


def test_reads_parts() -> None:
    messages = (
        AssistantMessage((TextPart("lost"),)),
        UserMessage((TextPart("list"), ImagePart("image/png", b""))),
        AssistantMessage((TextPart("Wait."), CallPart("1", "a_list", '{"x": 1}'))),
        ToolMessage(
            (ResultPart("1", "a_list", '{"status": "applied"}'), ResultPart("?", "b", "no"))
        ),
        AssistantMessage((TextPart("Done."),)),
        UserMessage((TextPart("thanks"),)),
    )
    first, second = read_parts(messages)
    assert (first.text, first.said, second.text) == ("list", "Wait.Done.", "thanks")
    known, strange = first.seen
    assert (known.is_call("a_list", {"x": 1}), known.status) == (True, "applied")
    assert (strange.arguments, strange.value, strange.status) == ({}, "no", "")


STATES: list[tuple[State, str | None]] = [
    ("applied", "applied"),
    ("declined", "declined"),
    ("failed", "failed"),
    ("expired", "expired"),
    ("voided", "expired"),
    ("superseded", "replaced"),
    ("outcome_unknown", "unknown"),
    ("proposed", None),
    ("applying", None),
]


@pytest.mark.parametrize(("state", "outcome"), STATES)
def test_reads_decisions(state: State, outcome: str | None) -> None:
    summary = 'Mark "x" as failed, then declined'
    note = write_decision_note(
        [
            Decided(
                proposal_id=UUID(ONE),
                tool="a_mark",
                summary=summary,
                state=state,
                result={"note": "failed"},
                error="It was declined.",
            )
        ]
    )
    reason = "It was declined." if state == "failed" else ""
    expected = [(outcome, summary, reason, (ONE,))] if outcome else []
    assert [
        (one.outcome, one.summary, one.reason, one.ids) for one in read_decisions(note)
    ] == expected


@pytest.mark.parametrize(
    "text",
    [
        "what was applied yesterday?",
        f"The proposal {ONE} was applied.",
        f"a_mark (proposal {ONE}): was approved and has been applied.",
        EMPTY_ANSWER,
    ],
)
def test_nobody_else_tells_of_decisions(text: str) -> None:
    assert read_decisions(text) == ()


@pytest.mark.parametrize("nudge", [EMPTY_ANSWER, CUT_ANSWER])
def test_a_nudge_says_nothing(nudge: str) -> None:
    messages = (
        UserMessage((TextPart("list"),)),
        AssistantMessage((TextPart("There"),)),
        UserMessage((TextPart(nudge),)),
    )
    assert [part.text for part in read_parts(messages)] == ["list"]


def test_a_note_behind_a_message_is_apart() -> None:
    decided = Decided(proposal_id=UUID(ONE), tool="a", summary="x", state="applied")
    note = write_decision_note([decided])
    message = UserMessage((TextPart(f"list systems\n\nplease\n\n{note}"),))
    assert [part.text for part in read_parts((message,))] == ["list systems\n\nplease", note]


def test_the_current_place_comes_first() -> None:
    lines = (
        f"Workspaces you may use:\n- workspace Attic (id {ONE})\n"
        f"- current workspace: Demo (id {WORKSPACE})\nBuild {TWO}"
    )
    assert [(one.name, one.id) for one in read_places((lines,))] == [
        ("Demo", WORKSPACE),
        ("Attic", ONE),
    ]
