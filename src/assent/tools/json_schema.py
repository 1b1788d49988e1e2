"""Holding a JSON value against a JSON Schema: the part of it that describes calls. Pure.

Checked are types, nullable, enum, const, bounds and lengths, properties, required, items, unions,
conditions and references within the schema. Not checked are `pattern` (one from outside could
take forever), `not`, `uniqueItems`, `multipleOf` and their like: who executes the call checks
again. Stricter than the standard are two things: `date-time` needs an explicit offset, and an
object that lists its fields has no others unless it says so.

Each pair of a schema and a value is looked at once, so that no schema from outside costs more than
its size times the value's.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any, Literal, TypeAlias, cast
from urllib.parse import unquote

from assent.tools.dates import HINT, find_date_fault
from assent.tools.json_value import Path, Step, encode_json, json_kind, same_json

DEPTH = 64
TOO_DEEP = "This is nested too deeply."
KNOWN_SHOWN = 20
TYPES = frozenset({"null", "boolean", "integer", "number", "string", "array", "object"})

Node: TypeAlias = Mapping[str, Any]
Bound: TypeAlias = tuple[str, Callable[[Any, Any], bool], str]


@dataclass(frozen=True, slots=True)
class Finding:
    path: Path
    message: str
    kind: Literal["shape", "date"] = "shape"


def find_faults(schema: Node, value: Any) -> tuple[Finding, ...]:
    """All that is wrong, in the order of the value's fields."""
    return _Comparison(schema).check(schema, value, closed=True)


class _Comparison:
    """One value against one schema, with what was found so far."""

    def __init__(self, root: Node) -> None:
        self._root = root
        self._found: dict[tuple[int, int, bool], tuple[Finding, ...]] = {}
        self._depth = 0

    def check(self, schema: Any, value: Any, *, closed: bool) -> tuple[Finding, ...]:
        """`closed` where the schema stands alone, and not as one part of another."""
        if schema is False:
            return (Finding((), "Nothing is allowed here."),)
        if not isinstance(schema, Mapping):
            return ()
        key = id(cast(object, schema)), id(value), closed
        if key not in self._found:
            # What a schema says about a value through itself adds nothing.
            self._found[key] = ()
            self._found[key] = self._descend(cast(Node, schema), value, closed)
        return self._found[key]

    def _descend(self, schema: Node, value: Any, closed: bool) -> tuple[Finding, ...]:
        if self._depth >= DEPTH:
            return (Finding((), TOO_DEEP),)
        self._depth += 1
        try:
            return tuple(self._walk(schema, value, closed))
        finally:
            self._depth -= 1

    def _walk(self, schema: Node, value: Any, closed: bool) -> Iterator[Finding]:
        if value is None and schema.get("nullable") is True:
            return
        mismatch = _check_type(schema, value)
        if mismatch is not None:
            yield mismatch
            return
        yield from _check_value(schema, value)
        if isinstance(value, dict):
            yield from self._walk_object(schema, cast(dict[str, Any], value), closed)
        if isinstance(value, list):
            yield from self._walk_list(schema, cast(list[Any], value))
        yield from self._walk_parts(schema, value)

    def _walk_object(self, schema: Node, value: dict[str, Any], closed: bool) -> Iterator[Finding]:
        properties: Node = schema.get("properties", {})
        for name in schema.get("required", ()):
            if name not in value:
                yield Finding((name,), "This field is required.")
        for name, item in value.items():
            if name in properties:
                yield from self._below(name, properties[name], item)
            elif schema.get("patternProperties"):
                yield from self._walk_pattern(name, schema, item)
            elif schema.get("additionalProperties") is False:
                yield _unknown(name, properties)
            else:
                yield from self._below(name, schema.get("additionalProperties"), item)
        if not closed or schema.get("additionalProperties") is False:
            return
        known = self._list_fields(schema)
        if known is not None:
            yield from (_unknown(name, known) for name in value if name not in known)

    def _walk_pattern(self, name: str, schema: Node, item: Any) -> Iterator[Finding]:
        """Which pattern a name matches is not looked at: one of the schemas must fit."""
        branches = [*cast(Node, schema["patternProperties"]).values()]
        if "additionalProperties" in schema:
            branches.append(schema["additionalProperties"])
        for finding in self._best(branches, item):
            yield replace(finding, path=(name, *finding.path))

    def _walk_list(self, schema: Node, value: list[Any]) -> Iterator[Finding]:
        items = schema.get("items")
        first: list[Any] = schema.get("prefixItems", items if isinstance(items, list) else [])
        rest = schema.get("additionalItems") if isinstance(items, list) else items
        for index, item in enumerate(value):
            yield from self._below(index, first[index] if index < len(first) else rest, item)

    def _walk_parts(self, schema: Node, value: Any) -> Iterator[Finding]:
        if "$ref" in schema:
            target = self._resolve(schema["$ref"])
            if target is None:
                yield Finding((), f"The schema refers to {schema['$ref']!r}, which is not in it.")
            yield from self.check(target, value, closed=False)
        for part in schema.get("allOf", ()):
            yield from self.check(part, value, closed=False)
        for union in ("anyOf", "oneOf"):
            if schema.get(union):
                yield from self._best(schema[union], value)
        if "if" in schema:
            holds = not self.check(schema["if"], value, closed=False)
            yield from self.check(schema.get("then" if holds else "else"), value, closed=False)

    def _best(self, branches: list[Any], value: Any) -> tuple[Finding, ...]:
        """What is wrong by the branch that fits best."""
        return min((self.check(one, value, closed=False) for one in branches), key=_misfit)

    def _below(self, step: Step, schema: Any, value: Any) -> Iterator[Finding]:
        for finding in self.check(schema, value, closed=True):
            yield replace(finding, path=(step, *finding.path))

    def _resolve(self, reference: Any) -> Any:
        """The part of the schema that a reference like `#/$defs/Name` names."""
        if not isinstance(reference, str) or not (reference + "/").startswith("#/"):
            return None
        found: Any = self._root
        for step in unquote(reference[1:]).split("/")[1:]:
            found = _step_into(found, step.replace("~1", "/").replace("~0", "~"))
        return found

    def _list_fields(self, schema: Node) -> dict[str, Any] | None:
        """All fields that an object's schema names in any part, or nothing if it is open."""
        known: dict[str, Any] = {}
        listed = False
        for part in self._list_parts(schema, set()):
            if "patternProperties" in part or _is_open(part):
                return None
            listed = listed or "properties" in part
            known |= part.get("properties", {})
        return known if listed else None

    def _list_parts(self, schema: Any, seen: set[int]) -> Iterator[Node]:
        if not isinstance(schema, Mapping) or id(cast(object, schema)) in seen:
            return
        node = cast(Node, schema)
        seen.add(id(node))
        yield node
        below = [self._resolve(node.get("$ref")), node.get("then"), node.get("else")]
        for union in ("allOf", "anyOf", "oneOf"):
            below += node.get(union, [])
        for part in below:
            yield from self._list_parts(part, seen)


