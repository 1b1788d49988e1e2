import pytest

from assent.models.demo.words import fold, join_names, split_name, split_text


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("rename a to b", ["rename", "a", "to", "b"]),
        ('call it "Payment Gateway", please', ["call", "it", "Payment Gateway", "please"]),
        ("„Größe“ and «x y» and 'one two'", ["Größe", "and", "x y", "and", "one two"]),
        ("billing's name", ["billing", "'s", "name"]),
        ("what's there? it's v1.2.", ["what", "is", "there", "it", "is", "v1.2"]),
        ("name=billing, at 10:30", ["name", "billing", "at", "10:30"]),
        ("https://example.org/a?b=c", ["https://example.org/a?b", "c"]),
        ('an open " quote', ["an", "open", "quote"]),
        ("don't", ["don't"]),
        ("", []),
    ],
)
def test_split_text(text: str, words: list[str]) -> None:
    assert [word.text for word in split_text(text)] == words


def test_remembers_punctuation() -> None:
    assert [word.after for word in split_text("a, b: c. d")] == [",", ":", ".", ""]


@pytest.mark.parametrize(
    ("name", "parts"),
    [
        ("listSystems", ("list", "systems")),
        ("addSystemToGroup", ("add", "system", "to", "group")),
        ("get_URL2", ("get", "url", "2")),
    ],
)
def test_split_name(name: str, parts: tuple[str, ...]) -> None:
    assert split_name(name) == parts


@pytest.mark.parametrize(("one", "other"), [("Größe", "grösse"), ("  A  b ", "a B"), ("É", "e")])
def test_fold(one: str, other: str) -> None:
    assert fold(one) == fold(other)


def test_join_names() -> None:
    assert [join_names(x) for x in ("", "a", "ab", "abc")] == ["", "a", "a and b", "a, b and c"]
