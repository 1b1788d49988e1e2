"""Procedures for reading the audit log."""

from pydantic import Field

from assent.audit import listing, store
from assent.audit.listing import AuditEntry, AuditStatus
from assent.plugins.administration.declaration import plugin
from assent.plugins.procedure import Context
from assent.tools.dates import Moment
from assent.value import (
    Nothing,
    Page,
    PageQuery,
    build_page,
    parse_cursor,
    parse_cursor_id,
    parse_cursor_time,
)

COUNTED = 10_000


class AuditFilter(listing.AuditFilter):
    since: Moment | None = Field(None, description="From this moment on.")
    until: Moment | None = Field(None, description="Before this moment.")


class AuditQuery(AuditFilter, PageQuery):
    pass


@plugin.procedure(rule="audit.entry.read", effect="read", route="GET /audit", tenant_wide=True)
async def list_audit_entries(ctx: Context, query: AuditQuery) -> Page[AuditEntry]:
    """List what happened, newest first."""
    position = parse_cursor(query.cursor, 2)
    before = (parse_cursor_time(position[0]), parse_cursor_id(position[1])) if position else None
    rows = await store.list_entries(
        ctx.db, ctx.tenant_id, query, before=before, limit=query.limit + 1
    )
    return build_page(rows, query.limit, _find_position)


@plugin.procedure(
    rule="audit.entry.read", effect="read", route="GET /audit/status", tenant_wide=True
)
async def get_audit_status(ctx: Context, _nothing: Nothing) -> AuditStatus:
    """Tell how far the audit log is sealed."""
    return await store.load_status(ctx.db, ctx.tenant_id, most=COUNTED)


def _find_position(entry: AuditEntry) -> tuple[str, ...]:
    return entry.occurred_at.isoformat(), str(entry.id)
