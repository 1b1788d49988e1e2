"""A tool as a value, and what its functions give back (SPEC T1). Pure.

Who reads arguments is `schema.py`, who lets a call through is `gate.py`. What a tool's functions
get as their context belongs to the plugins, above.
"""

from collections.abc import Awaitable, Callable, Iterator, Mapping
from dataclasses import dataclass
from datetime import timedelta
from typing import Any, Literal, TypeAlias, get_args
from uuid import UUID

from assent.audit.entry import Effect
from assent.errors import Invalid, PluginError
from assent.identity.rules import is_rule
from assent.tools.diff import FieldChange, encode_diff
from assent.tools.json_schema import find_schema_fault
from assent.tools.json_value import parse_path
from assent.tools.names import is_tool_name
from assent.tools.part import Part
from assent.tools.secret_field import SecretField
from assent.value import Value

Phase: TypeAlias = Literal["discovery", "build"]
Trust: TypeAlias = Literal["trusted", "mixed", "untrusted"]
Schema: TypeAlias = Mapping[str, Any]

TIMEOUT = timedelta(minutes=5)
LONGEST_EXAMPLE = 120
EFFECTS: tuple[Effect, ...] = ("read", "mutate", "destructive")
"""From the weakest to the strongest."""


class ToolValidationError(Invalid):
    """The arguments make no sense, and the model can repair them: feedback, not a fault."""

    code = "tool_validation"

    def feedback(self, tool: str) -> dict[str, Any]:
        """What the model is told (SPEC P8)."""
        issues = [{"path": issue.path, "message": issue.message} for issue in self.issues]
        return {"kind": "validation", "tool": tool, "issues": issues}


@dataclass(frozen=True, slots=True)
class Basis:
    """The version of something that a dry run read; apply refuses when it is another one."""

    kind: str
    id: str
    version: int | str


@dataclass(frozen=True, slots=True, kw_only=True)
class Preview:
    """What a change would do: the difference, the new object, or the names of all that goes."""

    summary: str
    diff: tuple[FieldChange, ...] = ()
    creates: Mapping[str, Any] | None = None
    removes: tuple[str, ...] = ()
    basis: tuple[Basis, ...] = ()
    expires_after: timedelta | None = None

    def encode(self) -> dict[str, Any]:
        """As JSON for the card; the basis is kept apart and not shown."""
        return {
            "summary": self.summary,
            "diff": encode_diff(self.diff),
            "creates": self.creates,
            "removes": list(self.removes),
        }


@dataclass(frozen=True, slots=True)
class SetPhase:
    """Show or hide the tools for building."""

    phase: Phase


@dataclass(frozen=True, slots=True)
class SelectWorkspace:
    """Go on in this workspace."""

    workspace_id: UUID


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    key: str
    text: str
    kind: Literal["choice", "choices", "text", "date", "number"] = "text"
    options: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Ask:
    """Put these questions on one card and wait for the person."""

    questions: tuple[Question, ...]


Directive: TypeAlias = SetPhase | SelectWorkspace | Ask
"""The only ways in which a tool touches its run."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Evidence:
    """That a read has looked at something, named by its digest, and what it has shown of it.

    It is kept for the principal, so that a proposal of theirs can rest on it.
    """

    kind: str
    digest: str
    shown: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Result:
    """What a tool returns: JSON for the model, parts for the page, directives for the run.

    Parts and directives of a change that a person has decided about have no run to go to.
    `shows` is the tool whose result this is a part of, where it is not the tool's own: what that
    one's results are worth, this one is. Where a tool's output is not trusted in general, `trust`
    may say that this result is: nobody outside had a hand in it.
    """

    value: Any = None
    parts: tuple[Part, ...] = ()
    directives: tuple[Directive, ...] = ()
    shows: str | None = None
    evidence: tuple[Evidence, ...] = ()
    trust: Trust | None = None


@dataclass(frozen=True, slots=True)
class Reconciled:
    """What became of a change outside whose outcome was not seen."""

    state: Literal["applied", "failed", "unknown"]
    value: Any = None


@dataclass(frozen=True, slots=True)
class Inverse:
    """The call that takes a change back."""

    tool: str
    arguments: Mapping[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class Shape:
    """What goes in and comes out.

    With a `model` the arguments become that value; without one, as for tools from elsewhere, they
    stay JSON. `destinations` are paths of the arguments that say where data goes to, `origin` is
    the one place to which every call of the tool goes. `secrets` are fields that only the card has.
    """

    input_schema: Schema
    model: type[Value] | None = None
    output_schema: Schema | None = None
    destinations: tuple[str, ...] = ()
    origin: str | None = None
    secrets: tuple[SecretField, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Behaviour:
    """What a call does. `effect` and `egress` are upper bounds where they depend on the input.

    What is `chat_only` does something with the conversation, so that other programs do not see it.
    """

    effect: Effect
    egress: bool = False
    external: bool = False
    output_trust: Trust = "trusted"
    writes_instructions: bool = False
    always_asks: bool = False
    once_per_run: bool = False
    chat_only: bool = False
    timeout: timedelta = TIMEOUT
    expires_after: timedelta | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Functions:
    """The author's code.

    What may wait gets the context of the call and the input; `project_result` gets the result's
    value, `inverse` the input and that value, `effect_of` and `egress_of` the input.
    """

    execute: Callable[[Any, Any], Awaitable[Result]]
    dry_run: Callable[[Any, Any], Awaitable[Preview]] | None = None
    project_result: Callable[[Any], Any] | None = None
    reconcile: Callable[[Any, Any], Awaitable[Reconciled]] | None = None
    inverse: Callable[[Any, Any], Inverse | None] | None = None
    effect_of: Callable[[Any], Effect] | None = None
    egress_of: Callable[[Any], bool] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Tool:
    """`examples` are what a person could say to have it called, shown in an empty chat."""

    name: str
    title: str
    description: str
    rules: tuple[str, ...]
    shape: Shape
    behaviour: Behaviour
    functions: Functions
    phase: Phase = "discovery"
    examples: tuple[str, ...] = ()

    @property
    def namespace(self) -> str:
        return self.name.partition(".")[0]


def find_effect(tool: Tool, given: Any) -> Effect:
    """The true effect of a call; one above the declared bound is the author's fault."""
    bound = tool.behaviour.effect
    if tool.functions.effect_of is None:
        return bound
    effect = tool.functions.effect_of(given)
    if effect not in EFFECTS or EFFECTS.index(effect) > EFFECTS.index(bound):
        raise PluginError(f"Tool {tool.name} is declared {bound}; {effect!r} is beyond that.")
    return effect


