"""What tools show is cut to what a page can show, whatever they give."""

import pytest

from assent.tools.part import (
    LARGEST_COUNT,
    MOST_REPLIES,
    MOST_STEPS,
    DocumentSource,
    Plan,
    PlanStep,
    Progress,
    QuickReplies,
    WebSource,
)


def test_a_plan_is_bounded_and_on_one_line_each() -> None:
    part = Plan(tuple(PlanStep(f"Step\n{n} " + "x" * 999) for n in range(99)), "a\nb").encode()
    assert part["type"] == "data-plan" and part["id"] == "plan"
    steps = part["data"]["steps"]
    assert len(steps) == MOST_STEPS and part["data"]["title"] == "a b"
    assert all("\n" not in one["text"] and len(one["text"]) <= 310 for one in steps)
    assert steps[0]["state"] == "pending"


def test_replies_are_few_and_different() -> None:
    part = QuickReplies(("Yes", " Yes ", "", "No", "a", "b", "c")).encode()
    assert part["data"]["replies"] == ["Yes", "No", "a", "b"]
    assert len(part["data"]["replies"]) == MOST_REPLIES


def test_the_same_source_has_the_same_id() -> None:
    one, other = WebSource("https://a.example/x").encode(), WebSource("https://a.example/x", "T")
    assert one["sourceId"] == other.encode()["sourceId"] and one["title"] == "a.example"
    assert DocumentSource("A").encode()["sourceId"] != DocumentSource("B").encode()["sourceId"]
    assert "filename" not in DocumentSource("A").encode()


@pytest.mark.parametrize(
    ("progress", "encoded"),
    [
        (Progress(done=3, total=10, text="Reading"), {"done": 3, "total": 10, "text": "Reading"}),
        (Progress(done=-1), {"done": 0}),
        (Progress(done=5, total=3), {"done": 5, "total": 5}),
        (Progress(done=10**30), {"done": LARGEST_COUNT}),
    ],
)
def test_progress_never_says_nonsense(progress: Progress, encoded: dict[str, object]) -> None:
    assert progress.encode() == encoded
