"""What a client carries from one round of a call to the next: sealed, and good for one more.

Sealing, expiry, and binding to the request and to whoever asks are the SDK's; the key is the
installation's own, so that every process opens what another one sealed.
"""

import base64
import binascii
import json
from dataclasses import dataclass
from datetime import timedelta
from typing import Any, NoReturn
from uuid import UUID

from mcp.server.context import CallNext, HandlerResult, ServerRequestContext
from mcp.server.request_state import (
    InvalidRequestState,
    RequestStateBoundary,
    RequestStateSecurity,
)
from mcp.shared.exceptions import MCPError
from mcp_types import INVALID_PARAMS

from assent.actions.asking.store import is_spent, spend_state
from assent.ids import new_id
from assent.mcp_server.asking import Asking, Context, name_principal, read_asking
from assent.mcp_server.outcome import say_how_to_read
from assent.vault.vault import Vault

PURPOSE = "mcp request state"
AUDIENCE = "assent"
LIFETIME = timedelta(days=1)
"""People take their time. Whoever comes later reads the proposal by its id."""


@dataclass(frozen=True, slots=True)
class State:
    """The proposal that a call has made, and how often was asked about it."""

    id: UUID
    proposal_id: UUID
    rounds: int

    def encode(self) -> str:
        return json.dumps([str(self.id), str(self.proposal_id), self.rounds])


def begin_state(proposal_id: UUID, rounds: int = 0) -> State:
    return State(new_id(), proposal_id, rounds)


def parse_state(text: str) -> State:
    """Of what was sealed here; raise for anything else."""
    try:
        state_id, proposal_id, rounds = json.loads(text)
        return State(UUID(state_id), UUID(proposal_id), int(rounds))
    except (ValueError, TypeError, AttributeError):
        refuse_state()


async def spend(asking: Asking, state: State) -> None:
    """Raise unless it is used for the first time."""
    async with asking.parts.means.database.connection() as db:
        tenant_id = asking.principal.tenant_id
        if not await spend_state(db, tenant_id, state.id, lifetime=LIFETIME):
            _refuse_used(state)


async def check_unused(asking: Asking, state: State) -> None:
    """Before anybody waits with it. That it is used once is for `spend` to say."""
    async with asking.parts.means.database.reading() as db:
        if await is_spent(db, asking.principal.tenant_id, state.id):
            _refuse_used(state)


def _refuse_used(state: State) -> NoReturn:
    """It was theirs, for this very call: whoever lost the answer learns how to read it."""
    raise MCPError(
        INVALID_PARAMS,
        f"This requestState was used before. {say_how_to_read(state.proposal_id)}",
        {"reason": "used_request_state", "proposalId": str(state.proposal_id)},
    )


def refuse_state() -> NoReturn:
    """In the very words with which the SDK refuses: what is wrong with it is nobody's business."""
    raise MCPError(
        INVALID_PARAMS, "Invalid or expired requestState", {"reason": "invalid_request_state"}
    )


async def guard_states(ctx: ServerRequestContext[Any, Any], call_next: CallNext) -> HandlerResult:
    """Handlers see what they sealed, and only from whoever they gave it to."""
    security = RequestStateSecurity(
        codec=VaultCodec(read_asking(ctx).parts.means.vault),
        ttl=LIFETIME.total_seconds(),
        bind_principal=name_asking,
    )
    return await RequestStateBoundary(security, default_audience=AUDIENCE)(ctx, call_next)


def name_asking(ctx: Context) -> str:
    return name_principal(read_asking(ctx).principal)


@dataclass(frozen=True, slots=True)
class VaultCodec:
    """AES-GCM under a key derived from the master key; older keys of the ring still open."""

    vault: Vault

    def seal(self, payload: bytes) -> str:
        sealed = self.vault.seal(payload, purpose=PURPOSE, context=PURPOSE)
        return base64.urlsafe_b64encode(sealed).rstrip(b"=").decode()

    def unseal(self, token: str) -> bytes:
        try:
            padded = token + "=" * (-len(token) % 4)
            sealed = base64.b64decode(padded, altchars=b"-_", validate=True)
        except (binascii.Error, ValueError):
            raise InvalidRequestState("malformed") from None
        opened = self.vault.find_opened(sealed, purpose=PURPOSE, context=PURPOSE)
        if opened is None:
            raise InvalidRequestState("seal")
        return opened
