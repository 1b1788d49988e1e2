"""Running a tool's own code: as the principal, in a read-only transaction, no longer than it may.

Called by the door and by what acts after a decision, and by nobody else.
"""

import asyncio
from collections.abc import AsyncGenerator
from contextlib import AbstractAsyncContextManager, asynccontextmanager, nullcontext
from dataclasses import replace
from typing import Any

from pydantic import TypeAdapter

from assent.actions.means import Means
from assent.actions.proposal import Change
from assent.db.database import Db
from assent.errors import Unavailable
from assent.identity.principal import Principal
from assent.plugins.procedure import Context, Occasion, Tell, tell_nobody
from assent.plugins.run import Detached
from assent.tools.json_value import encode_json
from assent.tools.tool import (
    Preview,
    Result,
    Tool,
    check_preview,
    find_effect,
    find_egress,
)
from assent.value import is_storable, strip_unstorable
from assent.vault.scrub.scrubber import Scrubber

_anything: TypeAdapter[Any] = TypeAdapter(Any)


async def execute_read(
    means: Means, tool: Tool, principal: Principal, given: Any, tell: Tell = tell_nobody
) -> Result:
    async with in_time(tool), _reading(means, tool) as db:
        ctx = await means.open_context(db, principal, tool, calls_out=_waits_for_others(tool))
        return await tool.functions.execute(replace(ctx, occasion=Occasion(tell=tell)), given)


async def preview_call(means: Means, tool: Tool, principal: Principal, given: Any) -> Preview:
    """What a call would do. Nothing that the dry run does can stay.

    It may look at a place where a change would be made, and is no way around the decision about a
    read that carries data out.
    """
    async with in_time(tool), _reading(means, tool) as db:
        looks = tool.behaviour.external and tool.behaviour.effect != "read"
        return await dry_run(
            tool, await means.open_context(db, principal, tool, calls_out=looks), given
        )


async def dry_run(tool: Tool, ctx: Context, given: Any) -> Preview:
    """The author's preview; a read that has none is described by its title."""
    if tool.functions.dry_run is None:
        return Preview(summary=tool.title)
    preview = await tool.functions.dry_run(ctx, given)
    check_preview(tool, preview)
    return preview


def build_change(tool: Tool, given: Any, preview: Preview, payload_hash: bytes) -> Change:
    return Change(
        tool=tool.name,
        effect=find_effect(tool, given),
        egress=find_egress(tool, given),
        external=tool.behaviour.external,
        preview=to_json(preview.encode()),
        basis=preview.basis,
        payload_hash=payload_hash,
    )


def project(tool: Tool, result: Result, scrubber: Scrubber) -> Any:
    """A result's value as its author wants models to see it, as plain JSON without secrets."""
    given = tool.functions.project_result
    return scrubber.scrub(to_json(given(result.value) if given else result.value))


def project_parts(result: Result, scrubber: Scrubber) -> tuple[dict[str, Any], ...]:
    """What the page is to show of it, as messages keep it, without secrets."""
    return tuple(scrubber.scrub(to_json(part.encode())) for part in result.parts)


def to_json(value: Any) -> Any:
    """What would be left after a way through JSON and Postgres: no surprise comes later."""
    plain = _anything.dump_python(value, mode="json", by_alias=True)
    return plain if is_storable(encode_json(plain)) else strip_unstorable(plain)


def _reading(means: Means, tool: Tool) -> AbstractAsyncContextManager[Db]:
    """Read-only transactions; what calls out holds no connection while it waits for others."""
    database = means.database
    return nullcontext(Detached(database)) if _waits_for_others(tool) else database.reading()


def _waits_for_others(tool: Tool) -> bool:
    return tool.behaviour.egress or tool.behaviour.external


@asynccontextmanager
async def in_time(tool: Tool) -> AsyncGenerator[None]:
    try:
        async with asyncio.timeout(tool.behaviour.timeout.total_seconds()):
            yield
    except TimeoutError:
        raise Unavailable(f"{tool.name} took too long and was stopped.") from None
