"""Checking the playbooks that plugins ship: their phrases, references, tools and fields. Pure.

A playbook is data that nothing else would run before somebody asks for it, so every fault that can
be seen without asking stops the start.
"""

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any, cast

from assent.errors import PluginError
from assent.models.demo.playbook import Fill, Line, Pick, Playbook, Spot, Step, Use
from assent.models.demo.profile import follow
from assent.models.demo.recognize import list_slot_names
from assent.models.demo.refer import FILTERS, REFERENCE, list_references
from assent.tools.registry import Registry

NAME = re.compile(r"[a-z][a-z0-9]*\.[A-Za-z]+")
_LEFTOVER = re.compile(r"[{}()\[\]|]")
_PLACED = re.compile(r"\{\w+\}|\([^()\[\]{}]+\)|\[[^()\[\]{}]+\]")


def check_playbooks(
    named: Sequence[tuple[str, Playbook]], tools: Registry, namespaces: Collection[str]
) -> None:
    """Raise for the first fault; `named` are the playbooks with their plugins."""
    seen: set[str] = set()
    for plugin, playbook in named:
        where = f"Plugin {plugin}, playbook {playbook.name}"
        if NAME.fullmatch(playbook.name) is None:
            raise PluginError(f"{where}: a playbook is called like a tool, `{plugin}.something`.")
        if playbook.name in seen:
            raise PluginError(f"{where}: there are two of that name.")
        seen.add(playbook.name)
        for fault in _find_faults(playbook, tools, namespaces):
            raise PluginError(f"{where}: {fault}")


def _find_faults(playbook: Playbook, tools: Registry, namespaces: Collection[str]) -> Iterator[str]:
    yield from _check_phrases(playbook)
    known = {"error", "workspace", *playbook.slots}
    yield from _check_slots(playbook)
    for step in playbook.steps:
        yield from _check_references(_list_texts(step), known)
        if isinstance(step, Pick):
            if step.named not in playbook.slots:
                yield f"{step.named} is not one of its slots."
        elif isinstance(step, Use):
            yield from _check_call(step, tools, namespaces)
        known.add(step.keep)
        if isinstance(step, Use):
            lines = [text for line in step.prepared for text in _list_texts(line)]
            yield from _check_references([step.otherwise, *lines], known)
    for line in playbook.says:
        more = {"row"} if line.each else set[str]()
        yield from _check_references(_list_texts(line), known | more)
    if playbook.about:
        yield from _check_references(playbook.about, known)


def _check_phrases(playbook: Playbook) -> Iterator[str]:
    if not playbook.phrases or not playbook.steps or not playbook.says:
        yield "it needs phrases, steps and something to say."
    for phrase in playbook.phrases:
        if _LEFTOVER.search(_PLACED.sub("", phrase)):
            yield f"the phrase {phrase!r} has a bracket without its other half."
        if not re.search(r"\w", _PLACED.sub("", phrase)) and "(" not in phrase:
            yield f"the phrase {phrase!r} would answer everything."
    for name in sorted(list_slot_names(playbook.phrases) - set(playbook.slots)):
        yield f"{name} is not one of its slots."


def _check_slots(playbook: Playbook) -> Iterator[str]:
    known: set[str] = set()
    for name, slot in playbook.slots.items():
        yield from _check_references([slot.default], known)
        known.add(name)


def _list_texts(one: Step | Line) -> list[Any]:
    if isinstance(one, Use):
        return [one.arguments, one.when]
    if isinstance(one, Pick | Spot):
        return [one.rows, one.when]
    if isinstance(one, Fill):
        return [one.schema, one.when]
    inner = _list_texts(one.inner) if one.inner else []
    return [one.text, one.when, *one.unless, one.each, *inner]


def _check_references(values: Sequence[Any], known: Collection[str]) -> Iterator[str]:
    for path, chosen in list_references(list(values)):
        name = path.partition(".")[0]
        if name not in known:
            yield f"nothing before it is called {name}, as in ${{{path}}}."
        if chosen and chosen not in FILTERS:
            yield f"there is no {chosen} for ${{{path}|{chosen}}}."
    for text in (one for one in values if isinstance(one, str)):
        if "${" in REFERENCE.sub("", text):
            yield f"{text!r} has a reference that cannot be read."


def _check_call(step: Use, tools: Registry, namespaces: Collection[str]) -> Iterator[str]:
    tool = tools.find(step.tool)
    if tool is None:
        if not step.optional or step.tool.partition(".")[0] in namespaces:
            yield f"there is no tool {step.tool}."
        return
    yield from _check_fields(step.tool, step.arguments, tool.shape.input_schema, "")


def _check_fields(
    tool: str, given: Mapping[str, Any], root: Mapping[str, Any], path: str
) -> Iterator[str]:
    """Fields that the schema has not, and required ones that are missing; those inside too."""
    node = _descend(root, path)
    properties = cast(Mapping[str, Any], node.get("properties") or {})
    if not properties:
        return
    for name, value in given.items():
        inner = f"{path}.{name}".strip(".")
        if name not in properties:
            yield f"{tool} has no field {inner}."
        elif isinstance(value, Mapping):
            yield from _check_fields(tool, cast(Mapping[str, Any], value), root, inner)
    for name in cast(Sequence[str], node.get("required", ())):
        if name not in given:
            yield f"{tool} needs {f'{path}.{name}'.strip('.')}."


def _descend(root: Mapping[str, Any], path: str) -> Mapping[str, Any]:
    node: Mapping[str, Any] = follow(root, root)
    for name in path.split(".") if path else ():
        node = follow(cast(Mapping[str, Any], node.get("properties", {})).get(name, {}), root)
    return node
