"""From a choice to a model that answers: the provider's client with its key, metered, or the demo.

Also what is found without any configuration: a key in the environment, a local Ollama.
"""

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass
from urllib.parse import urlsplit

from assent.db.database import Database
from assent.errors import ModelError
from assent.identity.principal import Principal
from assent.models.cap import Spender
from assent.models.http import Session, Timeouts
from assent.models.integration import LOCAL_ID, Chosen, Family, Integration
from assent.models.meter import Metered
from assent.models.model import Model
from assent.models.openai_request import GENERIC, OPENAI, Dialect
from assent.models.openai_wire import OpenAiWire
from assent.models.retry import Bounded, with_retries
from assent.models.store import integrations as store
from assent.models.watch import DEMO, Watch, name_provider
from assent.settings import Settings
from assent.telemetry.telemetry import Telemetry
from assent.vault.secrets import reveal_secret
from assent.vault.vault import Vault

LOOK_SECONDS = 0.5
OFFICIAL = "api.openai.com"
DIALECTS: Mapping[Family, Dialect] = {"openai": OPENAI, "anthropic": GENERIC, "generic": GENERIC}
"""What a server takes follows from what an admin declared, never from its address or a name."""


@dataclass(frozen=True, slots=True)
class Found:
    """A provider that nobody configured."""

    integration: Integration
    key: str | None


class Models:
    """Made once by `main`."""

    def __init__(
        self,
        database: Database,
        vault: Vault,
        session: Session,
        *,
        demo: Bounded,
        telemetry: Telemetry,
        found: Found | None = None,
    ) -> None:
        self._database = database
        self._vault = vault
        self._session = session
        self._demo = with_retries(demo, waits=(), watch=Watch(telemetry, DEMO))
        self._telemetry = telemetry
        self.found = found

    async def open(self, chosen: Chosen, principal: Principal) -> Model:
        if chosen.integration is None:
            return self._demo
        wire = await self.open_wire(chosen.integration, principal)
        watch = Watch(self._telemetry, name_provider(chosen.integration))
        model = with_retries(wire, watch=watch)
        cap = chosen.integration.limit
        if cap is None:
            return model
        spender = Spender(principal.tenant_id, chosen.integration.id, principal.id)
        return Metered(model, self._database, spender, cap, watch)

    async def open_wire(self, integration: Integration, principal: Principal) -> OpenAiWire:
        """The provider's client itself, without retries, as the Test button wants it."""
        key = await self._load_key(integration, principal)
        dialect = DIALECTS[integration.family]
        return OpenAiWire(integration.base_url, key, self._session, dialect=dialect)

    async def _load_key(self, integration: Integration, principal: Principal) -> str | None:
        if self.found is not None and integration.id == self.found.integration.id:
            return self.found.key
        if not integration.has_key:
            return None
        async with self._database.transaction(read_only=True) as db:
            secret_id = await store.find_secret(db, principal.tenant_id, integration.id)
            if secret_id is None:
                return None
            return await reveal_secret(
                db, self._vault, tenant_id=principal.tenant_id, secret_id=secret_id
            )


async def find_provider(settings: Settings, session: Session) -> Found | None:
    """A key in the environment, or an Ollama on this machine that has a model."""
    if settings.openai_api_key is not None:
        key = settings.openai_api_key.get_secret_value()
        address = settings.openai_base_url
        family = "openai" if urlsplit(address).hostname == OFFICIAL else "generic"
        return Found(_describe("Environment", address, [settings.openai_model], family), key)
    if not settings.ollama_url:
        return None
    quick = Timeouts(connect=LOOK_SECONDS, first_byte=LOOK_SECONDS, stall=LOOK_SECONDS)
    wire = OpenAiWire(settings.ollama_url, None, session, timeouts=quick)
    try:
        async with asyncio.timeout(2 * LOOK_SECONDS):
            models = await wire.list_models()
    except (ModelError, TimeoutError):
        return None
    if not models:
        return None
    return Found(_describe("Ollama", settings.ollama_url, list(models), "generic"), None)


def _describe(name: str, base_url: str, models: list[str], family: Family) -> Integration:
    return Integration(
        id=LOCAL_ID,
        name=name,
        base_url=base_url,
        has_key=name == "Environment",
        default_model=models[0],
        allowed_models=models,
        family=family,
        context_window=None,
        cap=None,
        enabled=True,
        # One machine answers one after the other, and would read its whole prompt anew each time.
        classifier=name == "Environment",
        version=1,
    )
