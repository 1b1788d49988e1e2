import pytest

from assent.models.demo.lexicon import (
    are_alike,
    count_of,
    find_verb,
    is_one_off,
    plural,
    singular,
    stem,
)


@pytest.mark.parametrize(
    ("word", "verb"),
    [
        ("delete", "delete"),
        ("delet", "delete"),
        ("dleete", "delete"),
        ("remoove", "remove"),
        ("creqte", "create"),
        ("banana", None),
        ("is", None),
        ("ad", None),
        ("scale", "scale"),
    ],
)
def test_find_verb(word: str, verb: str | None) -> None:
    assert find_verb(word, ["scale"]) == verb


@pytest.mark.parametrize(("one", "other"), [("list", "lost"), ("list", "lists"), ("show", "shwo")])
def test_one_off(one: str, other: str) -> None:
    assert is_one_off(one, other)
    assert is_one_off(other, one)


@pytest.mark.parametrize(("one", "other"), [("list", "list"), ("list", "last one"), ("ab", "ba")])
def test_not_one_off(one: str, other: str) -> None:
    assert not is_one_off(one, other)


@pytest.mark.parametrize(
    ("one", "many"),
    [("system", "systems"), ("dependency", "dependencies"), ("box", "boxes"), ("day", "days")],
)
def test_numbers(one: str, many: str) -> None:
    assert (plural(one), singular(many), plural(singular(many))) == (many, one, many)
    assert (count_of(1, one), count_of(2, one)) == (f"1 {one}", f"2 {many}")


def test_families() -> None:
    assert len({stem(word) for word in ("depend", "depends", "dependency", "dependencies")}) == 1
    assert are_alike("close", "resolve")
    assert are_alike("resolved", "resolve")
    assert not are_alike("delete", "resolve")
