"""A procedure's input as OpenAPI: path parameters, query parameters or a body. Pure."""

from typing import Any

from pydantic.alias_generators import to_camel

from assent.plugins.procedure import PATH_FIELD, Procedure

SCHEMAS = "#/components/schemas/"


def wire_path(procedure: Procedure[Any, Any]) -> str:
    """The route's path with its fields as they are called on the wire."""
    return PATH_FIELD.sub(lambda match: f"{{{to_camel(match[1])}}}", procedure.route.path)


def describe_input(procedure: Procedure[Any, Any]) -> dict[str, Any]:
    """What goes into the operation, besides its answers."""
    schema = _input_schema(procedure)
    in_path = {to_camel(field) for field in procedure.route.path_fields}
    properties: dict[str, Any] = schema.get("properties", {})
    required: set[str] = set(schema.get("required", []))
    parameters = [
        {"name": name, "in": "path", "required": True, "schema": properties[name]}
        for name in sorted(in_path)
    ]
    rest = {name: value for name, value in properties.items() if name not in in_path}
    if procedure.route.method == "GET":
        parameters += [_query_parameter(name, rest[name], name in required) for name in rest]
        return {"parameters": parameters}
    described: dict[str, Any] = {"parameters": parameters}
    if rest:
        wanted = sorted(required - in_path)
        body = {**schema, "properties": rest, "required": wanted}
        described["requestBody"] = {
            "required": bool(wanted),
            "content": {"application/json": {"schema": body}},
        }
    return described


def list_definitions(procedure: Procedure[Any, Any]) -> dict[str, Any]:
    """The schemas that the input refers to, for the document's components."""
    return _raw_schema(procedure).get("$defs", {})


def _input_schema(procedure: Procedure[Any, Any]) -> dict[str, Any]:
    return {key: value for key, value in _raw_schema(procedure).items() if key != "$defs"}


def _raw_schema(procedure: Procedure[Any, Any]) -> dict[str, Any]:
    return procedure.input.model_json_schema(by_alias=True, ref_template=SCHEMAS + "{model}")


def _query_parameter(name: str, schema: dict[str, Any], required: bool) -> dict[str, Any]:
    present = {key: value for key, value in schema.items() if key not in ("title", "description")}
    alternatives = [one for one in present.get("anyOf", []) if one != {"type": "null"}]
    if len(alternatives) == 1:
        present = alternatives[0]
    parameter = {"name": name, "in": "query", "required": required, "schema": present}
    if "description" in schema:
        parameter["description"] = schema["description"]
    return parameter
