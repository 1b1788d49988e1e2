"""What the assistant looks things up in is what `docs/` says. `make docs` mends it."""

import json
import runpy

from assent.context.docs.library import load_library
from tests.contract.source import ROOT
from tests.unit.context.questions import QUESTIONS


def test_the_index_was_made_of_the_pages_as_they_are() -> None:
    script = runpy.run_path(str(ROOT / "scripts/docs.py"))
    assert script["STORED"].read_text("utf-8") == script["build"](), "Run `make docs`."


def test_every_page_is_in_it() -> None:
    written = {path.stem for path in (ROOT / "docs").glob("*.md")}
    assert set(load_library().pages) == written


def test_it_is_sorted_and_has_no_page_twice() -> None:
    stored = json.loads((ROOT / "src/assent/context/docs/pages.json").read_text("utf-8"))
    slugs = [one["slug"] for one in stored]
    assert len(slugs) == len(set(slugs))


def test_questions_ask_for_pages_that_exist() -> None:
    asked = {slug for _, slugs in QUESTIONS for slug in slugs.split()}
    assert asked <= set(load_library().pages)
