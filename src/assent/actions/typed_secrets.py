"""Secrets that a person types into a card: into the vault, and to the tool as a reference.

They are kept in the transaction that makes the change, or hands it over; what came to nothing keeps
none.
"""

from collections.abc import Mapping
from dataclasses import replace
from uuid import UUID

from assent.actions import store
from assent.actions.means import Means
from assent.actions.proposal import Proposal
from assent.db.database import Db
from assent.errors import Invalid, Issue
from assent.tools.tool import Tool
from assent.vault.secrets import forget_secret, keep_secret

LONGEST = 10_000


async def keep_typed(
    db: Db, means: Means, proposal: Proposal, typed: Mapping[str, str]
) -> Proposal:
    """The proposal with references to what was typed for it.

    Where several people have to assent, the first types; whoever types again takes its place.
    """
    tool = means.find_tool(proposal.change.tool)
    if tool is None or not (tool.shape.secrets or typed):
        return proposal
    if proposal.secrets and not typed:
        return proposal
    check_typed(tool, typed)
    await forget_typed(db, proposal)
    kept: dict[str, UUID] = {}
    for field in tool.shape.secrets:
        kept[field.name] = await keep_secret(
            db,
            means.vault,
            tenant_id=proposal.tenant_id,
            name=f"{tool.name} {field.name}",
            value=typed[field.name],
        )
    await store.set_secrets(db, proposal, {name: str(one) for name, one in kept.items()})
    return replace(proposal, secrets=kept)


def check_typed(tool: Tool, typed: Mapping[str, str]) -> None:
    """Every field and no other, or raise; the complaint never repeats what was typed."""
    wanted = {field.name: field for field in tool.shape.secrets}
    issues = [
        Issue(f"secrets.{name}", "There is no such field.") for name in typed if name not in wanted
    ]
    for name in wanted:
        value = typed.get(name, "")
        if not value.strip():
            issues.append(Issue(f"secrets.{name}", "Type this in."))
        elif len(value) > LONGEST:
            issues.append(Issue(f"secrets.{name}", f"At most {LONGEST:,} characters."))
    if issues:
        raise Invalid(issues)


async def forget_typed(db: Db, proposal: Proposal) -> None:
    for secret_id in proposal.secrets.values():
        await forget_secret(db, tenant_id=proposal.tenant_id, secret_id=secret_id)
