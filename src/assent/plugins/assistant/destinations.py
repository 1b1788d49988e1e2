"""Procedures for allowed destinations: where tools send data without a card."""

from uuid import UUID

from assent.errors import Conflict, DestinationRefused, Invalid, NotFound
from assent.ids import new_id
from assent.net import store
from assent.net.destination import Destination, DestinationDraft
from assent.net.url import parse_url
from assent.plugins.assistant.declaration import plugin
from assent.plugins.procedure import Context
from assent.value import Nothing, Page, Value

READ, MANAGE = "ai.egress.read", "ai.egress.manage"
MOST = 1000


class DestinationRef(Value):
    destination_id: UUID


@plugin.procedure(rule=READ, effect="read", route="GET /admin/destinations", tenant_wide=True)
async def list_destinations(ctx: Context, _nothing: Nothing) -> Page[Destination]:
    """List where tools may send data without a card."""
    found = await store.list_destinations(ctx.db, ctx.tenant_id, limit=MOST)
    return Page[Destination](items=found)


@plugin.procedure(rule=MANAGE, effect="mutate", route="POST /admin/destinations", tenant_wide=True)
async def allow_destination(ctx: Context, draft: DestinationDraft) -> Destination:
    """Let tools, or one tool, send data to an origin without a card."""
    if await store.count_destinations(ctx.db, ctx.tenant_id) >= MOST:
        raise Conflict.at("origin", f"There can be {MOST} destinations at the most.")
    wanted = Destination(
        id=new_id(),
        origin=_read_origin(ctx, draft.origin.strip()),
        tool=draft.tool,
        note=draft.note.strip(),
        added_by_name=ctx.principal.name,
        added_at=ctx.now,
    )
    added = await store.insert_destination(ctx.db, ctx.tenant_id, wanted, added_by=ctx.principal.id)
    if added is None:
        raise Conflict.at("origin", "This is allowed already.")
    return added


@plugin.procedure(
    rule=MANAGE,
    effect="destructive",
    route="DELETE /admin/destinations/{destination_id}",
    tenant_wide=True,
)
async def forbid_destination(ctx: Context, given: DestinationRef) -> None:
    """Let a card decide again about what goes there."""
    if not await store.delete_destination(ctx.db, ctx.tenant_id, given.destination_id):
        raise NotFound


def _read_origin(ctx: Context, text: str) -> str:
    """Scheme, host and port; what can never be reached is not worth allowing."""
    try:
        target = parse_url(text)
        if target.path != "/" or text.endswith(("?", "#")):
            raise DestinationRefused("Give scheme, host and port alone, without a path.")
        ctx.http.check(text)
    except DestinationRefused as error:
        raise Invalid.at("origin", error.message) from None
    return target.origin
