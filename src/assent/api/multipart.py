"""One file out of a multipart body. Pure.

A whole body is small enough to be held (`protect.py`), so it is not parsed while it comes.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from urllib.parse import unquote

from assent.errors import Invalid, WrongMediaType

FIELD = "file"
MOST_PARTS = 20
_PARAMETER = re.compile(r';\s*([\w*-]+)\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^;\s]*))')
_NEEDED = 'Send the file as multipart/form-data, in the field "file".'


@dataclass(frozen=True, slots=True)
class SentFile:
    name: str
    content: bytes


def parse_boundary(content_type: str) -> bytes:
    kind = content_type.split(";")[0].strip().lower()
    boundary = _read_parameters(content_type).get("boundary", "")
    if kind != "multipart/form-data" or not 0 < len(boundary) <= 200:
        raise WrongMediaType(_NEEDED)
    return boundary.encode("latin-1", "replace")


def parse_file(body: bytes, boundary: bytes) -> SentFile:
    found = [one for one in _list_parts(body, boundary) if one is not None]
    if len(found) != 1:
        raise Invalid.at(FIELD, "Send one file." if found else _NEEDED)
    return found[0]


def _list_parts(body: bytes, boundary: bytes) -> Iterator[SentFile | None]:
    """The file of each part; nothing for a part that is something else."""
    mark, body = b"\r\n--" + boundary, b"\r\n" + body
    start = body.find(mark)
    for _ in range(MOST_PARTS):
        after = start + len(mark)
        end = body.find(mark, after)
        if start < 0 or end < 0 or body[after : after + 2] == b"--":
            return
        head, there, content = body[after:end].partition(b"\r\n\r\n")
        if there:
            yield _read_part(head, content)
        start = end


def _read_part(head: bytes, content: bytes) -> SentFile | None:
    for line in head.decode("utf-8", "replace").split("\r\n"):
        key, _, value = line.partition(":")
        if key.strip().lower() != "content-disposition":
            continue
        given = _read_parameters(value)
        if given.get("name") == FIELD and ("filename" in given or "filename*" in given):
            return SentFile(_read_name(given), content)
    return None


def _read_parameters(value: str) -> dict[str, str]:
    found = _PARAMETER.finditer(value)
    return {one[1].lower(): _unquote(one[2]) if one[2] is not None else one[3] for one in found}


def _unquote(quoted: str) -> str:
    """Browsers write a quote as %22 and leave the backslash of a path alone."""
    return quoted.replace('\\"', '"').replace("%22", '"')


def _read_name(given: dict[str, str]) -> str:
    extended = given.get("filename*", "").split("''", 1)
    return unquote(extended[1]) if len(extended) == 2 else given.get("filename", "")
