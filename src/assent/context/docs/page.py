"""A page of documentation and the sections that it is found by. Pure."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

LONGEST_SECTION = 2_500
"""Characters; what is longer is split where a paragraph or a row ends: a hit is to the point."""
REFERENCE_SECTION = "Reference"

_HEADING = re.compile(r"(#{1,4})\s+(.+?)\s*#*")
_FENCE = re.compile(r"\s*(```|~~~)")
_LINK = re.compile(r"!?\[([^\]]*)\]\([^)]*\)")
_MARK = re.compile(r"[*`]{1,3}|(?<!\w)_{1,3}(?=\w)|(?<=\w)_{1,3}(?!\w)")


@dataclass(frozen=True, slots=True)
class Page:
    """`section` is the part of the documentation that it belongs to."""

    slug: str
    title: str
    section: str
    text: str


@dataclass(frozen=True, slots=True)
class Passage:
    """What stands below one heading. The heading of a page's beginning is its title."""

    slug: str
    title: str
    heading: str
    text: str


def read_page(slug: str, section: str, text: str) -> Page:
    """Markdown; the title is its first heading."""
    title = next((heading for level, heading, _ in _split(text) if level == 1), slug)
    return Page(slug, plain(title), section, text.strip() + "\n")


def list_passages(page: Page) -> list[Passage]:
    found: list[Passage] = []
    for level, heading, text in _split(page.text):
        name = page.title if level <= 1 else plain(heading)
        found += [Passage(page.slug, page.title, name, one) for one in _cut(text)]
    return found


def plain(text: str) -> str:
    """Without marks of Markdown, as it is read."""
    return _MARK.sub("", _LINK.sub(r"\1", text)).strip()


def _split(text: str) -> Iterator[tuple[int, str, str]]:
    """Level, heading and what follows it; a `#` inside of code is no heading."""
    level, heading, lines, is_code = 0, "", list[str](), False
    for line in text.splitlines():
        is_code ^= _FENCE.match(line) is not None
        found = None if is_code else _HEADING.fullmatch(line)
        if found is None:
            lines.append(line)
            continue
        if heading or "".join(lines).strip():
            yield level, heading, "\n".join(lines).strip()
        level, heading, lines = len(found[1]), found[2], []
    yield level, heading, "\n".join(lines).strip()


def _cut(text: str) -> Iterator[str]:
    piece = ""
    for paragraph in _list_pieces(text):
        if piece and len(piece) + len(paragraph) > LONGEST_SECTION:
            yield piece
            piece = ""
        piece = f"{piece}\n\n{paragraph}" if piece else paragraph
    yield piece


def _list_pieces(text: str) -> Iterator[str]:
    """Paragraphs; one that is too long itself, such as a table, comes in groups of its lines."""
    for paragraph in re.split(r"\n{2,}", text):
        group = ""
        for line in paragraph.splitlines():
            if group and len(group) + len(line) > LONGEST_SECTION:
                yield group
                group = ""
            group = f"{group}\n{line}" if group else line
        yield group
