"""Tools of the conformance suite that ask for something before they answer, in several rounds."""

import hashlib
import hmac
import secrets
from typing import Any

from mcp.shared.exceptions import MCPError
from mcp_types import INVALID_PARAMS, CallToolRequestParams, GetPromptRequestParams

from tests.mcp.suite_tools import Context, Run, complete, text

KEY = secrets.token_bytes(32)
MODEL = "sampling/createMessage"


def elicit(message: str, **properties: str) -> dict[str, Any]:
    schema = {
        "type": "object",
        "properties": {name: {"type": kind} for name, kind in properties.items()},
        "required": list(properties),
    }
    params = {"mode": "form", "message": message, "requestedSchema": schema}
    return {"method": "elicitation/create", "params": params}


def sample(said: str) -> dict[str, Any]:
    messages = [{"role": "user", "content": text(said)}]
    return {"method": MODEL, "params": {"messages": messages, "maxTokens": 100}}


ROOTS: dict[str, Any] = {"method": "roots/list", "params": {}}
NAME = {"user_name": elicit("What is your name?", name="string")}
CAPITAL = {"capital_question": sample("What is the capital of France?")}
CONFIRM = {"confirm": elicit("Please confirm", ok="boolean")}
MANY = {**NAME, "greeting": sample("Generate a greeting"), "client_roots": ROOTS}
STEPS = (
    {"step1": elicit("Step 1: What is your name?", name="string")},
    {"step2": elicit("Step 2: What is your favorite color?", color="string")},
)
CONTEXT = {"user_context": elicit("What context should the prompt use?", context="string")}


def require(requests: dict[str, Any], state: str | None = None) -> dict[str, Any]:
    result = {"resultType": "input_required", "inputRequests": requests}
    return result | ({"requestState": seal(state)} if state else {})


def seal(state: str) -> str:
    return f"{state}.{hmac.new(KEY, state.encode(), hashlib.sha256).hexdigest()}"


def unseal(sealed: str | None) -> str | None:
    if sealed is None:
        return None
    state = sealed.partition(".")[0]
    if not hmac.compare_digest(seal(state), sealed):
        raise MCPError(INVALID_PARAMS, "requestState: this was altered.")
    return state


def answered(
    params: CallToolRequestParams | GetPromptRequestParams, wanted: dict[str, Any]
) -> dict[str, Any] | None:
    """What came back for everything that was asked for, or nothing."""
    given = {
        name: one.model_dump(mode="json", by_alias=True)
        for name, one in (params.input_responses or {}).items()
        if name in wanted
    }
    return given if given.keys() == wanted.keys() and all(map(_is_whole, given.values())) else None


def _is_whole(answer: dict[str, Any]) -> bool:
    return answer.get("action", "accept") != "accept" or answer.get("content") != {}


def ask_once(wanted: dict[str, Any], state: str | None = None) -> Run:
    async def run(ctx: Context, params: CallToolRequestParams) -> dict[str, Any]:
        known = unseal(params.request_state)
        given = answered(params, wanted)
        if given is None or known != state:
            return require(wanted, state)
        return complete(text(f"{'state-ok ' if state else ''}{given}"))

    return run


async def ask_twice(ctx: Context, params: CallToolRequestParams) -> dict[str, Any]:
    step = {None: 0, "asked-1": 1, "asked-2": 2}[unseal(params.request_state)]
    if step and answered(params, STEPS[step - 1]) is None:
        step -= 1
    return complete(text("Both.")) if step == 2 else require(STEPS[step], f"asked-{step + 1}")


async def ask_what_it_can(ctx: Context, params: CallToolRequestParams) -> dict[str, Any]:
    can = ctx.session.client_capabilities
    wanted: dict[str, Any] = {}
    if can is not None and can.elicitation is not None:
        wanted |= NAME
    if can is not None and can.sampling is not None:
        wanted |= CAPITAL
    if can is not None and can.roots is not None:
        wanted |= {"client_roots": ROOTS}
    if not wanted or answered(params, wanted) is not None:
        return complete(text("Nothing more to ask."))
    return require(wanted)


ROUNDS: dict[str, Run] = {
    "test_input_required_result_elicitation": ask_once(NAME),
    "test_input_required_result_sampling": ask_once(CAPITAL),
    "test_input_required_result_list_roots": ask_once({"client_roots": ROOTS}),
    "test_input_required_result_request_state": ask_once(CONFIRM, "confirming"),
    "test_input_required_result_multiple_inputs": ask_once(MANY, "many"),
    "test_input_required_result_multi_round": ask_twice,
    "test_input_required_result_tampered_state": ask_once(CONFIRM, "guarded"),
    "test_input_required_result_capabilities": ask_what_it_can,
}
