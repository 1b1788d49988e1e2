"""The application: every router and every layer, readable in one function."""

import asyncio
from collections.abc import Collection, Sequence
from typing import Any

from fastapi import FastAPI
from fastapi.openapi.utils import get_openapi
from starlette.routing import BaseRoute
from starlette.types import Lifespan

from assent import __version__
from assent.api import (
    agents,
    audit,
    auth,
    chat,
    conversations,
    events,
    feedback,
    files,
    health,
    integrations,
    me,
    oidc,
    pages,
    proposals,
    runs,
    tools,
    usage,
)
from assent.api.observe import Observe
from assent.api.parts import Parts
from assent.api.problems import Problem, add_problem_handlers
from assent.api.procedure_schema import list_definitions
from assent.api.procedures import build_procedure_router, describe_inputs
from assent.api.protect import Protect
from assent.plugins.load import Loaded
from assent.settings import Settings
from assent.telemetry.telemetry import Telemetry

PUBLIC_PATHS = frozenset(
    {
        "/healthz",
        "/readyz",
        "/metrics",
        "/login",
        "/{path}",
        "/assets/{path}",
        "/api/openapi.json",
        "/api/auth/methods",
        "/api/auth/login",
        "/api/auth/reset",
        "/api/auth/oidc/login",
        "/api/auth/oidc/callback",
    }
)
"""The only addresses that answer without a principal: a test walks all routes."""

ROUTERS = (
    chat.router,
    tools.router,
    proposals.router,
    health.router,
    auth.router,
    oidc.router,
    me.router,
    conversations.router,
    events.router,
    files.router,
    feedback.router,
    runs.router,
    integrations.router,
    agents.router,
    usage.router,
    audit.router,
)
"""Routes are tried in this order, one after the other: first what is asked for most."""

NO_TELEMETRY: Any = {"tracing": False, "metrics": False, "logs": False, "auto_configure": False}
"""The framework's own would put addresses, queries and messages of errors into spans and logs."""


def build_app(
    loaded: Loaded,
    *,
    settings: Settings,
    telemetry: Telemetry,
    lifespan: Lifespan[FastAPI],
    other_edge: Sequence[BaseRoute],
    shared_paths: Collection[str] = (),
) -> FastAPI:
    """`lifespan` puts the `Parts` in place when the application starts.

    `shared_paths` of the other edge are open to pages of other sites.
    """
    app = FastAPI(
        title="Assent",
        version=__version__,
        openapi_url="/api/openapi.json",
        docs_url=None,
        redoc_url=None,
        redirect_slashes=False,
        lifespan=lifespan,
        telemetry=NO_TELEMETRY,
    )
    add_problem_handlers(app)
    app.router.routes.extend(other_edge)
    for router in ROUTERS:
        app.router.routes.extend(router.routes)
    app.router.routes.extend(build_procedure_router(loaded).routes)
    app.mount("/assets", pages.open_assets())
    app.router.routes.extend(pages.router.routes)
    app.add_middleware(Protect, public_url=settings.public_url, shared_paths=shared_paths)
    app.add_middleware(Observe, telemetry=telemetry)
    app.openapi = lambda: describe_api(app, loaded)
    return app


def build_monitor_app(parts: Parts, leaving: asyncio.Event) -> FastAPI:
    """What monitors ask, and nothing else: for a port of its own."""
    app = FastAPI(title="Assent", version=__version__, openapi_url=None, telemetry=NO_TELEMETRY)
    add_problem_handlers(app)
    app.include_router(health.router)
    app.state.parts = parts
    app.state.leaving = leaving
    return app


def describe_api(app: FastAPI, loaded: Loaded) -> dict[str, Any]:
    """The OpenAPI document: FastAPI's, with our inputs' schemas and who may call what."""
    if app.openapi_schema:
        return app.openapi_schema
    describe_inputs(app.routes, loaded)
    document = get_openapi(title=app.title, version=app.version, routes=app.routes)
    components = document.setdefault("components", {})
    schemas = components.setdefault("schemas", {})
    schemas["Problem"] = Problem.model_json_schema(ref_template="#/components/schemas/{model}")
    schemas.update(schemas["Problem"].pop("$defs", {}))
    for plugin in loaded.plugins:
        for procedure in plugin.procedures:
            for name, schema in list_definitions(procedure).items():
                schemas.setdefault(name, schema)
    components["securitySchemes"] = {
        "session": {
            "type": "apiKey",
            "in": "cookie",
            "name": "assent_session",
            "description": "What changes something also needs the header `x-assent-csrf: 1`.",
        },
        "key": {"type": "http", "scheme": "bearer"},
    }
    for path, operations in document["paths"].items():
        if path not in PUBLIC_PATHS:
            for operation in operations.values():
                operation["security"] = _list_security(operation)
    app.openapi_schema = document
    return document


def _list_security(operation: dict[str, Any]) -> list[dict[str, list[str]]]:
    people = [{"session": list[str]()}]
    return [*people, {"key": []}] if operation.get("x-assent-effect") == "read" else people
