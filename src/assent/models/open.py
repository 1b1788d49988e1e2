"""From a choice to a model that answers: the provider's client with its key, metered, or the demo.

Also what is found without any configuration: a key in the environment, a local Ollama.
"""

import asyncio
import logging
from collections.abc import Mapping
from dataclasses import dataclass
from importlib import import_module
from urllib.parse import urlsplit

from assent.db.database import Database
from assent.errors import ModelError
from assent.identity.principal import Principal
from assent.models import anthropic_request
from assent.models.anthropic_wire import AnthropicWire
from assent.models.call import Occasion
from assent.models.cap import Spender
from assent.models.check import Wire
from assent.models.http import Session, Timeouts
from assent.models.integration import (
    LOCAL_ID,
    WINDOW,
    Chosen,
    Family,
    Integration,
    Provider,
    guess_images,
)
from assent.models.ledger import Ledger
from assent.models.meter import Account, Metered
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

NEEDS_EXTRA = (
    "This provider needs a part of Assent that is not installed. "
    "Ask an admin to install it: pip install 'assent[providers]'."
)
LOOK_SECONDS = 0.5
NO_OCCASION = Occasion()
OFFICIAL = "api.openai.com"
DIALECTS: Mapping[Family, Dialect] = {"openai": OPENAI, "anthropic": GENERIC, "generic": GENERIC}
"""What a server takes follows from what an admin declared, never from its address or a name."""


log = logging.getLogger("assent.models")


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
        self._demo = demo
        self._ledger = Ledger(database)
        self._telemetry = telemetry
        self.found = found

    async def open(
        self, chosen: Chosen, principal: Principal, occasion: Occasion = NO_OCCASION
    ) -> Model:
        """A model for this principal, each call of which is in the ledger."""
        if chosen.integration is None:
            watch = Watch(self._telemetry, DEMO)
            account = Account(
                spender=Spender(principal.tenant_id, LOCAL_ID, principal.id),
                provider=DEMO,
                is_demo=True,
                occasion=occasion,
            )
            metered = Metered(self._demo, self._ledger, account, watch)
            return with_retries(metered, waits=(), watch=watch)
        wire = await self.open_wire(chosen.integration, principal)
        metered = self.meter(wire, chosen.integration, principal, occasion)
        return with_retries(metered, watch=metered.watch)

    def meter(
        self,
        model: Bounded,
        integration: Integration,
        principal: Principal,
        occasion: Occasion = NO_OCCASION,
    ) -> Metered:
        """The model of an integration, with its calls in the ledger."""
        provider = name_provider(integration)
        account = Account(
            spender=Spender(principal.tenant_id, integration.id, principal.id),
            provider=provider,
            provided=integration.provided,
            cap=integration.limit,
            prices=integration.prices,
            occasion=occasion,
        )
        return Metered(model, self._ledger, account, Watch(self._telemetry, provider))

    async def open_wire(self, integration: Integration, principal: Principal) -> Wire:
        """The provider's client itself, without retries, as the Test button wants it."""
        key = await self._load_key(integration, principal)
        address = integration.base_url
        match integration.provider:
            case "openai":
                dialect = DIALECTS[integration.family]
                return OpenAiWire(address, key, self._session, dialect=dialect)
            case "anthropic":
                wanted = anthropic_request.Dialect(
                    thinks=integration.thinking, window=integration.context_window or WINDOW
                )
                return AnthropicWire(address, key, self._session, dialect=wanted)
            case "google" | "bedrock":
                return open_adapter(integration, key)

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


def open_adapter(integration: Integration, key: str | None) -> Wire:
    """The client of a provider that comes with an extra, loaded when it is needed."""
    try:
        adapter = import_module("assent.models.via_pydantic_ai")
        return adapter.open_wire(integration, key)
    except ImportError as error:
        log.debug("An extra is missing: %s", error)
        raise ModelError(NEEDS_EXTRA) from error


async def find_provider(settings: Settings, session: Session) -> Found | None:
    """A key in the environment, or an Ollama on this machine that has a model."""
    if settings.openai_api_key is not None:
        key = settings.openai_api_key.get_secret_value()
        address = settings.openai_base_url
        family = "openai" if urlsplit(address).hostname == OFFICIAL else "generic"
        return Found(_describe("Environment", address, [settings.openai_model], family), key)
    if settings.anthropic_api_key is not None:
        key = settings.anthropic_api_key.get_secret_value()
        models = [settings.anthropic_model]
        address = settings.anthropic_base_url
        return Found(_describe("Environment", address, models, "anthropic", "anthropic"), key)
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


def _describe(
    name: str, base_url: str, models: list[str], family: Family, provider: Provider = "openai"
) -> Integration:
    return Integration(
        id=LOCAL_ID,
        name=name,
        provider=provider,
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
        images=guess_images(provider, family),
        version=1,
    )
