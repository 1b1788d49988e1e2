"""What a vault holds, as it may turn up in a text: plain and in the usual encodings. Pure."""

import base64
import html
import json
import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, cast
from urllib.parse import quote, quote_plus

from assent.vault.scrub.linear import compile_pattern, join_words
from assent.vault.scrub.rule import Span

NAME = "vault"
SHORTEST = 8
"""Shorter values are not looked for: they would turn up in ordinary words."""
LONGEST_RUN = 512
MEMORY = 1 << 28


class Values:
    """All values of one tenant as one automaton."""

    def __init__(self, secrets: Iterable[str]) -> None:
        forms = {form for secret in secrets for form in list_forms(secret)}
        self._pattern = (
            compile_pattern(join_words(forms), longest=True, memory=MEMORY) if forms else None
        )
        self._spread = [
            (form, form[:1])
            for form in sorted(forms)
            if len(form) > LONGEST_RUN or " " in form or "\n" in form or not form.isascii()
        ]

    def __bool__(self) -> bool:
        return self._pattern is not None

    def find(self, data: bytes, since: int = 0) -> Iterator[Span]:
        if self._pattern is not None:
            for found in self._pattern.finditer(data, since):
                yield Span(found.start(), found.start(), found.end(), -2, NAME)

    def are_in(self, data: bytes) -> bool:
        return self._pattern is not None and self._pattern.search(data) is not None

    def find_open(self, text: str) -> int:
        """From where on more text may make one of these values; the end if nothing may.

        Only values with blanks or letters beyond ASCII, and very long ones: others are in the last
        word, which is held back anyway.
        """
        found = len(text)
        for form, first in self._spread:
            start = text.find(first)
            while 0 <= start < found:
                if len(text) - start < len(form) and form.startswith(text[start:]):
                    found = start
                start = text.find(first, start + 1)
        return found


def list_forms(secret: str) -> set[str]:
    """A secret in every form that is looked for."""
    plain = {secret, secret.strip()}
    forms: set[str] = set()
    for one in plain:
        if len(one) >= SHORTEST:
            forms.update(_encode(one))
    return {form for form in forms if len(form) >= SHORTEST}


def replace_secrets(value: Any, secrets: Mapping[str, str]) -> Any:
    """JSON without these secrets, in whatever form: each one becomes the text it is given for."""
    forms = sorted(
        ((form, shown) for shown, secret in secrets.items() for form in list_forms(secret)),
        key=lambda pair: -len(pair[0]),
    )
    return _replace(value, forms)


def _replace(value: Any, forms: list[tuple[str, str]]) -> Any:
    match value:
        case str():
            for form, shown in forms:
                value = value.replace(form, shown)
            return value
        case Mapping():
            given = cast("Mapping[Any, Any]", value)
            return {_replace(key, forms): _replace(one, forms) for key, one in given.items()}
        case list() | tuple():
            return [_replace(one, forms) for one in cast("list[Any]", value)]
        case _:
            return value


def _encode(secret: str) -> Iterator[str]:
    raw = secret.encode("utf-8", "surrogatepass")
    yield secret
    for quoted in (quote(raw, safe=""), quote(raw), quote_plus(raw)):
        yield quoted
        yield re.sub("%[0-9A-F]{2}", lambda code: code[0].lower(), quoted)
    yield raw.hex()
    yield raw.hex().upper()
    for escaped in (json.dumps(secret)[1:-1], json.dumps(secret, ensure_ascii=False)[1:-1]):
        yield escaped
        yield escaped.replace("/", "\\/")
        yield json.dumps(escaped)[1:-1]
    yield html.escape(secret)
    yield repr(secret)[1:-1]
    yield from _encode_base64(raw)


def _encode_base64(raw: bytes) -> Iterator[str]:
    """Wherever in a longer text it begins: what does not depend on its neighbours."""
    for before, start in ((0, 0), (1, 2), (2, 3)):
        padded = b"\0" * before + raw
        end = len(padded) * 8 // 6
        yield base64.b64encode(padded).decode()[start:end]
        yield base64.urlsafe_b64encode(padded).decode()[start:end]
