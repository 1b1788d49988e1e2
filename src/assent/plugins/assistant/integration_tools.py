"""Tools for integrations: under the manage rule, always proposed; a key is typed into the card."""

from typing import Any
from uuid import UUID

from pydantic import Field

from assent.models.integration import (
    Address,
    Family,
    Integration,
    IntegrationChange,
    IntegrationDraft,
    ModelName,
    Provider,
)
from assent.models.store import integrations as store
from assent.plugins.assistant.declaration import plugin
from assent.plugins.assistant.integrations import (
    MANAGE,
    IntegrationRef,
    create_integration,
    delete_integration,
    list_integrations,
    update_integration,
)
from assent.plugins.procedure import Context
from assent.tools.diff import find_changes
from assent.tools.secret_field import Secret
from assent.tools.tool import Basis, Preview, Result, ToolValidationError
from assent.value import Name, Value

NOT_SAID = {"integration_id", "key"}


class NewIntegration(Value):
    name: Name
    provider: Provider = "openai"
    base_url: Address
    default_model: ModelName
    allowed_models: list[ModelName] = Field([], max_length=200)
    family: Family = "generic"
    context_window: int | None = Field(None, ge=1_000, le=100_000_000)
    key: Secret = None


class IntegrationUpdate(Value):
    """What is left out stays. The key is changed on the page of integrations."""

    integration_id: UUID = Field(description="From ai.listIntegrations.")
    name: Name | None = None
    base_url: Address | None = None
    default_model: ModelName | None = None
    allowed_models: list[ModelName] | None = Field(None, max_length=200)
    context_window: int | None = Field(None, ge=1_000, le=100_000_000)
    enabled: bool | None = None


plugin.project(
    list_integrations,
    tool="ai.listIntegrations",
    title="List integrations",
    description="List the configured model providers with their models and ids, without keys.",
    phase="build",
)


@plugin.tool(
    "ai.createIntegration", effect="mutate", rules=[MANAGE], phase="build", always_asks=True
)
class CreateIntegration:
    """Add a model provider that needs a key. Never ask for the key: it is typed into the card.

    One without a key, such as a local server, is added on the page of integrations.
    """

    title = "Add an integration"
    Input = NewIntegration

    async def dry_run(self, ctx: Context, given: NewIntegration) -> Preview:
        if await store.find_named(ctx.db, ctx.tenant_id, given.name) is not None:
            raise ToolValidationError.at("name", "Another integration has this name.")
        shown = given.model_dump(mode="json", by_alias=True, exclude=NOT_SAID)
        return Preview(summary=f"Add the integration {given.name}", creates=shown)

    async def execute(self, ctx: Context, given: NewIntegration) -> Result:
        key = await ctx.reveal_secret(given.key) if given.key else None
        draft = IntegrationDraft(**given.model_dump(exclude=NOT_SAID), key=key)
        made = await ctx.call(create_integration, draft)
        if given.key:
            await ctx.forget_secret(given.key)
        return Result({"integrationId": str(made.id), "name": made.name})


@plugin.tool(
    "ai.updateIntegration", effect="mutate", rules=[MANAGE], phase="build", always_asks=True
)
class UpdateIntegration:
    """Change a model provider; what is left out stays."""

    title = "Change an integration"
    Input = IntegrationUpdate

    async def dry_run(self, ctx: Context, given: IntegrationUpdate) -> Preview:
        present = await _find(ctx, given.integration_id)
        said = _say(given)
        diff = find_changes(present.model_dump(mode="json", include=set(said)), said)
        if not diff:
            raise ToolValidationError.at("", "Say what to change.")
        return Preview(
            summary=f"Change the integration {present.name}", diff=diff, basis=(_on(present),)
        )

    async def execute(self, ctx: Context, given: IntegrationUpdate) -> Result:
        change = IntegrationChange(integration_id=given.integration_id, **_say(given))
        changed = await ctx.call(update_integration, change)
        return Result({"integrationId": str(changed.id), "name": changed.name})


@plugin.tool("ai.deleteIntegration", effect="destructive", rules=[MANAGE], phase="build")
class DeleteIntegration:
    """Remove a model provider; conversations that chose it go on with the first one."""

    title = "Delete an integration"
    Input = IntegrationRef

    async def dry_run(self, ctx: Context, given: IntegrationRef) -> Preview:
        present = await _find(ctx, given.integration_id)
        return Preview(
            summary=f"Delete the integration {present.name}",
            removes=(f"integration {present.name}", *(["its key"] if present.has_key else [])),
            basis=(_on(present),),
        )

    async def execute(self, ctx: Context, given: IntegrationRef) -> Result:
        await ctx.call(delete_integration, given)
        return Result({"deleted": True})


async def _find(ctx: Context, integration_id: UUID) -> Integration:
    found = await store.find_integration(ctx.db, ctx.tenant_id, integration_id)
    if found is None:
        raise ToolValidationError.at("integrationId", "There is no such integration.")
    return found


def _say(given: IntegrationUpdate) -> dict[str, Any]:
    return given.model_dump(mode="json", exclude=NOT_SAID, exclude_unset=True)


def _on(integration: Integration) -> Basis:
    return Basis("ai.integration", str(integration.id), integration.version)
