"""A proposal's arguments, sealed: they open only for the proposal and the card they belong to."""

import hashlib
import json
from collections.abc import Mapping
from typing import Any

from assent.actions.proposal import Draft, Proposal, encode_basis
from assent.audit.entry import hash_arguments
from assent.errors import Altered, SealBroken
from assent.tools.json_value import encode_json
from assent.vault.vault import Vault

PURPOSE = "proposal"


def seal_payload(vault: Vault, draft: Draft, arguments: Mapping[str, Any]) -> bytes:
    return vault.seal(encode_json(arguments).encode(), purpose=PURPOSE, context=_context(draft))


def open_payload(vault: Vault, proposal: Proposal) -> dict[str, Any]:
    """The arguments; raise if the row was altered in any way that matters."""
    try:
        opened = vault.open(proposal.payload, purpose=PURPOSE, context=_context(proposal.draft))
    except SealBroken:
        raise Altered from None
    arguments = json.loads(opened)
    if hash_arguments(arguments) != proposal.change.payload_hash:
        raise Altered
    return arguments


def _context(draft: Draft) -> str:
    """Everything that must not change unnoticed between the card and its application."""
    change = draft.change
    bound = [
        str(draft.tenant_id),
        str(draft.id),
        change.tool,
        [change.effect, change.egress, change.external],
        [draft.proposer.kind, str(draft.proposer.id), str(draft.owner_id)],
        change.payload_hash.hex(),
        change.preview,
        encode_basis(change.basis),
        *([draft.grounds.provenance] if draft.grounds.provenance else []),
        *([draft.grounds.taint.encode()] if draft.grounds.taint.is_tainted else []),
        *([draft.place.client.encode()] if draft.place.client else []),
    ]
    canonical = json.dumps(bound, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(canonical.encode()).hexdigest()
