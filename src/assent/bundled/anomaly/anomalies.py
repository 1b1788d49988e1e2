"""Procedures for anomalies."""

from uuid import UUID

from assent.bundled.anomaly import store
from assent.bundled.anomaly.declaration import plugin
from assent.bundled.anomaly.values import (
    Acknowledged,
    Acknowledgement,
    Anomaly,
    AnomalyQuery,
    AnomalyRef,
)
from assent.plugins.api import Changed, Conflict, Context, NotFound, Page, build_page

READ, MANAGE = "anomaly.anomaly.read", "anomaly.anomaly.manage"


@plugin.procedure(rule=READ, effect="read", route="GET /anomalies")
async def list_anomalies(ctx: Context, query: AnomalyQuery) -> Page[Anomaly]:
    """List anomalies, the newest first."""
    rows = await store.list_anomalies(ctx.db, ctx.tenant_id, ctx.scope, query)
    return build_page(rows, query.limit, lambda one: (one.opened_at.isoformat(), str(one.id)))


@plugin.procedure(rule=READ, effect="read", route="GET /anomalies/{anomaly_id}")
async def get_anomaly(ctx: Context, ref: AnomalyRef) -> Anomaly:
    """Show one anomaly."""
    return await load_anomaly(ctx, ref.anomaly_id)


@plugin.procedure(rule=MANAGE, effect="mutate", route="POST /anomalies/{anomaly_id}/acknowledge")
async def acknowledge_anomaly(ctx: Context, said: Acknowledgement) -> Anomaly:
    """Say that somebody has seen an anomaly and looks after it."""
    await store.lock_anomaly(ctx.db, ctx.tenant_id, said.anomaly_id)
    anomaly = await load_anomaly(ctx, said.anomaly_id)
    if said.expected_version not in (None, anomaly.version):
        raise Changed(f"This is at version {anomaly.version} by now. Load it again.")
    check_unseen(anomaly)
    await store.acknowledge(
        ctx.db,
        ctx.tenant_id,
        anomaly.id,
        Acknowledged(by=ctx.principal.name, at=ctx.now, note=said.note),
    )
    await ctx.publish("anomaly.anomaly.acknowledged", {"anomalyId": str(anomaly.id)})
    return await load_anomaly(ctx, anomaly.id)


def check_unseen(anomaly: Anomaly) -> None:
    if anomaly.acknowledged is not None:
        raise Conflict.at("anomalyId", f"{anomaly.acknowledged.by} has acknowledged it already.")


async def load_anomaly(ctx: Context, anomaly_id: UUID) -> Anomaly:
    anomaly = await store.find_anomaly(ctx.db, ctx.tenant_id, anomaly_id)
    if anomaly is None:
        raise NotFound("There is no such anomaly.")
    await ctx.check(workspace_id=anomaly.workspace_id, resource_id=anomaly.id)
    return anomaly
