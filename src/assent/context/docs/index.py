"""Finding passages by words: BM25, with words of titles and headings counting more. Pure.

Of one page the best passages are hits, a few of them; the order depends on nothing but the pages
and the query.
"""

import math
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from difflib import get_close_matches

from assent.context.docs.page import Page, Passage, list_passages, plain
from assent.context.docs.words import list_words

TITLE, HEADING = 3.0, 2.0
"""So many times a word of the text."""
SATURATION, LENGTH = 1.2, 0.6
ALL_WORDS = 0.4
"""What a passage gains that has all words of the query, as a part of its score."""
SNIPPET = 500
OF_ONE_PAGE = 3


@dataclass(frozen=True, slots=True)
class Hit:
    passage: Passage
    snippet: str
    score: float


class Index:
    """Built once of all pages, in their order."""

    def __init__(self, pages: Iterable[Page]) -> None:
        self.pages = {page.slug: page for page in pages}
        self._passages = [one for page in self.pages.values() for one in list_passages(page)]
        self._weights = [_weigh(one) for one in self._passages]
        self._lengths = [sum(weights.values()) for weights in self._weights]
        self._mean = sum(self._lengths) / max(1, len(self._lengths))
        self._places: dict[str, list[int]] = {}
        for number, weights in enumerate(self._weights):
            for word in weights:
                self._places.setdefault(word, []).append(number)

    def search(self, query: str, limit: int) -> list[Hit]:
        words = list(dict.fromkeys(list_words(query)))
        scores: dict[int, float] = {}
        seen: Counter[int] = Counter()
        for word in words:
            places = self._places.get(word, ())
            rarity = math.log(1 + (len(self._passages) - len(places) + 0.5) / (len(places) + 0.5))
            for number in places:
                gained = rarity * self._saturate(number, word)
                scores[number] = scores.get(number, 0.0) + gained
                seen[number] += 1
        for number, count in seen.items():
            scores[number] *= 1 + ALL_WORDS * (count / len(words)) ** 2
        best = sorted(scores, key=lambda number: (-round(scores[number], 6), number))
        return [self._show(number, scores[number], words) for number in self._choose(best, limit)]

    def find_close(self, slug: str, count: int = 3) -> list[str]:
        """Slugs of pages that may have been meant."""
        close = get_close_matches(slug, self.pages, count, cutoff=0.4)
        found = [hit.passage.slug for hit in self.search(slug.replace("-", " "), count)]
        return list(dict.fromkeys([*close, *found]))[:count]

    def _saturate(self, number: int, word: str) -> float:
        weight = self._weights[number][word]
        relative = self._lengths[number] / self._mean
        return weight * (SATURATION + 1) / (weight + SATURATION * (1 - LENGTH + LENGTH * relative))

    def _choose(self, best: Sequence[int], limit: int) -> list[int]:
        chosen: list[int] = []
        of_page: Counter[str] = Counter()
        for number in best:
            slug = self._passages[number].slug
            if len(chosen) < limit and of_page[slug] < OF_ONE_PAGE:
                chosen.append(number)
                of_page[slug] += 1
        return chosen

    def _show(self, number: int, score: float, words: Sequence[str]) -> Hit:
        passage = self._passages[number]
        return Hit(passage, cut_snippet(passage.text, words), round(score, 3))


def cut_snippet(text: str, words: Sequence[str], length: int = SNIPPET) -> str:
    """The lines around where most of the words stand."""
    lines = [line for line in text.splitlines() if line.strip()]
    wanted = set(words)
    counts = [len(wanted.intersection(list_words(line))) for line in lines]
    best, most = 0, -1
    for start in range(len(lines)):
        end, size, count = start, 0, 0
        while end < len(lines) and size + len(lines[end]) <= length:
            size, count, end = size + len(lines[end]) + 1, count + counts[end], end + 1
        if count > most:
            best, most = start, count
    shown = plain("\n".join(lines[best:]))
    return shown if len(shown) <= length else f"{shown[:length].rsplit(None, 1)[0]} …"


def _weigh(passage: Passage) -> dict[str, float]:
    weights: dict[str, float] = {}
    fields = [(passage.title, TITLE), (passage.text, 1.0)]
    if passage.heading != passage.title:
        fields.append((passage.heading, HEADING))
    for text, weight in fields:
        for word in list_words(text):
            weights[word] = weights.get(word, 0.0) + weight
    return weights
