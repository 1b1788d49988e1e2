"""Reading what became of a proposal, as whoever asked for it, or may see it, is told."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from assent.actions import store
from assent.actions.approvals.weigh import weigh
from assent.actions.asking.told import tell_of
from assent.actions.decide import load_visible
from assent.actions.means import Means, Sight
from assent.actions.proposal import Proposal, State
from assent.db.database import Db
from assent.errors import NotFound
from assent.identity.access import load_granted_rules
from assent.identity.principal import Principal
from assent.plugins.load import Loaded
from assent.tools.clamp import clamp, find_budget
from assent.tools.registry import find_missing_rule
from assent.tools.tool import Tool
from assent.vault.vault import Vault

MOST_SUCCESSORS = 100


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """Made once by `main`. `public_url` is where people decide."""

    loaded: Loaded
    vault: Vault
    public_url: str

    def find_tool(self, name: str) -> Tool | None:
        return self.loaded.tools.find(name)

    async def __call__(self, db: Db, principal: Principal, proposal_id: UUID) -> Mapping[str, Any]:
        return await _tell(db, self, principal, proposal_id, self.public_url)


async def tell_asking(
    means: Means, principal: Principal, proposal_id: UUID, *, public_url: str
) -> dict[str, Any]:
    """For the answer to the very call that asked: without secrets, and cut to size."""
    async with means.database.reading() as db:
        told = await _tell(db, means, principal, proposal_id, public_url)
        scrubber = await means.scrubbing.load(db, principal.tenant_id)
    return clamp(scrubber.scrub(told), find_budget(None)).value


async def find_state(means: Means, principal: Principal, proposal_id: UUID) -> State | None:
    """How it stands at this moment, and nothing more: cheap enough to be looked at often."""
    async with means.database.reading() as db:
        proposal = await store.find_proposal(db, principal.tenant_id, proposal_id)
    return proposal.present_state if proposal else None


async def _load(db: Db, sight: Sight, principal: Principal, proposal_id: UUID) -> Proposal:
    """The proposal, or the newest that took its place. What is not theirs is not there.

    A program that acts for a person sees what it asked for itself, and of the rest what it may use.
    """
    proposal = await load_visible(db, sight, principal, proposal_id)
    await _check_program(db, sight, principal, proposal)
    for _ in range(MOST_SUCCESSORS):
        successor = proposal.outcome.superseded_by
        found = await store.find_proposal(db, principal.tenant_id, successor) if successor else None
        if found is None:
            break
        proposal = found
    return proposal


async def _tell(
    db: Db, sight: Sight, principal: Principal, proposal_id: UUID, public_url: str
) -> dict[str, Any]:
    proposal = await _load(db, sight, principal, proposal_id)
    approvals = None
    if proposal.present_state == "proposed":
        approvals = await weigh(db, sight, proposal, principal)
    return tell_of(
        proposal,
        url=f"{public_url}/decide/{proposal.id}",
        given=len(approvals.valid) if approvals else 0,
        missing=approvals.missing if approvals else 0,
    )


async def _check_program(db: Db, sight: Sight, principal: Principal, proposal: Proposal) -> None:
    if principal.client is None:
        return
    asking = proposal.draft.place.client
    if asking is not None and asking.connection_id == principal.client.id:
        return
    tool = sight.find_tool(proposal.change.tool)
    granted = await load_granted_rules(db, principal, tool.rules if tool else ())
    if tool is None or find_missing_rule(tool, principal, granted) is not None:
        raise NotFound
