"""What a file is, decided by its content; what it calls itself only tells kinds of text apart.

Pure. What is not taken is refused with what it looks like and what would be taken.
"""

import json
import re
from dataclasses import dataclass

from assent.conversations.image import looks_like_image, parse_image
from assent.errors import UnsupportedFile
from assent.tools.json_value import is_deeper

TAKEN = "Taken are PNG, JPEG, GIF and WebP images, PDF, text, CSV, Markdown and JSON."
PDF = "application/pdf"
MEDIA_TYPES = (
    "image/png",
    "image/jpeg",
    "image/gif",
    "image/webp",
    PDF,
    "text/plain",
    "text/csv",
    "text/markdown",
    "application/json",
)
DEEPEST = 200
_HEAD = 1024
_MARKDOWN = (".md", ".markdown")
_TABLES = (".csv", ".tsv")
_CONTROL = re.compile("[\x00-\x08\x0b\x0e-\x1a\x1c-\x1f\x7f\ud800-\udfff\ufffe\uffff]")
"""Form feeds and the escapes of coloured logs are in ordinary text files."""
_KNOWN = (
    (b"PK\x03\x04", "a ZIP archive or an Office document"),
    (b"\xd0\xcf\x11\xe0", "an old Office document"),
    (b"\x7fELF", "a program"),
    (b"MZ", "a program"),
    (b"\x1f\x8b", "a compressed file"),
    (b"Rar!", "an archive"),
    (b"7z\xbc\xaf", "an archive"),
    (b"BM", "a BMP image"),
    (b"II*\x00", "a TIFF image"),
    (b"MM\x00*", "a TIFF image"),
    (b"OggS", "a sound or a film"),
    (b"ID3", "a sound"),
    (b"\x1aE\xdf\xa3", "a film"),
    (b"SQLite format 3", "a database"),
)


@dataclass(frozen=True, slots=True)
class Sniffed:
    """`text` is the whole of a text file, whatever it was encoded in."""

    media_type: str
    text: str | None = None
    width: int | None = None
    height: int | None = None


def sniff(name: str, content: bytes) -> Sniffed:
    if not content:
        raise UnsupportedFile("The file is empty.")
    if looks_like_image(content):
        return _read_image(content)
    if b"%PDF-" in content[:_HEAD]:
        return Sniffed(PDF)
    text = decode_text(content)
    if text is None:
        raise _refuse(_describe(content))
    return Sniffed(_find_text_type(name.lower(), text), text)


def decode_text(content: bytes) -> str | None:
    """UTF-8, or UTF-16 with its mark; nothing for what is no text."""
    encoding = "utf-8-sig"
    if content.startswith((b"\xff\xfe", b"\xfe\xff")):
        encoding = "utf-16"
    try:
        text = content.decode(encoding, "strict")
    except UnicodeDecodeError:
        return None
    return None if _CONTROL.search(text) else text


def _read_image(content: bytes) -> Sniffed:
    image = parse_image(content)
    if image is None:
        raise _refuse("an image that is damaged")
    if not image.is_sane:
        raise _refuse(f"an image of {image.width} × {image.height} pixels, which is too large")
    return Sniffed(image.media_type, width=image.width, height=image.height)


def _find_text_type(name: str, text: str) -> str:
    if name.endswith(_MARKDOWN):
        return "text/markdown"
    if name.endswith(_TABLES) and any(mark in text for mark in ",;\t"):
        return "text/csv"
    if text.lstrip()[:1] in ("{", "[") and _is_json(text):
        return "application/json"
    return "text/plain"


def _is_json(text: str) -> bool:
    try:
        return not is_deeper(json.loads(text), DEEPEST)
    except (ValueError, RecursionError):
        return False


def _refuse(what: str) -> UnsupportedFile:
    return UnsupportedFile(f"This looks like {what}. {TAKEN}")


def _describe(content: bytes) -> str:
    if content[4:8] == b"ftyp":
        return "a film or an image of a phone"
    for start, what in _KNOWN:
        if content.startswith(start):
            return what
    return "something that is no text"
