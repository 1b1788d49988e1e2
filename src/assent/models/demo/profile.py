"""What a tool is, read from its name, description and schema, as any model would read it. Pure."""

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias, cast

from assent.models.demo.lexicon import NAMING, PAGING, READS, VERBS, Action, find_verb, singular
from assent.models.demo.words import split_name
from assent.models.model import OfferedTool

FieldKind: TypeAlias = Literal[
    "text", "texts", "choice", "choices", "number", "flag", "moment", "day", "id", "ids", "other"
]
ASK = "ai_askOperator"
SHOW_PLAN, SUGGEST = "ai_showPlan", "ai_suggestReplies"
SHOWING = frozenset({SHOW_PLAN, SUGGEST})
OWN_NAMESPACE = "ai"
_MENTION = re.compile(r"\b([a-z][a-z0-9]*)\.([A-Za-z][A-Za-z0-9_-]*)")
_JOINING = frozenset({"to", "from", "of", "in", "for", "into", "by", "with", "and"})
_STRINGS: Mapping[str, FieldKind] = {"date-time": "moment", "date": "day", "uuid": "id"}
_MANY: Mapping[FieldKind, FieldKind] = {"text": "texts", "choice": "choices", "id": "ids"}
DEPTH = 8


@dataclass(frozen=True, slots=True)
class Field:
    """One argument. `noun` is what an id is the id of; `source` the tool named for finding it."""

    name: str
    kind: FieldKind
    required: bool
    words: tuple[str, ...]
    description: str
    options: tuple[str, ...] = ()
    noun: str = ""
    source: str = ""
    maximum: int | None = None

    @property
    def label(self) -> str:
        return " ".join(self.words)

    @property
    def is_id(self) -> bool:
        return self.kind in ("id", "ids")

    @property
    def is_paging(self) -> bool:
        return self.name in PAGING


@dataclass(frozen=True, slots=True)
class Profile:
    """A tool. `objects` are the nouns of its name, or its namespace where the name has none."""

    name: str
    label: str
    namespace: str
    verb: str
    action: Action
    objects: tuple[str, ...]
    description: str
    fields: tuple[Field, ...]
    schema: Mapping[str, Any]

    @property
    def noun(self) -> str:
        return " ".join(self.objects[:1]) or self.namespace

    @property
    def reads(self) -> bool:
        return self.action in READS

    def find(self, names: Iterable[str]) -> Field | None:
        """The first of these fields that it has."""
        known = {field.name.casefold(): field for field in self.fields}
        return next((known[name] for name in names if name in known), None)

    @property
    def naming(self) -> Field | None:
        field = self.find(NAMING)
        return field if field and field.kind == "text" else None


def read_profiles(tools: Iterable[OfferedTool]) -> tuple[Profile, ...]:
    """All but those for asking and showing, which are not for answering requests with."""
    return tuple(read_profile(tool) for tool in tools if tool.name not in SHOWING | {ASK})


def read_profile(tool: OfferedTool) -> Profile:
    namespace, _, rest = tool.name.partition("_")
    parts = split_name(rest) or (namespace,)
    verb, objects = _read_name(parts, tool.description)
    objects = objects or (singular(namespace),)
    fields = read_fields(tool.input_schema, objects[0])
    return Profile(
        name=tool.name,
        label=" ".join(parts if len(parts) > 1 else (verb, *objects)),
        namespace=namespace,
        verb=verb,
        action=_find_action(verb, objects, fields),
        objects=objects,
        description=tool.description,
        fields=fields,
        schema=tool.input_schema,
    )


def _read_name(parts: Sequence[str], description: str) -> tuple[str, tuple[str, ...]]:
    """The verb, and the nouns in the singular."""
    nouns = tuple(singular(part) for part in parts[1:] if part not in _JOINING)
    if find_verb(parts[0]) == parts[0]:
        return parts[0], nouns
    told = next((word for word in split_name(description.partition(" ")[0])), "")
    if VERBS.get(told) in READS:
        return told, tuple(singular(part) for part in parts if part not in _JOINING)
    return parts[0], nouns


