"""Sealed sessions: whose they are, and what opens as none."""

from dataclasses import replace
from uuid import UUID

import pytest
from mcp.server.connection import Connection
from mcp_types import ClientCapabilities, Implementation, InitializeRequestParams

from assent.identity.principal import Client, Principal
from assent.mcp_server.session import LONGEST, open_session, seal_session
from assent.vault.keys import KeyRing
from assent.vault.master_key import KeySource, new_master_key
from assent.vault.vault import Vault

ANN = Principal(kind="user", id=UUID(int=1), tenant_id=UUID(int=2), name="Ann")
CLAUDE = Client(id=UUID(int=3), name="Claude", scopes=frozenset())
OTHERS = [
    replace(ANN, id=UUID(int=9)),
    replace(ANN, tenant_id=UUID(int=9)),
    replace(ANN, kind="application"),
    replace(ANN, client=CLAUDE),
]


def make_vault() -> Vault:
    return Vault(KeySource(KeyRing(new_master_key(), ()), None))


def meet(name: str = "plain", version: str = "2025-06-18") -> Connection:
    connection = Connection.from_envelope(version, None, None)
    connection.client_params = InitializeRequestParams(
        protocol_version=version,
        capabilities=ClientCapabilities.model_validate({"elicitation": {"url": {}}}),
        client_info=Implementation(name=name, version="1"),
    )
    return connection


def test_opens_for_whom_it_was_sealed() -> None:
    vault = make_vault()
    sealed = seal_session(vault, ANN, meet())
    assert sealed is not None
    session = open_session(vault, ANN, sealed)
    assert session is not None
    assert (session.version, session.client_info["name"]) == ("2025-06-18", "plain")
    assert session.capabilities == {"elicitation": {"url": {}}}
    assert all(open_session(vault, other, sealed) is None for other in OTHERS)
    assert open_session(make_vault(), ANN, sealed) is None
    assert vault.failures == 0


@pytest.mark.parametrize("place", [0, 1, 9, 21, 30, -1])
def test_any_other_bit_opens_nothing(place: int) -> None:
    vault = make_vault()
    sealed = seal_session(vault, ANN, meet())
    assert sealed is not None
    letter = "A" if sealed[place] != "A" else "B"
    altered = [*sealed]
    altered[place] = letter
    assert open_session(vault, ANN, "".join(altered)) is None


@pytest.mark.parametrize("text", ["", "x", "é", "A", "====", "AQ", "A" * 9000])
def test_what_was_made_up_opens_nothing(text: str) -> None:
    assert open_session(make_vault(), ANN, text) is None


def test_who_says_too_much_gets_none() -> None:
    assert seal_session(make_vault(), ANN, meet(name="x" * LONGEST)) is None
    assert (
        seal_session(make_vault(), ANN, Connection.from_envelope("2025-11-25", None, None)) is None
    )
