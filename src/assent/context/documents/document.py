"""A tenant's own document as it crosses the edge, and as a page that can be searched. Pure."""

import re
from datetime import datetime
from typing import Annotated
from uuid import UUID

from pydantic import Field

from assent.context.docs.page import Page
from assent.value import Name, PageQuery, Value, Version

LONGEST = 200_000
"""Characters of a text."""
OWN = "own/"
"""What the slugs of tenants' documents begin with."""
SECTION = "Our documents"
DocumentText = Annotated[str, Field(min_length=1, max_length=LONGEST, pattern=r"\S")]


class DocumentRef(Value):
    document_id: UUID = Field(description="From ai.listDocs.")


class DocumentSummary(DocumentRef):
    """Without its text, which may be long."""

    slug: str
    title: str
    section: str
    characters: int
    written_by_name: str
    updated_at: datetime
    version: int


class Document(Value):
    id: UUID
    slug: str
    title: str
    section: str
    text: str
    written_by_name: str
    updated_at: datetime
    version: int

    @property
    def page(self) -> Page:
        return Page(OWN + self.slug, self.title, self.section, self.text)


class DocumentDraft(Value):
    """Markdown, or plain text: headings make it easier to find."""

    title: Name
    section: Name = SECTION
    text: DocumentText


class DocumentChange(DocumentRef):
    """What is left out stays."""

    expected_version: Version | None = None
    title: Name | None = None
    section: Name | None = None
    text: DocumentText | None = None


class DocumentQuery(PageQuery):
    q: str = Field("", max_length=200, description="Part of a title or a section.")


def build_slug(title: str) -> str:
    """Of a title, as it stands in an address; letters of other scripts stay."""
    words = re.findall(r"[^\W_]+", title.casefold())
    return "-".join(words)[:60].strip("-") or "document"
