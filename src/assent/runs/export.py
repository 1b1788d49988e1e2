"""A conversation as a file: page by page, so that a long one is never held as a whole (SPEC C18).

What it says of cards is how they stand now. Everything is scrubbed once more on its way out.
"""

from collections.abc import AsyncGenerator
from dataclasses import dataclass
from typing import Literal, TypeAlias
from uuid import UUID

from assent.actions.means import Means
from assent.actions.waiting.cards import list_changed
from assent.conversations.file import clean_name
from assent.identity.principal import Principal
from assent.runs.export_text import (
    Exported,
    describe_message,
    write_head,
    write_message,
)
from assent.runs.overview import store
from assent.runs.overview.line import ConversationLine
from assent.runs.overview.listing import load_line
from assent.runs.settled import list_card_ids
from assent.tools.json_value import encode_json

ExportForm: TypeAlias = Literal["json", "markdown"]
ENDINGS: dict[ExportForm, str] = {"json": "json", "markdown": "md"}
MEDIA_TYPES: dict[ExportForm, str] = {
    "json": "application/json",
    "markdown": "text/markdown; charset=utf-8",
}
PAGE = 100


@dataclass(frozen=True, slots=True)
class Export:
    name: str
    media_type: str
    pieces: AsyncGenerator[bytes]


async def open_export(
    means: Means, person: Principal, conversation_id: UUID, form: ExportForm
) -> Export:
    """Whose it is, is known before the first byte."""
    async with means.database.reading() as db:
        line = await load_line(db, person, conversation_id)
        scrubber = await means.scrubbing.load(db, person.tenant_id)
    title = scrubber.scrub_text(line.title)
    name = clean_name(title) if title.strip() else "conversation"
    return Export(name, MEDIA_TYPES[form], _write(means, person, line, form))


async def _write(
    means: Means, person: Principal, line: ConversationLine, form: ExportForm
) -> AsyncGenerator[bytes]:
    async with means.database.reading() as db:
        scrubber = await means.scrubbing.load(db, person.tenant_id)
    clean = line.model_copy(update={"title": scrubber.scrub_text(line.title)})
    yield (_begin_json(clean) if form == "json" else write_head(clean)).encode()
    is_first = True
    async for message in _list(means, person, line.id):
        exported = scrubber.scrub(message)
        if form == "json":
            yield f"{'' if is_first else ','}\n{encode_json(exported)}".encode()
        else:
            yield write_message(exported).encode()
        is_first = False
    if form == "json":
        yield b"\n]}\n"


def _begin_json(line: ConversationLine) -> str:
    names = {"id", "title", "kind", "agent", "model", "created_at", "active_at"}
    described = line.model_dump(mode="json", by_alias=True, include=names)
    return f'{{"conversation":{encode_json(described)},"messages":['


async def _list(means: Means, person: Principal, conversation_id: UUID) -> AsyncGenerator[Exported]:
    after = 0
    while True:
        async with means.database.reading() as db:
            page = await store.list_after(
                db, person.tenant_id, conversation_id, after=after, limit=PAGE, person_id=person.id
            )
            cards = [card for one in page for card in list_card_ids(one.parts)]
            proposals = {one.id: one for one in await list_changed(db, person.tenant_id, cards)}
        for message in page:
            yield describe_message(message, proposals)
        if len(page) < PAGE:
            return
        after = page[-1].seq
