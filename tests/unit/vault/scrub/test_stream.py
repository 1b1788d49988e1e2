"""However a text is cut into pieces, what is shown of it is what would be shown of the whole."""

from collections.abc import Iterable
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assent.settings import Settings
from assent.vault.scrub.load import load_rules
from assent.vault.scrub.scrubber import Scrubber
from assent.vault.scrub.stream import HELD, LAST_WORD, StreamScrubber
from assent.vault.scrub.values import Values
from tests.unit.vault.scrub.made_up import make_up
from tests.unit.vault.scrub.ordinary import ORDINARY

VALUES = (
    "violet-Umbrella_42",
    "three plain words",
    "first line\nsecond line",
    "x" * 700,
    "Grüße-vom-Schloss",
)
SCRUBBER = Scrubber(load_rules(Settings()), Values(VALUES))
BLOCK = (
    "-----BEGIN RSA PRIVATE KEY-----\n" + "a1B2c3D4e5F6a7B8\n" * 8 + "-----END RSA PRIVATE KEY-----"
)
SECRETS = (
    *VALUES,
    make_up("gh{}p_{A36}", 1),
    make_up("AK{}IA{U16}", 1),
    make_up("sk{}-ant-api03-{w93}AA", 1),
    make_up("ey{}JhbGciOiJIUzI1NiJ9.ey{}J{A900}.{w43}", 1),
    make_up("DATADOG_API_KEY = '{h32}'", 1),
    make_up("Authorization: Bearer {A40}", 1),
    make_up("Authorization: Basic {A20}=", 1),
    "password: hunter2",
    'password = "kT9#vLq2mZx7"',
    "postgres://app:kT9vLq2mZx7@db/orders",
    "Cookie: theme=dark; session=kT9vLq2mZx7; other=abcdefgh",
    "machine m login ada password kT9vLq2mZx7",
    "  password kT9vLq2mZx7\n",
    "DB_PASSWORD=postgres",
    BLOCK,
    BLOCK.replace("\n", "\\n"),
    BLOCK[:120],
)
GLUE = st.sampled_from(["", " ", "\n", ", ", "\t", "=", '"', "é", "中文", " and then ", "\\n"])
FRAGMENTS = st.one_of(
    st.sampled_from(SECRETS),
    st.sampled_from(ORDINARY),
    st.text(max_size=30),
    st.text("abc .:=-\n\"'", max_size=40),
)
TEXTS = st.lists(st.tuples(FRAGMENTS, GLUE), max_size=6).map(
    lambda pairs: "".join(fragment + glue for fragment, glue in pairs)
)


def stream(pieces: Iterable[str], scrubber: Scrubber = SCRUBBER) -> str:
    scrubbing = StreamScrubber(scrubber)
    return "".join([*(scrubbing.feed(piece) for piece in pieces), scrubbing.flush()])


def cut(text: str, places: Iterable[int]) -> list[str]:
    marks = [0, *sorted(place % (len(text) + 1) for place in places), len(text)]
    return [text[start:end] for start, end in pairwise(marks)]


@pytest.mark.parametrize("count", [699, 700, 701, 1399, 1400, 1401, 2100])
def test_a_value_that_holds_itself_again(count: int) -> None:
    text = "x" * count
    assert stream([text]) == SCRUBBER.scrub_text(text)


@settings(max_examples=300, deadline=None)
@given(TEXTS, st.lists(st.integers(0, 5000), max_size=30))
def test_any_cutting_of_any_text(text: str, places: list[int]) -> None:
    assert stream(cut(text, places)) == SCRUBBER.scrub_text(text)


@pytest.mark.parametrize("size", [1, 3, 16])
@pytest.mark.parametrize("text", [*SECRETS, *ORDINARY])
def test_small_pieces(text: str, size: int) -> None:
    whole = f"Well, {text} it is. And more of it, so that it goes on for a while after that. "
    pieces = [whole[start : start + size] for start in range(0, len(whole), size)]
    assert stream(pieces) == SCRUBBER.scrub_text(whole)


def test_words_go_on_at_once() -> None:
    scrubbing = StreamScrubber(SCRUBBER)
    assert [scrubbing.feed(one) for one in ("Hello ", "wor", "ld, how", " are ")] == [
        "Hello ",
        "",
        "world, ",
        "how are ",
    ]


def test_scripts_without_blanks_go_on() -> None:
    scrubbing = StreamScrubber(SCRUBBER)
    shown = "".join(scrubbing.feed("今日は良い天気です。") for _ in range(20))
    assert len(shown) >= 180
    assert shown + scrubbing.flush() == "今日は良い天気です。" * 20


def test_words_about_secrets_go_on_after_a_line() -> None:
    scrubbing = StreamScrubber(SCRUBBER)
    assert scrubbing.feed("The token expired.\nSign in ") == "The token expired.\nSign in "


def test_nothing_is_held_for_ever() -> None:
    scrubbing = StreamScrubber(SCRUBBER)
    shown = sum(len(scrubbing.feed("token" * 20)) for _ in range(1000))
    assert shown >= 100_000 - HELD - LAST_WORD
    assert shown + len(scrubbing.flush()) == 100_000


@pytest.mark.parametrize("length", [400, 5_000, 40_000, 100_000])
def test_a_secret_longer_than_what_is_held(length: int) -> None:
    secret = make_up(f"{{b{length}}}", 1)
    text = f"private_key={secret} and then"
    pieces = [text[start : start + 100] for start in range(0, len(text), 100)]
    assert (
        stream(pieces) == SCRUBBER.scrub_text(text) == "private_key=[secret: credential] and then"
    )


def test_a_long_word_goes_on_but_for_its_end() -> None:
    scrubbing = StreamScrubber(SCRUBBER)
    shown = "".join(scrubbing.feed("iVBORw0KGgo" * 10) for _ in range(100))
    assert len(shown) == 11_000 - LAST_WORD
    assert shown + scrubbing.flush() == "iVBORw0KGgo" * 1000
