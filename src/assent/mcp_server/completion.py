"""Completing what somebody types: the names of pages."""

from typing import Any

from mcp_types import CompleteRequestParams, ResourceTemplateReference

from assent.context.docs.library import load_library
from assent.mcp_server.asking import Context
from assent.mcp_server.resources import DOCS

MOST = 100
"""The protocol's own limit."""


async def complete(ctx: Context, params: CompleteRequestParams) -> dict[str, Any]:
    """For everything else there is nothing to offer, which is no mistake."""
    names: list[str] = []
    ref, typed = params.ref, params.argument.value.lower()
    if isinstance(ref, ResourceTemplateReference) and ref.uri.startswith(DOCS):
        names = sorted(slug for slug in load_library().pages if slug.startswith(typed))
    found = {"values": names[:MOST], "total": len(names), "hasMore": len(names) > MOST}
    return {"completion": found, "resultType": "complete"}
