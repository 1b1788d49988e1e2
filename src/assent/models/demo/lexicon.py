"""The English that the demo model knows: verbs by what they ask for, small words, endings. Pure."""

from collections.abc import Iterable, Mapping
from typing import Literal, TypeAlias

from assent.models.demo.words import words_of

Action: TypeAlias = Literal[
    "list", "count", "find", "create", "update", "delete", "link", "unlink", "do"
]

READS: frozenset[str] = frozenset({"list", "count", "find"})

_VERBS: Mapping[Action, str] = {
    "list": "list show display get view see read give enumerate print fetch describe explain check "
    "query inspect",
    "count": "count",
    "find": "find search lookup locate",
    "create": "create add new make register insert open report log record raise file schedule plan "
    "build define introduce announce write",
    "update": "update change set rename edit modify alter adjust correct replace switch mark "
    "patch lower increase decrease",
    "delete": "delete remove drop erase destroy purge discard trash",
    "link": "put assign attach join include move connect link place",
    "unlink": "detach unassign unlink disconnect exclude take",
}
VERBS: Mapping[str, Action] = {
    verb: action for action, verbs in _VERBS.items() for verb in verbs.split()
}

ALIKE: tuple[frozenset[str], ...] = tuple(
    frozenset(group.split())
    for group in (
        "resolve close finish complete end solve settle",
        "enable activate",
        "disable deactivate",
        "run execute trigger launch",
        "cancel abort",
        "acknowledge ack",
        "publish release",
        "pause suspend",
        "resume continue",
    )
)
"""Verbs of deeds that tools name in different ways."""

DETERMINERS = words_of(
    "a an the this that these those my our your its their his her all any every each some another "
    "new existing current only also both"
)
INDEFINITE = words_of("a an new another")
PRONOUNS = words_of("it this that one them these those same")
PREPOSITIONS = words_of(
    "to into in from of on for with at under onto inside within about by as via"
)
CALLED = words_of("called named titled")
QUESTIONS = words_of("what which who where when whose how is are do does did has have any")
STOP = words_of(
    "a an the this that these those my our your its their it i me we you us he she they there here "
    "is are was were be been am do does did has have had will would can could should may might "
    "to into in from of on for with at under onto by as and or but not no yes so if then than "
    "what which who where when whose how please all any every each some new"
)
POLITE = (
    "please",
    "kindly",
    "hey",
    "hi",
    "hello",
    "ok",
    "okay",
    "now",
    "then",
    "and",
    "also",
    "just",
    "next",
    "first",
    "finally",
    "afterwards",
    "so",
    "well",
    "great",
    "thanks",
    "assistant",
    "can you",
    "could you",
    "would you",
    "will you",
    "can i",
    "could i",
    "may i",
    "can we",
    "i want you to",
    "i want to",
    "i would like you to",
    "i would like to",
    "i would like",
    "we want to",
    "we need to",
    "i need to",
    "you should",
    "i want",
    "i need",
    "we need",
    "let us",
    "go ahead and",
    "help me to",
    "help me",
    "would you mind",
    "do me a favour and",
)
CLOSING = ("please", "for me", "thanks", "thank you", "now", "right now", "if you can", "today")
NAMING = ("name", "title", "label", "subject", "headline", "summary")
"""Fields that say what something is called, the best first."""
TELLING = ("description", "details", "purpose", "note", "notes", "text", "body", "message")
SEARCHING = ("q", "query", "search", "term", "keyword", "keywords", "filter", "contains", "text")
PAGING = ("cursor", "limit", "offset", "page", "pageSize", "per_page")


def stem(word: str) -> str:
    """Words of one family get the same short form: `depends`, `dependencies`, `depending`."""
    for ending, rest in (
        ("encies", ""), ("ency", ""), ("ence", ""), ("ments", "ment"), ("ies", "y"), ("ings", ""),
        ("sses", "ss"), ("shes", "sh"), ("ches", "ch"), ("xes", "x"), ("ing", ""), ("ed", ""),
    ):  # fmt: skip
        if word.endswith(ending) and len(word) - len(ending) >= 3:
            return word[: len(word) - len(ending)] + rest
    word = singular(word)
    return word[:-1] if word.endswith("e") and len(word) > 4 else word


def singular(word: str) -> str:
    if word.endswith("ies") and len(word) > 4:
        return f"{word[:-3]}y"
    if word.endswith(("sses", "shes", "ches", "xes")):
        return word[:-2]
    if word.endswith("s") and not word.endswith(("ss", "us", "is")) and len(word) > 3:
        return word[:-1]
    return word


def plural(word: str) -> str:
    if word.endswith("y") and word[-2:-1] not in tuple("aeiou"):
        return f"{word[:-1]}ies"
    if word.endswith(("s", "x", "ch", "sh")):
        return word if singular(word) != word else f"{word}es"
    return f"{word}s"


def count_of(number: int, noun: str) -> str:
    return f"{number} {singular(noun) if number == 1 else plural(singular(noun))}"


def find_verb(word: str, known: Iterable[str] = ()) -> str | None:
    """The verb that a word is, or is one letter away from; `known` are verbs beside our own."""
    verbs = [*VERBS, *known, *(verb for group in ALIKE for verb in group)]
    if word in verbs:
        return word
    near = sorted({verb for verb in verbs if len(verb) > 3 and is_one_off(word, verb)})
    return near[0] if near else None


def are_alike(one: str, other: str) -> bool:
    """Whether two verbs mean the same deed."""
    return stem(one) == stem(other) or any(one in group and other in group for group in ALIKE)


def is_one_off(one: str, other: str) -> bool:
    """Whether one letter was missed, added, replaced, or swapped with its neighbour."""
    if one == other or abs(len(one) - len(other)) > 1 or one[:1] != other[:1]:
        return False
    start = next((at for at, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), None)
    if start is None:
        return True
    left, right = one[start:], other[start:]
    swapped = left[1:2] + left[:1] + left[2:]
    return right in (swapped, left[1:]) or left == right[1:] or left[1:] == right[1:]
