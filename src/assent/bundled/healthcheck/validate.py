"""The one validator of checks, for form, API, tool and `assent apply -f` alike. Pure.

First the shape, by the schema that everybody is shown; then what the fields hold; then what only
the installed strategies and collectors can say. Each stage names all that it finds, and the next
one runs only after a clean one, so that the same check is told the same wherever it is sent.
"""

import difflib
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any, cast

from assent.bundled.healthcheck.assertion import OPERATORS, find_value_fault, list_operators
from assent.bundled.healthcheck.capability import (
    DURATION,
    Capabilities,
    ResultField,
    Strategy,
    find_version,
    list_fields,
)
from assent.bundled.healthcheck.origin import find_origin_fault, write_origin
from assent.bundled.healthcheck.values import Assertion, CheckDraft, CollectorDraft, StrategyDraft
from assent.plugins.api import DestinationRefused, Invalid, Issue, Value, parse_value

SHOWN = 20
DURATION_FIELD = ResultField(DURATION, "number", nullable=False, description="How long it took.")


@dataclass(frozen=True, slots=True)
class Sound:
    """A check that can run: its draft with configurations of today's versions, and its reach."""

    draft: CheckDraft
    reaches: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Read:
    """A configuration as its author's value, and as it is stored."""

    value: Value
    version: int
    stored: dict[str, Any]


def validate_check(given: Mapping[str, Any], known: Capabilities) -> tuple[Issue, ...]:
    """All that is wrong with a check as somebody sent it."""
    try:
        read_check(given, known)
    except Invalid as error:
        return error.issues
    return ()


def read_check(given: Mapping[str, Any], known: Capabilities) -> Sound:
    """The check that was meant; raise Invalid with every issue of the first stage that has one."""
    return check_draft(parse_value(CheckDraft, dict(given)), known)


def check_draft(draft: CheckDraft, known: Capabilities) -> Sound:
    """The last stage alone, for a draft whose shape is right."""
    issues: list[Issue] = []
    probe = _collect(issues, partial(read_strategy, draft.strategy, known))
    collected = [
        _collect(issues, partial(read_collector, draft, at, known))
        for at in range(len(draft.collectors))
    ]
    issues += _find_repeated(draft)
    if draft.timeout_ms > draft.interval_seconds * 1000:
        issues.append(Issue("timeoutMs", "A run may not take longer than the interval."))
    for at, origin in enumerate(draft.egress):
        fault = find_origin_fault(origin)
        issues += [Issue(f"egress.{at}", fault)] if fault else []
    fields = find_fields(draft, known)
    if fields is not None:
        for at, assertion in enumerate(draft.assertions):
            issues += _judge(f"assertions.{at}", assertion, fields)
    if issues or probe is None:
        raise Invalid(issues)
    strategy = known.strategies[draft.strategy.kind]
    return _build(draft, strategy, probe, [one for one in collected if one is not None])


def read_strategy(draft: StrategyDraft, known: Capabilities) -> Read:
    strategy = known.strategies.get(draft.kind)
    if strategy is None:
        raise Invalid.at("strategy.kind", _unknown("strategy", draft.kind, known.strategies))
    return _read_config("strategy", draft, strategy)


def read_collector(draft: CheckDraft, at: int, known: Capabilities) -> Read:
    path, given = f"collectors.{at}", draft.collectors[at]
    collector = known.collectors.get(given.kind)
    if collector is None:
        fitting = known.list_collectors(draft.strategy.kind)
        raise Invalid.at(f"{path}.kind", _unknown("collector", given.kind, fitting))
    if collector.strategy != draft.strategy.kind:
        told = f"{given.kind} works on {collector.strategy}, not on {draft.strategy.kind}."
        raise Invalid.at(f"{path}.kind", told)
    return _read_config(path, given, collector)


def find_fields(draft: CheckDraft, known: Capabilities) -> dict[str, ResultField] | None:
    """What assertions may name; nothing where a kind is not known, which is told already."""
    strategy = known.strategies.get(draft.strategy.kind)
    if strategy is None:
        return None
    fields = {DURATION: DURATION_FIELD, **{one.name: one for one in list_fields(strategy.Result)}}
    for given in draft.collectors:
        collector = known.collectors.get(given.kind)
        if collector is None:
            return None
        for one in list_fields(collector.Result):
            fields[f"{given.id}.{one.name}"] = one
    return fields


