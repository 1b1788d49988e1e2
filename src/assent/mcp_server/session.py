"""The session of a client that introduces itself once: sealed, so that any process can read it.

What the client said of itself travels in `Mcp-Session-Id`. Nothing is kept here, and nobody but
the principal to whom it was given can use it.
"""

import base64
import binascii
import json
from dataclasses import dataclass
from typing import Any

from mcp.server.connection import Connection
from mcp_types.version import HANDSHAKE_PROTOCOL_VERSIONS

from assent.identity.principal import Principal
from assent.mcp_server.asking import name_principal
from assent.vault.vault import Vault

SESSION_HEADER = "mcp-session-id"
PURPOSE = "mcp session"
LONGEST = 8192


@dataclass(frozen=True, slots=True)
class Session:
    """The revision that was agreed on, and what the client is and can, as it said so."""

    version: str
    client_info: Any
    capabilities: Any


def seal_session(vault: Vault, principal: Principal, connection: Connection) -> str | None:
    """None for one who says so much of itself that no header could hold it."""
    params = connection.client_params
    if params is None:
        return None
    given = params.model_dump(mode="json", by_alias=True, exclude_none=True)
    told = [connection.protocol_version, given["clientInfo"], given["capabilities"]]
    plain = json.dumps(told, separators=(",", ":")).encode()
    sealed = vault.seal(plain, purpose=PURPOSE, context=name_principal(principal))
    text = _encode(sealed)
    return text if len(text) <= LONGEST else None


def open_session(vault: Vault, principal: Principal, text: str) -> Session | None:
    """None for what was not given to this principal by this installation."""
    try:
        sealed = base64.b64decode(text + "=" * (-len(text) % 4), altchars=b"-_", validate=True)
    except (binascii.Error, ValueError):
        return None
    if _encode(sealed) != text:
        return None
    plain = vault.find_opened(sealed, purpose=PURPOSE, context=name_principal(principal))
    if plain is None:
        return None
    version, client_info, capabilities = json.loads(plain)
    if version not in HANDSHAKE_PROTOCOL_VERSIONS:
        return None
    return Session(version, client_info, capabilities)


def _encode(sealed: bytes) -> str:
    return base64.urlsafe_b64encode(sealed).rstrip(b"=").decode()
