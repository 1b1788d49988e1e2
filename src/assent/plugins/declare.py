"""Reading a procedure's declaration from a plain function, and refusing what cannot work. Pure."""

import inspect
import re
import typing
from typing import Any, cast

from assent.audit.entry import Effect
from assent.errors import PluginError
from assent.identity.rules import is_rule
from assent.plugins.procedure import Access, Handler, In, Method, Out, Procedure, Route
from assent.value import Value

ROUTE = re.compile(r"(GET|POST|PUT|PATCH|DELETE) ((?:/[a-z0-9-]+|/\{[a-z_]+\})+)")
EFFECTS = ("read", "mutate", "destructive")


def build_procedure(
    plugin: str, handler: Handler[In, Out], access: Access, route: str | None
) -> Procedure[In, Out]:
    name = handler.__name__
    where = f"Plugin {plugin}, procedure {name}"
    check_access(where, access)
    input_type, output_type = _read_signature(where, handler)
    return Procedure(
        plugin=plugin,
        name=name,
        description=inspect.getdoc(handler) or "",
        access=access,
        route=parse_route(where, route or _default_route(name, access.effect), access, input_type),
        input=cast(type[In], input_type),
        output=output_type,
        handler=handler,
    )


def check_access(where: str, access: Access) -> None:
    if not is_rule(access.rule):
        raise PluginError(f"{where}: {access.rule!r} is not namespace.resource.read or .manage.")
    if access.effect not in EFFECTS:
        raise PluginError(f"{where}: the effect must be one of {', '.join(EFFECTS)}.")
    if access.calls_out and access.effect == "read":
        raise PluginError(f"{where}: what calls out is asked for by people, so it does not read.")
    if access.effect != "read" and not access.rule.endswith(".manage"):
        raise PluginError(f"{where}: what changes something needs a rule that ends in .manage.")


def parse_route(where: str, text: str, access: Access, input_type: type[Value]) -> Route:
    match = ROUTE.fullmatch(text)
    if match is None:
        raise PluginError(f"{where}: route {text!r} should look like `GET /systems/{{system_id}}`.")
    route = Route(cast(Method, match[1]), match[2])
    if (route.method == "GET") != (access.effect == "read"):
        raise PluginError(f"{where}: a route with GET reads, and what reads has GET.")
    for field in route.path_fields:
        if field not in input_type.model_fields:
            raise PluginError(f"{where}: {{{field}}} in the route is not a field of the input.")
    return route


def _read_signature(where: str, handler: Any) -> tuple[type[Value], Any]:
    hints = typing.get_type_hints(handler)
    parameters = list(inspect.signature(handler).parameters)
    if not inspect.iscoroutinefunction(handler) or len(parameters) != 2 or "return" not in hints:
        raise PluginError(f"{where}: write `async def name(ctx: Context, input: Input) -> Output`.")
    input_type = hints.get(parameters[1])
    if not (isinstance(input_type, type) and issubclass(input_type, Value)):
        raise PluginError(f"{where}: its second parameter must be annotated with a Value.")
    return input_type, hints["return"]


def _default_route(name: str, effect: Effect) -> str:
    return f"{'GET' if effect == 'read' else 'POST'} /{name.replace('_', '-')}"