def _misfit(findings: tuple[Finding, ...]) -> tuple[int, int, int]:
    """A wrong date is nearest to what was meant, something else altogether is farthest."""
    other = [finding for finding in findings if finding.kind != "date"]
    return sum(not finding.path for finding in other), len(other), len(findings)


def _step_into(schema: Any, name: str) -> Any:
    if isinstance(schema, Mapping):
        return cast(Node, schema).get(name)
    if isinstance(schema, list) and name.isdecimal():
        return next(iter(cast(list[Any], schema)[int(name) :]), None)
    return None


def _is_open(part: Node) -> bool:
    """Whether a part lets other fields in: by saying so, or as an object without any listed."""
    for keyword in ("additionalProperties", "unevaluatedProperties"):
        if part.get(keyword, False) is not False:
            return True
    composed = any(word in part for word in ("properties", "$ref", "allOf", "anyOf", "oneOf"))
    return part.get("type") == "object" and not composed and "additionalProperties" not in part


def find_schema_fault(schema: Any) -> str | None:
    """The first keyword that is not written as JSON Schema wants it, so that no call trips over."""
    waiting: list[Any] = [schema]
    while waiting:
        node = waiting.pop()
        if isinstance(node, bool):
            continue
        if not isinstance(node, dict):
            return f"{encode_json(node)[:80]} stands where a schema should."
        known = cast(dict[str, Any], node)
        for keyword, is_right in _FORMS.items():
            if keyword in known and not is_right(known[keyword]):
                return f"{keyword} is not written as JSON Schema wants it."
        waiting += _list_subschemas(known)
    return None


