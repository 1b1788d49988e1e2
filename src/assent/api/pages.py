"""The built pages: files with long caching, `index.html` for every address of the application."""

import re
from pathlib import Path

from fastapi import APIRouter
from starlette.exceptions import HTTPException
from starlette.middleware.gzip import GZipMiddleware
from starlette.requests import Request
from starlette.responses import FileResponse, PlainTextResponse, Response
from starlette.staticfiles import StaticFiles
from starlette.types import ASGIApp

from assent.api.methods import PAGE_METHODS, PAGES, list_own_methods
from assent.api.parts import PartsOf
from assent.api.principal import Person
from assent.api.problems import PROBLEM_RESPONSES
from assent.errors import NotFound
from assent.identity.principal import Principal
from assent.identity.rules import holds
from assent.plugins.plugin import Plugin
from assent.value import Page, Value

FOLDER = Path(__file__).parent.parent / "web"
NOT_BUILT = "The pages are not built. Run `make setup` in the project's folder.\n"
STYLESHEET = re.compile(r'<link rel="stylesheet"[^>]* href="(/assets/[^"]+)"')
IMMUTABLE = "public, max-age=31536000, immutable"
REVALIDATE = {"cache-control": "no-cache"}

router = APIRouter()


class PageLink(Value):
    """A plugin's page in the navigation."""

    plugin: str
    slug: str
    title: str
    icon: str
    module: str | None


@router.get("/api/pages", tags=["Pages"], operation_id="pages_list", responses=PROBLEM_RESPONSES)
async def list_pages(parts: PartsOf, person: Person) -> Page[PageLink]:
    """List the plugin pages that the person may open."""
    plugins = parts.loaded.plugins
    return Page[PageLink](
        items=[link for plugin in plugins for link in _list_links(plugin, person)]
    )


@router.get("/api/p/{plugin}/pages/{path:path}", include_in_schema=False)
async def get_module(parts: PartsOf, _person: Person, plugin: str, path: str) -> Response:
    """Serve a file of a plugin's own pages."""
    for loaded in parts.loaded.plugins:
        file = find_file(loaded.folder / "pages", path) if loaded.name == plugin else None
        if file is not None:
            return FileResponse(file, headers=REVALIDATE)
    raise NotFound


@router.api_route(PAGES, methods=PAGE_METHODS, include_in_schema=False)
async def open_page(request: Request, path: str) -> Response:
    """A file at the top of the folder, such as an icon; else the application itself."""
    if path == "api" or path.startswith("api/") or list_own_methods(request):
        # Not a page, and not there for this method: `problems.py` says which.
        raise HTTPException(405)
    if path in {entry.name for entry in FOLDER.glob("*.*")} - {"index.html"}:
        return FileResponse(FOLDER / path, headers=REVALIDATE)
    return open_index()


def find_file(folder: Path, path: str) -> Path | None:
    """The file at this path, if it lies in the folder."""
    try:
        file = (folder / path).resolve()
        return file if folder.resolve() in file.parents and file.is_file() else None
    except (OSError, ValueError):
        return None


def open_index() -> Response:
    path = FOLDER / "index.html"
    if not path.is_file():
        return PlainTextResponse(NOT_BUILT, 503)
    return FileResponse(path, headers=REVALIDATE)


def list_stylesheets() -> tuple[str, ...]:
    """Where the pages' styles are; nothing where they are not built."""
    path = FOLDER / "index.html"
    return tuple(STYLESHEET.findall(path.read_text())) if path.is_file() else ()


def open_assets() -> ASGIApp:
    """Files whose names change with their content."""
    folder = FOLDER / "assets"
    if not folder.is_dir():
        return PlainTextResponse(NOT_BUILT, 503)
    return GZipMiddleware(ImmutableFiles(directory=folder))


class ImmutableFiles(StaticFiles):
    def file_response(self, *args: object, **kwargs: object) -> Response:
        response = super().file_response(*args, **kwargs)  # pyright: ignore[reportArgumentType]
        response.headers["cache-control"] = IMMUTABLE
        return response


def _list_links(plugin: Plugin, person: Principal) -> list[PageLink]:
    held = [person.rules, *person.workspace_rules.values()]
    return [
        PageLink(
            plugin=plugin.name,
            slug=page.slug,
            title=page.title,
            icon=page.icon,
            module=f"/api/p/{plugin.name}/pages/{page.module}" if page.module else None,
        )
        for page in plugin.pages
        if any(holds(rules, page.rule) for rules in held)
    ]
