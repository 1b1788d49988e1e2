"""Strategies and collectors as other plugins contribute them, and what they can do. Pure.

A strategy probes; a collector takes something from what it saw. The fields of both results are what
assertions name. A field declared with `exclude=True` is for collectors alone: it is neither stored
nor asserted.
"""

from collections.abc import Awaitable, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any, Protocol, cast

from assent.bundled.healthcheck.values import Assertion
from assent.plugins.api import AssentError, PluginError, Value

DURATION = "durationMs"


class ProbeFailed(AssentError):
    """The probe found what it looks at not working."""

    code = "probe_failed"


class Strategy(Protocol):
    """What a class that is contributed to `healthcheck.strategy` has, besides its docstring.

    `expects` holds where a check asserts nothing itself. `migrate` makes a configuration of an
    older version one of `version`.
    """

    title: str
    version: int
    Config: type[Value]
    Result: type[Value]

    def origins(self, config: Any) -> tuple[str, ...]: ...
    def probe(self, reach: Any, config: Any) -> Awaitable[Value]: ...


class Collector(Protocol):
    """What a class that is contributed to `healthcheck.collector` has, besides its docstring."""

    title: str
    strategy: str
    Config: type[Value]
    Result: type[Value]

    def collect(self, observed: Any, config: Any) -> Value: ...


@dataclass(frozen=True, slots=True)
class Capabilities:
    """All strategies and collectors that are installed, by kind."""

    strategies: Mapping[str, Strategy]
    collectors: Mapping[str, Collector]

    def list_collectors(self, strategy: str) -> dict[str, Collector]:
        return {kind: one for kind, one in self.collectors.items() if one.strategy == strategy}


@dataclass(frozen=True, slots=True)
class ResultField:
    """`type` is that of JSON Schema, or `any`."""

    name: str
    type: str
    nullable: bool
    description: str = ""


def check_strategy(kind: str, author: Any) -> None:
    """Raise for the first thing that a contributed strategy lacks; a start stops there."""
    where = f"Strategy {kind}"
    _check_parts(where, author, functions=("origins", "probe"))
    version = getattr(author, "version", None)
    if not isinstance(version, int) or version < 1:
        raise PluginError(f"{where} needs `version`, a number from 1 on.")
    if version > 1 and not callable(getattr(author, "migrate", None)):
        raise PluginError(f"{where} is at version {version} and needs `migrate(config, version)`.")


def check_collector(kind: str, author: Any) -> None:
    where = f"Collector {kind}"
    _check_parts(where, author, functions=("collect",))
    if not isinstance(getattr(author, "strategy", None), str):
        raise PluginError(f"{where} needs `strategy`, the kind whose results it works on.")


def _check_parts(where: str, author: Any, *, functions: tuple[str, ...]) -> None:
    if not str(getattr(author, "title", "")).strip() or not (author.__doc__ or "").strip():
        raise PluginError(f"{where} needs a `title` and a docstring that says what it does.")
    for name in ("Config", "Result"):
        model = getattr(author, name, None)
        if not (isinstance(model, type) and issubclass(model, Value)):
            raise PluginError(f"{where} needs `{name}`, a Value.")
    for name in functions:
        if not callable(getattr(author, name, None)):
            raise PluginError(f"{where} needs a function `{name}`.")


def find_version(capability: object) -> int:
    return cast(int, getattr(capability, "version", 1))


def find_expectations(strategy: object) -> tuple[Assertion, ...]:
    return tuple(getattr(strategy, "expects", ()))


def minds_time(strategy: object) -> bool:
    """Whether a probe ends itself in time, apart from waiting for its turn (`minds_time`)."""
    return bool(getattr(strategy, "minds_time", False))


def find_duration(observed: object) -> float | None:
    """What a probe says that it took, where waiting is not to count (`took_ms`)."""
    return getattr(observed, "took_ms", None)


def list_secrets(strategy: object, config: object) -> tuple[str, ...]:
    """Names of the secrets that a configuration has placeholders for (`list_secrets`)."""
    listing = getattr(strategy, "list_secrets", None)
    return tuple(listing(config)) if listing else ()


@cache
def list_fields(result: type[Value]) -> tuple[ResultField, ...]:
    """The fields of a result that can be asserted, in their order."""
    schema = result.model_json_schema(by_alias=True)
    hidden = {field.alias or name for name, field in result.model_fields.items() if field.exclude}
    definitions: dict[str, Any] = schema.get("$defs", {})
    return tuple(
        _read_field(name, part, definitions)
        for name, part in schema.get("properties", {}).items()
        if name not in hidden
    )


def _read_field(name: str, part: dict[str, Any], definitions: dict[str, Any]) -> ResultField:
    branches = [_resolve(one, definitions) for one in part.get("anyOf", [part])]
    types = [one.get("type", "any") for one in branches]
    plain = {one for one in types if one != "null"}
    kind = plain.pop() if len(plain) == 1 else "any"
    nullable = "null" in types or kind == "any"
    return ResultField(name, kind, nullable, part.get("description", ""))


def _resolve(part: dict[str, Any], definitions: dict[str, Any]) -> dict[str, Any]:
    reference = part.get("$ref")
    return definitions[reference.rpartition("/")[2]] if reference else part
