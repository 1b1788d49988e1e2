"""The documentation of Assent itself, as it was when this version was released.

`pages.json` is made of `docs/` by `scripts/docs.py` and committed; a test finds out when the two
differ.
"""

import json
from collections.abc import Iterable
from functools import cache
from importlib.resources import files

from assent.context.docs.index import Index
from assent.context.docs.page import Page, read_page

FILE = "pages.json"
SECTIONS = {
    "Using": ("chat", "proposals", "usage", "runs"),
    "Administration": ("access", "audit", "secrets", "network", "settings"),
    "Operation": ("operate", "scale", "failures", "observe", "bench", "command"),
    "Development": ("plugins", "tools", "http", "catalog"),
}
"""In the order in which they are listed."""


@cache
def load_library() -> Index:
    stored = json.loads((files("assent.context.docs") / FILE).read_text("utf-8"))
    return Index(Page(**one) for one in stored)


def build_pages(texts: Iterable[tuple[str, str]]) -> list[Page]:
    """Of slugs and Markdown; raise for a page that no section lists."""
    given = dict(texts)
    listed = [(section, slug) for section, slugs in SECTIONS.items() for slug in slugs]
    if unknown := sorted(given.keys() - {slug for _, slug in listed}):
        raise ValueError(f"no section lists {', '.join(unknown)}")
    return [read_page(slug, section, given[slug]) for section, slug in listed if slug in given]
