"""Procedures for applications and their keys: one's own, or everybody's for an admin."""

from datetime import timedelta
from uuid import UUID

from pydantic import Field

from assent.identity import applications
from assent.identity.application import Application, NewKey
from assent.identity.store import applications as store
from assent.identity.user import Rules
from assent.plugins.administration.declaration import plugin
from assent.plugins.procedure import Context
from assent.value import Name, Page, PageQuery, Value, page_by_name, position_by_name


class ApplicationRef(Value):
    application_id: UUID


class ApplicationDraft(Value):
    name: Name
    rules: Rules


class KeyDraft(ApplicationRef):
    expires_in_days: int | None = Field(None, ge=1, le=3650)


class KeyRef(ApplicationRef):
    key_id: UUID


@plugin.procedure(
    rule="identity.application.read",
    effect="read",
    route="GET /applications",
    tenant_wide=True,
)
async def list_applications(ctx: Context, query: PageQuery) -> Page[Application]:
    """List applications with their keys, by name."""
    rows = await store.list_applications(
        ctx.db,
        ctx.tenant_id,
        owner_id=None if ctx.principal.is_admin else ctx.principal.id,
        after=position_by_name(query),
        limit=query.limit + 1,
    )
    return page_by_name(rows, query)


@plugin.procedure(
    rule="identity.application.manage",
    effect="mutate",
    route="POST /applications",
    tenant_wide=True,
)
async def add_application(ctx: Context, draft: ApplicationDraft) -> Application:
    """Add an application. Its rules must be among one's own."""
    return await applications.add_application(
        ctx.db, ctx.principal, name=draft.name, rules=draft.rules, known=ctx.known_rules
    )


@plugin.procedure(
    rule="identity.application.manage",
    effect="destructive",
    route="DELETE /applications/{application_id}",
    tenant_wide=True,
)
async def delete_application(ctx: Context, ref: ApplicationRef) -> None:
    """Delete an application; its keys stop working."""
    await applications.remove_application(ctx.db, ctx.principal, ref.application_id)


@plugin.procedure(
    rule="identity.application.manage",
    effect="mutate",
    route="POST /applications/{application_id}/keys",
    tenant_wide=True,
)
async def add_key(ctx: Context, draft: KeyDraft) -> NewKey:
    """Make a key. The answer shows it, this one time."""
    days = draft.expires_in_days
    return await applications.add_key(
        ctx.db,
        ctx.principal,
        draft.application_id,
        lifetime=timedelta(days=days) if days else None,
    )


@plugin.procedure(
    rule="identity.application.manage",
    effect="destructive",
    route="DELETE /applications/{application_id}/keys/{key_id}",
    tenant_wide=True,
)
async def revoke_key(ctx: Context, ref: KeyRef) -> None:
    """Revoke a key at once."""
    await applications.revoke_key(ctx.db, ctx.principal, ref.application_id, ref.key_id)
