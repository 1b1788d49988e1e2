"""Procedures as routes: one per procedure, with its schema in the OpenAPI document."""

import json
from collections import Counter
from collections.abc import Awaitable, Callable, Iterable
from typing import Any

from fastapi import APIRouter
from fastapi.routing import APIRoute
from pydantic import TypeAdapter, ValidationError
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute

from assent.api.body import explain, read_body
from assent.api.parts import PartsOf
from assent.api.principal import Caller
from assent.api.problems import PROBLEM_RESPONSES
from assent.api.procedure_schema import describe_input, wire_path
from assent.errors import Invalid
from assent.plugins.load import Loaded
from assent.plugins.procedure import Procedure
from assent.value import Value, strip_unstorable

Endpoint = Callable[..., Awaitable[Response]]


def build_procedure_router(loaded: Loaded) -> APIRouter:
    router = APIRouter()
    for plugin in loaded.plugins:
        for procedure in plugin.procedures:
            router.add_api_route(
                plugin.mount + wire_path(procedure),
                _build_endpoint(procedure),
                methods=[procedure.route.method],
                status_code=find_success(procedure),
                response_model=None if procedure.output is type(None) else procedure.output,
                responses=PROBLEM_RESPONSES,
                tags=[plugin.title],
                name=procedure.name,
                operation_id=name_operation(procedure),
                summary=procedure.description.split("\n")[0],
                description=procedure.description,
                openapi_extra={
                    "x-assent-rule": procedure.access.rule,
                    "x-assent-effect": procedure.access.effect,
                },
            )
    return router


def describe_inputs(routes: Iterable[BaseRoute], loaded: Loaded) -> None:
    """Add what they take, for the OpenAPI document: only whoever asks for that waits for it."""
    procedures = {
        name_operation(procedure): procedure
        for plugin in loaded.plugins
        for procedure in plugin.procedures
    }
    for route in routes:
        if isinstance(route, APIRoute) and route.operation_id in procedures:
            described = describe_input(procedures[route.operation_id])
            route.openapi_extra = {**described, **(route.openapi_extra or {})}


def name_operation(procedure: Procedure[Any, Any]) -> str:
    return procedure.action.replace(".", "_")


def find_success(procedure: Procedure[Any, Any]) -> int:
    if procedure.output is type(None):
        return 204
    return 201 if procedure.route.method == "POST" else 200


def _build_endpoint(procedure: Procedure[Any, Any]) -> Endpoint:
    output: TypeAdapter[Any] = TypeAdapter(procedure.output)
    status = find_success(procedure)

    async def endpoint(request: Request, parts: PartsOf, caller: Caller) -> Response:
        given = await read_input(procedure, request)
        result = await parts.procedures.invoke(procedure, caller, given, edge="form")
        if status == 204:
            return Response(status_code=status)
        body = output.dump_json(result, by_alias=True)
        return Response(body, status, media_type="application/json")

    return endpoint


async def read_input(procedure: Procedure[Any, Any], request: Request) -> Value:
    """Gather path, query and body into one value; every complaint names its field."""
    fields: dict[str, Any] = dict(request.path_params)
    is_read = procedure.route.method == "GET"
    query = _read_query(request)
    if query and not is_read:
        raise Invalid.at(min(query), "This takes no query parameters.")
    given = strip_unstorable(query) if is_read else await read_body(request)
    taken = sorted(set(fields) & set(given))
    if taken:
        raise Invalid.at(taken[0], "This comes from the address and cannot be given again.")
    fields |= given
    try:
        if is_read:
            return procedure.input.model_validate_strings(fields, by_alias=True, by_name=False)
        return procedure.input.model_validate_json(
            json.dumps(fields), strict=True, by_alias=True, by_name=False
        )
    except ValidationError as error:
        raise explain(error) from None


def _read_query(request: Request) -> dict[str, str]:
    counts = Counter(name for name, _ in request.query_params.multi_items())
    repeated = [name for name, count in counts.items() if count > 1]
    if repeated:
        raise Invalid.at(repeated[0], "Give this once.")
    return dict(request.query_params)
