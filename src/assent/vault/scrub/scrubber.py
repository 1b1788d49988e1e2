"""Hiding secrets in a text or a value, all at once. Pure.

What is hidden becomes `[secret: <what found it>]`; scrubbing that again changes nothing.
"""

import re
from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import Any, TypeVar, cast

from assent.vault.scrub.names import is_credential_name, is_ordinary
from assent.vault.scrub.rule import Span
from assent.vault.scrub.rules import Rules
from assent.vault.scrub.values import Values

NAMED = "[secret: named]"
MARK = re.compile(rb"\[secret: [\w.-]+\]")
NAME_KEYS = ("name", "key", "header", "Name", "Key", "path")
VALUE_KEYS = frozenset({"value", "Value", "before", "after"})
OPAQUE = frozenset({"_opaque", "signature", "encrypted_content", "thoughtSignature"})
"""Data of providers that only they can read; altered, they would refuse it."""
DEEPEST = 100
OFTEN = 1024
NUMBERS = frozenset({int, float, bool, type(None)})
PLAIN = re.compile(
    r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}"
    r"|\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)"
)
"""Ids and times. Short keywords of rules turn up in ids, and nothing that they look for does."""

T = TypeVar("T")


class Scrubber:
    """Rules for everybody and the values of one tenant."""

    def __init__(self, rules: Rules, values: Values | None = None) -> None:
        self.rules = rules
        self.values = values or Values(())
        self.scrub_often = lru_cache(OFTEN)(self.scrub_text)
        """For texts that come again and again, such as sections of a prompt and names of fields."""
        self._are_harmless = lru_cache(OFTEN)(self._look_at_names)
        """Objects of one kind have the same names, and lists have many of one kind."""

    def scrub_text(self, text: str) -> str:
        data = encode(text)
        spans = self.find(data)
        return hide(data, spans).decode("utf-8", "surrogatepass") if spans else text

    def scrub(self, value: T) -> T:
        """A value as JSON has them: texts, and what is named like a credential, at any depth.

        Most values hold nothing, and one look at all their texts together tells.
        """
        texts = self._list_texts(value)
        if texts is not None and not self._may_hold(texts):
            return value
        return cast(T, self._scrub(value, DEEPEST))

    def find(self, data: bytes, since: int = 0) -> list[Span]:
        """Where secrets are, in order, none inside another; values of the vault from `since` on."""
        hits = self.rules.look(data)
        spans = list(self.values.find(data, since))
        if hits or self.rules.always_look:
            spans += self.rules.find(data, hits or ())
        return merge(spans, data) if spans else spans

    def _may_hold(self, texts: list[str]) -> bool:
        """Rules have something to look for in it, or a value of the vault is there."""
        if self.rules.always_look or self.values.are_in(encode("\n".join(texts))):
            return True
        said = "\n".join(text for text in texts if not PLAIN.fullmatch(text))
        return bool(self.rules.look(encode(said)))

    def _list_texts(self, value: Any) -> list[str] | None:
        """All texts of a value; nothing if it is very deep, or a name in it matters."""
        texts: list[str] = []
        waiting: list[tuple[Any, int]] = [(value, DEEPEST)]
        while waiting:
            one, depth = waiting.pop()
            if isinstance(one, str):
                texts.append(one)
            elif type(one) in NUMBERS:
                continue
            elif isinstance(one, Mapping):
                pairs = cast(Mapping[Any, Any], one)
                if depth == 0 or _names_credential(pairs) or not self._are_harmless(tuple(pairs)):
                    return None
                waiting += [(item, depth - 1) for key, item in pairs.items() if key not in OPAQUE]
            elif isinstance(one, list | tuple):
                if depth == 0:
                    return None
                waiting += [(item, depth - 1) for item in cast(Iterable[Any], one)]
        return texts

    def _look_at_names(self, keys: tuple[Any, ...]) -> bool:
        """Whether none of them is a credential's, or holds something that is to be hidden."""
        names = [key for key in keys if isinstance(key, str)]
        return not any(is_credential_name(one) or self.scrub_text(one) != one for one in names)

    def _scrub(self, value: Any, depth: int) -> Any:
        if isinstance(value, str):
            return self.scrub_text(value)
        if depth == 0:
            return value if isinstance(value, int | float | bool | None) else NAMED
        if isinstance(value, Mapping):
            return self._scrub_mapping(cast(Mapping[Any, Any], value), depth)
        if isinstance(value, list | tuple):
            items = cast(Iterable[Any], value)
            scrubbed = [self._scrub(item, depth - 1) for item in items]
            return tuple(scrubbed) if isinstance(value, tuple) else scrubbed
        return value

    def _scrub_mapping(self, value: Mapping[Any, Any], depth: int) -> dict[Any, Any]:
        is_named = _names_credential(value)
        scrubbed: dict[Any, Any] = {}
        for key, item in value.items():
            name = self.scrub_text(key) if isinstance(key, str) else key
            if isinstance(key, str) and key in OPAQUE:
                scrubbed[name] = item
            elif (is_named and key in VALUE_KEYS) or (
                isinstance(key, str) and is_credential_name(key)
            ):
                scrubbed[name] = self._hide_named(item, depth)
            else:
                scrubbed[name] = self._scrub(item, depth - 1)
        return scrubbed

    def _hide_named(self, item: Any, depth: int) -> Any:
        if isinstance(item, str):
            return item if is_ordinary(item) else NAMED
        if isinstance(item, list | tuple):
            return [self._hide_named(one, depth - 1) for one in cast(Iterable[Any], item)]
        return self._scrub(item, depth - 1)


def _names_credential(value: Mapping[Any, Any]) -> bool:
    """`{"name": "API_KEY", "value": "…"}`, or a difference at the path of a password."""
    names = [value[key] for key in NAME_KEYS if key in value]
    return any(isinstance(name, str) and is_credential_name(name) for name in names)


def encode(text: str) -> bytes:
    return text.encode("utf-8", "surrogatepass")


def merge(spans: list[Span], data: bytes) -> list[Span]:
    """What overlaps is one secret; what was hidden before stays as it is."""
    marks = [found.span() for found in MARK.finditer(data)] if b"[secret: " in data else []
    merged: list[Span] = []
    for span in sorted(spans, key=lambda one: (one.start, one.rank)):
        if any(start < span.end and span.start < end for start, end in marks):
            continue
        if merged and span.start < merged[-1].end:
            last = merged[-1]
            best = min(last, span, key=lambda one: one.rank)
            since, end = min(last.since, span.since), max(last.end, span.end)
            merged[-1] = Span(since, last.start, end, best.rank, best.name)
        else:
            merged.append(span)
    return merged


def hide(data: bytes, spans: Iterable[Span]) -> bytes:
    pieces: list[bytes] = []
    position = 0
    for span in spans:
        pieces += (data[position : span.start], b"[secret: %s]" % span.name.encode())
        position = span.end
    return b"".join((*pieces, data[position:]))
