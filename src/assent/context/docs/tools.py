"""Tools with which the model looks things up: the documentation, and the tenant's documents (X1).

The documentation comes with the program and can be relied on. What a tenant adds was written by
people of all kinds: a result that has any of it counts as untrusted.
"""

from typing import Annotated, Any
from uuid import UUID

from pydantic import Field

from assent.context.docs.alike import weigh_words
from assent.context.docs.index import Hit, choose, cut_snippet, list_said
from assent.context.docs.library import load_library
from assent.context.docs.page import Page
from assent.context.docs.score import add_for_all
from assent.context.documents import store
from assent.context.documents.document import OWN
from assent.context.documents.procedures import READ
from assent.identity.access import load_scope
from assent.plugins.assistant import plugin
from assent.plugins.procedure import Context
from assent.tools.part import DocumentSource
from assent.tools.tool import Result, ToolValidationError
from assent.value import Value

LONGEST_PAGE = 24_000
MOST_LISTED = 200
CANDIDATES = 50
ENOUGH = (
    "If these answer the question, answer now and name the page. If one of them nearly does, read "
    "it with ai.getDoc. Search again only with other words, and at most once."
)
NOTHING = "No page has these words. Try others once, or say that the documentation does not say it."


class Listing(Value):
    section: str | None = Field(None, max_length=120, description="Only the pages of this section.")


class Query(Value):
    query: str = Field(min_length=1, max_length=400, description="Words, or a question.")
    limit: int = Field(5, ge=1, le=10)


class PageRef(Value):
    slug: Annotated[str, Field(min_length=1, max_length=200)] = Field(
        description="From ai.searchDocs or ai.listDocs."
    )


@plugin.tool("ai.listDocs", effect="read", rules=[], output_trust="mixed")
class ListDocs:
    """List the pages of the documentation of this product, and the documents of this organization.

    `source` says which of the two it is.
    """

    title = "List documents"
    Input = Listing

    async def execute(self, ctx: Context, given: Listing) -> Result:
        pages = [_list_page(one, "product") for one in load_library().pages.values()]
        own: list[dict[str, Any]] = []
        if await _reads_documents(ctx):
            listed = await store.list_documents(
                ctx.db, ctx.tenant_id, q="", after=None, limit=MOST_LISTED
            )
            own = [_list_own(one.slug, one.title, one.section, one.document_id) for one in listed]
        sections = list(dict.fromkeys(one["section"] for one in (*pages, *own)))
        if given.section is not None and given.section not in sections:
            raise ToolValidationError.at("section", f"There are these: {', '.join(sections)}.")
        shown = [one for one in (*pages, *own) if given.section in (None, one["section"])]
        has_own = any(one["source"] == "tenant" for one in shown)
        return Result(shown, trust="untrusted" if has_own else "trusted")


@plugin.tool(
    "ai.searchDocs",
    effect="read",
    rules=[],
    output_trust="mixed",
)
class SearchDocs:
    """Search the documentation of this product, and the documents of this organization.

    For questions about the product itself, how it is set up, run and extended, and for what the
    organization has written down, such as runbooks: those have `source` tenant. What is in the
    person's workspace right now is found with the other tools.
    """

    title = "Search the documentation"
    Input = Query

    async def execute(self, ctx: Context, given: Query) -> Result:
        hits = await search(ctx, given.query, given.limit)
        value = {"hits": [_describe(hit) for hit in hits], "note": ENOUGH if hits else NOTHING}
        has_own = any(hit.source == "tenant" for hit in hits)
        return Result(value, trust="untrusted" if has_own else "trusted")


@plugin.tool("ai.getDoc", effect="read", rules=[], output_trust="mixed")
class GetDoc:
    """Read one page of the documentation, or one document of the organization, in Markdown."""

    title = "Read a document"
    Input = PageRef

    async def execute(self, ctx: Context, given: PageRef) -> Result:
        is_own = given.slug.startswith(OWN)
        page = await _find_own(ctx, given.slug) if is_own else None
        page = page or load_library().pages.get(given.slug) or await _refuse(ctx, given.slug)
        text = page.text[:LONGEST_PAGE]
        value: dict[str, Any] = {
            "slug": page.slug,
            "title": page.title,
            "source": "tenant" if is_own else "product",
            "text": text,
        }
        if len(text) < len(page.text):
            value["truncated"] = True
        parts = (DocumentSource(page.title, "text/markdown", page.slug),)
        return Result(value, parts=parts, trust="untrusted" if is_own else "trusted")


async def search(ctx: Context, query: str, limit: int) -> list[Hit]:
    """The best of both, by one measure: words are as rare as they are in all of it."""
    library = load_library()
    if not await _reads_documents(ctx):
        return library.search(query, limit)
    worth = weigh_words(query)
    theirs = await store.count_words(ctx.db, ctx.tenant_id, list(worth))
    hits = library.search(query, limit, theirs)
    if not theirs.passages:
        return hits
    counts = library.count(worth) + theirs
    found = await store.search(ctx.db, ctx.tenant_id, worth, counts, CANDIDATES)
    words = list_said(worth)
    own = [
        Hit(
            one.passage,
            cut_snippet(one.passage.text, words),
            round(add_for_all(one.score, said=one.said, wanted=len(words)), 3),
            "tenant",
        )
        for one in found
    ]
    ranked = sorted([*hits, *own], key=lambda hit: -hit.score)
    return choose(ranked, limit, lambda hit: hit.passage.slug)


async def _reads_documents(ctx: Context) -> bool:
    return not (await load_scope(ctx.db, ctx.principal, READ)).is_empty


async def _find_own(ctx: Context, slug: str) -> Page | None:
    if not await _reads_documents(ctx):
        return None
    found = await store.find_by_slug(ctx.db, ctx.tenant_id, slug.removeprefix(OWN))
    return found.page if found else None


def _list_page(page: Page, source: str) -> dict[str, Any]:
    return {"slug": page.slug, "title": page.title, "section": page.section, "source": source}


def _list_own(slug: str, title: str, section: str, document_id: UUID) -> dict[str, Any]:
    listed = _list_page(Page(OWN + slug, title, section, ""), "tenant")
    return {**listed, "documentId": str(document_id)}


def _describe(hit: Hit) -> dict[str, Any]:
    passage = hit.passage
    return {
        "slug": passage.slug,
        "title": passage.title,
        "heading": passage.heading,
        "snippet": hit.snippet,
        "score": hit.score,
        "source": hit.source,
    }


async def _refuse(ctx: Context, slug: str) -> Page:
    found = [hit.passage.slug for hit in await search(ctx, slug.replace("-", " "), 3)]
    close = load_library().find_close(slug)
    told = ", ".join(list(dict.fromkeys([*close[:2], *found, *close]))[:3])
    hint = f" Close to it: {told}." if told else ""
    raise ToolValidationError.at("slug", f"There is no such page.{hint}")
