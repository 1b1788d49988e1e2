"""What an attempt left behind, wherever it was interrupted."""

from uuid import UUID

import pytest

from assent.models.model import TextDelta
from assent.runs.events import (
    Event,
    FinishStep,
    InputPiece,
    InputReady,
    InputStart,
    OutputReady,
    ReasoningEnd,
    ReasoningPiece,
    ReasoningStart,
    StartStep,
    TextEnd,
    TextPiece,
    TextStart,
    build_finish,
    build_start,
    encode_event,
)
from assent.runs.frames import Batch, encode_prefix
from assent.runs.left import NOTHING, Left, Prose, read_left
from assent.runs.step import Step
from assent.runs.transcript import Part, Transcript

RUN = UUID(int=1)
CALL = {"type": "dynamic-tool", "toolName": "a.b", "toolCallId": "1"}
FIRST: list[Event] = [
    build_start("m", "r"),
    StartStep(),
    TextStart("0.0"),
    TextPiece("0.0", "I look."),
    TextEnd("0.0"),
    InputStart("1", "a.b"),
    InputReady("1", "a.b", {}),
    OutputReady("1", 7),
    FinishStep(),
]
STORED: list[Part] = [
    {"type": "step-start"},
    {"type": "text", "text": "I look."},
    {**CALL, "state": "output-available", "input": {}, "output": 7},
]
SECOND: list[Event] = [
    StartStep(),
    TextStart("1.0"),
    TextPiece("1.0", "It is "),
    TextPiece("1.0", "7"),
]


def write(attempt: int, events: list[Event]) -> list[Batch]:
    """A journal in batches of two."""
    prefix = encode_prefix(RUN, attempt)
    frames = [b"%b%d\n%b" % (prefix, n, encode_event(one)) for n, one in enumerate(events, 1)]
    pairs = range(0, len(frames), 2)
    return [Batch(attempt, first + 1, tuple(frames[first : first + 2])) for first in pairs]


def test_words_after_the_stored_step_are_kept() -> None:
    left = read_left(STORED, write(1, [*FIRST, *SECOND]))
    assert left == Left(parts=STORED, prose=(Prose("text", "It is 7"),))
    assert left.text == "It is 7"
    assert not left.open_calls


def test_the_first_step_may_be_all_there_is() -> None:
    left = read_left([], write(1, FIRST[:4]))
    assert left == Left(parts=[], prose=(Prose("text", "I look."),))
    assert left.close() == [{"type": "step-start"}, {"type": "text", "text": "I look."}]


def test_a_call_that_was_not_stored_was_not_made() -> None:
    half = [*FIRST, *SECOND, TextEnd("1.0"), InputStart("2", "a.b"), InputPiece("2", "{")]
    assert read_left(STORED, write(1, half)).text == "It is 7"
    assert not read_left(STORED, write(1, half)).open_calls


def test_a_stored_call_without_a_result_is_still_to_be_made() -> None:
    waiting: list[Part] = [*STORED[:2], {**CALL, "state": "input-available", "input": {}}]
    left = read_left(waiting, write(1, FIRST[:7]))
    assert left == Left(parts=waiting)
    assert left.open_calls
    assert left.close()[-1]["state"] == "output-error"


def test_reasoning_without_words_begins_anew() -> None:
    thought = [ReasoningStart("1.0"), ReasoningPiece("1.0", "Hm"), ReasoningEnd("1.0")]
    assert read_left(STORED, write(1, [*FIRST, StartStep(), *thought])) == Left(parts=STORED)
    spoken = read_left(STORED, write(1, [*FIRST, StartStep(), *thought, *SECOND[1:]]))
    assert [one.kind for one in spoken.prose] == ["reasoning", "text"]


def test_a_finished_answer_is_known_as_such() -> None:
    whole = [*FIRST, *SECOND, TextEnd("1.0"), FinishStep(), build_finish("stop", None)]
    assert read_left(STORED, write(1, whole)).finished
    assert not read_left(STORED, write(1, whole[:-1])).finished


def test_the_latest_attempt_tells_all() -> None:
    again = [
        *FIRST,
        StartStep(),
        TextStart("1.0"),
        TextPiece("1.0", "It is 7, "),
        TextPiece("1.0", "so"),
    ]
    journal = [*write(1, [*FIRST, *SECOND]), *write(2, again)]
    assert read_left(STORED, journal).text == "It is 7, so"


def test_without_a_journal_there_is_what_was_stored() -> None:
    assert read_left(STORED, []) == Left(parts=STORED)
    assert read_left([], []) == NOTHING


@pytest.mark.parametrize("cut", range(len(FIRST) + len(SECOND) + 1))
def test_what_is_said_again_is_what_was_seen(cut: int) -> None:
    """Cut anywhere before the step was stored: nobody loses a word."""
    journal = FIRST[:5] + SECOND
    left = read_left([], write(1, journal[:cut]))
    step = Step(0, {})
    seen = Transcript()
    for one in left.prose:
        seen.apply_all(step.take(TextDelta(one.text), 0))
    before = Transcript()
    before.apply_all(journal[:cut])
    assert texts(seen.parts) == texts(before.parts)


def texts(parts: list[Part]) -> str:
    return "".join(part["text"] for part in parts if part["type"] == "text")
