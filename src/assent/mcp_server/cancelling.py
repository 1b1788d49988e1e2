"""Giving up a call that its client no longer wants, in whichever process it runs.

Older clients say so with a notification, which may come to another process than the call did.
Newer ones close the connection on which they wait (`departure.py`). A request is known by its
session and its number: nobody can name one of somebody else's.
"""

import hashlib
import json
from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from uuid import UUID

from mcp.shared.jsonrpc_dispatcher import cancelled_request_id_from_params
from mcp_types import RequestId

from assent.identity.principal import Principal
from assent.mcp_server.asking import name_principal
from assent.mcp_server.message import Told
from assent.mcp_server.parts import McpParts
from assent.work.announce import News, announce

CANCELLED = "notifications/cancelled"


def attending(
    parts: McpParts,
    principal: Principal,
    session: str | None,
    request_id: RequestId,
    *,
    give_up: Callable[[], None],
) -> AbstractContextManager[None]:
    """While the body runs, the client can have it given up; without a session nobody can."""
    if session is None:
        return nullcontext()
    return parts.means.hearing.attending(_name_call(principal, session, request_id), give_up)


async def take_note(parts: McpParts, principal: Principal, session: str | None, told: Told) -> None:
    """Of a notification. One that comes too late, or about nothing, is no fault."""
    request_id = cancelled_request_id_from_params(told.params)
    if told.method != CANCELLED or session is None or request_id is None:
        return
    news = _name_call(principal, session, request_id)
    if not parts.means.hearing.tell(news):
        async with parts.means.database.connection() as db:
            await announce(db, news)


def _name_call(principal: Principal, session: str, request_id: RequestId) -> News:
    named = json.dumps([name_principal(principal), session, request_id])
    digest = hashlib.sha256(named.encode()).digest()
    return News(principal.tenant_id, "call", UUID(bytes=digest[:16]))
