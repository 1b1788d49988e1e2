"""A proposal as the answer to a call: in words for the model, in fields for the program. Pure."""

from collections.abc import Mapping
from typing import Any
from uuid import UUID

from mcp_types import ElicitRequest, ElicitRequestURLParams, InputRequiredResult

from assent.actions.asking.told import READ_PROPOSAL, UNDECIDED
from assent.tools.json_value import encode_json

DECISION = "decision"
"""The name of the one thing that is asked for."""
FRUITLESS = frozenset({"failed", "outcome_unknown", "declined", "expired", "voided"})
"""What was asked for is not there: a program that reads no words should notice."""


def build_result(told: Mapping[str, Any]) -> dict[str, Any]:
    return {
        "content": [
            {"type": "text", "text": _say(told)},
            {"type": "text", "text": encode_json(told)},
        ],
        "structuredContent": dict(told),
        "isError": told["state"] in FRUITLESS,
        "resultType": "complete",
    }


def build_question(told: Mapping[str, Any], state: str) -> dict[str, Any]:
    """A person is asked to open the page; the call is made again, with the state, afterwards."""
    question = ElicitRequestURLParams(message=_invite(told), url=told["url"])
    asked = InputRequiredResult(
        input_requests={DECISION: ElicitRequest(params=question)}, request_state=state
    )
    return asked.model_dump(by_alias=True, mode="json", exclude_none=True)


def build_referral(told: Mapping[str, Any]) -> ElicitRequestURLParams:
    """The same for clients that carry nothing along: the same call again has the outcome."""
    return ElicitRequestURLParams(
        message=_invite(told), url=told["url"], elicitation_id=told["proposalId"]
    )


def say_how_to_read(proposal_id: UUID) -> str:
    call = f'{READ_PROPOSAL} {{"proposalId": "{proposal_id}"}}'
    return f"Read what became of the proposal with {call}; do not ask for the same again."


def find_proposal_id(told: Mapping[str, Any]) -> UUID:
    return UUID(told["proposalId"])


def _invite(told: Mapping[str, Any]) -> str:
    return (
        f"{told['summary']}\n\n{told['meaning']} The page shows all of it: assent or decline there."
    )


def _say(told: Mapping[str, Any]) -> str:
    said = [told["meaning"]]
    if "reason" in told:
        said.append(f"The reason: {told['reason']}")
    if "error" in told:
        said.append(told["error"]["message"])
    if told["state"] == "proposed":
        said.append(f"Ask the person to decide at {told['url']}.")
    if told["state"] in UNDECIDED:
        said.append(say_how_to_read(find_proposal_id(told)))
    return " ".join(said)
