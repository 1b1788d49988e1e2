"""What a person sends: a text and references to files that they have uploaded. Pure.

It comes as `{id?, text?, parts?, fileIds?}` or as the UI message of the AI SDK. Nothing else of it
is taken: tool calls, data and metadata that a client sends are not looked at.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, cast
from uuid import UUID

from assent.errors import Invalid, Issue
from assent.tools.json_value import Path, encode_path
from assent.value import UNSTORABLE, VISIBLE

LONGEST_TEXT = 100_000
LONGEST_ID = 200
MOST_FILES = 10
MOST_PARTS = 200

_FILE_URL = re.compile(r"/api/files/([0-9a-fA-F-]{36})")
_VISIBLE = re.compile(VISIBLE)


@dataclass(frozen=True, slots=True)
class SentMessage:
    """`client_id` is the sender's own id: sent again, it is the same message (SPEC C8)."""

    text: str
    file_ids: tuple[UUID, ...] = ()
    client_id: str | None = None
    skill: tuple[str, str] | None = None
    """Id and name of the skill that was chosen for this turn."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Retry:
    """What is not given stays as it was. `message_id` is what the person sees as the last one."""

    message_id: str | None = None
    text: str | None = None
    file_ids: tuple[UUID, ...] | None = None
    client_id: str | None = None
    skill: tuple[str, str] | None = None


def file_url(file_id: UUID) -> str:
    return f"/api/files/{file_id}"


def parse_user_message(raw: Any, *, at: Path = ()) -> SentMessage:
    """Raise with all issues; `at` is where the message stands in the request."""
    if not isinstance(raw, dict):
        raise Invalid.at(encode_path(at), "This must be an object with a text.")
    reader = _Reader(at)
    sent = reader.read(cast(dict[str, Any], raw))
    if reader.issues:
        raise Invalid(reader.issues)
    return sent


class _Reader:
    """Reads one message and remembers what is wrong with it."""

    def __init__(self, at: Path) -> None:
        self._at = at
        self.issues: list[Issue] = []

    def read(self, given: dict[str, Any]) -> SentMessage:
        if given.get("role") not in (None, "user"):
            self._complain("Only messages of the user can be sent.", "role")
        parts = list(self._list_parts(given.get("parts")))
        text = self._read_texts(given.get("text"), parts)
        files = [*self._read_file_ids(given.get("fileIds")), *self._read_files(parts)]
        file_ids = tuple(dict.fromkeys(files))
        if len(file_ids) > MOST_FILES:
            self._complain(f"A message takes at most {MOST_FILES} files.", "fileIds")
        if not self.issues and not _VISIBLE.search(text) and not file_ids:
            self._complain("Write something, or attach a file.", "text")
        return SentMessage(text, file_ids, self._read_client_id(given.get("id")))

    def _complain(self, message: str, *path: str | int) -> None:
        self.issues.append(Issue(encode_path((*self._at, *path)), message))

    def _read_client_id(self, value: Any) -> str | None:
        if value is None:
            return None
        if isinstance(value, str) and 0 < len(value) <= LONGEST_ID and not UNSTORABLE.search(value):
            return value
        self._complain(f"This must be a text of 1 to {LONGEST_ID} characters.", "id")
        return None

    def _list_parts(self, value: Any) -> Iterator[tuple[int, dict[str, Any]]]:
        if value is None:
            return
        if not isinstance(value, list) or len(cast(list[Any], value)) > MOST_PARTS:
            self._complain(f"This must be a list of at most {MOST_PARTS} parts.", "parts")
            return
        for number, part in enumerate(cast(list[Any], value)):
            if isinstance(part, dict):
                yield number, cast(dict[str, Any], part)
            else:
                self._complain("This must be an object with a type.", "parts", number)

    def _read_texts(self, text: Any, parts: list[tuple[int, dict[str, Any]]]) -> str:
        places = [(("parts", n, "text"), one.get("text")) for n, one in parts if _is(one, "text")]
        if text is not None:
            if places:
                self._complain("Send the text once: here or in parts.", "text")
            places = [(("text",), text)]
        texts: list[str] = []
        for path, value in places:
            if isinstance(value, str):
                texts.append(UNSTORABLE.sub("", value))
            else:
                self._complain("This must be a text.", *path)
        said = "\n\n".join(texts)
        if len(said) > LONGEST_TEXT:
            self._complain(f"A message may have at most {LONGEST_TEXT:,} characters.", "text")
        return said

    def _read_file_ids(self, value: Any) -> Iterator[UUID]:
        if value is None:
            return
        if not isinstance(value, list):
            self._complain("This must be a list of ids.", "fileIds")
            return
        for number, one in enumerate(cast(list[Any], value)[: MOST_FILES + 1]):
            file_id = _find_id(one)
            if file_id is None:
                self._complain("This must be the id of a file.", "fileIds", number)
            else:
                yield file_id

    def _read_files(self, parts: list[tuple[int, dict[str, Any]]]) -> Iterator[UUID]:
        for number, part in parts:
            if not _is(part, "file"):
                continue
            url = part.get("url")
            match = _FILE_URL.fullmatch(url) if isinstance(url, str) else None
            file_id = _find_id(match[1]) if match else None
            if file_id is None:
                message = "Upload the file first and send its address, /api/files/…"
                self._complain(message, "parts", number, "url")
            else:
                yield file_id


def _is(part: dict[str, Any], kind: str) -> bool:
    return part.get("type") == kind


def _find_id(value: Any) -> UUID | None:
    try:
        return UUID(value) if isinstance(value, str) else None
    except ValueError:
        return None
