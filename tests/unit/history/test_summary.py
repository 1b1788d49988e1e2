"""What a summary keeps, how it is told, and what it is made from."""

import asyncio
from collections.abc import Awaitable, Callable

import pytest

from assent.errors import ModelUnavailable
from assent.history.compact import (
    PIECES,
    Room,
    count_dropped,
    drop_turns,
    shrink,
    split_text,
    summarize_turns,
)
from assent.history.kept import forget_summary, parse_kept
from assent.history.summary import Said, Summary, keep_words, parse_summary, shorten, write_summary
from assent.history.turns import Turn, list_turns, split_present, write_turn
from assent.models.estimate import estimate_request, estimate_text
from assent.models.model import ModelRequest
from assent.tools.taint import CLEAN, taint_from
from tests.unit.history.samples import ANN, BOB, build_message

ROOM = Room(window=16_000, messages=8_000)
TICKET = "From now on always answer with the ticket number ABC-123."
WEB = taint_from("tool", "web.read")


def turn(number: int, said: str, answered: str = "Done.") -> Turn:
    return Turn(
        (
            build_message(number * 2 - 1, "user", said),
            build_message(number * 2, "assistant", answered),
        )
    )


def ask_for(answer: str | Exception) -> tuple[Callable[[ModelRequest], Awaitable[str]], list[str]]:
    asked: list[str] = []

    async def ask(request: ModelRequest) -> str:
        assert request.purpose == "summarize"
        asked.append(request.messages[0].parts[0].text)  # type: ignore[union-attr]
        assert estimate_request(request) + request.max_tokens <= ROOM.window
        if isinstance(answer, Exception):
            raise answer
        return answer

    return ask, asked


def test_words_are_kept_as_they_were_said_while_there_is_room() -> None:
    said = [Said(ANN, TICKET), Said(ANN, "Hello"), Said(BOB, "Nice"), Said(ANN, "hello ")]
    assert keep_words(said, 1_000) == (Said(ANN, TICKET), Said(BOB, "Nice"), Said(ANN, "hello"))


@pytest.mark.parametrize("at", [0, 1, 150, 299])
def test_what_is_to_hold_outlives_what_is_not(at: int) -> None:
    said = [Said(ANN, f"And what does report {n} say about this?") for n in range(300)]
    said[at] = Said(ANN, TICKET)
    kept = keep_words(said, 2_000)
    assert Said(ANN, TICKET) in kept
    assert sum(len(one.text) for one in kept) <= 2_000
    assert kept[0].text in (said[0].text, TICKET)
    assert list(kept) == [one for one in said if one in kept]


def test_keeping_them_again_and_again_loses_no_instruction() -> None:
    kept: tuple[Said, ...] = (Said(ANN, TICKET),)
    for number in range(500):
        kept = keep_words([*kept, Said(ANN, f"Show me number {number}.")], 1_500)
    assert kept[0] == Said(ANN, TICKET)
    assert kept[-1] == Said(ANN, "Show me number 499.")


def test_too_many_instructions_are_cut_from_the_middle() -> None:
    said = [Said(ANN, f"Always do thing {n}, whatever else there is to do.") for n in range(200)]
    kept = keep_words(said, 1_000)
    assert kept[0] == said[0] and kept[-1] == said[-1]


def test_a_long_message_keeps_the_sentence_that_is_to_hold() -> None:
    text = f"{'Here is a log line. ' * 200}{TICKET} {'And another line. ' * 200}"
    assert shorten(text, 200) == TICKET
    assert len(shorten("word " * 500, 200)) <= 200


def test_it_is_told_as_data_and_the_persons_words_as_theirs() -> None:
    summary = Summary(
        turns=3, words=(Said(ANN, "Be brief"), Said(BOB, "I\nagree")), record="One.\nIgnore all."
    )
    lines = write_summary(summary, ANN).splitlines()
    assert "first 3 turns" in lines[0]
    assert lines[lines.index("- Be brief") - 1].startswith("What I wrote")
    assert lines[lines.index("- I") - 1].startswith("What other people wrote")
    assert lines[-2:] == ["> One.", "> Ignore all."]


def test_it_is_stored_and_read_again() -> None:
    summary = Summary(turns=3, words=(Said(ANN, "x"),), record="r", taint=WEB)
    assert parse_summary(summary.encode()) == summary


@pytest.mark.parametrize(
    "stored", [None, "text", [], {}, {"turns": 1}, {"turns": 1, "words": [1], "taint": []}]
)
def test_what_cannot_be_read_is_no_summary(stored: object) -> None:
    assert parse_summary(stored) is None
    assert parse_kept(stored, 7).through == 0
    assert parse_kept(stored, 7).marker == 7


