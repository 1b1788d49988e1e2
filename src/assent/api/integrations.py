"""Routes for integrations beyond their procedures: what a chat may choose, and the Test button."""

from typing import Annotated
from uuid import UUID

from fastapi import APIRouter, Path

from assent.api.parts import PartsOf
from assent.api.principal import Person
from assent.api.problems import PROBLEM_RESPONSES
from assent.errors import ModelError, NotFound
from assent.identity.principal import check_rule
from assent.models.check import check
from assent.models.integration import IntegrationChoice
from assent.models.retry import BEGIN_WITHIN
from assent.models.store.integrations import find_integration
from assent.plugins.assistant.integrations import MANAGE
from assent.value import Page, Value

router = APIRouter(prefix="/api", tags=["Integrations"], responses=PROBLEM_RESPONSES)


class Tested(Value):
    """`problem` says in words why it does not work; `models` are those that the server lists."""

    works: bool
    problem: str | None = None
    models: list[str] | None = None


@router.get("/integrations", operation_id="integrations_choose")
async def list_choices(parts: PartsOf, person: Person) -> Page[IntegrationChoice]:
    """List what a conversation may use; empty means the built-in demo model."""
    async with parts.database.reading() as db:
        found = await parts.studio.list_integrations(db, person.tenant_id)
    return Page[IntegrationChoice](
        items=[
            IntegrationChoice(
                id=one.id,
                name=one.name,
                default_model=one.default_model,
                models=list(one.models),
                provided=one.provided,
            )
            for one in found
            if one.enabled
        ]
    )


@router.post("/admin/integrations/{integrationId}/test", operation_id="integrations_test")
async def test_one(
    parts: PartsOf, person: Person, integration_id: Annotated[UUID, Path(alias="integrationId")]
) -> Tested:
    """Ask the integration's default model for a word."""
    check_rule(person, MANAGE)
    async with parts.database.reading() as db:
        integration = await find_integration(db, person.tenant_id, integration_id)
    if integration is None:
        raise NotFound
    models = parts.studio.models
    try:
        wire = await models.open_wire(integration, person)
        metered = models.meter(wire, integration, person).within(BEGIN_WITHIN)
        checked = await check(wire, integration.default_model, metered)
    except ModelError as error:
        return Tested(works=False, problem=error.message)
    return Tested(works=True, models=list(checked.models) if checked.models else None)
