"""Tools with which the model looks things up in the documentation (SPEC X1)."""

from typing import Annotated, Any

from pydantic import Field

from assent.context.docs.index import Hit, Index
from assent.context.docs.library import load_library
from assent.context.docs.page import Page
from assent.plugins.assistant import plugin
from assent.plugins.procedure import Context
from assent.tools.part import DocumentSource
from assent.tools.tool import Result, ToolValidationError
from assent.value import Value

LONGEST_PAGE = 24_000
ENOUGH = (
    "If these answer the question, answer now and name the page. If one of them nearly does, read "
    "it with ai.getDoc. Search again only with other words, and at most once."
)
NOTHING = "No page has these words. Try others once, or say that the documentation does not say it."


class Listing(Value):
    section: str | None = Field(None, max_length=100, description="Only the pages of this section.")


class Query(Value):
    query: str = Field(min_length=1, max_length=400, description="Words, or a question.")
    limit: int = Field(5, ge=1, le=10)


class PageRef(Value):
    slug: Annotated[str, Field(min_length=1, max_length=200)] = Field(
        description="From ai.searchDocs or ai.listDocs."
    )


@plugin.tool("ai.listDocs", effect="read", rules=[])
class ListDocs:
    """List the pages of the documentation of this product, by section."""

    title = "List documents"
    Input = Listing

    async def execute(self, ctx: Context, given: Listing) -> Result:
        pages = list(load_library().pages.values())
        sections = list(dict.fromkeys(page.section for page in pages))
        if given.section is not None and given.section not in sections:
            raise ToolValidationError.at("section", f"There are these: {', '.join(sections)}.")
        shown = [page for page in pages if given.section in (None, page.section)]
        return Result(
            [{"slug": one.slug, "title": one.title, "section": one.section} for one in shown]
        )


@plugin.tool("ai.searchDocs", effect="read", rules=[])
class SearchDocs:
    """Search the documentation of this product: how it works, is set up, run and extended.

    For questions about the product itself. What is in the person's workspace is found with the
    other tools.
    """

    title = "Search the documentation"
    Input = Query

    async def execute(self, ctx: Context, given: Query) -> Result:
        hits = load_library().search(given.query, given.limit)
        value = {"hits": [_describe(hit) for hit in hits], "note": ENOUGH if hits else NOTHING}
        return Result(value)


@plugin.tool("ai.getDoc", effect="read", rules=[])
class GetDoc:
    """Read one page of the documentation, in Markdown."""

    title = "Read a document"
    Input = PageRef

    async def execute(self, ctx: Context, given: PageRef) -> Result:
        library = load_library()
        page = library.pages.get(given.slug) or _refuse(library, given.slug)
        text = page.text[:LONGEST_PAGE]
        value: dict[str, Any] = {"slug": page.slug, "title": page.title, "text": text}
        if len(text) < len(page.text):
            value["truncated"] = True
        return Result(value, parts=(DocumentSource(page.title, "text/markdown", page.slug),))


def _describe(hit: Hit) -> dict[str, Any]:
    passage = hit.passage
    return {
        "slug": passage.slug,
        "title": passage.title,
        "heading": passage.heading,
        "snippet": hit.snippet,
        "score": hit.score,
    }


def _refuse(library: Index, slug: str) -> Page:
    close = ", ".join(library.find_close(slug))
    told = f"There is no such page. Close to it: {close}." if close else "There is no such page."
    raise ToolValidationError.at("slug", told)
