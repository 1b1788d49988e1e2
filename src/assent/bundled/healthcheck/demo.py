"""What the demo workspace holds on the first start: checks of real places on this machine.

One is of Assent itself. The other is of a port on which nothing listens, so that there is something
to find out about.
"""

from assent.bundled.catalog.api import SystemQuery, list_systems
from assent.bundled.healthcheck.checks import create_check
from assent.bundled.healthcheck.declaration import plugin
from assent.bundled.healthcheck.given import GivenCheck
from assent.plugins.api import Context, DemoWorkspace

CLOSED_PORT = 1
"""No service of today listens there (tcpmux)."""


@plugin.demo
async def fill_checks(ctx: Context, demo: DemoWorkspace) -> None:
    query = SystemQuery(workspace_id=demo.workspace_id, cursor=None, limit=50)
    systems = {one.name: str(one.id) for one in (await ctx.call(list_systems, query)).items}
    drafts = [
        {
            "name": "Assent itself",
            "description": "Whether this server answers and reaches its database.",
            "systemIds": [systems["web"]],
            "strategy": {"kind": "http", "config": {"url": f"{ctx.public_url}/healthz"}},
            "intervalSeconds": 30,
        },
        {
            "name": "Search port",
            "description": "Whether anything listens where the search is expected.",
            "systemIds": [systems["search"]],
            "strategy": {"kind": "tcp", "config": {"host": "127.0.0.1", "port": CLOSED_PORT}},
            "intervalSeconds": 30,
        },
    ]
    for draft in drafts:
        given = {"workspaceId": str(demo.workspace_id), "timeoutMs": 5000, **draft}
        await ctx.call(create_check, GivenCheck.model_validate(given))
