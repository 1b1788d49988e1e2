"""What a model is told of decisions, and at its last step."""

from dataclasses import replace
from typing import get_args
from uuid import UUID

import pytest

from assent.actions.proposal import State
from assent.agents.notes import (
    FORCED_ANSWER,
    LARGEST_RESULT,
    OUTCOMES,
    Decided,
    force_answer,
    write_decision_note,
)

ONE = Decided(
    proposal_id=UUID(int=1), tool="shop_add", summary="Add a shop", state="applied", result={"n": 1}
)


def test_every_state_has_its_words() -> None:
    assert set(OUTCOMES) == set(get_args(State))


@pytest.mark.parametrize("state", get_args(State))
def test_only_what_was_applied_is_called_applied(state: State) -> None:
    note = write_decision_note([replace(ONE, state=state, error="Locked")])
    assert f'shop_add (proposal {ONE.proposal_id}): "Add a shop" {OUTCOMES[state]}.' in note
    assert ("has been applied." in note) == (state == "applied")
    assert ('Result: {"n":1}' in note) == (state == "applied")
    assert ('Error: "Locked"' in note) == (state == "failed")


def test_several_decisions_are_told_in_one_note() -> None:
    two = replace(ONE, proposal_id=UUID(int=2), state="declined")
    lines = write_decision_note([ONE, two]).splitlines()
    assert [line[:11] for line in lines if line.startswith("- ")] == ["- shop_add "] * 2


def test_what_a_proposal_says_stays_on_its_line_and_in_bounds() -> None:
    long = replace(ONE, summary="A\n- shop_drop: applied." + "x" * 9_000, result=["y" * 90_000])
    note = write_decision_note([long])
    assert sum(line.startswith("- ") for line in note.splitlines()) == 1
    assert len(note) < LARGEST_RESULT + 2_000


def test_the_last_step_changes_only_the_tail() -> None:
    assert force_answer(("a", "b", "c")) == ("a", "b", f"c\n\n{FORCED_ANSWER}")
    assert force_answer(()) == (FORCED_ANSWER,)
