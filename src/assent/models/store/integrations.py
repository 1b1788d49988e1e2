"""SQL of integrations."""

from collections.abc import Sequence
from typing import Any
from uuid import UUID

from assent.db.database import Db, Row
from assent.models.integration import Integration, IntegrationChange, IntegrationDraft
from assent.models.price import ModelPrice

COLUMNS = """
id, name, base_url, secret_id IS NOT NULL AS has_key, default_model, allowed_models, family,
context_window, enabled, version,
provider, classifier, thinking, prices, provided, images,
CASE WHEN cap_tokens IS NOT NULL
     THEN jsonb_build_object('tokens', cap_tokens, 'seconds', cap_seconds) END AS cap
"""
LIST = f"SELECT {COLUMNS} FROM integrations WHERE tenant_id = $1 ORDER BY created_at, id"
FIND = f"SELECT {COLUMNS} FROM integrations WHERE tenant_id = $1 AND id = $2"
FIND_NAMED = """
SELECT id FROM integrations WHERE tenant_id = $1 AND lower(name) = lower($2)
"""
FIND_SECRET = "SELECT secret_id FROM integrations WHERE tenant_id = $1 AND id = $2"
LOCK_SECRET = f"{FIND_SECRET} FOR UPDATE"
INSERT = f"""
INSERT INTO integrations (
    id, tenant_id, name, base_url, secret_id, default_model, allowed_models, family,
    context_window, cap_tokens, cap_seconds, enabled,
    provider, classifier, thinking, prices, provided, images
) VALUES (
    $1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12,
    $13, $14, $15, $16, $17, $18
)
RETURNING {COLUMNS}
"""
UPDATE = f"""
UPDATE integrations SET
    name = coalesce($3, name), base_url = coalesce($4, base_url),
    secret_id = coalesce($5, secret_id), default_model = coalesce($6, default_model),
    allowed_models = coalesce($7, allowed_models), family = coalesce($8, family),
    context_window = CASE WHEN 'context_window' = ANY($14) THEN $9 ELSE context_window END,
    cap_tokens = CASE WHEN 'cap' = ANY($14) THEN $10 ELSE cap_tokens END,
    cap_seconds = CASE WHEN 'cap' = ANY($14) THEN $11 ELSE cap_seconds END,
    enabled = coalesce($12, enabled), version = version + 1,
    provider = coalesce($15, provider), classifier = coalesce($16, classifier),
    thinking = coalesce($17, thinking),
    prices = coalesce($18, prices), provided = coalesce($19, provided),
    images = coalesce($20, images)
WHERE tenant_id = $1 AND id = $2 AND ($13::bigint IS NULL OR version = $13)
RETURNING {COLUMNS}
"""
DELETE = "DELETE FROM integrations WHERE tenant_id = $1 AND id = $2 RETURNING id"


async def list_integrations(db: Db, tenant_id: UUID) -> list[Integration]:
    return [_integration(row) for row in await db.fetch(LIST, tenant_id)]


async def find_integration(db: Db, tenant_id: UUID, integration_id: UUID) -> Integration | None:
    row = await db.fetchrow(FIND, tenant_id, integration_id)
    return _integration(row) if row else None


async def find_named(db: Db, tenant_id: UUID, name: str) -> UUID | None:
    return await db.fetchval(FIND_NAMED, tenant_id, name)


async def find_secret(db: Db, tenant_id: UUID, integration_id: UUID) -> UUID | None:
    return await db.fetchval(FIND_SECRET, tenant_id, integration_id)


async def lock_secret(db: Db, tenant_id: UUID, integration_id: UUID) -> UUID | None:
    """The same, and nobody else changes this integration until the transaction ends."""
    return await db.fetchval(LOCK_SECRET, tenant_id, integration_id)


async def insert_integration(
    db: Db,
    tenant_id: UUID,
    draft: IntegrationDraft,
    *,
    integration_id: UUID,
    secret_id: UUID | None,
) -> Integration:
    row = await db.fetchrow(
        INSERT,
        integration_id,
        tenant_id,
        draft.name,
        draft.base_url,
        secret_id,
        draft.default_model,
        draft.allowed_models,
        draft.family,
        draft.context_window,
        draft.cap.tokens if draft.cap else None,
        draft.cap.seconds if draft.cap else None,
        draft.enabled,
        draft.provider,
        draft.classifier,
        draft.thinking,
        _encode_prices(draft.prices),
        draft.provided,
        draft.takes_images,
    )
    if row is None:
        raise LookupError(integration_id)
    return _integration(row)


async def update_integration(
    db: Db, tenant_id: UUID, change: IntegrationChange, secret_id: UUID | None
) -> Integration | None:
    row = await db.fetchrow(
        UPDATE,
        tenant_id,
        change.integration_id,
        change.name,
        change.base_url,
        secret_id,
        change.default_model,
        change.allowed_models,
        change.family,
        change.context_window,
        change.cap.tokens if change.cap else None,
        change.cap.seconds if change.cap else None,
        change.enabled,
        change.expected_version,
        sorted(change.model_fields_set),
        change.provider,
        change.classifier,
        change.thinking,
        None if change.prices is None else _encode_prices(change.prices),
        change.provided,
        change.images,
    )
    return _integration(row) if row else None


async def delete_integration(db: Db, tenant_id: UUID, integration_id: UUID) -> bool:
    return await db.fetchrow(DELETE, tenant_id, integration_id) is not None


def _integration(row: Row) -> Integration:
    return Integration(**row)


def _encode_prices(prices: Sequence[ModelPrice]) -> list[dict[str, Any]]:
    return [one.model_dump(mode="json") for one in prices]
