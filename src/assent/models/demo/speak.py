"""Text and calls cut into the pieces in which a model would send them. Pure."""

import re
from collections.abc import Iterator

_PIECE = re.compile(r"\S+\s*|\s+")
CHARACTERS_PER_TOKEN = 4
ARGUMENT_PIECE = 12


def cut_text(text: str) -> Iterator[str]:
    """Word by word, each with the space behind it."""
    yield from _PIECE.findall(text)


def cut_arguments(text: str) -> Iterator[str]:
    for start in range(0, len(text), ARGUMENT_PIECE):
        yield text[start : start + ARGUMENT_PIECE]


def estimate_tokens(characters: int) -> int:
    return -(-characters // CHARACTERS_PER_TOKEN)


def fit_tokens(text: str, tokens: int) -> str:
    """As many whole words as there is room for."""
    room = tokens * CHARACTERS_PER_TOKEN
    if len(text) <= room:
        return text
    kept = ""
    for piece in cut_text(text):
        if len(kept) + len(piece) > room:
            break
        kept += piece
    return kept
