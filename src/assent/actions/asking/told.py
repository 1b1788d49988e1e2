"""What whoever asked for a change is told became of it. Pure.

The words are for a model that cannot see the card; the fields beside them are for programs.
"""

from collections.abc import Mapping
from typing import Any

from assent.actions.proposal import Proposal, State

READ_PROPOSAL = "ai.readProposal"
"""The tool that tells it."""
OPEN: frozenset[State] = frozenset({"proposed", "outcome_unknown"})
"""What a person can still say something about."""
UNDECIDED: frozenset[State | None] = frozenset({"proposed", "applying"})
"""What is not over: whoever asked has to wait."""

SENTENCES: Mapping[State, str] = {
    "proposed": "Nothing was changed yet: it waits for a person to decide.",
    "applying": "A person has assented, and the change is under way.",
    "applied": "A person has assented, and the change was made.",
    "failed": "A person has assented, but the change failed.",
    "outcome_unknown": (
        "The change was begun, and what became of it is not known. A person has to find out; "
        "do not ask for it again before."
    ),
    "declined": "A person has declined this, and nothing was changed.",
    "expired": "Nobody decided in time, and nothing was changed.",
    "voided": "It was withdrawn, and nothing was changed.",
    "superseded": "Another proposal has taken its place.",
}


def tell_of(proposal: Proposal, *, url: str, given: int = 0, missing: int = 0) -> dict[str, Any]:
    """`url` is the page to decide on; `given` and `missing` count assents, for approval rules.

    What has nothing to say is left out.
    """
    state = proposal.present_state
    outcome = proposal.outcome
    waits = state == "proposed"
    told = {
        "proposalId": str(proposal.id),
        "tool": proposal.change.tool,
        "summary": proposal.change.preview["summary"],
        "state": state,
        "meaning": _explain(proposal, given, missing),
        "approvals": {"given": given, "missing": missing} if waits and missing else None,
        "url": url if state in OPEN else None,
        "expiresAt": proposal.expires_at.isoformat() if waits else None,
        "result": outcome.result if state == "applied" else None,
        "error": outcome.error,
        "reason": outcome.note if state == "declined" else None,
        "supersedes": str(proposal.draft.supersedes) if proposal.draft.supersedes else None,
    }
    return {name: value for name, value in told.items() if value is not None}


def _explain(proposal: Proposal, given: int, missing: int) -> str:
    state = proposal.present_state
    if state == "proposed" and given and missing:
        people = "one more person has" if missing == 1 else f"{missing} more people have"
        return f"Nothing was changed yet: {given} assented, and {people} to."
    return SENTENCES[state]
