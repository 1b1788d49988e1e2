"""Every route of the real application, flattened."""

import re
from dataclasses import dataclass
from typing import Any
from uuid import UUID

import httpx2
from fastapi import FastAPI
from fastapi.routing import iter_route_contexts
from starlette.routing import Mount

from assent.api.app import PUBLIC_PATHS
from assent.api.principal import require_person, require_principal
from assent.api.problems import MEDIA_TYPE
from assent.main import create_app
from assent.mcp_server.routes import PUBLIC_PATHS as MCP_PATHS
from assent.mcp_server.routes import SHARED_PATHS
from assent.settings import load_settings

SAFE = {"GET", "HEAD"}
NOBODY = UUID(int=0)


@dataclass(frozen=True, slots=True)
class WebRoute:
    """One method at one address; `path` names its parameters as on the wire."""

    method: str
    path: str
    needs_principal: bool

    def __str__(self) -> str:
        return f"{self.method} {self.path}"

    @property
    def is_public(self) -> bool:
        return self.path in PUBLIC_PATHS | MCP_PATHS

    @property
    def changes_something(self) -> bool:
        return self.method not in SAFE

    def address(self, parameter: object = NOBODY) -> str:
        return re.sub(r"\{[a-zA-Z]+\}", str(parameter), self.path)


def find_code(response: httpx2.Response) -> str | None:
    """The `code` of a problem; nothing for any other answer."""
    is_problem = response.headers.get("content-type") == MEDIA_TYPE
    return response.json()["code"] if is_problem else None


def list_routes(app: FastAPI | None = None) -> list[WebRoute]:
    found: list[WebRoute] = []
    for route in iter_route_contexts((app or create_app(load_settings({}))).routes):
        if isinstance(route.route, Mount):
            found.append(WebRoute("GET", f"{route.path}/{{path}}", needs_principal=False))
            continue
        guarded = _needs_principal(getattr(route, "dependant", None))
        path = str(route.path_format)
        for method in sorted((route.methods or set()) - _list_asked_before(path)):
            found.append(WebRoute(method, path, needs_principal=guarded))
    return found


def _list_asked_before(path: str) -> set[str]:
    """Methods that only prepare others: what browsers ask where pages of other sites may come."""
    return {"HEAD", "OPTIONS"} if path in SHARED_PATHS else {"HEAD"}


def _needs_principal(dependant: Any) -> bool:
    if dependant is None:
        return False
    return dependant.call in (require_principal, require_person) or any(
        _needs_principal(one) for one in dependant.dependencies
    )


ROUTES = list_routes()
CHANGING = [route for route in ROUTES if route.changes_something]
GUARDED = [route for route in ROUTES if not route.is_public]
