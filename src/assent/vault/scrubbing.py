"""The scrubber of each tenant, with what its vault holds at this moment.

Values are opened once and kept in memory as an automaton. One short statement tells whether they
are still the tenant's: it is asked before a turn, a call and whatever else is stored.
"""

import logging
from collections.abc import Callable, Iterable
from typing import Any, cast
from urllib.parse import unquote, urlsplit
from uuid import UUID

from pydantic import SecretStr

from assent.db.database import Db
from assent.errors import AssentError, Conflict, Invalid, Issue, SealBroken
from assent.settings import Settings
from assent.vault import store
from assent.vault.scrub.load import load_rules
from assent.vault.scrub.rules import Rules
from assent.vault.scrub.scrubber import Scrubber
from assent.vault.scrub.values import SHORTEST, Values
from assent.vault.secrets import open_secret
from assent.vault.vault import Vault

log = logging.getLogger("assent.vault")


class Scrubbing:
    """Made once by `main`. `own` are secrets of the installation itself."""

    def __init__(self, rules: Rules, vault: Vault, own: Iterable[str] = ()) -> None:
        self._rules = rules
        self._vault = vault
        self._own = frozenset(own)
        self._tenants: dict[UUID, tuple[UUID | None, Scrubber]] = {}
        self._seen = set(self._own)
        self.known = Scrubber(rules, Values(self._own))
        """Hides what this process has ever learned, of whichever tenant: for logs and the like."""

    async def load(self, db: Db, tenant_id: UUID) -> Scrubber:
        version = await store.find_version(db, tenant_id)
        kept = self.recall(tenant_id, version)
        if kept is not None:
            return kept
        values = self._open(tenant_id, await store.list_secrets(db, tenant_id))
        scrubber = Scrubber(self._rules, Values(values | self._own))
        self._tenants[tenant_id] = (version, scrubber)
        self._learn(values)
        return scrubber

    def recall(self, tenant_id: UUID, version: UUID | None) -> Scrubber | None:
        """The one for this version of the tenant's vault, if it is in memory."""
        kept = self._tenants.get(tenant_id)
        return kept[1] if kept is not None and kept[0] == version else None

    def _open(self, tenant_id: UUID, rows: Iterable[tuple[UUID, bytes]]) -> set[str]:
        values: set[str] = set()
        for secret_id, sealed in rows:
            try:
                values.add(open_secret(self._vault, tenant_id, secret_id, sealed))
            except SealBroken:
                log.warning("A secret cannot be opened, so it cannot be looked for: %s", secret_id)
        return {value for value in values if len(value) >= SHORTEST}

    def _learn(self, values: set[str]) -> None:
        if not values <= self._seen:
            self._seen |= values
            self.known = Scrubber(self._rules, Values(self._seen))


def open_scrubbing(settings: Settings, vault: Vault) -> Scrubbing:
    return Scrubbing(load_rules(settings), vault, list_own_secrets(settings))


def build_hiding(settings: Settings) -> Callable[[Any], Any]:
    """For logs, as long as no vault is open."""
    return Scrubber(load_rules(settings), Values(list_own_secrets(settings))).scrub


def list_own_secrets(settings: Settings) -> set[str]:
    """What an operator gave to this installation to keep."""
    found: set[str] = set()
    for name in type(settings).model_fields:
        value: Any = getattr(settings, name)
        given = cast("tuple[Any, ...]", value) if isinstance(value, tuple) else (value,)
        for one in given:
            if isinstance(one, SecretStr):
                found.update(_list_parts(one.get_secret_value()))
    return found


def _list_parts(secret: str) -> Iterable[str]:
    """Of an address, its password: the rest of it is no secret."""
    if "://" not in secret:
        return [secret]
    password = urlsplit(secret).password
    return [password, unquote(password)] if password else []


def hide_in_error(error: AssentError, scrubber: Scrubber) -> None:
    """Errors carry words of tools and providers."""
    error.args = (scrubber.scrub_text(error.message), *error.args[1:])
    if isinstance(error, Conflict | Invalid):
        error.issues = tuple(
            Issue(one.path, scrubber.scrub_text(one.message)) for one in error.issues
        )
