import pytest

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


@pytest.mark.parametrize(
    ("text", "outcomes", "ids"),
    [
        (f"The proposal {ONE} was applied.", ["applied"], [ONE]),
        (f"Proposal {ONE} was declined by Ada: not now.", ["declined"], [ONE]),
        (
            f"Decisions on proposals:\n- proposal {ONE}: applied\n- proposal {TWO}: failed",
            ["applied", "failed"],
            [ONE, TWO],
        ),
        ("The proposal ended as outcome_unknown.", ["unknown"], []),
        ("what was applied yesterday?", [], []),
        ("write a proposal", [], []),
        ("create an incident called proposal service failed", [], []),
        (f'The proposal "Mark run as failed" ({ONE}) was applied.', ["applied"], [ONE]),
    ],
)
def test_reads_decisions(text: str, outcomes: list[str], ids: list[str]) -> None:
    decisions = read_decisions(text)
    assert [one.outcome for one in decisions] == outcomes
    assert [each for one in decisions for each in one.ids] == ids


def test_the_current_place_comes_first() -> None:
    lines = (
        f"Workspaces you may use:\n- workspace Attic (id {ONE})\n"
        f"- current workspace: Demo (id {WORKSPACE})\nBuild {TWO}"
    )
    assert [(one.name, one.id) for one in read_places((lines,))] == [
        ("Demo", WORKSPACE),
        ("Attic", ONE),
    ]
