"""Keeping what a read has shown, without secrets, for its own principal and for a day."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import timedelta
from typing import Any
from uuid import UUID

from assent.actions.evidence import store
from assent.actions.run_tool import to_json
from assent.db.database import Db
from assent.errors import PluginError
from assent.identity.principal import Principal
from assent.tools.json_value import encode_json
from assent.tools.tool import Evidence, Result, Tool
from assent.vault.scrub.scrubber import Scrubber

KEPT = timedelta(days=1)
MOST = 100
"""Of one principal; the oldest goes when there is one more."""
LARGEST = 200_000


def read_evidence(tool: Tool, result: Result, scrubber: Scrubber) -> list[Evidence]:
    """As it can be kept; raise PluginError for what is too large."""
    found = [replace(one, shown=scrubber.scrub(to_json(one.shown))) for one in result.evidence]
    if any(len(encode_json(one.shown)) > LARGEST for one in found):
        raise PluginError(f"Tool {tool.name}: evidence shows at most {LARGEST} bytes.")
    return list({(one.kind, one.digest): one for one in found}.values())


async def keep_evidence(db: Db, principal: Principal, kept: Sequence[Evidence]) -> None:
    if not kept:
        return
    await store.upsert_evidence(db, principal.tenant_id, principal.id, kept)
    await store.forget_beyond(db, principal.tenant_id, principal.id, MOST)


async def find_evidence(
    db: Db, principal: Principal, kind: str, digest: str
) -> Mapping[str, Any] | None:
    """What this principal was shown of exactly that, if it is not too long ago."""
    return await store.find_shown(
        db, principal.tenant_id, principal.id, kind=kind, digest=digest, within=KEPT
    )


async def purge_evidence(db: Db, tenant_id: UUID) -> None:
    await store.delete_old(db, tenant_id, KEPT)
