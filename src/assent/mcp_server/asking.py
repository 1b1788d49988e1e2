"""Who asks, through what: all that answering one request needs beside its parameters."""

from dataclasses import dataclass
from typing import TypeAlias

from mcp.server.context import ServerRequestContext

from assent.actions.budget import Taken
from assent.identity.principal import Principal
from assent.mcp_server.parts import McpParts
from assent.plugins.procedure import Tell, tell_nobody


@dataclass(frozen=True, slots=True, kw_only=True)
class Asking:
    """`taken` is for the one call of a tool that a request may be."""

    parts: McpParts
    principal: Principal
    taken: Taken | None = None
    tell: Tell = tell_nobody


Context: TypeAlias = ServerRequestContext[McpParts, Asking]


def read_asking(ctx: Context) -> Asking:
    assert ctx.request is not None  # noqa: S101 - `answer.py` puts it there for every request
    return ctx.request


def name_principal(principal: Principal) -> str:
    """Who asks, and through which consent: what is sealed for one is of no use to others."""
    through = principal.client.id if principal.client else ""
    return f"{principal.tenant_id}/{principal.kind}/{principal.id}/{through}"
