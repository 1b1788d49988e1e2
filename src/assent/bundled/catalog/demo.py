"""What the demo workspace holds on the first start: a small shop, for people to try things on."""

from uuid import UUID

from assent.bundled.catalog.declaration import plugin
from assent.bundled.catalog.dependencies import create_dependency
from assent.bundled.catalog.environments import create_environment
from assent.bundled.catalog.groups import create_group
from assent.bundled.catalog.systems import create_system
from assent.bundled.catalog.values import DependencyDraft, Draft, GroupDraft, SystemDraft
from assent.plugins.api import Context, DemoWorkspace

ENVIRONMENTS = {
    "Production": "What customers use.",
    "Staging": "The rehearsal for production.",
}
GROUPS = {
    "Storefront": "Everything a customer touches.",
    "Platform": "What the rest stands on.",
}
SYSTEMS = {
    "web": ("The shop's pages.", "Storefront"),
    "checkout": ("Takes orders and payments.", "Storefront"),
    "search": ("Finds products.", "Storefront"),
    "orders": ("Keeps orders and their state.", "Platform"),
    "postgres": ("The main database.", "Platform"),
}
DEPENDENCIES = [
    ("web", "checkout", "soft"),
    ("web", "search", "soft"),
    ("checkout", "orders", "hard"),
    ("orders", "postgres", "hard"),
    ("search", "postgres", "soft"),
]


@plugin.demo
async def fill_catalog(ctx: Context, demo: DemoWorkspace) -> None:
    workspace_id = demo.workspace_id
    environments = [
        await _environment(ctx, workspace_id, name, text) for name, text in ENVIRONMENTS.items()
    ]
    groups = {
        name: (
            await ctx.call(
                create_group,
                GroupDraft(workspace_id=workspace_id, name=name, description=text),
            )
        ).id
        for name, text in GROUPS.items()
    }
    systems: dict[str, UUID] = {}
    for name, (text, group) in SYSTEMS.items():
        draft = SystemDraft(
            workspace_id=workspace_id,
            name=name,
            description=text,
            group_ids=[groups[group]],
            environment_ids=environments,
        )
        systems[name] = (await ctx.call(create_system, draft)).id
    for system, target, strength in DEPENDENCIES:
        link = DependencyDraft.model_validate(
            {
                "system_id": systems[system],
                "depends_on_id": systems[target],
                "strength": strength,
            }
        )
        await ctx.call(create_dependency, link)


async def _environment(ctx: Context, workspace_id: UUID, name: str, text: str) -> UUID:
    draft = Draft(workspace_id=workspace_id, name=name, description=text)
    return (await ctx.call(create_environment, draft)).id
