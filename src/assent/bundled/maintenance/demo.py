"""What the demo workspace holds on the first start: work that is planned, and work under way."""

from datetime import timedelta

from assent.bundled.catalog.api import SystemQuery, list_systems
from assent.bundled.maintenance.declaration import plugin
from assent.bundled.maintenance.values import WindowDraft
from assent.bundled.maintenance.windows import create_window
from assent.plugins.api import Context, DemoWorkspace


@plugin.demo
async def fill_windows(ctx: Context, demo: DemoWorkspace) -> None:
    query = SystemQuery(workspace_id=demo.workspace_id, cursor=None, limit=50)
    systems = {one.name: one.id for one in (await ctx.call(list_systems, query)).items}
    now = ctx.now.replace(second=0, microsecond=0)
    drafts = [
        WindowDraft(
            workspace_id=demo.workspace_id,
            title="Reindexing of orders",
            description="Orders are a little slower meanwhile.",
            system_ids=[systems["orders"]],
            starts_at=now - timedelta(minutes=10),
            ends_at=now + timedelta(hours=2),
        ),
        WindowDraft(
            workspace_id=demo.workspace_id,
            title="Postgres gets its updates",
            description="A short interruption of everything.",
            system_ids=[systems["postgres"]],
            starts_at=now + timedelta(days=1),
            ends_at=now + timedelta(days=1, hours=1),
        ),
    ]
    for draft in drafts:
        await ctx.call(create_window, draft)
