"""What a program calls may need more than it was allowed: then it is told what to ask for.

Said before the call is begun, because the answer is HTTP's and not the protocol's. It is a call all
the same: it counts, and leaves an entry in the audit log.
"""

from typing import Any

from starlette.responses import Response

from assent.actions.budget import take_budget
from assent.actions.proposal import Place
from assent.actions.record import record_call
from assent.audit.entry import hash_arguments
from assent.errors import TooMany
from assent.identity.principal import Principal
from assent.mcp_server.bearer import find_step_up
from assent.mcp_server.message import Asked
from assent.mcp_server.parts import McpParts
from assent.mcp_server.tools import find_tool
from assent.tools.tool import Tool


async def find_more_to_ask(parts: McpParts, principal: Principal, asked: Asked) -> Response | None:
    """Nothing where the program has all that it needs, or where asking would not help."""
    if principal.client is None or asked.method != "tools/call":
        return None
    given = asked.params or {}
    name = given.get("name")
    tool = find_tool(parts.means.loaded.tools, name) if isinstance(name, str) else None
    more = await find_step_up(parts, principal, tool.rules) if tool else None
    if tool is None or more is None:
        return None
    try:
        await take_budget(parts.means.database, principal, parts.means.budget)
    except TooMany:
        return None
    await _record(parts, principal, tool, given.get("arguments"))
    return more


async def _record(parts: McpParts, principal: Principal, tool: Tool, arguments: Any) -> None:
    async with parts.means.database.connection() as db:
        await record_call(
            db,
            principal,
            tool=tool.name,
            effect=tool.behaviour.effect,
            arguments_hash=hash_arguments(arguments or {}),
            place=Place(edge="mcp"),
            status="refused",
        )
