"""Files that people attach, as values, and what they are called. Pure."""

import re
import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from assent.conversations.user_message import file_url
from assent.value import Value

LARGEST = 10 * 1024 * 1024
LONGEST_EXTRACT = 50_000
LONGEST_NAME = 150
MOST_UNUSED = 50
UNNAMED = "file"
IMAGES = frozenset({"image/png", "image/jpeg", "image/gif", "image/webp"})

_CONTROL = re.compile("[\x00-\x1f\x7f-\x9f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]")


class StoredFile(Value):
    """A file without its content. Images have a width and a height."""

    id: UUID
    name: str
    media_type: str
    size: int
    width: int | None
    height: int | None
    created_at: datetime

    @property
    def is_image(self) -> bool:
        return self.media_type in IMAGES


@dataclass(frozen=True, slots=True, kw_only=True)
class NewFile:
    id: UUID
    name: str
    media_type: str
    width: int | None
    height: int | None
    content: bytes
    extracted: str | None


def clean_name(given: str) -> str:
    """The last piece of a path, without what nobody sees; its ending survives when it is long."""
    last = re.split(r"[/\\]", unicodedata.normalize("NFC", given))[-1]
    name = " ".join(_CONTROL.sub("", last).split()).strip(". ") or UNNAMED
    if len(name) <= LONGEST_NAME:
        return name
    stem, dot, ending = name.rpartition(".")
    if not dot or len(ending) > 10:
        return name[:LONGEST_NAME].rstrip()
    return f"{stem[: LONGEST_NAME - len(ending) - 1].rstrip()}.{ending}"


def build_file_part(file: StoredFile) -> dict[str, Any]:
    return {
        "type": "file",
        "mediaType": file.media_type,
        "filename": file.name,
        "url": file_url(file.id),
    }


def list_file_urls(parts: Iterable[dict[str, Any]]) -> list[str]:
    return [str(part.get("url")) for part in parts if part.get("type") == "file"]
