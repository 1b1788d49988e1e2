"""Resources: the pages of the documentation, and the tenant's documents for whoever may read them.

The documentation comes with the program. A document is read through the door, like everything that
belongs to a tenant.
"""

from typing import Any
from urllib.parse import quote, unquote

from mcp.shared.exceptions import MCPError
from mcp_types import INVALID_PARAMS, PaginatedRequestParams, ReadResourceRequestParams
from mcp_types.version import MODERN_PROTOCOL_VERSIONS

from assent.actions.call import Ran, ToolCall, call_tool
from assent.actions.proposal import Place
from assent.context.docs.library import load_library
from assent.context.docs.page import Page
from assent.context.documents.document import OWN
from assent.context.documents.procedures import READ
from assent.errors import AssentError, TooMany
from assent.identity.access import load_scope
from assent.mcp_server.asking import Asking, Context, read_asking
from assent.mcp_server.paging import cut_page

DOCS = "assent://docs/"
DOCUMENTS = "assent://documents/"
MARKDOWN = "text/markdown"
NOT_FOUND = -32002
"""Until 2025-11-25; since then it is a parameter that is not valid."""
TEMPLATES = (
    (DOCS, "documentation", "A page of the documentation of Assent."),
    (DOCUMENTS, "documents", "A document that this organization has written, such as a runbook."),
)


async def list_resources(ctx: Context, params: PaginatedRequestParams) -> dict[str, Any]:
    pages = [_describe_page(page) for page in load_library().pages.values()]
    own = await _list_documents(read_asking(ctx))
    return cut_page("resources", [*pages, *own], params.cursor)


async def list_templates(ctx: Context, params: PaginatedRequestParams) -> dict[str, Any]:
    templates = [
        {
            "uriTemplate": f"{start}{{slug}}",
            "name": name,
            "description": description,
            "mimeType": MARKDOWN,
        }
        for start, name, description in TEMPLATES
    ]
    return cut_page("resourceTemplates", templates, params.cursor)


async def read_resource(ctx: Context, params: ReadResourceRequestParams) -> dict[str, Any]:
    uri = str(params.uri)
    text = await _read_text(read_asking(ctx), uri)
    if text is None:
        code = INVALID_PARAMS if ctx.protocol_version in MODERN_PROTOCOL_VERSIONS else NOT_FOUND
        raise MCPError(code, "uri: There is no such resource.", {"uri": uri})
    contents = [{"uri": uri, "mimeType": MARKDOWN, "text": text}]
    return {"contents": contents, "resultType": "complete"}


async def _read_text(asking: Asking, uri: str) -> str | None:
    if uri.startswith(DOCS):
        page = load_library().pages.get(unquote(uri.removeprefix(DOCS)))
        return page.text if page else None
    if not uri.startswith(DOCUMENTS):
        return None
    value = await _read(asking, "ai.getDoc", slug=OWN + unquote(uri.removeprefix(DOCUMENTS)))
    return value["text"] if value else None


async def _list_documents(asking: Asking) -> list[dict[str, Any]]:
    async with asking.parts.means.database.reading() as db:
        scope = await load_scope(db, asking.principal, READ)
    if scope.is_empty:
        return []
    listed: list[dict[str, Any]] = await _read(asking, "ai.listDocs") or []
    return [
        {
            "uri": DOCUMENTS + quote(one["slug"].removeprefix(OWN)),
            "name": one["slug"],
            "title": one["title"],
            "description": one["section"],
            "mimeType": MARKDOWN,
        }
        for one in listed
        if one.get("source") == "tenant"
    ]


async def _read(asking: Asking, tool: str, **arguments: Any) -> Any:
    """What the tool answers; nothing where it refuses."""
    call = ToolCall(
        name=tool, arguments=arguments, principal=asking.principal, place=Place(edge="mcp")
    )
    try:
        answer = await call_tool(asking.parts.means, call)
    except TooMany:
        raise
    except AssentError:
        return None
    return answer.value if isinstance(answer, Ran) else None


def _describe_page(page: Page) -> dict[str, Any]:
    return {
        "uri": DOCS + quote(page.slug),
        "name": page.slug,
        "title": page.title,
        "description": page.section,
        "mimeType": MARKDOWN,
        "size": len(page.text.encode()),
    }