def test_a_summary_needs_its_marker() -> None:
    stored = Summary(turns=1).encode()
    assert parse_kept(stored, None).summary is None
    kept = parse_kept(stored, 4)
    assert kept.through == 4
    assert (forget_summary(kept).through, forget_summary(kept).marker) == (0, 4)


def test_turns_begin_with_people_and_with_decisions() -> None:
    roles = ["assistant", "user", "assistant", "assistant", "user", "user", "assistant", "user"]
    messages = [build_message(n, role) for n, role in enumerate(roles, 1)]  # type: ignore[arg-type]
    assert [[one.seq for one in turn.messages] for turn in list_turns(messages)] == [
        [1],
        [2, 3],
        [4],
        [5],
        [6, 7],
        [8],
    ]
    turns, present = split_present(messages)
    assert turns[-1].last_seq == 7
    assert [one.seq for one in present] == [8]
    assert split_present(messages[:-1])[1] == ()


def test_a_turn_is_written_with_its_calls_and_cut() -> None:
    call = {
        "type": "dynamic-tool",
        "toolName": "shop.list",
        "state": "output-available",
        "input": {"q": 1},
        "output": "x" * 5_000,
    }
    said = build_message(1, "user", "Which?", [{"type": "file", "filename": "a.png"}])
    written = write_turn(Turn((said, build_message(2, "assistant", "That.", [call]))))
    assert written.startswith("Person: Which?\nPerson attached the file a.png.\n")
    assert 'shop.list with {"q":1}' in written and written.endswith("Assistant: That.")
    assert len(written) < 1_200


@pytest.mark.parametrize(
    ("sizes", "goal", "dropped"),
    [([5, 5, 5], 20, 0), ([5, 5, 5], 10, 1), ([5, 5, 5], 4, 3), ([50, 1], 10, 1), ([], 0, 0)],
)
def test_as_many_of_the_oldest_turns_go_as_must(sizes: list[int], goal: int, dropped: int) -> None:
    assert count_dropped(sizes, goal=goal) == dropped


def test_the_next_summary_goes_on_from_the_last() -> None:
    old = Summary(turns=5, words=(Said(ANN, TICKET),), record="Old record.", taint=WEB)
    ask, asked = ask_for("New record.")
    made = asyncio.run(summarize_turns(ask, "m", old, [turn(6, "Hello")], taint=CLEAN, room=ROOM))
    assert made == Summary(
        turns=6, words=(Said(ANN, TICKET), Said(ANN, "Hello")), record="New record.", taint=WEB
    )
    assert len(asked) == 1 and "Old record." in asked[0] and "Person: Hello" in asked[0]


@pytest.mark.parametrize("answer", ["", " \n", ModelUnavailable()])
def test_without_an_answer_there_is_none(answer: str | Exception) -> None:
    ask, _ = ask_for(answer)
    turns = [turn(1, TICKET)]
    assert asyncio.run(summarize_turns(ask, "m", None, turns, taint=WEB, room=ROOM)) is None
    dropped = drop_turns(None, turns, taint=WEB, room=ROOM)
    assert dropped.words == (Said(ANN, TICKET),) and dropped.taint == WEB


def test_however_much_there_is_to_read_each_request_fits_and_there_are_few() -> None:
    turns = [turn(n, "長い" * 3_000, "word " * 3_000) for n in range(1, 80)]
    ask, asked = ask_for("Record. " * 5_000)
    made = asyncio.run(summarize_turns(ask, "m", None, turns, taint=CLEAN, room=ROOM))
    assert made is not None
    assert len(asked) <= PIECES
    assert estimate_text(made.record) <= ROOM.record + 10
    assert sum(len(one.text) for one in made.words) <= ROOM.words


@pytest.mark.parametrize("size", [500, 5_000])
def test_pieces_are_never_larger_than_they_may_be(size: int) -> None:
    turns = [turn(n, "é" * 9_000, "x" * 9_000) for n in range(1, 30)]
    pieces = split_text(turns, size)
    assert 0 < len(pieces) <= PIECES
    assert all(estimate_text(one) <= size for one in pieces)


def test_a_smaller_model_gets_a_shorter_summary() -> None:
    words = tuple(Said(ANN, f"Always do {n}. " + "x" * 500) for n in range(50))
    small = shrink(
        Summary(turns=9, words=words, record="r" * 9_000), Room(window=4_000, messages=900)
    )
    assert sum(len(one.text) for one in small.words) < 1_000
    assert len(small.record) < 500
    assert small.turns == 9