def _list_subschemas(node: Node) -> Iterator[Any]:
    for keyword in ("properties", "patternProperties", "$defs", "definitions"):
        yield from node.get(keyword, {}).values()
    for keyword in ("allOf", "anyOf", "oneOf", "prefixItems"):
        yield from node.get(keyword, ())
    for keyword in ("if", "then", "else", "additionalProperties", "additionalItems", "items"):
        if keyword in node:
            below = node[keyword]
            yield from cast(list[Any], below) if isinstance(below, list) else [below]


def _check_type(schema: Node, value: Any) -> Finding | None:
    expected = schema.get("type")
    if expected is None:
        return None
    kinds: list[str] = [expected] if isinstance(expected, str) else expected
    kind = json_kind(value)
    if kind in kinds or (kind == "integer" and "number" in kinds):
        return None
    if schema.get("format") == "date-time" and kind in ("integer", "number"):
        return Finding((), f"This must be a text with date and time. {HINT}", "date")
    wanted = " or ".join(map(_with_article, kinds))
    return Finding((), f"This must be {wanted}, not {_with_article(kind)}.")


def _check_value(schema: Node, value: Any) -> Iterator[Finding]:
    if "enum" in schema and not any(same_json(value, one) for one in schema["enum"]):
        allowed = ", ".join(encode_json(one) for one in schema["enum"][:KNOWN_SHOWN])
        yield Finding((), f"This must be one of {allowed}.")
    if "const" in schema and not same_json(value, schema["const"]):
        yield Finding((), f"This must be {encode_json(schema['const'])}.")
    if isinstance(value, str) and schema.get("format") == "date-time":
        fault = find_date_fault(value)
        if fault is not None:
            yield Finding((), fault, "date")
    measured = len(cast(str, value)) if isinstance(value, str | list | dict) else value
    for keyword, holds, message in _BOUNDS.get(json_kind(value), ()):
        bound = schema.get(keyword)
        if bound is None:
            continue
        if json_kind(bound) in ("integer", "number") and not holds(measured, bound):
            yield Finding((), message.format(bound))


def _unknown(name: str, known: Mapping[str, Any]) -> Finding:
    fields = ", ".join(sorted(known)[:KNOWN_SHOWN])
    hint = f" Known are: {fields}." if fields else " There are none."
    return Finding((name,), f"There is no such field.{hint}")


def _with_article(kind: str) -> str:
    if kind in ("null", "unknown"):
        return {"null": "null", "unknown": "something else than JSON"}[kind]
    return f"{'an' if kind[0] in 'aio' else 'a'} {kind}"


_NUMBER_BOUNDS: tuple[Bound, ...] = (
    ("minimum", lambda value, bound: value >= bound, "This must be at least {}."),
    ("maximum", lambda value, bound: value <= bound, "This must be at most {}."),
    ("exclusiveMinimum", lambda value, bound: value > bound, "This must be more than {}."),
    ("exclusiveMaximum", lambda value, bound: value < bound, "This must be less than {}."),
)
_BOUNDS: Mapping[str, tuple[Bound, ...]] = {
    "integer": _NUMBER_BOUNDS,
    "number": _NUMBER_BOUNDS,
    "string": (
        ("minLength", lambda value, bound: value >= bound, "This needs at least {} characters."),
        ("maxLength", lambda value, bound: value <= bound, "This may have at most {} characters."),
    ),
    "array": (
        ("minItems", lambda value, bound: value >= bound, "This needs at least {} items."),
        ("maxItems", lambda value, bound: value <= bound, "This may have at most {} items."),
    ),
    "object": (
        ("minProperties", lambda value, bound: value >= bound, "This needs at least {} fields."),
        ("maxProperties", lambda value, bound: value <= bound, "This may have at most {} fields."),
    ),
}


def _is_object(value: Any) -> bool:
    return isinstance(value, dict)


def _is_list(value: Any) -> bool:
    return isinstance(value, list)


def _is_names(value: Any) -> bool:
    return isinstance(value, list) and all(isinstance(one, str) for one in cast(list[Any], value))


def _is_types(value: Any) -> bool:
    return _is_names(value) and bool(value) and TYPES.issuperset(value)


_FORMS: Mapping[str, Callable[[Any], bool]] = {
    "type": lambda value: (value in TYPES) if isinstance(value, str) else _is_types(value),
    "required": _is_names,
    "enum": _is_list,
    "properties": _is_object,
    "patternProperties": _is_object,
    "$defs": _is_object,
    "definitions": _is_object,
    "allOf": _is_list,
    "anyOf": _is_list,
    "oneOf": _is_list,
    "prefixItems": _is_list,
}
