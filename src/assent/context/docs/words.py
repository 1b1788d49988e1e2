"""The words of a text as they are searched for. Pure.

Names of tools and settings count whole and in their parts: `ai.searchDocs` is found by `search`.
Endings of English words are taken off, so that `approving` finds `approvals`. Words that say
nothing about a subject are left out.
"""

import re
from functools import lru_cache

_WORD = re.compile(r"[^\W_]+(?:[._-][^\W_]+)*")
_PART = re.compile(r"[A-Z]+(?=[A-Z][a-z])|[A-Z]?[a-z]+|[A-Z]+|\d+|[^\W\d_]+")
_SAY_NOTHING = """
    a about after all also am an and any are as at be because been before being but by can cannot
    could did do does doing done each for from get gets got had has have having he her here his how
    i if in into is it its itself just like may me mean means might more most must my no nor not of
    off on one only or other our out over own s same she should so some such t than that the their
    them then there these they this those through to too under until up us very want was way we
    were what when where which while who whom whose why will with would you your
"""
_STOP = frozenset(_SAY_NOTHING.split())
_ENDINGS = (
    ("ies", "y"),
    ("sses", "ss"),
    ("ss", "ss"),
    ("ations", "at"),
    ("ation", "at"),
    ("ings", ""),
    ("ing", ""),
    ("edly", ""),
    ("ed", ""),
    ("ers", ""),
    ("er", ""),
    ("als", ""),
    ("al", ""),
    ("ly", ""),
    ("es", "e"),
    ("s", ""),
)
_SHORTEST_STEM = 3


def list_words(text: str) -> list[str]:
    return [word for found in _WORD.findall(text) for word in _read(found)]


@lru_cache(20_000)
def _read(found: str) -> tuple[str, ...]:
    """The same few thousand words make up all texts."""
    parts = [part.casefold() for part in _PART.findall(found)] or [found.casefold()]
    words = (stem(part) for part in parts if part not in _STOP)
    return (*words, stem(found.casefold())) if len(parts) > 1 else tuple(words)


def stem(word: str) -> str:
    """Not a word of the language: what its forms have in common."""
    if not word.isascii() or not word.isalpha():
        return word
    for ending, instead in _ENDINGS:
        if word.endswith(ending) and len(word) - len(ending) >= _SHORTEST_STEM:
            return _even(word[: len(word) - len(ending)] + instead)
    return _even(word)


def _even(stemmed: str) -> str:
    """`stopp` and `stop`, `rotate` and `rotat` are the same."""
    if len(stemmed) > _SHORTEST_STEM and stemmed[-1] == stemmed[-2] and stemmed[-1] not in "lsz":
        return stemmed[:-1]
    return stemmed.rstrip("e") if len(stemmed) > _SHORTEST_STEM else stemmed
