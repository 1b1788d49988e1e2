"""What would take a change back, worked out when it is made (SPEC P14).

A change never fails because of this: without a plan it just cannot be undone with a button.
"""

import asyncio
import hashlib
import json
import logging
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from assent.actions.means import Means
from assent.actions.prepare import Prepared
from assent.actions.proposal import Proposal, encode_basis
from assent.actions.rehearse import rehearse
from assent.actions.run_tool import preview_call, to_json
from assent.actions.undoing import store
from assent.actions.undoing.store import StoredPlan
from assent.db.database import Db, savepoint
from assent.errors import Altered, SealBroken
from assent.plugins.run import Quiet
from assent.tools.json_value import encode_json
from assent.tools.schema import parse_input
from assent.tools.tool import Basis, Result, Tool
from assent.vault.vault import Vault

PURPOSE = "undo"
LONGEST_SECONDS = 5

log = logging.getLogger("assent.actions")


@dataclass(frozen=True, slots=True)
class Plan:
    tool: str
    arguments: Mapping[str, Any]
    basis: tuple[Basis, ...]


@dataclass(frozen=True, slots=True)
class _Inverse:
    tool: Tool
    arguments: Mapping[str, Any]
    given: Any


async def keep_plan(
    db: Db, means: Means, proposal: Proposal, prepared: Prepared, result: Result
) -> None:
    """In the transaction that makes the change: it rests on what is there right after it."""
    plan = None
    try:
        inverse = _find_inverse(means, prepared, result)
        # What is not external has no way out in its dry run, also where its call carries data out.
        if inverse is not None and not inverse.tool.behaviour.external:
            async with asyncio.timeout(LONGEST_SECONDS), savepoint(db):
                ctx = await means.open_context(Quiet(db), prepared.proposer, inverse.tool)
                preview = await rehearse(db, inverse.tool, ctx, inverse.given)
            plan = Plan(inverse.tool.name, inverse.arguments, preview.basis)
    except Exception:
        log.warning("%s cannot be undone.", proposal.change.tool, exc_info=True)
    if plan is not None:
        await store_plan(db, means.vault, proposal, plan)


async def plan_outside(means: Means, prepared: Prepared, result: Result) -> Plan | None:
    """After a change outside: in no transaction, because the dry run may call out too."""
    try:
        inverse = _find_inverse(means, prepared, result)
        if inverse is None:
            return None
        async with asyncio.timeout(LONGEST_SECONDS):
            preview = await preview_call(means, inverse.tool, prepared.proposer, inverse.given)
    except Exception:
        log.warning("%s cannot be undone.", prepared.tool.name, exc_info=True)
        return None
    return Plan(inverse.tool.name, inverse.arguments, preview.basis)


async def store_plan(db: Db, vault: Vault, proposal: Proposal, plan: Plan) -> None:
    context = _context(proposal.tenant_id, proposal.id, plan.tool, plan.basis)
    sealed = vault.seal(encode_json(plan.arguments).encode(), purpose=PURPOSE, context=context)
    stored = StoredPlan(plan.tool, sealed, plan.basis)
    await store.insert_plan(db, proposal.tenant_id, proposal.id, stored)


async def load_plan(db: Db, vault: Vault, proposal: Proposal) -> Plan | None:
    """Raise if what was kept is not what was found then."""
    stored = await store.find_plan(db, proposal.tenant_id, proposal.id)
    if stored is None:
        return None
    context = _context(proposal.tenant_id, proposal.id, stored.tool, stored.basis)
    try:
        opened = vault.open(stored.payload, purpose=PURPOSE, context=context)
    except SealBroken:
        raise Altered from None
    return Plan(stored.tool, json.loads(opened), stored.basis)


def _find_inverse(means: Means, prepared: Prepared, result: Result) -> _Inverse | None:
    declared = prepared.tool.functions.inverse
    inverse = declared(prepared.given, result.value) if declared else None
    tool = means.find_tool(inverse.tool) if inverse else None
    if inverse is None or tool is None:
        return None
    arguments = to_json(inverse.arguments)
    return _Inverse(tool, arguments, parse_input(tool, arguments))


def _context(tenant_id: UUID, proposal_id: UUID, tool: str, basis: tuple[Basis, ...]) -> str:
    bound = [str(tenant_id), str(proposal_id), tool, encode_basis(basis)]
    return hashlib.sha256(json.dumps(bound, separators=(",", ":")).encode()).hexdigest()
