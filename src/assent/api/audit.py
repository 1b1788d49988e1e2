"""Routes that check the audit log and take it away: verification, a table, the sealed log."""

from collections.abc import AsyncGenerator
from datetime import datetime
from typing import Annotated, Any, TypeAlias
from uuid import UUID

from fastapi import APIRouter, Query
from starlette.responses import Response, StreamingResponse

from assent.api.parts import Parts, PartsOf
from assent.api.principal import Caller
from assent.api.problems import PROBLEM_RESPONSES
from assent.audit.export import read_sealed
from assent.audit.lines import encode_line
from assent.audit.listing import VerifiedStretch
from assent.audit.signing import Signing, Trust
from assent.audit.store import list_entries
from assent.audit.survey import verify_stretch
from assent.audit.table import write_heading, write_rows
from assent.identity.principal import check_rule
from assent.identity.store.tenants import load_tenant
from assent.plugins.administration.audit import AuditFilter, Moment
from assent.plugins.run import Detached

router = APIRouter(prefix="/api/audit", tags=["Audit log"], responses=PROBLEM_RESPONSES)

READ = "audit.entry.read"
LAST_POSITION = 2**63 - 1
PAGE = 500
Answers: TypeAlias = dict[int | str, dict[str, Any]]
TABLE: Answers = {200: {"content": {"text/csv": {}}, "description": "The entries as a table."}}
LOG: Answers = {200: {"content": {"application/jsonl": {}}, "description": "Object by object."}}


@router.get("/verify", operation_id="audit_verify")
async def verify(
    parts: PartsOf, caller: Caller, after: Annotated[int, Query(ge=0, le=LAST_POSITION)] = 0
) -> VerifiedStretch:
    """Check a stretch of the sealed log; `nextAfter` leads on to the next one."""
    check_rule(caller, READ)
    trust = Trust(_signing(parts).list_public_keys())
    return await verify_stretch(parts.database, caller.tenant_id, trust, after=after)


@router.get(
    "/export", operation_id="audit_export", response_class=StreamingResponse, responses=TABLE
)
async def export(
    parts: PartsOf, caller: Caller, query: Annotated[AuditFilter, Query()]
) -> Response:
    """The entries as a table (CSV), newest first, narrowed like the list."""
    check_rule(caller, READ)
    return _download(_write_table(parts, caller.tenant_id, query), "audit.csv", "text/csv")


@router.get("/log", operation_id="audit_log", response_class=StreamingResponse, responses=LOG)
async def download_log(
    parts: PartsOf, caller: Caller, since: Annotated[Moment | None, Query()] = None
) -> Response:
    """What is sealed of the log, for `assent audit verify`: all of it, or since a moment."""
    check_rule(caller, READ)
    async with parts.database.reading() as db:
        name = (await load_tenant(db, caller.tenant_id)).slug
    pieces = _write_log(parts, caller.tenant_id, name, since)
    return _download(pieces, f"audit-{name}.jsonl", "application/jsonl")


def _signing(parts: Parts) -> Signing:
    return Signing(parts.means.vault.keys.ring)


def _download(pieces: AsyncGenerator[str], name: str, media_type: str) -> Response:
    headers = {"content-disposition": f'attachment; filename="{name}"'}
    return StreamingResponse(pieces, media_type=media_type, headers=headers)


async def _write_table(parts: Parts, tenant_id: UUID, query: AuditFilter) -> AsyncGenerator[str]:
    """Page by page: nothing is held while a slow reader reads."""
    before: tuple[datetime, UUID] | None = None
    yield write_heading()
    while True:
        async with parts.database.reading() as db:
            entries = await list_entries(db, tenant_id, query, before=before, limit=PAGE)
        yield write_rows(entries)
        if len(entries) < PAGE:
            return
        before = entries[-1].occurred_at, entries[-1].id


async def _write_log(
    parts: Parts, tenant_id: UUID, name: str, since: datetime | None
) -> AsyncGenerator[str]:
    keys = _signing(parts).list_public_keys()
    db = Detached(parts.database)
    async for item in read_sealed(db, tenant_id, name, keys=keys, since=since):
        yield f"{encode_line(item)}\n"
