"""The search of the documentation beside bm25s: how good, and how fast, in one run.

The library gets the same passages with its own words, stop words and defaults, once with the
passage's title and heading in the text and once without.
"""

import statistics
import time
from collections.abc import Callable, Sequence

import bm25s

from assent.context.docs.index import Index
from assent.context.docs.library import load_library
from assent.context.docs.page import Passage, list_passages
from tests.unit.context.quality import measure
from tests.unit.context.questions import QUESTIONS

ROUNDS = 5
HITS = 10


def open_library(passages: Sequence[Passage], *, headings: bool) -> Callable[[str], list[str]]:
    texts = [f"{one.title} {one.heading} {one.text}" if headings else one.text for one in passages]
    index = bm25s.BM25()
    index.index(bm25s.tokenize(texts, stopwords="en", show_progress=False), show_progress=False)

    def rank(question: str) -> list[str]:
        tokens = bm25s.tokenize(question, stopwords="en", show_progress=False)
        found, _ = index.retrieve(tokens, k=HITS, show_progress=False)
        return [passages[number].slug for number in found[0]]

    return rank


def open_ours(index: Index) -> Callable[[str], list[str]]:
    return lambda question: [hit.passage.slug for hit in index.search(question, HITS)]


def time_build(build: Callable[[], object]) -> float:
    return statistics.median(_time(build) for _ in range(ROUNDS)) * 1e3


def time_query(rank: Callable[[str], object]) -> float:
    def ask_all() -> None:
        for question, _ in QUESTIONS:
            rank(question)

    return statistics.median(_time(ask_all) for _ in range(ROUNDS)) / len(QUESTIONS) * 1e6


def _time(work: Callable[[], object]) -> float:
    begun = time.perf_counter()
    work()
    return time.perf_counter() - begun


def main() -> None:
    pages = list(load_library().pages.values())
    passages = [one for page in pages for one in list_passages(page)]
    print(f"{len(pages)} pages, {len(passages)} passages, {len(QUESTIONS)} questions")
    rivals: tuple[tuple[str, Callable[[], Callable[[str], list[str]]]], ...] = (
        ("Assent", lambda: open_ours(Index(pages))),
        ("bm25s", lambda: open_library(passages, headings=True)),
        ("bm25s, text alone", lambda: open_library(passages, headings=False)),
    )
    for name, build in rivals:
        rank = build()
        reciprocal, recall = measure(rank)
        print(
            f"{name}: MRR {reciprocal:.3f}, recall at 5 {recall:.3f}, "
            f"built in {time_build(build):.0f} ms, {time_query(rank):.0f} µs for a question"
        )


if __name__ == "__main__":
    main()
