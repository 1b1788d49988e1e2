"""Routes for files that people attach: uploaded first, then named in a message."""

from typing import Annotated, Any
from urllib.parse import quote
from uuid import UUID

from fastapi import APIRouter, Path
from starlette.requests import Request
from starlette.responses import Response

from assent.api.multipart import parse_boundary, parse_file
from assent.api.parts import PartsOf
from assent.api.principal import Person
from assent.api.problems import PROBLEM_RESPONSES
from assent.conversations.attach import TOO_LARGE, keep_file, load_content, remove_file
from assent.conversations.file import StoredFile
from assent.conversations.sniff import MEDIA_TYPES
from assent.errors import TooLarge

router = APIRouter(prefix="/api/files", tags=["Files"], responses=PROBLEM_RESPONSES)

FileId = Annotated[UUID, Path(alias="fileId")]
FORM: dict[str, Any] = {
    "requestBody": {
        "required": True,
        "content": {
            "multipart/form-data": {
                "schema": {
                    "type": "object",
                    "properties": {"file": {"type": "string", "format": "binary"}},
                    "required": ["file"],
                }
            }
        },
    }
}
BYTES: dict[int | str, dict[str, Any]] = {
    200: {"content": {one: {} for one in MEDIA_TYPES}, "description": "The file."}
}
SEALED = "default-src 'none'; sandbox"


@router.post("", operation_id="files_upload", status_code=201, openapi_extra=FORM)
async def upload(request: Request, parts: PartsOf, person: Person) -> StoredFile:
    """Upload one file, in the field `file`; its id goes into `fileIds` of a message."""
    boundary = parse_boundary(request.headers.get("content-type", ""))
    try:
        sent = parse_file(await request.body(), boundary)
    except TooLarge:
        raise TooLarge(TOO_LARGE) from None
    return await keep_file(
        parts.database,
        person,
        name=sent.name,
        content=sent.content,
        scrubbing=parts.means.scrubbing,
        reading=parts.pdfs,
    )


@router.get("/{fileId}", operation_id="files_get", response_class=Response, responses=BYTES)
async def download(parts: PartsOf, person: Person, file_id: FileId) -> Response:
    """One's own file. Images are shown, everything else is saved."""
    file, content = await load_content(parts.database, person, file_id)
    return Response(content, media_type=_content_type(file), headers=_describe(file))


@router.delete("/{fileId}", operation_id="files_delete", status_code=204)
async def delete(parts: PartsOf, person: Person, file_id: FileId) -> None:
    """Remove a file that was not sent with a message."""
    await remove_file(parts.database, person, file_id)


def _describe(file: StoredFile) -> dict[str, str]:
    shown = "inline" if file.is_image else "attachment"
    return {
        "content-disposition": f"{shown}; filename*=UTF-8''{quote(file.name, safe='')}",
        "content-security-policy": SEALED,
    }


def _content_type(file: StoredFile) -> str:
    is_text = file.media_type.startswith("text/") or file.media_type == "application/json"
    return f"{file.media_type}; charset=utf-8" if is_text else file.media_type
