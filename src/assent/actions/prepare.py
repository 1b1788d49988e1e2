"""A stored call made ready to run: opened, read again, and checked again for its proposer."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any
from uuid import UUID

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
from assent.value import Value


@dataclass(frozen=True, slots=True, kw_only=True)
class Prepared:
    tool: Tool
    proposer: Principal
    arguments: Mapping[str, Any]
    given: Any


async def prepare(
    db: Db, means: Means, proposal: Proposal, *, loaded: Principal | None = None
) -> Prepared:
    """The proposer's rights are those of this moment, the schema is today's.

    `loaded` is somebody whose rights were read in this transaction: often the proposer.
    """
    tool = means.find_tool(proposal.change.tool)
    if tool is None:
        raise Conflict(f"The tool {proposal.change.tool} is not there any more.")
    proposer = await _load_proposer(db, proposal, loaded)
    check_may_use(tool, proposer, await load_granted_rules(db, proposer, tool.rules))
    arguments = open_payload(means.vault, proposal)
    return Prepared(
        tool=tool,
        proposer=proposer,
        arguments=arguments,
        given=add_secrets(parse_input(tool, arguments), proposal.secrets),
    )


def add_secrets(given: Any, secrets: Mapping[str, UUID]) -> Any:
    """What the tool's functions take, with references to what a person typed for them."""
    if not secrets or not isinstance(given, Value):
        return given
    names = {one.alias or name: name for name, one in type(given).model_fields.items()}
    return given.model_copy(update={names[wire]: one for wire, one in secrets.items()})


async def _load_proposer(db: Db, proposal: Proposal, loaded: Principal | None) -> Principal:
    """Without a session: nothing that runs for a proposer may pass for a person's own hand."""
    actor = proposal.draft.proposer
    if loaded is not None and (loaded.kind, loaded.id) == (actor.kind, actor.id):
        return replace(loaded, session_id=None)
    acting = await find_acting(db, proposal.tenant_id, actor)
    if acting is None:
        raise Forbidden("Whoever proposed this may no longer act.")
    return acting.principal