def _read_config(path: str, draft: StrategyDraft | CollectorDraft, capability: Any) -> Read:
    """Bring the configuration to today's version, then hold it to today's schema."""
    newest = find_version(capability)
    version = draft.version or newest
    if version > newest:
        told = f"{draft.kind} is at version {newest} here; version {version} is not known."
        raise Invalid.at(f"{path}.version", told)
    config = draft.config
    if version < newest:
        config = _migrate(path, draft, capability, version)
    try:
        value = parse_value(cast(type[Value], capability.Config), config)
    except Invalid as error:
        raise Invalid(
            [Issue(_below(f"{path}.config", one.path), one.message) for one in error.issues]
        ) from None
    return Read(value, newest, value.model_dump(mode="json", by_alias=True, exclude_unset=True))


def _migrate(
    path: str, draft: StrategyDraft | CollectorDraft, capability: Any, version: int
) -> dict[str, Any]:
    """Whatever the author's code makes of a configuration that it cannot read is our caller's."""
    try:
        return dict(capability.migrate(dict(draft.config), version))
    except (LookupError, TypeError, ValueError, AttributeError) as error:
        told = f"This cannot be brought from version {version} to the newest: {error}."
        raise Invalid.at(f"{path}.config", told) from None


def _judge(path: str, assertion: Assertion, fields: Mapping[str, ResultField]) -> Iterator[Issue]:
    field = fields.get(assertion.field)
    if field is None:
        yield Issue(f"{path}.field", _unknown("field", assertion.field, fields))
        return
    fitting = list_operators(field)
    if assertion.operator not in OPERATORS:
        yield Issue(f"{path}.operator", _unknown("operator", assertion.operator, fitting))
        return
    if assertion.operator not in fitting:
        known = ", ".join(fitting)
        told = f"{assertion.operator} does not fit {assertion.field} ({field.type})."
        told = f"{told} These do: {known}."
        yield Issue(f"{path}.operator", told)
        return
    fault = find_value_fault(field, OPERATORS[assertion.operator], assertion.value)
    if fault:
        yield Issue(f"{path}.value", fault)


def _find_repeated(draft: CheckDraft) -> Iterator[Issue]:
    seen: set[str] = set()
    for at, one in enumerate(draft.collectors):
        if one.id in seen:
            yield Issue(f"collectors.{at}.id", f"Another collector is called {one.id}.")
        seen.add(one.id)
    systems = [str(one) for one in draft.system_ids]
    for at, one in enumerate(systems):
        if one in systems[:at]:
            yield Issue(f"systemIds.{at}", "This system is named twice.")


def _build(draft: CheckDraft, strategy: Strategy, probe: Read, collected: list[Read]) -> Sound:
    """The draft as it is stored, and every place that it reaches."""
    try:
        named = [write_origin(one) for one in strategy.origins(probe.value)]
    except DestinationRefused as error:
        raise Invalid.at("strategy.config", error.message) from None
    stored = draft.model_copy(
        update={
            "strategy": draft.strategy.model_copy(
                update={"version": probe.version, "config": probe.stored}
            ),
            "collectors": [
                one.model_copy(update={"version": read.version, "config": read.stored})
                for one, read in zip(draft.collectors, collected, strict=True)
            ],
        }
    )
    return Sound(stored, tuple(dict.fromkeys([*named, *map(write_origin, draft.egress)])))


def _collect(issues: list[Issue], read: Callable[[], Read]) -> Read | None:
    try:
        return read()
    except Invalid as error:
        issues += error.issues
        return None


def _unknown(what: str, name: str, known: Iterable[str]) -> str:
    """There is no such thing; these are near, or else all there are."""
    names = list(known)
    folded = {one.lower(): one for one in names}
    close = [folded[one] for one in difflib.get_close_matches(name.lower(), folded, 3, 0.6)]
    if close:
        return f"There is no {what} {name}. Did you mean {' or '.join(close)}?"
    if not names:
        return f"There is no {what} {name}, and no other either."
    return f"There is no {what} {name}. Known are: {', '.join(names[:SHOWN])}."


def _below(path: str, rest: str) -> str:
    return f"{path}.{rest}" if rest else path
