"""Arguments for any tool, made from nothing but its schema and the ids of what is really there."""

from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import uuid4

KNOWN = {
    "agentId": "agents",
    "checkId": "healthcheck.checks",
    "environmentIds": "catalog.environments",
    "groupId": "catalog.groups",
    "groupIds": "catalog.groups",
    "incidentId": "incident.incidents",
    "roleId": "roles",
    "systemId": "catalog.systems",
    "systemIds": "catalog.systems",
    "windowId": "maintenance.windows",
    "workspaceId": "workspaces",
}
"""Tables in which there is something to name, by the field that names it."""
TEXTS = {
    "url": "https://example.com/",
    "baseUrl": "https://example.com/v1",
    "slug": "made-up",
    "strategy": "http",
    "rules": "catalog.system.read",
}


class Maker:
    """With `whole` every field is there, otherwise those that must be."""

    def __init__(self, schema: Mapping[str, Any], ids: Mapping[str, str], *, whole: bool) -> None:
        self._schema, self._ids, self._whole = schema, ids, whole

    def make(self) -> dict[str, Any]:
        return self._make("", self._schema)

    def _make(self, name: str, given: Mapping[str, Any]) -> Any:
        schema = self._resolve(given)
        if "const" in schema:
            return schema["const"]
        if "enum" in schema:
            return schema["enum"][0]
        kind = schema.get("type", "object" if "properties" in schema else "string")
        kind = kind[0] if isinstance(kind, list) else kind
        if kind == "object":
            return self._make_object(schema)
        if kind == "array":
            return [self._make(name, schema.get("items", {}))]
        if kind in ("integer", "number"):
            return schema.get("minimum", schema.get("exclusiveMinimum", 0) + 1)
        return kind == "boolean" if kind in ("boolean", "null") else self._write(name, schema)

    def _resolve(self, given: Mapping[str, Any]) -> Mapping[str, Any]:
        if "$ref" in given:
            return self._resolve(self._schema["$defs"][given["$ref"].rpartition("/")[2]])
        for choice in ("anyOf", "oneOf", "allOf"):
            if choice in given:
                one = next(x for x in given[choice] if x.get("type") != "null")
                return {**given, **self._resolve(one)}
        return given

    def _make_object(self, schema: Mapping[str, Any]) -> dict[str, Any]:
        wanted = set(schema.get("required", ()))
        return {
            name: self._make(name, one)
            for name, one in schema.get("properties", {}).items()
            if self._whole or name in wanted
        }

    def _write(self, name: str, schema: Mapping[str, Any]) -> str:
        if name in KNOWN:
            return self._ids[name]
        if schema.get("format") == "uuid":
            return str(uuid4())
        if schema.get("format") == "date-time":
            later = timedelta(hours=2 if name.startswith("end") else 1)
            return (datetime.now(UTC) + later).isoformat()
        text = TEXTS.get(name, "made up")
        return text[: schema.get("maxLength", len(text))]
