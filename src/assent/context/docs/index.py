"""Finding passages by words: BM25, with words of titles and headings counting more. Pure.

Of one page the best passages are hits, a few of them; the order depends on nothing but the pages
and the query.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from typing import TypeVar

from assent.context.docs.alike import weigh_words
from assent.context.docs.page import REFERENCE_SECTION, Page, Passage, list_passages, plain
from assent.context.docs.score import REFERENCE, Counts, add_for_all, saturate
from assent.context.docs.words import list_words

TITLE, HEADING = 3.0, 2.0
"""So many times a word of the text."""
SNIPPET = 500
OF_ONE_PAGE = 3
NOTHING_ELSE = Counts()
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Hit:
    passage: Passage
    snippet: str
    score: float
    source: str = "product"


class Index:
    """Built once of all pages, in their order."""

    def __init__(self, pages: Iterable[Page]) -> None:
        self.pages = {page.slug: page for page in pages}
        self._passages = [one for page in self.pages.values() for one in list_passages(page)]
        self._weights = [weigh_passage(one) for one in self._passages]
        self._lengths = [sum(weights.values()) for weights in self._weights]
        self._places: dict[str, list[int]] = {}
        for number, weights in enumerate(self._weights):
            for word in weights:
                self._places.setdefault(word, []).append(number)

    def count(self, words: Iterable[str]) -> Counts:
        places = {word: len(self._places.get(word, ())) for word in words}
        return Counts(len(self._passages), sum(self._lengths), places)

    def search(self, query: str, limit: int, elsewhere: Counts = NOTHING_ELSE) -> list[Hit]:
        """`elsewhere` are passages that the same query is asked of, in another place."""
        worth = weigh_words(query)
        counts = self.count(worth) + elsewhere
        scores = self._score(worth, counts)
        best = sorted(scores, key=lambda number: (-round(scores[number], 6), number))
        words = list_said(worth)
        chosen = choose(best, limit, lambda number: self._passages[number].slug)
        return [self._show(number, scores[number], words) for number in chosen]

    def find_close(self, slug: str, count: int = 3) -> list[str]:
        """Slugs of pages that may have been meant."""
        close = get_close_matches(slug, self.pages, count, cutoff=0.4)
        found = [hit.passage.slug for hit in self.search(slug.replace("-", " "), count)]
        return list(dict.fromkeys([*close, *found]))[:count]

    def _score(self, worth: Mapping[str, float], counts: Counts) -> dict[int, float]:
        scores: dict[int, float] = {}
        said: Counter[int] = Counter()
        for word, value in worth.items():
            rarity = value * counts.rarity(word)
            for number in self._places.get(word, ()):
                weight, length = self._weights[number][word], self._lengths[number]
                gained = rarity * saturate(weight, length, counts.mean)
                scores[number] = scores.get(number, 0.0) + gained
                said[number] += value == 1
        wanted = len(list_said(worth))
        return {
            number: add_for_all(score, said=said[number], wanted=wanted) * self._value(number)
            for number, score in scores.items()
        }

    def _value(self, number: int) -> float:
        page = self.pages[self._passages[number].slug]
        return REFERENCE if page.section == REFERENCE_SECTION else 1.0

    def _show(self, number: int, score: float, words: Sequence[str]) -> Hit:
        passage = self._passages[number]
        return Hit(passage, cut_snippet(passage.text, words), round(score, 3))


def list_said(worth: Mapping[str, float]) -> list[str]:
    """The words of the query itself."""
    return [word for word, value in worth.items() if value == 1]


def choose(found: Iterable[T], limit: int, slug_of: Callable[[T], str]) -> list[T]:
    """The best, of which not too many are of one page; they come in their order."""
    chosen: list[T] = []
    of_page: Counter[str] = Counter()
    for one in found:
        slug = slug_of(one)
        if len(chosen) < limit and of_page[slug] < OF_ONE_PAGE:
            chosen.append(one)
            of_page[slug] += 1
    return chosen


def cut_snippet(text: str, words: Sequence[str], length: int = SNIPPET) -> str:
    """The lines around where most of the words stand."""
    lines = [line for line in text.splitlines() if line.strip()]
    wanted = set(words)
    counts = [len(wanted.intersection(list_words(line))) for line in lines]
    best, most, end, size, count = 0, -1, 0, 0, 0
    for start, line in enumerate(lines):
        while end < len(lines) and size + len(lines[end]) <= length:
            size, count, end = size + len(lines[end]) + 1, count + counts[end], end + 1
        if max(count, counts[start]) > most:
            best, most = start, max(count, counts[start])
        if end > start:
            size, count = size - len(line) - 1, count - counts[start]
        end = max(end, start + 1)
    shown = plain("\n".join(lines[best:]))
    return shown if len(shown) <= length else f"{shown[:length].rsplit(None, 1)[0]} …"


def weigh_passage(passage: Passage) -> dict[str, float]:
    """How often each word stands in it, and where."""
    weights: dict[str, float] = {}
    fields = [(passage.title, TITLE), (passage.text, 1.0)]
    if passage.heading != passage.title:
        fields.append((passage.heading, HEADING))
    for text, weight in fields:
        for word in list_words(text):
            weights[word] = weights.get(word, 0.0) + weight
    return weights
