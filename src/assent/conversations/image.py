"""The kind and the size of an image, from its first bytes. Pure.

Nothing is decoded: a few numbers of the head are read, and what does not add up is no image.
"""

import struct
from dataclasses import dataclass

LARGEST_SIDE = 16_384
MOST_PIXELS = 64_000_000

_PNG = b"\x89PNG\r\n\x1a\n"
_SIZES = frozenset({*range(0xC0, 0xD0)} - {0xC4, 0xC8, 0xCC})
"""Markers of a JPEG that carry its size: C4, C8 and CC mean something else."""


@dataclass(frozen=True, slots=True)
class Image:
    media_type: str
    width: int
    height: int

    @property
    def is_sane(self) -> bool:
        sides = self.width, self.height
        pixels = self.width * self.height
        return min(sides) > 0 and max(sides) <= LARGEST_SIDE and pixels <= MOST_PIXELS


def looks_like_image(content: bytes) -> bool:
    is_webp = content[:4] == b"RIFF" and content[8:12] == b"WEBP"
    return is_webp or content.startswith((_PNG, b"\xff\xd8\xff", b"GIF87a", b"GIF89a"))


def parse_image(content: bytes) -> Image | None:
    """Nothing if it is none, or if its head is cut."""
    try:
        if content.startswith(_PNG):
            return _parse_png(content)
        if content.startswith(b"\xff\xd8\xff"):
            return _parse_jpeg(content)
        if content.startswith((b"GIF87a", b"GIF89a")):
            return Image("image/gif", *struct.unpack_from("<HH", content, 6))
        if content[:4] == b"RIFF" and content[8:12] == b"WEBP":
            return _parse_webp(content)
    except (struct.error, IndexError):
        pass
    return None


def _parse_png(content: bytes) -> Image | None:
    length, kind, width, height = struct.unpack_from(">I4sII", content, 8)
    return Image("image/png", width, height) if (length, kind) == (13, b"IHDR") else None


def _parse_jpeg(content: bytes) -> Image | None:
    at = 2
    while content[at] == 0xFF:
        marker = content[at + 1]
        if marker == 0xFF:
            at += 1
            continue
        (length,) = struct.unpack_from(">H", content, at + 2)
        if marker in _SIZES:
            height, width = struct.unpack_from(">HH", content, at + 5)
            return Image("image/jpeg", width, height)
        if length < 2 or marker == 0xDA:
            return None
        at += 2 + length
    return None


def _parse_webp(content: bytes) -> Image | None:
    match content[12:16]:
        case b"VP8 " if content[23:26] == b"\x9d\x01\x2a":
            width, height = struct.unpack_from("<HH", content, 26)
            return Image("image/webp", width & 0x3FFF, height & 0x3FFF)
        case b"VP8L" if content[20] == 0x2F:
            (packed,) = struct.unpack_from("<I", content, 21)
            return Image("image/webp", (packed & 0x3FFF) + 1, (packed >> 14 & 0x3FFF) + 1)
        case b"VP8X":
            width = int.from_bytes(content[24:27], "little") + 1
            height = int.from_bytes(content[27:30], "little") + 1
            return Image("image/webp", width, height) if len(content) >= 30 else None
        case _:
            return None
