"""Procedures for connected programs: a person's consent, and the list of what they connected."""

from typing import Annotated
from uuid import UUID

from pydantic import Field

from assent.errors import MissingRule, NotFound
from assent.identity.oauth import consent
from assent.identity.oauth.connection import Answered, Connection, Consent
from assent.identity.oauth.request import Ask, Terms
from assent.identity.oauth.store import connections as store
from assent.identity.rules import EVERYTHING
from assent.identity.user import Rule
from assent.plugins.administration.declaration import plugin
from assent.plugins.procedure import Context
from assent.value import (
    Page,
    PageQuery,
    Value,
    build_page,
    parse_cursor,
    parse_cursor_id,
    parse_cursor_time,
)


class Allowance(Ask):
    scopes: Annotated[list[Rule], Field(min_length=1, max_length=500)]


class ConnectionQuery(PageQuery):
    everybody: bool = Field(False, description="Everybody's, for admins.")


class ConnectionRef(Value):
    client_id: UUID


@plugin.procedure(rule="identity.program.manage", effect="mutate", route="POST /oauth/consent")
async def ask_consent(ctx: Context, ask: Ask) -> Consent:
    """Tell what a program asks for, under the names that its request has. Keeps nothing."""
    return await consent.describe_consent(ctx.db, ctx.principal, ask, _terms(ctx))


@plugin.procedure(
    rule="identity.program.manage", effect="mutate", route="POST /oauth/consent/allow"
)
async def allow_program(ctx: Context, allowance: Allowance) -> Answered:
    """Connect a program: it gets the chosen scopes, and no more than oneself has."""
    ask = Ask.model_validate(allowance.model_dump(exclude={"scopes"}))
    redirect = await consent.allow(ctx.db, ctx.principal, ask, _terms(ctx), allowance.scopes)
    return Answered(redirect_to=redirect)


@plugin.procedure(rule="identity.program.manage", effect="mutate", route="POST /oauth/consent/deny")
async def deny_program(ctx: Context, ask: Ask) -> Answered:
    """Tell a program that it is not connected."""
    return Answered(redirect_to=await consent.deny(ctx.db, ask, _terms(ctx)))


@plugin.procedure(rule="identity.program.read", effect="read", route="GET /oauth/clients")
async def list_programs(ctx: Context, query: ConnectionQuery) -> Page[Connection]:
    """List connected programs, the newest first: one's own, or everybody's for an admin."""
    if query.everybody and not ctx.principal.is_admin:
        raise MissingRule(EVERYTHING)
    position = parse_cursor(query.cursor, 2)
    before = (parse_cursor_time(position[0]), parse_cursor_id(position[1])) if position else None
    rows = await store.list_connections(
        ctx.db,
        ctx.tenant_id,
        user_id=None if query.everybody else ctx.principal.id,
        before=before,
        limit=query.limit + 1,
    )
    return build_page(rows, query.limit, lambda one: (one.created_at.isoformat(), str(one.id)))


@plugin.procedure(
    rule="identity.program.manage", effect="destructive", route="DELETE /oauth/clients/{client_id}"
)
async def disconnect_program(ctx: Context, ref: ConnectionRef) -> None:
    """Disconnect a program at once: one's own, or anybody's as an admin."""
    owner = None if ctx.principal.is_admin else ctx.principal.id
    if not await store.delete_connection(ctx.db, ctx.tenant_id, ref.client_id, user_id=owner):
        raise NotFound("There is no such connection.")


def _terms(ctx: Context) -> Terms:
    return Terms(
        issuer=ctx.public_url, known=tuple(ctx.known_rules), offered=tuple(ctx.program_rules)
    )
