"""The documentation of Assent itself, as it was when this version was released.

`pages.json` is made of `docs/` by `scripts/docs.py` and committed; a test finds out when the two
differ.
"""

import json
from collections.abc import Iterable
from dataclasses import asdict
from functools import cache
from importlib.resources import files

from assent.context.docs.index import Index
from assent.context.docs.page import REFERENCE_SECTION, Page, read_page

FILE = "pages.json"
SECTIONS = {
    "Using": ("chat", "proposals", "grounding", "usage", "runs"),
    "Administration": ("access", "audit", "secrets", "network"),
    "Operation": ("operate", "scale", "failures", "observe", "bench", "command"),
    "Development": ("plugins", "tools"),
    REFERENCE_SECTION: ("http", "settings"),
}
"""In the order in which they are listed; what none of them lists is about a plugin."""
OTHERS = "Plugins"


@cache
def load_library() -> Index:
    stored = json.loads((files("assent.context.docs") / FILE).read_text("utf-8"))
    return Index(Page(**one) for one in stored)


def build_pages(texts: Iterable[tuple[str, str]]) -> list[Page]:
    """Of slugs and Markdown."""
    given = dict(texts)
    listed = [(section, slug) for section, slugs in SECTIONS.items() for slug in slugs]
    others = sorted(given.keys() - {slug for _, slug in listed})
    placed = [*listed, *((OTHERS, slug) for slug in others)]
    return [read_page(slug, section, given[slug]) for section, slug in placed if slug in given]


def encode_pages(pages: Iterable[Page]) -> str:
    """As they are committed."""
    return json.dumps([asdict(page) for page in pages], indent=1, ensure_ascii=False) + "\n"
