"""Files from their upload to the message that they are attached to (SPEC C15).

A text is kept without secrets; what cannot be searched for them, images and PDFs, is kept as it
came and goes back to its owner alone. What a model reads never holds one.
"""

from collections.abc import Sequence
from datetime import timedelta
from typing import Any
from uuid import UUID

from assent.conversations.file import (
    LARGEST,
    LONGEST_EXTRACT,
    MOST_UNUSED,
    NewFile,
    StoredFile,
    build_file_part,
    clean_name,
)
from assent.conversations.pdf import PdfReading
from assent.conversations.sniff import PDF, sniff
from assent.conversations.store import files as store
from assent.db.database import Database, Db
from assent.errors import Conflict, Invalid, Issue, NotFound, TooLarge, TooMany
from assent.identity.principal import Principal
from assent.ids import new_id
from assent.value import UNSTORABLE
from assent.vault.scrubbing import Scrubbing

UNUSED_FOR = timedelta(days=1)
TOO_LARGE = f"A file may have at most {LARGEST // 1024 // 1024} MiB."
CUT = "\n\n(The file goes on; this is its beginning.)"


async def keep_file(
    database: Database,
    person: Principal,
    *,
    name: str,
    content: bytes,
    scrubbing: Scrubbing,
    reading: PdfReading,
) -> StoredFile:
    """Store what a person has uploaded; until it is sent with a message, for a day."""
    if len(content) > LARGEST:
        raise TooLarge(TOO_LARGE)
    kind = sniff(name, content)
    text = await reading.extract(content) if kind.media_type == PDF else kind.text
    async with database.transaction() as db:
        await store.lock_owner(db, person.tenant_id, person.id)
        await _check_room(db, person)
        scrubber = await scrubbing.load(db, person.tenant_id)
        if kind.text is not None:
            text = scrubber.scrub_text(kind.text)
            content = text.encode()
        elif text is not None:
            text = scrubber.scrub_text(UNSTORABLE.sub("", text))
        file = NewFile(
            id=new_id(),
            name=clean_name(scrubber.scrub_text(name)),
            media_type=kind.media_type,
            width=kind.width,
            height=kind.height,
            content=content,
            extracted=None if text is None else cut_text(text),
        )
        return await store.insert_file(db, person.tenant_id, person.id, file)


def cut_text(text: str) -> str:
    return text if len(text) <= LONGEST_EXTRACT else text[:LONGEST_EXTRACT] + CUT


async def load_content(
    database: Database, person: Principal, file_id: UUID
) -> tuple[StoredFile, bytes]:
    """The file and its bytes, for its owner."""
    async with database.reading() as db:
        file = await store.find_file(db, person.tenant_id, person.id, file_id)
        content = await store.find_content(db, person.tenant_id, person.id, file_id)
    if file is None or content is None:
        raise NotFound
    return file, content


async def remove_file(database: Database, person: Principal, file_id: UUID) -> None:
    """One that was not sent. What a message shows stays with it."""
    async with database.transaction() as db:
        if await store.find_file(db, person.tenant_id, person.id, file_id) is None:
            raise NotFound
        if not await store.delete_unused(db, person.tenant_id, person.id, file_id):
            raise Conflict("This file belongs to a message.")


async def take_file_parts(
    db: Db, person: Principal, file_ids: Sequence[UUID], *, path: str = "message.fileIds"
) -> list[dict[str, Any]]:
    """The parts of a message that these files become; all of them have to be the person's own."""
    if not file_ids:
        return []
    found = await store.take_files(db, person.tenant_id, person.id, file_ids)
    known = {one.id for one in found}
    missing = [Issue(path, f"There is no file {one}.") for one in file_ids if one not in known]
    if missing:
        raise Invalid(missing)
    return [build_file_part(one) for one in found]


async def use_files(db: Db, person: Principal, message_id: UUID, file_ids: Sequence[UUID]) -> None:
    if file_ids:
        await store.use_files(db, person.tenant_id, message_id, file_ids)


async def purge_files(db: Db, tenant_id: UUID) -> None:
    await store.delete_old_unused(db, tenant_id, UNUSED_FOR)


async def _check_room(db: Db, person: Principal) -> None:
    waiting = await store.count_unused(db, person.tenant_id, person.id, within=UNUSED_FOR)
    if waiting >= MOST_UNUSED:
        raise TooMany(
            3600,
            f"{MOST_UNUSED} files wait to be sent with a message. Send or remove some of them.",
        )
