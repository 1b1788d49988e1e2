"""Reading a tool's declaration from a class, or from the read procedure that it projects."""

import inspect
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from assent.audit.entry import Effect
from assent.errors import PluginError
from assent.plugins.procedure import Context, Procedure
from assent.tools.schema import shape_of
from assent.tools.tool import Behaviour, Functions, Phase, Result, Shape, Tool
from assent.value import Value

OPTIONAL_FUNCTIONS = (
    "dry_run",
    "project_result",
    "reconcile",
    "inverse",
    "effect_of",
    "egress_of",
)


def build_tool(
    author: type[Any],
    *,
    name: str,
    effect: Effect,
    rules: Sequence[str],
    phase: Phase,
    behaviour: Mapping[str, Any],
) -> Tool:
    """Make a tool of a class with `Input`, a docstring for the model, `execute` and the rest."""
    model = getattr(author, "Input", None)
    if not (isinstance(model, type) and issubclass(model, Value)):
        raise PluginError(f"Tool {name!r}: the class needs `Input`, a Value.")
    if not callable(getattr(author, "execute", None)):
        raise PluginError(f"Tool {name!r}: the class needs `async def execute(self, ctx, given)`.")
    instance = author()
    functions = {
        one: getattr(instance, one) for one in OPTIONAL_FUNCTIONS if hasattr(instance, one)
    }
    try:
        declared = Behaviour(effect=effect, **behaviour)
    except TypeError as error:
        raise PluginError(f"Tool {name!r}: {error}.") from error
    shape = _read_shape(author, model)
    if shape.secrets and effect == "read":
        raise PluginError(f"Tool {name!r}: a tool that reads has no card to type a secret into.")
    return Tool(
        name=name,
        title=getattr(author, "title", None) or build_title(name),
        description=inspect.getdoc(author) or "",
        rules=tuple(rules),
        shape=shape,
        behaviour=declared,
        functions=Functions(execute=instance.execute, **functions),
        phase=phase,
        examples=tuple(getattr(author, "examples", ())),
    )


def build_projection(
    procedure: Procedure[Any, Any],
    *,
    name: str,
    title: str,
    description: str,
    phase: Phase,
    project_result: Callable[[Any], Any] | None,
    examples: Sequence[str],
) -> Tool:
    """What the tool may do follows from the procedure, which checks the caller again."""
    if procedure.access.effect != "read":
        raise PluginError(f"Tool {name!r}: only a procedure that reads can be projected.")

    async def execute(ctx: Context, given: Any) -> Result:
        return Result(await ctx.runtime.answer(ctx, procedure, given))

    return Tool(
        name=name,
        title=title or build_title(name),
        description=description or procedure.description,
        rules=(procedure.access.rule,),
        shape=shape_of(procedure.input),
        behaviour=Behaviour(effect="read"),
        functions=Functions(execute=execute, project_result=project_result),
        phase=phase,
        examples=tuple(examples),
    )


def build_title(name: str) -> str:
    """`catalog.listSystems` reads as "List systems"."""
    words = re.sub(r"(?<!^)(?=[A-Z])", " ", name.rpartition(".")[2]).lower()
    return words[:1].upper() + words[1:]


def _read_shape(author: type[Any], model: type[Value]) -> Shape:
    shape = shape_of(model, destinations=getattr(author, "destinations", ()))
    return replace(shape, origin=getattr(author, "origin", None))