def find_egress(tool: Tool, given: Any) -> bool:
    """Whether this call carries data out; a tool declared not to may not turn out to."""
    bound = tool.behaviour.egress
    if tool.functions.egress_of is None:
        return bound
    egress = tool.functions.egress_of(given)
    if egress is not False and not bound:
        raise PluginError(f"Tool {tool.name} is not declared as egress, and this call is.")
    return egress is not False


def check_preview(tool: Tool, preview: Preview) -> None:
    """Raise when a card could not be understood, or what it was based on could not be checked."""
    if not preview.summary.strip():
        raise PluginError(f"Tool {tool.name}: the dry run gave no summary.")
    if tool.behaviour.effect == "read":
        return
    if not (preview.basis or preview.creates is not None or tool.behaviour.external):
        raise PluginError(f"Tool {tool.name}: the dry run must say which versions it read.")


def check_tool(tool: Tool) -> None:
    """Raise for the first thing wrong with a declaration; a start stops there."""
    for fault in _find_faults(tool):
        raise PluginError(f"Tool {tool.name!r}: {fault}")


def _find_faults(tool: Tool) -> Iterator[str]:
    if not is_tool_name(tool.name):
        yield "a name is namespace.verb, such as catalog.listSystems."
    if not tool.title.strip() or not tool.description.strip():
        yield "it needs a title for people and a description for the model."
    if tool.behaviour.effect not in EFFECTS:
        yield f"declare its effect: {', '.join(EFFECTS)}."
    if tool.phase not in ("discovery", "build"):
        yield "the phase is discovery or build."
    if tool.behaviour.output_trust not in get_args(Trust):
        yield "the output trust is trusted, mixed or untrusted."
    if tool.behaviour.timeout <= timedelta(0):
        yield "the timeout must be longer than nothing."
    if not all(0 < len(one.strip()) <= LONGEST_EXAMPLE for one in tool.examples):
        yield f"an example is a sentence of at most {LONGEST_EXAMPLE} characters."
    yield from _find_rule_faults(tool)
    yield from _find_shape_faults(tool)
    yield from _find_function_faults(tool)


def _find_rule_faults(tool: Tool) -> Iterator[str]:
    for rule in tool.rules:
        if not is_rule(rule):
            yield f"{rule!r} is not namespace.resource.read or .manage."
    if tool.behaviour.effect != "read" and not any(r.endswith(".manage") for r in tool.rules):
        yield "what changes something needs a rule that ends in .manage."
    if tool.behaviour.egress and not tool.rules:
        yield "what carries data out needs a rule."


def _find_shape_faults(tool: Tool) -> Iterator[str]:
    shape = tool.shape
    if shape.input_schema.get("type") != "object":
        yield "the input schema must be that of an object."
    for schema in (shape.input_schema, shape.output_schema or {}):
        fault = find_schema_fault(schema)
        if fault is not None:
            yield f"in a schema, {fault}"
    if (shape.destinations or shape.origin) and not tool.behaviour.egress:
        yield "only what carries data out has destinations."
    for text in shape.destinations:
        if not _is_field(shape.input_schema, text):
            yield f"destination {text!r} is not a field of the input."


def _find_function_faults(tool: Tool) -> Iterator[str]:
    functions, behaviour = tool.functions, tool.behaviour
    if behaviour.effect != "read" and functions.dry_run is None:
        yield "what changes something needs a dry_run."
    if behaviour.effect == "read" and functions.inverse is not None:
        yield "a read has nothing to take back; remove inverse."
    if functions.reconcile is not None and not behaviour.external:
        yield "only a change outside is reconciled; declare it external or remove reconcile."


def _is_field(schema: Schema, text: str) -> bool:
    try:
        path = parse_path(text)
    except ValueError:
        return False
    return bool(path) and path[0] in schema.get("properties", {})
