"""A stored call made ready to run: opened, read again, and checked again for its proposer."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from assent.actions.means import Means
from assent.actions.payload import open_payload
from assent.actions.proposal import Proposal
from assent.db.database import Db
from assent.errors import Conflict, Forbidden
from assent.identity.access import load_granted_rules
from assent.identity.authenticate import find_acting
from assent.identity.principal import Principal
from assent.tools.registry import check_may_use
from assent.tools.schema import parse_input
from assent.tools.tool import Tool


@dataclass(frozen=True, slots=True, kw_only=True)
class Prepared:
    tool: Tool
    proposer: Principal
    arguments: Mapping[str, Any]
    given: Any


async def prepare(db: Db, means: Means, proposal: Proposal) -> Prepared:
    """The proposer's rights are those of this moment, the schema is today's."""
    tool = means.find_tool(proposal.change.tool)
    if tool is None:
        raise Conflict(f"The tool {proposal.change.tool} is not there any more.")
    acting = await find_acting(db, proposal.tenant_id, proposal.draft.proposer)
    if acting is None:
        raise Forbidden("Whoever proposed this may no longer act.")
    check_may_use(tool, acting.principal, await load_granted_rules(db, acting.principal))
    arguments = open_payload(means.vault, proposal)
    return Prepared(
        tool=tool,
        proposer=acting.principal,
        arguments=arguments,
        given=parse_input(tool, arguments),
    )
