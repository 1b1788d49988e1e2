"""Which passages are found, in which order, and what of them is shown."""

import pytest

from assent.context.docs.index import SNIPPET, Index, cut_snippet
from assent.context.docs.library import load_library
from assent.context.docs.page import Page, list_passages, read_page
from assent.context.docs.score import Counts
from tests.unit.context.quality import measure
from tests.unit.context.questions import QUESTIONS

BACKUP = read_page("backup", "Operation", "# Backups\n\nCopy it.\n\n## Restore\n\nPut it back.")
ROTATE = read_page("keys", "Operation", "# Keys\n\nRotate them, and make backups before.")
ROUTES = Page("http", "Routes", "Reference", "# Routes\n\nBackups: copy it. Restore: put it back.")


def find(index: Index, query: str, limit: int = 5) -> list[tuple[str, str]]:
    return [(hit.passage.slug, hit.passage.heading) for hit in index.search(query, limit)]


def test_the_page_that_is_about_it_comes_before_one_that_mentions_it() -> None:
    found = find(Index([ROTATE, BACKUP]), "backups")
    assert [slug for slug, _ in found] == ["backup", "backup", "keys"]


def test_a_heading_counts_more_than_text() -> None:
    assert find(Index([ROTATE, BACKUP]), "restore a backup")[0] == ("backup", "Restore")


def test_a_reference_comes_after_what_explains() -> None:
    assert find(Index([ROUTES, BACKUP]), "copy backups")[0][0] == "backup"


def test_a_word_for_the_same_finds_it() -> None:
    index = Index([read_page("access", "Administration", "# Access\n\nA rule says who may.")])
    assert find(index, "permissions")


def test_the_order_is_the_same_each_time_and_ties_keep_the_order_of_the_pages() -> None:
    twins = [Page(slug, "Twin", "Using", "# Twin\n\nsame words") for slug in ("b", "a", "c")]
    assert [slug for slug, _ in find(Index(twins), "same words")] == ["b", "a", "c"]


def test_one_page_does_not_take_all_places() -> None:
    many = "# Many\n\n" + "\n\n".join(f"## Part {n}\n\nneedle" for n in range(9))
    index = Index([read_page("many", "Using", many), read_page("one", "Using", "# One\n\nneedle")])
    assert sorted(slug for slug, _ in find(index, "needle", 5)) == ["many"] * 3 + ["one"]


@pytest.mark.parametrize("query", ["", "   ", "the of and", "zzzz", "?!", "\x00"])
def test_nothing_is_found_by_nothing(query: str) -> None:
    assert load_library().search(query, 5) == []


def test_what_is_elsewhere_makes_a_word_less_rare() -> None:
    index = Index([BACKUP, ROTATE])
    length = index.count([]).mean * 100
    rare = index.search("restore", 1, Counts(100, length))[0].score
    common = index.search("restore", 1, Counts(100, length, {"restor": 100}))[0].score
    assert common < rare


def test_an_unknown_slug_has_close_ones() -> None:
    assert load_library().find_close("proposal")[0] == "proposals"
    assert load_library().find_close("single-sign-on")


@pytest.mark.parametrize("limit", [1, 3, 10])
def test_there_are_never_more_than_asked_for(limit: int) -> None:
    assert len(load_library().search("how does a proposal work", limit)) == limit


def test_a_snippet_is_where_the_words_are() -> None:
    text = "\n".join([*("filler line about nothing",) * 60, "the needle is here", "and after"])
    snippet = cut_snippet(text, ["needl"])
    assert "needle" in snippet
    assert len(snippet) <= SNIPPET + 2


def test_a_table_that_is_long_is_found_row_by_row() -> None:
    rows = "\n".join(f"| `/api/thing{n}` | {'what it does ' * 9} |" for n in range(100))
    passages = list_passages(read_page("http", "Reference", f"# Routes\n\n{rows}"))
    assert len(passages) > 4
    assert "\n".join(one.text for one in passages).count("/api/thing") == 100


def test_questions_find_their_pages() -> None:
    """What was reached (0.88 and 1.0), less what a few pages more do to it."""
    assert len(QUESTIONS) >= 60
    reciprocal, recall = measure(
        lambda question: [hit.passage.slug for hit in load_library().search(question, 10)]
    )
    assert reciprocal >= 0.86, reciprocal
    assert recall >= 0.97, recall
