"""What files are taken for."""

import struct

import pytest

from assent.conversations.file import clean_name
from assent.conversations.image import Image, parse_image
from assent.conversations.sniff import sniff
from assent.errors import UnsupportedFile

GIF = b"GIF89a" + struct.pack("<HH", 3, 4) + b"\0\0\0"
WEBP = b"RIFF\0\0\0\0WEBP"
LOSSY = WEBP + b"VP8 \0\0\0\0\0\0\0\x9d\x01\x2a" + struct.pack("<HH", 5, 6)
LOSSLESS = WEBP + b"VP8L\0\0\0\0\x2f" + struct.pack("<I", 6 | 7 << 14)
EXTENDED = WEBP + b"VP8X\0\0\0\0\0\0\0\0" + b"\x08\0\0" + b"\x09\0\0"
JPEG = b"\xff\xd8\xff\xe0\0\x04ab\xff\xff\xc2\0\x11\x08" + struct.pack(">HH", 20, 10) + b"\x03"
PNG = b"\x89PNG\r\n\x1a\n" + struct.pack(">I4sII", 13, b"IHDR", 1, 2)


@pytest.mark.parametrize(
    ("content", "image"),
    [
        (GIF, Image("image/gif", 3, 4)),
        (LOSSY, Image("image/webp", 5, 6)),
        (LOSSLESS, Image("image/webp", 7, 8)),
        (EXTENDED, Image("image/webp", 9, 10)),
        (JPEG, Image("image/jpeg", 10, 20)),
        (PNG, Image("image/png", 1, 2)),
        (PNG[:20], None),
        (JPEG[:14], None),
        (b"\xff\xd8\xff\xda\0\x02", None),
        (b"\xff\xd8\xff\xe0\0\0", None),
        (WEBP + b"JUNK", None),
        (b"RIFF\0\0\0\0WAVE", None),
    ],
)
def test_images(content: bytes, image: Image | None) -> None:
    assert parse_image(content) == image


@pytest.mark.parametrize(
    ("name", "content", "kind"),
    [
        ("a.txt", b"hello", "text/plain"),
        ("a.csv", b"a,b\n1,2", "text/csv"),
        ("a.csv", b"one word", "text/plain"),
        ("A.MD", b"# a", "text/markdown"),
        ("a", b'{"a": 1}', "application/json"),
        ("a.json", b'{"a": ', "text/plain"),
        ("a.json", b"[" * 100_000, "text/plain"),
        ("a.json", b"[" * 300 + b"]" * 300, "text/plain"),
        ("a.txt", "\ufeffgrüße".encode("utf-16"), "text/plain"),
        ("a.html", b"<script>", "text/plain"),
        ("log.txt", b"\x1b[31mred\x1b[0m\x0c", "text/plain"),
        ("a.txt", b"\n\n%PDF-1.4", "application/pdf"),
        ("a.exe", b"only words", "text/plain"),
    ],
)
def test_kinds(name: str, content: bytes, kind: str) -> None:
    assert sniff(name, content).media_type == kind


@pytest.mark.parametrize("content", [b"a\0b", b"\xc3\x28", b"\xff\xfe\x00\xd8", b"\x7f"])
def test_what_is_no_text(content: bytes) -> None:
    with pytest.raises(UnsupportedFile, match="Taken are"):
        sniff("a.txt", content)


@pytest.mark.parametrize(
    ("given", "name"),
    [
        ("../../etc/passwd", "passwd"),
        ("C:\\temp\\a.txt", "a.txt"),
        ("", "file"),
        ("...", "file"),
        ("a\u202egnp.exe", "agnp.exe"),
        ("a\r\nb.txt", "ab.txt"),
        ("x" * 300 + ".pdf", "x" * 146 + ".pdf"),
        ("x" * 300, "x" * 150),
    ],
)
def test_names(given: str, name: str) -> None:
    assert clean_name(given) == name
