"""The cards of messages that are copied: what became of each, and nothing to decide. Pure."""

from collections.abc import Iterable, Mapping
from typing import Any
from uuid import UUID

from assent.actions.proposal import Proposal
from assent.runs.transcript import Part

CARDS = frozenset({"data-proposal", "data-applied"})
NOT_CARRIED_OVER = "not_carried_over"
"""It waited when the conversation was branched: whoever wants it asks for it again."""


def list_card_ids(parts: Iterable[Part]) -> list[UUID]:
    return [UUID(part["data"]["proposalId"]) for part in parts if part["type"] in CARDS]


def settle_parts(parts: Iterable[Part], proposals: Mapping[UUID, Proposal]) -> list[Part]:
    """A card becomes a receipt; what the model was told of the call says how it ended."""
    return [_settle(part, proposals) for part in parts]


def describe_end(proposal: Proposal | None) -> str:
    if proposal is None or proposal.present_state in ("proposed", "applying"):
        return NOT_CARRIED_OVER
    return proposal.present_state


def _settle(part: Part, proposals: Mapping[UUID, Proposal]) -> Part:
    if part["type"] in CARDS:
        data: dict[str, Any] = part["data"]
        state = describe_end(proposals.get(UUID(data["proposalId"])))
        kept = {name: data[name] for name in ("tool", "effect", "summary") if name in data}
        return {"type": "data-receipt", "id": part["id"], "data": {**kept, "state": state}}
    output: Any = part.get("output")
    if part["type"] == "dynamic-tool" and isinstance(output, dict) and "proposalId" in output:
        found: dict[str, Any] = {**output}
        proposal = proposals.get(UUID(str(found.pop("proposalId"))))
        return {**part, "output": {**found, "status": describe_end(proposal)}}
    return part
