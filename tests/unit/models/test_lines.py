"""Lines of an answer, whatever its bytes were cut into."""

import pytest

from assent.errors import ModelUnavailable
from assent.models import lines
from assent.models.lines import Lines

WHOLE = b"data: one\n\ndata: two\r\n: three\nfour"


@pytest.mark.parametrize("size", range(1, len(WHOLE) + 1))
def test_any_cut_gives_the_same_lines(size: int) -> None:
    held = Lines()
    pieces = [WHOLE[at : at + size] for at in range(0, len(WHOLE), size)]
    found = [line for piece in pieces for line in held.split(piece)]
    assert [*found, held.rest] == WHOLE.split(b"\n")


def test_a_line_without_an_end_is_not_held_for_ever(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lines, "LONGEST", 100)
    held = Lines()
    with pytest.raises(ModelUnavailable):
        for _ in range(20):
            held.unsaid = 0
            held.split(b"x" * 10)


def test_lines_that_say_nothing_are_not_read_for_ever(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lines, "LONGEST_SILENCE", 100)
    held = Lines()
    with pytest.raises(ModelUnavailable):
        for _ in range(20):
            held.split(b"x" * 9 + b"\n")
