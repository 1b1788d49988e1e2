"""Procedures for what checks can be made of: strategies and collectors of all plugins."""

import inspect
from typing import Any

from assent.bundled.healthcheck.assertion import list_operators
from assent.bundled.healthcheck.capability import (
    Capabilities,
    Collector,
    ResultField,
    Strategy,
    find_expectations,
    find_version,
    list_fields,
)
from assent.bundled.healthcheck.declaration import READ, plugin
from assent.bundled.healthcheck.installed import find_capabilities
from assent.bundled.healthcheck.validate import DURATION_FIELD
from assent.bundled.healthcheck.values import (
    Capability,
    CapabilityList,
    CapabilityRef,
    CapabilitySchema,
    FieldSchema,
)
from assent.plugins.api import Context, NotFound, Nothing


@plugin.procedure(rule=READ, effect="read", route="GET /capabilities")
async def list_capabilities(ctx: Context, query: Nothing) -> CapabilityList:
    """List what checks can be made of: strategies, and the collectors that work on each."""
    known = find_capabilities(ctx)
    return CapabilityList(
        strategies=[_describe_strategy(kind, one) for kind, one in known.strategies.items()],
        collectors=[_describe_collector(kind, one) for kind, one in known.collectors.items()],
    )


@plugin.procedure(rule=READ, effect="read", route="GET /capabilities/{kind}")
async def get_capability_schema(ctx: Context, ref: CapabilityRef) -> CapabilitySchema:
    """Show how one strategy or collector is configured, and what assertions may name."""
    known = find_capabilities(ctx)
    if ref.kind in known.strategies:
        return _show_strategy(ref.kind, known.strategies[ref.kind], known)
    if ref.kind in known.collectors:
        return _show_collector(ref.kind, known.collectors[ref.kind])
    kinds = ", ".join([*known.strategies, *known.collectors])
    raise NotFound(f"There is no strategy or collector {ref.kind}. Known are: {kinds}.")


def _describe_strategy(kind: str, one: Strategy) -> Capability:
    return Capability(kind=kind, title=one.title, description=_first_line(one), strategy=None)


def _describe_collector(kind: str, one: Collector) -> Capability:
    return Capability(
        kind=kind, title=one.title, description=_first_line(one), strategy=one.strategy
    )


def _show_strategy(kind: str, one: Strategy, known: Capabilities) -> CapabilitySchema:
    return CapabilitySchema(
        kind=kind,
        title=one.title,
        description=inspect.getdoc(type(one)) or "",
        strategy=None,
        version=find_version(one),
        config_schema=_schema_of(one.Config),
        fields=_show_fields((*list_fields(one.Result), DURATION_FIELD)),
        collectors=list(known.list_collectors(kind)),
        expects=list(find_expectations(one)),
    )


def _show_collector(kind: str, one: Collector) -> CapabilitySchema:
    return CapabilitySchema(
        kind=kind,
        title=one.title,
        description=inspect.getdoc(type(one)) or "",
        strategy=one.strategy,
        version=find_version(one),
        config_schema=_schema_of(one.Config),
        fields=_show_fields(list_fields(one.Result)),
        collectors=[],
        expects=[],
    )


def _show_fields(fields: tuple[ResultField, ...]) -> list[FieldSchema]:
    return [
        FieldSchema(
            name=one.name,
            type=one.type,
            description=one.description,
            operators=list(list_operators(one)),
        )
        for one in fields
    ]


def _schema_of(config: Any) -> dict[str, Any]:
    return config.model_json_schema(by_alias=True)


def _first_line(one: object) -> str:
    return (inspect.getdoc(type(one)) or "").partition("\n")[0]
