"""What a program calls may need more than it was allowed: then it is told what to ask for.

Said before the call is begun, because the answer is HTTP's and not the protocol's. It is a call all
the same: it counts, and leaves an entry in the audit log.
"""

from collections.abc import Mapping
from typing import Any, cast

from starlette.responses import Response

from assent.actions.admission.admit import Admitted
from assent.actions.call import ToolCall, refuse_call
from assent.actions.proposal import Place
from assent.errors import TooMany
from assent.mcp_server.bearer import find_step_up
from assent.mcp_server.message import Asked
from assent.mcp_server.parts import McpParts
from assent.mcp_server.tools import find_tool


async def find_more_to_ask(parts: McpParts, admitted: Admitted, asked: Asked) -> Response | None:
    """Nothing where the program has all that it needs, or where asking would not help."""
    principal = admitted.principal
    if principal.client is None or asked.method != "tools/call":
        return None
    given = asked.params or {}
    name = given.get("name")
    tool = find_tool(parts.means.loaded.tools, name) if isinstance(name, str) else None
    more = await find_step_up(parts, principal, tool.rules) if tool else None
    if tool is None or more is None:
        return None
    call = ToolCall(
        name=tool.name,
        arguments=_read_arguments(given.get("arguments")),
        principal=principal,
        place=Place(edge="mcp"),
        taken=admitted.taken,
    )
    try:
        await refuse_call(parts.means, call)
    except TooMany:
        return None
    return more


def _read_arguments(given: Any) -> Mapping[str, Any]:
    return cast(Mapping[str, Any], given) if isinstance(given, Mapping) else {}
