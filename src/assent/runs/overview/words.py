"""What people type into a search as a query of Postgres, and what it marks. Pure.

Every word has to be there, each as a beginning: "incid 47" finds "incident 4711".
"""

from assent.runs.overview.line import SnippetPiece

START, STOP = "\ue000", "\ue001"
HEADLINE = f"StartSel={START}, StopSel={STOP}, MaxWords=24, MinWords=10, MaxFragments=0"
MOST_WORDS = 12


def build_words(typed: str) -> str:
    """For `to_tsquery`; nothing that people type is an operator."""
    words = [word for word in typed.split() if any(map(str.isalnum, word))][:MOST_WORDS]
    return " & ".join(f"'{_quote(word)}':*" for word in words)


def split_headline(headline: str) -> list[SnippetPiece]:
    pieces: list[SnippetPiece] = []
    for number, piece in enumerate(headline.split(START)):
        marked, there, rest = piece.partition(STOP)
        is_match = number > 0 and bool(there)
        pieces.append(SnippetPiece(text=_flatten(marked), is_match=is_match))
        pieces.append(SnippetPiece(text=_flatten(rest), is_match=False))
    return [one for one in pieces if one.text]


def _quote(word: str) -> str:
    return word.replace("\\", "\\\\").replace("'", "''")


def _flatten(text: str) -> str:
    """On one line; spaces at the ends stay, they stand between pieces."""
    kept = text.replace(STOP, "")
    flat = " ".join(kept.split())
    before = " " if kept[:1].isspace() else ""
    return f"{before}{flat}{' ' if flat and kept[-1:].isspace() else ''}"
