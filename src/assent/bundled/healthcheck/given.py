"""What callers send about a check, as they sent it: the one validator reads it. Pure.

The schema that is shown is that of the draft. Nothing but the validator says what does not fit it,
so that a form is told the same as a tool or a file.
"""

from collections.abc import Iterable, Mapping
from typing import Any, cast
from uuid import UUID

from pydantic import ConfigDict, Field

from assent.bundled.healthcheck.values import Check, CheckDraft, Version
from assent.plugins.api import Value

DEFINITIONS = "#/$defs/"


def show_draft(schema: dict[str, Any]) -> None:
    """Make a schema that of a draft."""
    shown = _build_draft_schema()
    schema.update(shown, title=schema.get("title", "Check"))


def show_change(schema: dict[str, Any]) -> None:
    """Add the fields of a draft to a schema; none of them is required."""
    own = schema.get("properties", {})
    shown = _build_draft_schema()["properties"]
    schema["properties"] = {**own, **{name: _leave_open(part) for name, part in shown.items()}}
    schema["additionalProperties"] = False


class GivenCheck(Value):
    """A check as somebody wants it to be."""

    model_config = ConfigDict(extra="allow", json_schema_extra=show_draft)

    @property
    def body(self) -> dict[str, Any]:
        return dict(self.model_extra or {})


class GivenChange(Value):
    """A partial change; what is left out stays as it is."""

    model_config = ConfigDict(extra="allow", json_schema_extra=show_change)

    check_id: UUID = Field(description="`id` of a check from healthcheck.status.")

    @property
    def body(self) -> dict[str, Any]:
        return dict(self.model_extra or {})


class FormChange(GivenChange):
    """As a form sends it: `expectedVersion` guards against overwriting."""

    expected_version: Version | None = None


def draft_of(check: Check) -> dict[str, Any]:
    """A check as somebody would send it."""
    names = set(CheckDraft.model_fields)
    return check.model_dump(mode="json", by_alias=True, include=names)


def merge(check: Check, body: Mapping[str, Any]) -> dict[str, Any]:
    """The check with a change laid over it. A strategy of the same kind keeps what is left out."""
    live, after = draft_of(check), body.get("strategy")
    merged = {**body, **{name: one for name, one in live.items() if name not in body}}
    if isinstance(after, dict):
        merged["strategy"] = _merge_strategy(live["strategy"], cast(dict[str, Any], after))
    return merged


def _merge_strategy(before: dict[str, Any], after: dict[str, Any]) -> dict[str, Any]:
    if after.get("kind", before["kind"]) != before["kind"]:
        return after
    merged = {**before, **after}
    config = after.get("config")
    if isinstance(config, dict):
        laid = {**before["config"], **cast(dict[str, Any], config)}
        merged["config"] = {name: one for name, one in laid.items() if one is not None}
    return merged


def reverse(check: Check, changed: Check, names: Iterable[str]) -> dict[str, Any]:
    """The change that makes these fields what they were before."""
    before, after = draft_of(check), draft_of(changed)
    back = {name: before[name] for name in names if name in before}
    if "strategy" in back and before["strategy"]["kind"] == after["strategy"]["kind"]:
        added = dict.fromkeys(after["strategy"]["config"])
        back["strategy"] = {**back["strategy"], "config": {**added, **before["strategy"]["config"]}}
    return back


def _build_draft_schema() -> dict[str, Any]:
    schema = CheckDraft.model_json_schema(by_alias=True)
    definitions = schema.pop("$defs", {})
    return _write_out(schema, definitions)


def _write_out(part: Any, definitions: Mapping[str, Any]) -> Any:
    """The schema without references: where it is shown, definitions have no place."""
    if isinstance(part, list):
        return [_write_out(one, definitions) for one in cast(list[Any], part)]
    if not isinstance(part, dict):
        return part
    known = cast(dict[str, Any], part)
    if "$ref" in known:
        found = definitions[known["$ref"].removeprefix(DEFINITIONS)]
        rest = {name: one for name, one in known.items() if name != "$ref"}
        return _write_out({**found, **rest}, definitions)
    return {name: _write_out(one, definitions) for name, one in known.items()}


def _leave_open(part: dict[str, Any]) -> dict[str, Any]:
    """A field of a change: without a default, because nothing is filled in, and with parts."""
    return {name: one for name, one in part.items() if name not in ("default", "required")}