def _find_action(verb: str, objects: Sequence[str], fields: Sequence[Field]) -> Action:
    """What only reads must say so by its verb: everything unknown is taken for a deed."""
    action = VERBS.get(verb, "do")
    required = [field for field in fields if field.is_id and field.required]
    between = len(objects) > 1 and len(required) > 1
    if between and verb == "add":
        return "link"
    if between and action == "delete":
        return "unlink"
    return action


def read_fields(schema: Mapping[str, Any], noun: str) -> tuple[Field, ...]:
    required = set(cast(Iterable[str], schema.get("required", ())))
    properties = cast(Mapping[str, Any], schema.get("properties", {}))
    return tuple(
        _read_field(name, follow(part, schema), noun, required=name in required)
        for name, part in properties.items()
    )


def follow(part: Any, root: Mapping[str, Any], depth: int = 0) -> dict[str, Any]:
    """A schema without references and without the choice of leaving it empty."""
    node = dict(cast(Mapping[str, Any], part)) if isinstance(part, Mapping) else {}
    if depth > DEPTH:
        return node
    if isinstance(reference := node.get("$ref"), str) and reference.startswith("#/"):
        found: Any = root
        for step in reference[2:].split("/"):
            found = cast(Mapping[str, Any], found).get(step, {})
        return {**follow(found, root, depth + 1), **_without(node, "$ref")}
    branches = cast(Sequence[Mapping[str, Any]], node.get("anyOf") or node.get("oneOf") or ())
    for branch in branches:
        if branch.get("type") != "null":
            return {**follow(branch, root, depth + 1), **_without(node, "anyOf", "oneOf")}
    if isinstance(kinds := node.get("type"), list):
        node["type"] = next((one for one in cast(list[str], kinds) if one != "null"), "null")
    if "items" in node:
        node["items"] = follow(node["items"], root, depth + 1)
    return node


def _without(node: Mapping[str, Any], *names: str) -> dict[str, Any]:
    return {name: part for name, part in node.items() if name not in names}


def _read_field(name: str, node: Mapping[str, Any], noun: str, *, required: bool) -> Field:
    kind = _find_kind(name, node)
    description = str(node.get("description", ""))
    words = split_name(name)
    if kind in ("id", "ids") and words and words[-1] in ("id", "ids"):
        words = words[:-1]
    holder = cast(Mapping[str, Any], node.get("items", {})) if kind == "choices" else node
    options = holder.get("enum", [holder["const"]] if "const" in holder else ())
    mention = _MENTION.search(description)
    return Field(
        name=name,
        kind=kind,
        required=required,
        words=words or (noun,),
        description=description,
        options=tuple(str(one) for one in cast(Sequence[Any], options) if one is not None),
        noun=singular(" ".join(words)) if words else noun,
        source=f"{mention[1]}_{mention[2]}" if mention else "",
        maximum=cast(int | None, node.get("maximum")),
    )


def _find_kind(name: str, node: Mapping[str, Any]) -> FieldKind:
    if "enum" in node or "const" in node:
        return "choice"
    kind = node.get("type", "string" if "format" in node else None)
    if kind == "array":
        inner = _find_kind(name.removesuffix("s"), cast(Mapping[str, Any], node.get("items", {})))
        return _MANY.get(inner, "other")
    if kind == "string":
        if name == "id" or name.endswith(("Id", "_id")):
            return "id"
        return _STRINGS.get(str(node.get("format", "")), "text")
    simple: Mapping[Any, FieldKind] = {"boolean": "flag", "integer": "number", "number": "number"}
    return simple.get(kind, "other")


def find_source(
    field: Field, profiles: Sequence[Profile], given: Collection[str] = ()
) -> Profile | None:
    """The tool that lists what an id is taken from: the one its description names, or by noun.

    `given` are the nouns whose id is known from elsewhere, so that a list may require them.
    """
    lists = [one for one in profiles if one.reads and not _needs_more(one, given)]
    named = [one for one in lists if one.name == field.source]
    by_noun = [one for one in lists if one.objects == (field.noun,)]
    ranked = sorted(by_noun, key=lambda one: (one.verb != "list", one.name))
    return next(iter([*named, *ranked]), None)


def _needs_more(profile: Profile, given: Collection[str]) -> bool:
    return any(field.required and field.noun not in given for field in profile.fields)
