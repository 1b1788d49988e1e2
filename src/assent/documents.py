"""Documents in a file: YAML or JSON, one or several, read as JSON would be. Pure.

What is JSON is read as JSON: YAML takes some of it for something else. In YAML a date stays a text,
and in neither does a key count twice.
"""

import json
import math
from collections.abc import Callable, Hashable
from dataclasses import dataclass
from typing import Any, cast

import yaml

from assent.errors import Invalid
from assent.value import strip_unstorable

TIMESTAMP = "tag:yaml.org,2002:timestamp"


class _Loader(yaml.SafeLoader):
    """Knows the types of JSON, and that a key is a text."""

    def construct_mapping(self, node: yaml.MappingNode, deep: bool = False) -> dict[Hashable, Any]:
        self.flatten_mapping(node)
        construct = cast(Callable[..., Any], self.construct_object)  # pyright: ignore[reportUnknownMemberType]
        found: dict[Hashable, Any] = {}
        for key_node, value_node in node.value:
            key = construct(key_node, deep=True)
            line = key_node.start_mark.line + 1
            if not isinstance(key, str):
                raise yaml.YAMLError(f"line {line}: {key!r} is not a text, put it in quotes")
            if key in found:
                raise yaml.YAMLError(f"line {line}: {key} stands there twice")
            found[key] = construct(value_node, deep=True)
        return found


_Loader.yaml_implicit_resolvers = {
    first: [(tag, pattern) for tag, pattern in known if tag != TIMESTAMP]
    for first, known in yaml.SafeLoader.yaml_implicit_resolvers.items()
}


@dataclass(frozen=True, slots=True)
class Found:
    """A document, and where it was found: `checks.yaml, document 2`."""

    where: str
    body: dict[str, Any]

    @property
    def kind(self) -> str:
        return self._find_text("kind")

    @property
    def name(self) -> str:
        return self._find_text("name")

    def _find_text(self, field: str) -> str:
        found = self.body.get(field)
        return found if isinstance(found, str) else ""


def read_documents(text: str, *, where: str) -> list[Found]:
    """Raise Invalid for what is neither YAML nor JSON, or no object."""
    try:
        loaded = _load(text)
    except (yaml.YAMLError, ValueError, RecursionError) as error:
        told = " ".join(str(error).split())
        raise Invalid.at(where, f"This is not YAML or JSON: {told}.") from None
    documents = [one for one in loaded if one is not None]
    if not documents:
        raise Invalid.at(where, "There is no document in it.")
    return [
        Found(_name(where, at, len(documents)), _check_body(one, where=where))
        for at, one in enumerate(documents, 1)
    ]


def _load(text: str) -> list[Any]:
    try:
        return [json.loads(text, object_pairs_hook=_pair)]
    except json.JSONDecodeError:
        return list(yaml.load_all(text, Loader=_Loader))


def _pair(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    paired = dict(pairs)
    if len(paired) < len(pairs):
        raise ValueError("a key stands there twice")
    return paired


def _name(where: str, at: int, count: int) -> str:
    return where if count == 1 else f"{where}, document {at}"


def _check_body(body: Any, *, where: str) -> dict[str, Any]:
    if not isinstance(body, dict):
        raise Invalid.at(where, "A document is an object with `kind`.")
    if _is_beyond_json(body):
        raise Invalid.at(where, "There is a number in it that JSON does not know.")
    return strip_unstorable(body)


def _is_beyond_json(value: Any) -> bool:
    if isinstance(value, dict):
        return any(map(_is_beyond_json, cast(dict[str, Any], value).values()))
    if isinstance(value, list):
        return any(map(_is_beyond_json, cast(list[Any], value)))
    return isinstance(value, float) and not math.isfinite(value)
