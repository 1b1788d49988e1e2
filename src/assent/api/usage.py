"""Routes for what models cost: sums, single calls, and how a tenant's credits stand."""

from datetime import datetime
from decimal import Decimal
from typing import Annotated

from fastapi import APIRouter, Query
from starlette.responses import Response

from assent.api.parts import Parts, PartsOf
from assent.api.principal import Person
from assent.api.problems import PROBLEM_RESPONSES
from assent.identity.principal import Principal, check_rule
from assent.identity.rules import holds
from assent.models.credits import Credits, State, find_reset
from assent.models.store.credits import load_standing
from assent.models.store.usage import list_calls, sum_usage
from assent.models.usage import (
    CallQuery,
    ModelCall,
    Usage,
    UsageQuery,
    add_up,
    find_days,
    merge_currencies,
    write_csv,
)
from assent.plugins.assistant.allowance import READ as READ_CREDITS
from assent.value import (
    Page,
    Value,
    build_page,
    parse_cursor,
    parse_cursor_id,
    parse_cursor_time,
)

router = APIRouter(prefix="/api", tags=["Usage"], responses=PROBLEM_RESPONSES)

READ = "ai.usage.read"


class CreditsNow(Value):
    """How this month's credits stand; amounts are for those who may read them."""

    chat_enabled: bool
    state: State
    percent: int | None
    resets_at: datetime
    credits: Credits | None = None
    used: Decimal | None = None


@router.get("/usage", operation_id="usage_sum")
async def sum_all(parts: PartsOf, person: Person, query: Annotated[UsageQuery, Query()]) -> Usage:
    """Add up what models took on these days (UTC), by day, person, agent, model and so on."""
    return await _sum(parts, person, query)


@router.get(
    "/usage/export",
    operation_id="usage_export",
    response_class=Response,
    responses={200: {"content": {"text/csv": {}}, "description": "The same as a table."}},
)
async def export(parts: PartsOf, person: Person, query: Annotated[UsageQuery, Query()]) -> Response:
    """The same sums as a table (CSV)."""
    usage = await _sum(parts, person, query)
    name = f"usage-{usage.since}-{usage.until}.csv"
    headers = {"content-disposition": f'attachment; filename="{name}"'}
    return Response(write_csv(usage), media_type="text/csv", headers=headers)


@router.get("/usage/calls", operation_id="usage_calls")
async def list_all(
    parts: PartsOf, person: Person, query: Annotated[CallQuery, Query()]
) -> Page[ModelCall]:
    """List the calls of models on these days (UTC), newest first."""
    check_rule(person, READ)
    days = find_days(query, parts.studio.now().date())
    position = parse_cursor(query.cursor, 2)
    before = (parse_cursor_time(position[0]), parse_cursor_id(position[1])) if position else None
    async with parts.database.reading() as db:
        rows = await list_calls(db, person.tenant_id, days, query, before=before)
    return build_page(rows, query.limit, lambda call: (call.started_at.isoformat(), str(call.id)))


@router.get("/credits", operation_id="credits_now")
async def get_credits(parts: PartsOf, person: Person) -> CreditsNow:
    """Tell whether one may chat, and how much of this month's credits is used."""
    async with parts.database.reading() as db:
        standing = await load_standing(db, person.tenant_id)
    sees_amounts = holds(person.rules, READ_CREDITS)
    return CreditsNow(
        chat_enabled=standing.allowance.chat_enabled,
        state=standing.state,
        percent=standing.percent,
        resets_at=find_reset(parts.studio.now()),
        credits=standing.allowance.credits if sees_amounts else None,
        used=standing.used if sees_amounts else None,
    )


async def _sum(parts: Parts, person: Principal, query: UsageQuery) -> Usage:
    check_rule(person, READ)
    days = find_days(query, parts.studio.now().date())
    async with parts.database.reading() as db:
        lines = await sum_usage(db, person.tenant_id, days, group=query.group_by, daily=query.daily)
    return Usage(
        since=days.since, until=days.until, items=merge_currencies(lines), total=add_up(lines)
    )
