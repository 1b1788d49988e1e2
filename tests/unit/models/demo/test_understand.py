import pytest

from assent.models.demo.understand import Vocabulary, find_talk, understand

VOCABULARY = Vocabulary(
    frozenset({"list", "create", "resolve"}),
    frozenset({"system", "group", "incident", "catalog"}),
)


@pytest.mark.parametrize(
    ("text", "actions"),
    [
        ("list systems", ["list"]),
        ("List systems and groups", ["list", "list"]),
        ("how many systems are there?", ["count"]),
        ("look for billing", ["find"]),
        ("new system x", ["create"]),
        ("set up a system x", ["create"]),
        ("a group called x", ["create"]),
        ("add x to y", ["link"]),
        ("add a system x to group y", ["create"]),
        ("add x to the catalog", ["create"]),
        ("remove x from y", ["unlink"]),
        ("remove x from the catalog", ["delete"]),
        ("take x out of y", ["unlink"]),
        ("delete x and y", ["delete"]),
        ("delete x and rename y to z", ["delete", "update"]),
        ("delete group x and system y", ["delete", "delete"]),
        ("create x, then delete y. list groups", ["create", "delete", "list"]),
        ("add orders and search to group y", ["link"]),
        ("open incidents", ["list"]),
        ("open incident x", ["create"]),
        ("resolve x", ["do"]),
        ("close x", ["do"]),
        ("systems?", ["list"]),
        ("the sun shines", []),
    ],
)
def test_actions(text: str, actions: list[str]) -> None:
    assert [clause.action for clause in understand(text, VOCABULARY).clauses] == actions


def test_what_stays_dark_is_kept() -> None:
    understood = understand("list systems. The sun shines. Thanks!", VOCABULARY)
    assert understood.unclear == ("The sun shines",)


def test_quoted_words_are_no_verbs() -> None:
    (clause,) = understand('delete "search and destroy"', VOCABULARY).clauses
    assert [word.text for word in clause.words] == ["search and destroy"]


@pytest.mark.parametrize(
    ("text", "talk"),
    [
        ("Hi!", "greeting"),
        ("thank you very much", "thanks"),
        ("What can you do?", "help"),
        ("Who are you?", "identity"),
        ("yes, do it", "yes"),
        ("never mind", "no"),
        ("no systems?", None),
        ("hi, list systems", None),
    ],
)
def test_talk(text: str, talk: str | None) -> None:
    assert find_talk(text) == talk
